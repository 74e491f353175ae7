"""`attn grade` behind its arguments: what it prints, and how it ends."""

import contextlib
import io
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.database import DATABASE, Gradebook
from grader.gradebook.policy import Policy
from grader.gradebook.rows import (
    PEOPLE,
    POLICY,
    load_people,
    load_policy,
    load_rows,
    write_text,
)
from grader.message_parts import first_of
from grader.pipeline.after_grading import changed_scores, without_hold
from grader.pipeline.collected import TABLE, lines_of, only, say_exceptions
from grader.pipeline.course_toml import NAME, Config, find_config, load_config
from grader.pipeline.exceptions import read_exceptions
from grader.pipeline.local import Settings, grade_all
from grader.pipeline.run import forget, open_gradebook, run, without_work, write_pages
from grader.pipeline.versions import course_version, exercise_version
from grader.reports.marking_pages import ANONYMOUS
from grader.reports.overview import what_to_do
from grader.reports.student import in_words
from grader.sandbox.probe import find_sandbox
from grader.sandbox.profiles import Profile
from grader.sandbox.sandbox import Sandbox
from grader.submissions.class_table import found_in, write_class
from grader.submissions.files import is_notebook
from grader.submissions.roster import load_roster

LEAST_MEMORY = 300  # MB: torch alone holds 240
EXCEPTIONS = "exceptions.csv"
MOST_CHANGED = 50  # rows whose score changed, on the screen


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


def grade_class(arguments, exercises: Mapping[str, Exercise]) -> int:
    """Grade a class into `arguments.out`."""
    place = find_config(arguments.submissions, arguments.config)
    config = load_config(place, exercises)
    course, exercises = exercises, config.exercises
    if place:
        print(f"settings: {one_line(str(place))}", file=sys.stderr)
    policy = _policy(arguments, config, place, course)
    roster = load_roster(arguments.roster) if arguments.roster else None
    as_read, people = roster, _people(arguments.out)
    roster = roster.known_as(people) if roster else None
    how = arguments.submissions, arguments.from_, arguments.assignment
    lines = only(lines_of(*how, course, roster, arguments.out), arguments.exercise, exercises)
    if as_read and roster and arguments.submissions.suffix.lower() == ".csv":
        pairs = zip(as_read.people, roster.people, strict=True)
        names = {before.student: now.student for before, now in pairs}
        lines = [replace(line, student=names.get(line.student, line.student)) for line in lines]
    found = found_in(lines, policy.best)
    say_exceptions(lines, str(arguments.out / TABLE))
    if not found.submissions:
        raise InputError(
            f"{str(arguments.submissions)!r} holds no work for an exercise of this class. The "
            f"exercises are: {', '.join(exercises)}."
        )
    import torch

    with open_gradebook(arguments.out) as gradebook, contextlib.ExitStack() as started:
        memory = arguments.memory or config.memory
        if memory < LEAST_MEMORY:
            print(f"memory: {LEAST_MEMORY} MB; with less, torch does not start", file=sys.stderr)
            memory = LEAST_MEMORY
        timeout = arguments.timeout or config.timeout
        if not arguments.scheduler:
            _say_memory(arguments.jobs, memory, machine_memory())
        torch.set_num_threads(1)  # judging is small work; the cells need the other cores
        if arguments.scheduler:  # its workers probe their own sandboxes; each row records which
            profile = Profile("trusted" if arguments.trust_submissions else "cluster", None, None)
            grader = _cluster(arguments.scheduler)
        else:
            sandboxes = [started.enter_context(one) for one in _sandboxes(arguments, memory)]
            profile = sandboxes[0].profile
            grader = partial(grade_all, sandboxes=sandboxes)
        print(f"profile: {profile.name}", file=sys.stderr)
        version = course_version()
        versions = {stem: exercise_version(one) for stem, one in exercises.items()}
        settings = Settings(
            exercises, version, gradebook.secret, profile, timeout, memory, versions, policy
        )
        before = {(row.student, row.exercise): row.total for row in load_rows(gradebook)}
        given_up = forget(arguments.out, gradebook, arguments.forget)
        write_text(arguments.out / TABLE, write_class(lines))
        others = without_work(found, roster, gradebook.with_work())
        with _progress(len(found.submissions) + len(others)) as tick:
            tally = run(found, gradebook, settings, roster, grader, tick, again=arguments.again)
        gradebook.set_setting(ANONYMOUS, "yes" if arguments.anonymous else "")
        gradebook.set_setting(POLICY, policy.dumps())
        people |= roster.by_keys() if roster else {}
        gradebook.set_setting(PEOPLE, json.dumps(people, ensure_ascii=False))
        to_mark = write_pages(arguments.out, gradebook, exercises)
        rows = load_rows(gradebook)
    for line in without_hold(policy, rows, roster):
        print(f"look: {one_line(line)}", file=sys.stderr)
    changed = changed_scores(before, rows)
    counts = ", ".join(f"{count} {status}" for status, count in sorted(tally.statuses.items()))
    print(f"{tally.statuses.total()} rows ({counts or 'none'}); {tally.known} known from before.")
    if changed:
        print(f"scores that changed: {len(changed)}")
    for line in first_of(changed, MOST_CHANGED):
        print(f"  {line}")
    for student, exercise in given_up:
        print(f"given up: {one_line(student)}, {exercise}")
    for place in to_mark:
        print(f"For a person to mark: {place}")
    print(*map(one_line, what_to_do(rows)), sep="\n")
    print(f"Grades: {arguments.out / 'grades.csv'}; overview: {arguments.out / 'overview.html'}")
    return 0


