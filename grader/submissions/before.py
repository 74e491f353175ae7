"""Whose file it is where a gradebook has rows from before: an id of a platform stays with its row,
whatever its owner is called now."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.submissions.class_table import Line
from grader.submissions.platforms import platform_of
from grader.submissions.roster import Roster

OTHER_ID = (
    "the row {0!r} has the work of another id, {1}: if the two are one person, empty this line's "
    "id in the table, then grade the table"
)
RENAMED = "this id's work is in the row {0!r}, and its owner is now called otherwise"
Kind = tuple[
    str, str
]  # the platform, and on Moodle the exercise: there numbers are an assignment's


@dataclass(frozen=True)
class Before:
    """A row that a gradebook has."""

    student: str
    exercise: str
    place: str
    id: str


def settled(lines: Iterable[Line], before: Sequence[Before], roster: Roster | None) -> list[Line]:
    """The lines, each in the row that has its id already; one with another id than the row that it
    names is in a row of its own, unless the roster has that id."""
    ids: dict[tuple[Kind, str], set[str]] = defaultdict(set)
    rows: dict[tuple[Kind, str], set[str]] = defaultdict(set)
    for one in before:
        if one.id:
            kind = _kind(one.place, one.exercise)
            ids[kind, one.student].add(one.id)
            rows[kind, one.id].add(one.student)
    return [_settled(line, ids, rows, roster) if line.id else line for line in lines]


def _settled(
    line: Line,
    ids: dict[tuple[Kind, str], set[str]],
    rows: dict[tuple[Kind, str], set[str]],
    roster: Roster | None,
) -> Line:
    kind = _kind(line.path, line.exercise)
    known, theirs = ids.get((kind, line.student), set()), rows.get((kind, line.id), set())
    if not line.student or line.id in known or _is_theirs(line, kind[0], roster):
        return line
    if len(theirs) == 1:
        (row,) = theirs
        return replace(line, student=row, look=line.look or RENAMED.format(row))
    if known:
        look = OTHER_ID.format(line.student, " and ".join(sorted(known)))
        return replace(line, student=f"{line.student} ({line.id})", look=look)
    return line


def _kind(place: str, exercise: str) -> Kind:
    platform = platform_of(place)
    return platform, exercise if platform == "moodle" else ""


def _is_theirs(line: Line, platform: str, roster: Roster | None) -> bool:
    """Whether the roster has the line's id for its student."""
    person = roster.person(line.student) if roster else None
    if not person:
        return False
    ids = {"moodle": [person.participant], "canvas": [person.lms_id]}
    return line.id.casefold() in map(str.casefold, ids.get(platform, person.logins))
