"""One run of `attn grade`: find, read, grade what is new, write the gradebook and its pages."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.grading.errors import InputError
from course_lib.grading.gradebook.database import DATABASE, Gradebook
from course_lib.grading.gradebook.rows import GRADES, load_rows, write_grades
from course_lib.grading.pipeline.local import Job, Settings, grade_all, read
from course_lib.grading.pipeline.submission import failed, to_data
from course_lib.grading.reports.overview import write_overview
from course_lib.grading.reports.student import write_reports
from course_lib.grading.submissions.found import Found, by_row
from course_lib.grading.submissions.roster import Roster

Grader = Callable[[Iterator[Job], Settings], Iterator[tuple[Job, dict[str, Any]]]]


@dataclass
class Tally:
    """What a run did, for its last lines on the screen."""

    total: int = 0
    graded: int = 0  # in this run
    known: int = 0  # from an earlier one
    statuses: dict[str, int] = field(default_factory=dict)


@contextmanager
def open_gradebook(out: Path) -> Iterator[Gradebook]:
    """The gradebook in `out`, for one run at a time. Raises InputError when another holds it."""
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
) -> Tally:
    """Grade everything that the gradebook does not know yet. `tick` is called for each row."""
    tally = Tally()
    grader = grader or (lambda jobs, how: grade_all(jobs, how, 1))

    def note(student: str, exercise: str, sha: str, lms_id: str, data: dict[str, Any]) -> None:
        gradebook.record(student, exercise, settings.version, sha, lms_id, data)
        tally.statuses[data["status"]] = tally.statuses.get(data["status"], 0) + 1
        tally.total += 1
        tick(data["status"])

    def new_jobs() -> Iterator[Job]:
        for submission in by_row(found):
            job = read(submission, settings.exercises)
            known = gradebook.result(job.sha, submission.exercise, settings.version)
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


def write_pages(out: Path, gradebook: Gradebook, roster: Roster | None) -> None:
    """Write `grades.csv`, the reports and the class overview from the gradebook."""
    rows = load_rows(gradebook)
    write_grades(out / GRADES, rows)
    write_reports(out / "reports", rows)
    write_overview(out / "overview.html", rows)