def machine_memory() -> int:
    """MB that this machine has, or that its container may use."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with contextlib.suppress(OSError, ValueError):  # there is no limit, or it is "max"
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits) >> 20


def _say_memory(jobs: int, memory: int, have: int) -> None:
    if jobs * memory > have:
        print(
            f"memory: {jobs} submissions side by side may hold {jobs * memory} MB, and this "
            f"machine has {have}: with smaller --jobs or --memory, none can be killed for "
            "another's sake",
            file=sys.stderr,
        )


def _sandboxes(arguments, memory: int) -> list[Sandbox]:
    """One for each job. The first is the one that was probed: it is warm already."""
    first, reasons = find_sandbox(memory, arguments.trust_submissions, arguments.profile)
    for reason in reasons:
        print(f"not in force: {one_line(reason)}", file=sys.stderr)
    return [first, *(Sandbox(first.profile, memory) for _ in range(arguments.jobs - 1))]


def _policy(
    arguments, config: Config, place: Path | None, course: Mapping[str, Exercise]
) -> Policy:
    """What holds for the class. Where a run is given no settings, or no table of exceptions,
    those of the run before stay."""
    known = Policy()
    if (arguments.out / DATABASE).is_file() and (arguments.out / DATABASE).stat().st_size:
        with Gradebook(arguments.out / DATABASE, to_read=True) as gradebook:
            known = load_policy(gradebook)
    policy = replace(config.policy, given=bool(place))
    if known.given and not place:
        policy = known
        print(f"settings: no {NAME} is here; those of the last run stay", file=sys.stderr)
    beside = arguments.submissions.absolute().parent / EXCEPTIONS
    table = arguments.exceptions or (beside if beside.is_file() else None)
    if table:
        print(f"exceptions: {one_line(str(table))}", file=sys.stderr)
        return replace(policy, exceptions=read_exceptions(table, course))
    if known.exceptions:
        print(f"exceptions: no {EXCEPTIONS} is here; those of the last run stay", file=sys.stderr)
    return replace(policy, exceptions=known.exceptions)


def _people(out: Path) -> dict[str, str]:
    """Who is known from the weeks before, under which name."""
    if not ((out / DATABASE).is_file() and (out / DATABASE).stat().st_size):
        return {}
    with Gradebook(out / DATABASE, to_read=True) as gradebook:
        return load_people(gradebook)


def _cluster(address: str):
    from grader.pipeline.cluster import grade_on, is_private

    if not is_private(address):
        print(
            f"not safe: whoever reaches {one_line(address)} can run programs on its workers and "
            "read this class's work. Use tls:// with a certificate (recipes/tls.sh makes one), or "
            "let the scheduler listen on 127.0.0.1 alone.",
            file=sys.stderr,
        )
    return lambda jobs, settings: grade_on(address, jobs, settings)


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """A live count on standard error, with how many rows have which status."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = ("grading", BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    odd: Counter[str] = Counter()

    def tick(status: str) -> None:
        odd[status] += status != "graded"
        words = " ".join(f"{status} {count}" for status, count in odd.items() if count)
        bar.update(task, advance=1, description=words)

    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total)
        yield tick
