"""Work of a group: each member has a row, with a number and a place of their own."""

from collections.abc import Sequence
from dataclasses import replace

from course_lib.checker.notebook import Unreadable
from grader.submissions.class_table import Line
from grader.submissions.files import File
from grader.submissions.platforms import Owner, Place
from grader.submissions.roster import Person, Roster

Placed = list[tuple[File, Place]]


def in_teams(placed: Placed, roster: Roster | None) -> tuple[Placed, set[Owner]]:
    """The files with those of a group's place given to each of its members; and the groups whose
    members nobody has named, which are no student's.

    On Moodle a group's place looks like a person's, and its number may be a participant's, too: it
    is a group's where it has no number, and, where the worksheet is known, where nobody with this
    number has this name.
    """
    found: Placed = []
    groups: set[Owner] = set()
    for file, place in placed:
        owner = place.owner
        person = roster.match(owner) if roster else None
        members = roster.members(owner) if roster and not person else []
        for one in members:
            others = ", ".join(other.student for other in members if other is not one)
            theirs = replace(owner, student=one.student, id=number_of(one, owner.platform))
            found.append((file, replace(place, owner=theirs, others=others)))
        if members:
            continue
        if owner.platform == "moodle" and not person and _is_group(owner, roster):
            groups.add(owner)
        found.append((file, place))
    return found, groups


def _is_group(owner: Owner, roster: Roster | None) -> bool:
    return not owner.id or bool(roster and roster.is_another_s(owner))


def number_of(person: Person, platform: str) -> str:
    """A person's own id on a platform; "" where the roster does not have it."""
    return {"moodle": person.participant, "canvas": person.lms_id}.get(platform, "")


def shared(lines: Sequence[Line], roster: Roster, platform: str) -> list[Line]:
    """For each in a team the team's last work, under the member's own id. Behind all other lines,
    so that it counts; who has handed in the same file needs none."""
    found = []
    for team, students in roster.teams().items():
        last: dict[str, Line] = {}
        ids: dict[str, str] = {}
        own: dict[tuple[str, str], str] = {}
        for line in lines:
            if line.student not in students:
                continue
            ids[line.student] = line.id
            known = last.get(line.exercise)
            if line.exercise and line.path:
                own[line.student, line.exercise] = _sha(line)
                last[line.exercise] = line if known is None or line.date >= known.date else known
        for line in last.values():
            why = f"handed in by {line.student} for team {team}"
            for student in students:
                mine = own.get((student, line.exercise))
                if student != line.student and (not mine or mine != _sha(line)):
                    id = ids.get(student) or number_of(roster.person(student), platform)
                    found.append(replace(line, student=student, why=why, id=id, look=""))
    return found


def _sha(line: Line) -> str:
    try:
        return line.read()[1] if line.read else ""
    except Unreadable:
        return ""
