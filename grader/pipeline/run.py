"""One run of `attn grade`: find, read, grade what is new, write the gradebook and its pages."""

import fcntl
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.answers_and_marks import keep_answers
from grader.gradebook.database import DATABASE, Gradebook, in_folder
from grader.gradebook.heard import load_heard
from grader.gradebook.policy import earlier, worth_alone
from grader.gradebook.rows import GRADES, INSTEAD, load_rows, write_grades, write_text
from grader.message_parts import first_of, guess
from grader.pipeline.local import Job, Settings, read
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import failed
from grader.reports.marking_pages import write_written
from grader.reports.overview import overview_page
from grader.reports.student import write_reports
from grader.submissions.class_table import Found, Line
from grader.submissions.roster import Roster

# A cluster's workers say their own profile; whatever it is, it is one.
STRENGTH = {"trusted": 0, "container": 1, "portable": 2, "strong": 3, "cluster": 1}
WRITTEN = (GRADES, "overview.html", "reports", "written")
MOST_NAMED = 3  # files in a sentence
Grader = Callable[[Iterator[Job], Settings], Iterator[tuple[Job, dict[str, Any]]]]


@dataclass
class Tally:
    """What a run did, for its last lines on the screen."""

    statuses: Counter[str] = field(default_factory=Counter)  # of all rows
    known: int = 0  # from an earlier run


@contextmanager
def open_gradebook(out: Path) -> Iterator[Gradebook]:
    """The gradebook in `out`, for one run at a time. Raises InputError when another holds it, and
    when `out` holds files of somebody else's under the names of ours."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        theirs = [name for name in WRITTEN if (out / name).exists()]
        if theirs and (out / DATABASE).exists():
            in_folder(out)  # which is not begun anew where nothing is left of it
        elif theirs:
            raise InputError(
                f"{str(out)!r} is no gradebook and holds {', '.join(theirs)}, which grading would "
                "write over. Give --out a folder of its own."
            )
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
    roster: Roster | None,
    grader: Grader,
    tick: Callable[[str], None] = lambda status: None,
    *,
    again: Collection[str] = (),
) -> Tally:
    """Grade everything that the gradebook does not know yet. Rows that this run does not see stay
    as they are, and a row with work never becomes one without.

    Args:
        found: what was handed in.
        gradebook: where rows and results are kept.
        settings: what holds for the whole run.
        roster: whose rows there are; without it everyone who is in `found`.
        grader: grades jobs.
        tick: called with the status of each row.
        again: statuses whose results are not taken from the gradebook.
    """
    tally = Tally()
    policy = settings.policy
    counts = {}
    for row in gradebook.rows():
        who = row.student, row.exercise
        if row.sha:
            counts[who] = row.sha, row.date, worth_alone(policy, (*who, row.date, row.data))

    def note(one: Line, sha: str, data: dict[str, Any]) -> None:
        version, who = settings.version_of(one.exercise), (one.student, one.exercise)
        of, known, most = counts.get(who, ("", "", -1.0))
        same = sha and sha == of  # the same file anew replaces itself, and was there before
        date = earlier(known, one.date) if same else one.date
        score = worth_alone(policy, (*who, date, data))
        if not policy.best or score >= most or same:
            counts[who] = sha, date, score
            gradebook.record(*who, version, sha, one.id, data, one.path, date, one.why, one.look)
        tally.statuses[data["status"]] += 1
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
            note(submission, job.sha, known)

    for job, data in grader(new_jobs(), settings):
        keep_answers(gradebook, job.sha, job.submission.exercise, job.written)
        note(job.submission, job.sha, data)
    have = gradebook.with_work()
    # In one transaction: each row on its own would wait for the disk.
    with gradebook.errors_in_words(), gradebook.transaction():
        for student, exercise, status, words in without_work(found, roster, have):
            one = settings.exercises.get(exercise)
            line = found.instead.get(student, Line(student, exercise))
            note(replace(line, exercise=exercise), "", to_data(failed(status, one, words), one))
    return tally


def without_work(
    found: Found, roster: Roster | None, have: Collection[tuple[str, str]] = ()
) -> list[tuple[str, str, str, str]]:
    """(student, exercise, status, why) of who handed in nothing for an exercise that this input is
    about: what they handed in instead is for a person to look at, and never a zero."""
    have = {(one.student, one.exercise) for one in found.submissions} | set(have)
    exercises = sorted({one.exercise for one in found.submissions})
    rows = []
    for student in sorted(
        found.strays.keys() | {p.student for p in (roster.people if roster else ())}
    ):
        files = found.strays.get(student, [])
        named = ", ".join(first_of(files, MOST_NAMED))
        status = "needs-attention" if files else "missing"
        words = f"{INSTEAD}{named}." if files else ""
        rows += [(student, one, status, words) for one in exercises if (student, one) not in have]
    return rows


def forget(out: Path, gradebook: Gradebook, words: Collection[str]) -> list[tuple[str, str]]:
    """Give up rows, each named as STUDENT or STUDENT/EXERCISE, and their pages. Raises InputError,
    and gives up none, when one of the names is no row's."""
    rows = [(row.student, row.exercise) for row in gradebook.rows()]
    given_up = []
    for word in words:
        named = [row for row in rows if word in (row[0], "/".join(row))]
        if not named:
            near = guess(word, {row[0] for row in rows}, 3)
            raise InputError(
                f"--forget {word!r}: the gradebook has no such row.{near} A row is named as in "
                "grades.csv: STUDENT/EXERCISE, or STUDENT for all of them."
            )
        given_up += named
    gradebook.forget(given_up)
    for student, exercise in given_up:
        (out / "reports" / student / f"{exercise}.html").unlink(missing_ok=True)
    return given_up


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


def write_pages(
    out: Path, gradebook: Gradebook, exercises: Mapping[str, Exercise] | None = None
) -> list[Path]:
    """Write `grades.csv`, the reports, the class overview, and what a person marks of these
    exercises, from the gradebook; the paths of the last."""
    rows = load_rows(gradebook)
    write_grades(out / GRADES, rows)
    write_reports(out / "reports", rows)
    write_text(out / "overview.html", overview_page(rows, load_heard(gradebook)))
    return write_written(out, gradebook, rows, exercises or {})
