"""One run of `attn grade`: find, read, grade what is new, write the gradebook and its pages."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.grading.feedback import write_reports
from course_lib.grading.grade import failed, to_data
from course_lib.grading.gradebook import GRADES, load_rows, write_grades
from course_lib.grading.journal import Journal
from course_lib.grading.overview import write_overview
from course_lib.grading.roster import Roster
from course_lib.grading.submissions import Found, InputError, by_row
from course_lib.grading.supervisor import Job, Settings, grade_all, read

JOURNAL = "gradebook.sqlite"
Grader = Callable[[Iterator[Job], Settings], Iterator[tuple[Job, dict[str, Any]]]]


@dataclass
class Tally:
    """What a run did, for its last lines on the screen."""

    total: int = 0
    graded: int = 0  # in this run
    known: int = 0  # from an earlier one
    statuses: dict[str, int] = field(default_factory=dict)


@contextmanager
def open_gradebook(out: Path) -> Iterator[Journal]:
    """The journal in `out`, held by one run at a time. Raises InputError when another holds it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = open(out / ".lock", "wb")  # noqa: SIM115
    except OSError as error:
        raise InputError(f"The folder {str(out)!r} cannot be written: {error.strerror}.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"Another run is using {str(out)!r}; wait until it ends.") from None
        (out / JOURNAL).touch(mode=0o600)  # it holds the key of the hidden inputs
        with Journal(out / JOURNAL) as journal:
            yield journal


def run(
    found: Found,
    journal: Journal,
    settings: Settings,
    roster: Roster | None = None,
    grader: Grader | None = None,
    tick: Callable[[str], None] = lambda status: None,
) -> Tally:
    """Grade everything that the journal does not know yet. `tick` is called for each row."""
    tally = Tally()
    grader = grader or (lambda jobs, how: grade_all(jobs, how, 1))

    def note(student: str, exercise: str, sha: str, lms_id: str, data: dict[str, Any]) -> None:
        journal.record(student, exercise, settings.version, sha, lms_id, data)
        tally.statuses[data["status"]] = tally.statuses.get(data["status"], 0) + 1
        tally.total += 1
        tick(data["status"])

    def new_jobs() -> Iterator[Job]:
        for submission in by_row(found):
            job = read(submission, settings.exercises)
            known = journal.result(job.sha, submission.exercise, settings.version)
            if known is None:
                yield job
                continue
            tally.known += 1
            note(submission.student, submission.exercise, job.sha, submission.lms_id, known)

    for job, data in grader(new_jobs(), settings):
        tally.graded += 1
        who = job.submission
        note(who.student, who.exercise, job.sha, who.lms_id, data)
    for student, exercise in sorted(missing(found, roster)):
        data = failed("missing", settings.exercises.get(exercise), "Nothing was handed in.")
        note(student, exercise, "", "", to_data(data, None))
    return tally


def missing(found: Found, roster: Roster | None) -> set[tuple[str, str]]:
    """(student, exercise) of everyone who handed in nothing: empty folders, names on the roster."""
    have = {(one.student, one.exercise) for one in found.submissions}
    exercises = {exercise for _, exercise in have}
    students = set(found.empty)
    if roster is not None:
        matched = {roster.find(one.student, one.lms_id) for one in found.submissions}
        students |= {p.student for p in roster.people if p not in matched}
        students |= {one.student for one in found.submissions}
    return {(s, e) for s in students for e in exercises} - have


def write_pages(out: Path, journal: Journal, roster: Roster | None) -> None:
    """Write `grades.csv`, the reports and the class overview from the journal."""
    rows = load_rows(journal)
    write_grades(out / GRADES, rows)
    write_reports(out / "reports", rows)
    write_overview(out / "overview.html", rows)
