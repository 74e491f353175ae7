"""One run of `attn grade`: find, read, grade what is new, write the gradebook and its pages."""

import fcntl
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from course_lib.grading.errors import InputError
from course_lib.grading.gradebook.database import DATABASE, Gradebook
from course_lib.grading.gradebook.rows import GRADES, load_rows, write_grades
from course_lib.grading.gradebook.written import keep_answers
from course_lib.grading.pipeline.local import Job, Settings, grade_all, read
from course_lib.grading.pipeline.submission import failed, to_data
from course_lib.grading.reports.overview import write_overview
from course_lib.grading.reports.student import remove_others, write_reports
from course_lib.grading.reports.written import write_written
from course_lib.grading.sandbox.sandbox import Sandbox
from course_lib.grading.submissions.found import Found
from course_lib.grading.submissions.owners import settle
from course_lib.grading.submissions.roster import Roster
from course_lib.grading.tasks.task import Exercise

# A cluster's workers say their own profile; whatever it is, it is one.
STRENGTH = {"trusted": 0, "container": 1, "portable": 2, "strong": 3, "cluster": 1}
Grader = Callable[[Iterator[Job], Settings], Iterator[tuple[Job, dict[str, Any]]]]


@dataclass
class Tally:
    """What a run did, for its last lines on the screen."""

    total: int = 0
    graded: int = 0  # in this run
    known: int = 0  # from an earlier one
    dropped: int = 0  # rows of an earlier run that this one did not see: no longer current
    statuses: dict[str, int] = field(default_factory=dict)


@contextmanager
def open_gradebook(out: Path) -> Iterator[Gradebook]:
    """The gradebook in `out`, for one run at a time. Raises InputError when another holds it."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.mkdir(mode=0o700, exist_ok=True)  # a class's grades are its instructor's alone
        out.chmod(0o700)
        lock = open(out / ".lock", "wb")  # noqa: SIM115
    except OSError as error:
        raise InputError(
            f"The folder {str(out)!r} cannot be written: {error.strerror}. Give another one, or a "
            "copy of this one that may be written."
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"Another run is using {str(out)!r}; wait until it ends.") from None
        (out / DATABASE).touch(mode=0o600)  # it holds the key of the hidden inputs
        with Gradebook(out / DATABASE) as gradebook:
            yield gradebook


def run(
    found: Found,
    gradebook: Gradebook,
    settings: Settings,
    roster: Roster | None = None,
    grader: Grader | None = None,
    tick: Callable[[str], None] = lambda status: None,
    *,
    again: Collection[str] = (),
    add: bool = False,
) -> Tally:
    """Grade everything that the gradebook does not know yet.

    Args:
        found: what was handed in; it is settled by the roster here.
        gradebook: where rows and results are kept.
        settings: what holds for the whole run.
        roster: whose rows there are; without it everyone who is in `found`.
        grader: grades jobs; one cell at a time on this machine unless told otherwise.
        tick: called with the status of each row.
        again: statuses whose results are not taken from the gradebook.
        add: keep the rows that this run does not see. Else a run is authoritative for the
            exercises it sees: what it did not see of them is no longer current.
    """
    tally = Tally()
    found = settle(found, roster)
    if grader is None:
        sandboxes = [Sandbox(settings.profile, settings.memory)]
        grader = partial(grade_all, sandboxes=sandboxes)
    seen: set[tuple[str, str]] = set()

    def note(
        student: str, exercise: str, sha: str, lms_id: str, data: dict[str, Any], place: str = ""
    ) -> None:
        version = settings.version_of(exercise)
        gradebook.record(student, exercise, version, sha, lms_id, data, place)
        seen.add((student, exercise))
        tally.statuses[data["status"]] = tally.statuses.get(data["status"], 0) + 1
        tally.total += 1
        tick(data["status"])

    def new_jobs() -> Iterator[Job]:
        for submission in found.submissions:
            job = read(submission, settings.exercises)
            version = settings.version_of(submission.exercise)
            known = gradebook.result(job.sha, submission.exercise, version)
            if known is None or job.our_fault or not still_counts(known, settings, again):
                yield job
                continue
            tally.known += 1
            keep_answers(gradebook, job.sha, submission.exercise, job.written)
            who = submission
            note(who.student, who.exercise, job.sha, who.lms_id, known, who.place)

    for job, data in grader(new_jobs(), settings):
        tally.graded += 1
        who = job.submission
        keep_answers(gradebook, job.sha, who.exercise, job.written)
        note(who.student, who.exercise, job.sha, who.lms_id, data, who.place)
    have = gradebook.current() if add else set()
    with gradebook.loud(), gradebook.transaction():  # each on its own would wait for the disk
        for student, exercise in sorted(missing(found, roster) - have):
            one = settings.exercises.get(exercise)
            data = to_data(failed("missing", one, "Nothing was handed in."), one)
            note(student, exercise, "", "", data)
    if not add:
        exercises = {exercise for _, exercise in seen}
        tally.dropped = gradebook.keep_only(seen, exercises)
    return tally


def still_counts(known: dict[str, Any], settings: Settings, again: Collection[str] = ()) -> bool:
    """Whether an earlier result would come out the same today: its profile is not weaker, and, if
    it is about a limit, today's limits are not larger."""
    if known["status"] in again:
        return False
    statuses = {known["status"], *(task["status"] for task in known["tasks"])}
    if STRENGTH.get(known["profile"], 0) < STRENGTH.get(settings.profile.name, 1):
        return False
    if not statuses & {"timeout", "memory", "crashed", "no-result"}:
        return True
    limits = known.get("limits", {})
    time_left = limits.get("timeout", 0) >= settings.timeout
    return time_left and limits.get("memory", 0) >= settings.memory


def missing(found: Found, roster: Roster | None) -> set[tuple[str, str]]:
    """(student, exercise) of everyone who handed in nothing: empty folders, names on the roster."""
    have = {(one.student, one.exercise) for one in found.submissions}
    exercises = {exercise for _, exercise in have}
    students = {owner.student for owner in found.empty}
    if roster is not None:
        students |= {person.student for person in roster.people}
        students |= {one.student for one in found.submissions}
    return {(s, e) for s in students for e in exercises} - have


def write_pages(
    out: Path, gradebook: Gradebook, exercises: dict[str, Exercise] | None = None
) -> list[Path]:
    """Write `grades.csv`, the reports, the class overview, and what a person marks of these
    exercises, from the gradebook; the paths of the last."""
    rows = load_rows(gradebook)
    write_grades(out / GRADES, rows)
    write_reports(out / "reports", rows)
    remove_others(out / "reports", rows)
    write_overview(out / "overview.html", rows)
    return write_written(out, gradebook, rows, exercises or {})
