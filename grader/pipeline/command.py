"""`attn grade` behind its arguments: what it prints, and how it ends."""

import contextlib
import io
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from course_lib.checker.errors import GradebookError, InputError
from course_lib.checker.escape import one_line
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.database import DATABASE, Gradebook
from grader.gradebook.heard import Heard, keep_heard, load_heard
from grader.gradebook.policy import Exception_, Policy
from grader.gradebook.rows import (
    POLICY,
    Row,
    keep_people,
    load_people,
    load_policy,
    load_rows,
    write_text,
)
from grader.message_parts import first_of
from grader.pipeline.after_grading import heard_in_words, what_to_hear, without_hold
from grader.pipeline.collected import TABLE, lines_of, only, say_exceptions
from grader.pipeline.course_toml import NAME, Config, beside, find_config, load_config
from grader.pipeline.exceptions import read_exceptions
from grader.pipeline.local import Settings, grade_all
from grader.pipeline.machine import cluster, machine_memory, progress, say_memory
from grader.pipeline.run import Tally, forget, open_gradebook, run, without_work, write_pages
from grader.pipeline.versions import course_version, exercise_version
from grader.reports.marking_pages import ANONYMOUS
from grader.reports.overview import what_to_do
from grader.reports.student import in_words
from grader.sandbox.probe import find_sandbox
from grader.sandbox.profiles import Profile
from grader.sandbox.sandbox import Sandbox
from grader.submissions.before import Before, settled
from grader.submissions.class_table import Found, Line, found_in, write_class
from grader.submissions.files import is_notebook
from grader.submissions.people import Names
from grader.submissions.roster import Roster, load_roster

LEAST_MEMORY = 300  # MB: torch alone holds 240
EXCEPTIONS = "exceptions.csv"
MOST_CHANGED = 50  # rows whose score changed, on the screen
MOST_NAMED = 10  # people in one line of it


def grade(arguments, exercises: Mapping[str, Exercise]) -> int:
    """Grade a class, or print the report on one notebook. Exit status 0 when every submission has
    a row."""
    if arguments.out:
        return grade_class(arguments, exercises)
    if not is_notebook(arguments.submissions.name):
        raise InputError("Say with --out where the gradebook is kept, such as --out grades.")
    with tempfile.TemporaryDirectory(prefix="attn-one-") as folder:
        arguments.out = Path(folder)
        with contextlib.redirect_stdout(io.StringIO()):
            grade_class(arguments, exercises)
        with Gradebook(arguments.out / DATABASE) as gradebook:
            print(*map(in_words, load_rows(gradebook)), sep="\n")
    return 0


@dataclass(frozen=True)
class Known:
    """What the gradebook says of the runs before."""

    policy: Policy = field(default_factory=Policy)
    people: tuple[dict[str, str], dict[str, str]] = field(default_factory=lambda: ({}, {}))
    rows: list[Before] = field(default_factory=list)


@dataclass(frozen=True)
class ToGrade:
    """A class as it was read, before any of it runs."""

    config: Config
    policy: Policy
    roster: Roster | None
    lines: list[Line]
    found: Found


@dataclass(frozen=True)
class Graded:
    """What became of a class."""

    tally: Tally
    rows: list[Row]
    heard: Heard
    given_up: list[tuple[str, str]]
    to_mark: list[Path]


def grade_class(arguments, exercises: Mapping[str, Exercise]) -> int:
    """Grade a class into `arguments.out`."""
    class_ = read_class(arguments, exercises)
    say_class(arguments, class_, run_class(arguments, class_))
    return 0


def read_class(arguments, course: Mapping[str, Exercise]) -> ToGrade:
    """Who handed in what, and what holds for the class; what a person should look at is said.
    Raises InputError where nothing can be graded."""
    place = find_config(arguments.submissions, arguments.config)
    config = load_config(place, course)
    if place:
        print(f"settings: {one_line(str(place))}", file=sys.stderr)
    known = _known(arguments.out)
    policy = _policy(arguments, config, place, course, known.policy)
    roster = load_roster(arguments.roster).known_as(*known.people) if arguments.roster else None
    how = arguments.submissions, arguments.from_, arguments.assignment
    lines = only(
        lines_of(*how, course, roster, arguments.out), arguments.exercise, config.exercises
    )
    if roster and arguments.submissions.suffix.lower() == ".csv":
        found = {line.student: roster.find(line.student) for line in lines if line.student}
        named = {student: person.student for student, person in found.items() if person}
        lines = [replace(line, student=named.get(line.student, line.student)) for line in lines]
    lines = settled(lines, known.rows, roster)
    policy = replace(policy, exceptions=_in_rows(policy, lines, known.rows, roster))
    say_exceptions(lines, str(arguments.out / TABLE), roster.remarks if roster else ())
    found = found_in(lines, policy.best)
    if not found.submissions:
        raise InputError(
            f"{str(arguments.submissions)!r} holds no work for an exercise of this class. The "
            f"exercises are: {', '.join(config.exercises)}."
        )
    return ToGrade(config, policy, roster, lines, found)


