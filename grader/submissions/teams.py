"""Work of a team, whose members the roster names: the last file that one of them hands in counts
for each."""

from collections.abc import Sequence
from dataclasses import replace

from course_lib.checker.notebook import Unreadable
from grader.submissions.class_table import Line
from grader.submissions.moments import moment
from grader.submissions.people import Person
from grader.submissions.roster import Roster


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
                last[line.exercise] = (
                    known if known and moment(line.date) < moment(known.date) else line
                )
        for line in last.values():
            why = f"handed in by {line.student} for team {team}"
            for student in students:
                mine = own.get((student, line.exercise))
                if student != line.student and (not mine or mine != _sha(line)):
                    id = ids.get(student) or _number(roster.person(student), platform)
                    found.append(replace(line, student=student, why=why, id=id, look=""))
    return found


def _number(person: Person | None, platform: str) -> str:
    """A person's own id on a platform; "" where the roster does not have it."""
    ids = {"moodle": person.participant, "canvas": person.lms_id} if person else {}
    return ids.get(platform, "")


def _sha(line: Line) -> str:
    try:
        return line.read()[1] if line.read else ""
    except Unreadable:
        return ""
