"""`attn push`: the grades of a gradebook into a course on Canvas, after what it will change was
shown. Whose grade it is, Canvas's own id says: of the roster, or in the graded file's name."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line
from grader.exports.canvas_api import Course
from grader.exports.feedback import canvas_name
from grader.exports.who import people
from grader.gradebook.database import Gradebook, in_folder
from grader.gradebook.rows import Row, load_people, load_rows
from grader.message_parts import first_of
from grader.submissions.people import Person
from grader.submissions.roster import Roster, load_roster

TOKEN, URL = "CANVAS_TOKEN", "CANVAS_URL"
MOST_SHOWN = 50
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Change:
    """A grade as it is on Canvas, and as it will be."""

    row: Row
    user: str
    before: float | None

    @property
    def in_words(self) -> str:
        was = "none" if self.before is None else f"{self.before:g}"
        return f"{self.row.student} ({self.user}): {was} → {self.row.total:g}"


def push(
    out: Path,
    url: str,
    course: int,
    assignment: Sequence[str],
    yes: bool,
    missing_as_zero: bool,
    roster: Path | None,
) -> int:
    """Show what would change on Canvas; with --yes, change it and read it back."""
    database = in_folder(out)
    url, token = _address(url), os.environ.get(TOKEN, "")
    if not token:
        raise InputError(
            f"No access token is given: in Canvas, Account, Settings, New Access Token; then set "
            f"{TOKEN} in the environment. On a command line others could read it."
        )
    theirs = load_roster(roster)
    with Gradebook(database, to_read=True) as gradebook:
        rows = load_rows(gradebook, missing_as_zero)
        theirs = theirs.known_as(*load_people(gradebook))
    wanted = dict(map(_pair, assignment))
    if lacking := sorted(wanted.keys() - {row.exercise for row in rows}):
        raise InputError(f"The gradebook has no row for {', '.join(lacking)}.")
    in_canvas = Course(url, token, course)
    for stem, number in wanted.items():
        of_it = [row for row in rows if row.exercise == stem]
        _push_one(in_canvas, number, of_it, theirs, yes)
    if not yes:
        print("Nothing was sent. To send it, run the same command with --yes.")
    return 0


def _push_one(course: Course, number: str, rows: list[Row], roster: Roster, yes: bool) -> None:
    most = rows[0].max_total
    name, points = course.assignment(number)
    if points != most:
        raise InputError(
            f"{rows[0].exercise} has {most} points, and Canvas's assignment {number} "
            f"({one_line(name)!r}) has {points:g}: is it another one? Else give it the same points "
            "there."
        )
    changes, same, left_out = _changes(rows, roster, course.scores(number))
    print(f"{rows[0].exercise}, {one_line(name)}: {len(changes)} grades change.")
    _say([change.in_words for change in changes])
    print(f"{same} are the same already; {len(left_out)} have none to send, or nobody to get it.")
    _say(left_out)
    if not yes or not changes:
        return
    course.update(number, {change.user: str(change.row.total) for change in changes})
    now = course.scores(number)
    if wrong := [change for change in changes if now.get(change.user) != change.row.total]:
        _say([change.in_words for change in wrong])
        raise InputError(f"Canvas did not take {len(wrong)} of {len(changes)} grades: see above.")
    print(f"{len(changes)} grades sent, and read back as they were sent.")


def _changes(
    rows: list[Row], roster: Roster, scores: dict[str, float | None]
) -> tuple[list[Change], int, list[str]]:
    """What changes, how many grades are there already, and who is left out and why."""
    named = people(rows, roster)
    users = [_user(row, named[row.student], roster) for row in rows]
    claims = Counter(users)
    changes, same, left_out = [], 0, []
    for row, user in zip(rows, users, strict=True):
        if row.total is None:
            why = f"{row.to_mark} answers in words to mark" if row.to_mark else row.status
            left_out.append(f"{row.student}: no grade yet ({why})")
        elif not user:
            left_out.append(f"{row.student}: nothing says who that is on Canvas (lms_id)")
        elif claims[user] > 1:
            left_out.append(f"{row.student}: another row has Canvas's id {user} too")
        elif user not in scores:
            left_out.append(f"{row.student}: Canvas's id {user} is not in this assignment")
        elif scores[user] == row.total:
            same += 1
        else:
            changes.append(Change(row, user, scores[user]))
    return changes, same, left_out


def _user(row: Row, who: Person, roster: Roster) -> str:
    """Canvas's id of a row: no other platform's, which might be somebody else's there."""
    known = who.lms_id if who in roster.people else ""
    return known or (row.lms_id if canvas_name(row) else "")


def _say(lines: list[str]) -> None:
    for line in first_of(lines, MOST_SHOWN):
        print(f"  {line}")


def _pair(text: str) -> tuple[str, str]:
    stem, _, number = text.partition("=")
    if not stem or not number.isdecimal():
        raise InputError(
            f"--assignment is {text!r}; EXERCISE=NUMBER is needed, such as 01_softmax=4711, with "
            "the number in the assignment's address on Canvas."
        )
    return stem, number


def _address(given: str) -> str:
    url = given or os.environ.get(URL, "")
    if not url:
        raise InputError(f"Say where Canvas is: --url https://canvas.example.org, or {URL}.")
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise InputError(
            f"Canvas's address is {url!r}; one that begins with https:// is needed: else others "
            "could read the token."
        )
    return f"{parts.scheme}://{parts.netloc}"