def run_class(arguments, class_: ToGrade) -> Graded:
    """Grade what is new, and write the gradebook and its pages."""
    import torch

    config, roster, found = class_.config, class_.roster, class_.found
    exercises = config.exercises
    with open_gradebook(arguments.out) as gradebook, contextlib.ExitStack() as started:
        memory = arguments.memory or config.memory
        if memory < LEAST_MEMORY:
            print(f"memory: {LEAST_MEMORY} MB; with less, torch does not start", file=sys.stderr)
            memory = LEAST_MEMORY
        timeout = arguments.timeout or config.timeout
        if not arguments.scheduler:
            say_memory(arguments.jobs, memory, machine_memory())
        torch.set_num_threads(1)  # judging is small work; the cells need the other cores
        if arguments.scheduler:  # its workers probe their own sandboxes; each row records which
            profile = Profile("trusted" if arguments.trust_submissions else "cluster", None, None)
            grader = cluster(arguments.scheduler)
        else:
            sandboxes = [started.enter_context(one) for one in _sandboxes(arguments, memory)]
            profile = sandboxes[0].profile
            grader = partial(grade_all, sandboxes=sandboxes)
        print(f"profile: {profile.name}", file=sys.stderr)
        version = course_version()
        versions = {stem: exercise_version(one) for stem, one in exercises.items()}
        limits = profile, timeout, memory, versions, class_.policy
        settings = Settings(exercises, version, gradebook.secret, *limits)
        before = load_rows(gradebook)
        given_up = forget(arguments.out, gradebook, arguments.forget)
        write_text(arguments.out / TABLE, write_class(class_.lines))
        others = without_work(found, roster, gradebook.with_work())
        with progress(len(found.submissions) + len(others)) as tick:
            try:
                tally = run(found, gradebook, settings, roster, grader, tick, again=arguments.again)
            except GradebookError:  # a cluster is gone: what it has graded is shown
                with contextlib.suppress(GradebookError):
                    write_pages(arguments.out, gradebook, exercises)
                raise
        gradebook.set_setting(ANONYMOUS, "yes" if arguments.anonymous else "")
        gradebook.set_setting(POLICY, class_.policy.dumps())
        if roster:
            keep_people(gradebook, roster.by_keys(), roster.called())
        rows = load_rows(gradebook)
        heard = what_to_hear(load_heard(gradebook), before, rows, class_.lines, roster)
        keep_heard(gradebook, heard)
        to_mark = write_pages(arguments.out, gradebook, exercises)
        return Graded(tally, rows, heard, given_up, to_mark)


def say_class(arguments, class_: ToGrade, graded: Graded) -> None:
    """What a run did, what changed, and what to do now."""
    for line in without_hold(class_.policy, graded.rows, class_.roster):
        print(f"look: {one_line(line)}", file=sys.stderr)
    tally, changed = graded.tally, graded.heard.changed
    counts = ", ".join(f"{count} {status}" for status, count in sorted(tally.statuses.items()))
    print(f"{tally.statuses.total()} rows ({counts or 'none'}); {tally.known} known from before.")
    about = {line.exercise for line in class_.lines if line.student and line.exercise}
    for line in heard_in_words(graded.heard, about, MOST_NAMED):
        print(one_line(line))
    if changed:
        print(f"scores that changed: {len(changed)}")
    for line in first_of(changed, MOST_CHANGED):
        print(f"  {line}")
    for student, exercise in graded.given_up:
        print(f"given up: {one_line(student)}, {exercise}")
    for place in graded.to_mark:
        print(f"For a person to mark: {place}")
    print(*map(one_line, what_to_do(graded.rows, graded.heard)), sep="\n")
    print(f"Grades: {arguments.out / 'grades.csv'}; overview: {arguments.out / 'overview.html'}")


def _sandboxes(arguments, memory: int) -> list[Sandbox]:
    """One for each job. The first is the one that was probed: it is warm already."""
    first, reasons = find_sandbox(memory, arguments.trust_submissions, arguments.profile)
    for reason in reasons:
        print(f"not in force: {one_line(reason)}", file=sys.stderr)
    return [first, *(Sandbox(first.profile, memory) for _ in range(arguments.jobs - 1))]


def _policy(
    arguments, config: Config, place: Path | None, course: Mapping[str, Exercise], known: Policy
) -> Policy:
    """What holds for the class. Where a run is given no settings, or no table of exceptions,
    those of the run before stay."""
    policy = replace(config.policy, given=bool(place))
    if known.given and not place:
        policy = known
        print(f"settings: no {NAME} is here; those of the last run stay", file=sys.stderr)
    if table := arguments.exceptions or beside(arguments.submissions, EXCEPTIONS):
        print(f"exceptions: {one_line(str(table))}", file=sys.stderr)
        return replace(policy, exceptions=read_exceptions(table, course))
    if known.exceptions:
        print(f"exceptions: no {EXCEPTIONS} is here; those of the last run stay", file=sys.stderr)
    return replace(policy, exceptions=known.exceptions)


def _known(out: Path) -> Known:
    if not ((out / DATABASE).is_file() and (out / DATABASE).stat().st_size):
        return Known()
    with Gradebook(out / DATABASE, to_read=True) as gradebook:
        rows = [Before(r.student, r.exercise, r.place, r.lms_id) for r in gradebook.rows()]
        return Known(load_policy(gradebook), load_people(gradebook), rows)


def _in_rows(
    policy: Policy, lines: list[Line], known: list[Before], roster: Roster | None
) -> list[Exception_]:
    """The class's exceptions, each with the name of its row."""
    rows = {line.student for line in (*lines, *known) if line.student}
    named = [(row, row) for row in rows]
    for person in roster.people if roster else ():
        named += [(login, person.student) for login in {person.student, *person.logins}]
    names = Names(named)
    return [
        replace(one, student=names.find(one.student) or one.student) for one in policy.exceptions
    ]
