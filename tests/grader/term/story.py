"""What happened in the term: who handed in what, when, on which platform, and what was decided."""

import datetime
import os
import zipfile
from dataclasses import dataclass, replace

from tests.grader.term.course import WEEKS, notebook, stem

COUNT = 60
ZONE = datetime.timezone(datetime.timedelta(hours=1))
TEAMS = {2: [(i, i + 1) for i in range(0, 10, 2)], 3: [(30, 31, 32), (33, 34, 35)]}
AGAIN = (4, 13, 22)  # hand in week 1 again, right, three days late
SAME_AGAIN = 19  # hands in the same file of week 1 again, by mistake, with the late ones
NAMELESS, MARKED_LATE = 50, 41  # files that the lecturer mends in the table: a name, a date
ELSEWHERE = 8  # is missing in week 5, and showed the first task on paper
FULL, DROPPED = "add_4", "scale_2"
LATE = """
credit = "all or nothing"
[late]
free_days = 3
deduction = 10
"""
HEADER = "student,exercise,task,points,days,reason\n"
DECIDED = {  # (student, week): (task, points, days, why)
    (9, 2): ("", "", 3, "ill, with a note"),
    (17, 3): ("", "", 1, "the network was down"),
    (11, 1): ("add_1", "4", "", "a typo in the name, shown in the tutorial"),
    (33, 4): ("", "7", "", "oral examination"),
    (ELSEWHERE, 5): ("add_5", "4", "", "shown on paper"),
    (45, 6): ("scale_6", "6", "", "won appeal: the sign was the sheet's mistake"),
}
LAST = (45, 6)  # decided after all else, on appeal


@dataclass(frozen=True)
class HandedIn:
    """One student's work of a week; `late` counts the days that have begun since it was due."""

    add: str
    scale: str
    late: int
    remark: str = ""
    by: str = ""  # who handed in for the team


def name(student):
    return f"s{student:02}"


def due(week):
    return datetime.datetime(2026, 11, 1, 23, 59, tzinfo=ZONE) + datetime.timedelta(weeks=week)


def came(week, late):
    """A moment that is so many days late, not the last of the day."""
    return due(week) + datetime.timedelta(days=late, hours=-1)


def alone(student, week):
    """What a student handed in for a week; None for nothing. A few files, which many share."""
    if (student + week) % 10 == 3:
        return None
    add = ("right", "right", "wrong", "right", "none")[(student + week) % 5]
    scale = ("right", "signs", "right", "wrong")[(3 * student + week) % 4]
    late = {3: 1, 7: 2, 9: 5}.get((7 * student + 3 * week) % 11, 0)
    return HandedIn(add, scale, late)


def counts(student, week):
    """The work that counts for a student at the end of the term; None for nothing."""
    mine = alone(student, week)
    if week == 1 and student in AGAIN:
        return HandedIn("right", "right", 3, f"again by {name(student)}")
    for team in TEAMS.get(week, ()):
        if student in team:
            theirs = [(one, m) for m in team if (one := in_team(m, week, team))]
            last = max(theirs, key=lambda one: one[0].late, default=None)
            return last and replace(last[0], by=name(last[1]))
    if week == 5:  # Canvas says that it is late, and not by how much
        return mine and replace(mine, late=2 if student == MARKED_LATE else 0)
    return mine


def in_team(student, week, team):
    """What a member handed in: on Gradescope the first for all of them, elsewhere each a try, of
    which the last counts."""
    mine = alone(student, week)
    if week == 2:
        return mine if student == team[0] else None
    return mine and replace(mine, late=team.index(student))


def toml(dropped=False, full=False):
    text = LATE
    for week in WEEKS:
        credit = "by case" if week in (3, 4) else "all or nothing"
        points = 5 if week == 4 else 6
        text += f"[exercises.{stem(week)}]\ncredit = {credit!r}\ndue = {due(week).isoformat()}\n"
        text += f"points = {{ scale_{week} = {points}, add_{week} = {10 - points} }}\n"
        text += f"drop = [{DROPPED!r}]\n" if dropped and week == 2 else ""
        text += f"full = [{FULL!r}]\n" if full and week == 4 else ""
    return text


def exceptions(*without):
    lines = [
        f'{name(student)},{stem(week)},{task},{points},{days},"{why}"\n'
        for (student, week), (task, points, days, why) in DECIDED.items()
        if (student, week) not in without
    ]
    return HEADER + "".join(lines)


def moodle(place, week, students=range(COUNT), what=alone):
    """A zip as Moodle gives it; its clock is the class's."""
    with zipfile.ZipFile(place, "w") as archive:
        for student in students:
            if one := what(student, week):
                who = "nobody" if (student, week) == (NAMELESS, 4) else name(student)
                path = f"{who}_{1000 + student}_assignsubmission_file/{stem(week)}.ipynb"
                _put(archive, path, week, one)
    return place


def _put(archive, path, week, one):
    date = came(week, one.late).astimezone(ZONE).timetuple()[:6]
    data = notebook(week, one.add, one.scale, one.remark)
    archive.writestr(zipfile.ZipInfo(path, date), data)


def gradescope(place, week):
    """An export of Gradescope's, with times in another zone; a team hands in once."""
    members = {team[0]: team for team in TEAMS[week]}
    others = {m for team in TEAMS[week] for m in team[1:]}
    known = ""
    with zipfile.ZipFile(place, "w") as archive:
        for student in range(COUNT):
            if student not in others and (one := alone(student, week)):
                _put(archive, f"export/submission_{student}/solution (1).ipynb", week, one)
                utc = came(week, one.late).astimezone(datetime.UTC)
                known += f"submission_{student}:\n  :created_at: {utc:%Y-%m-%d %H:%M:%S} Z\n"
                known += "  :submitters:\n"
                for who in map(name, members.get(student, (student,))):
                    known += f"  - :name: {who}\n    :email: {who}@x.org\n"
        archive.writestr("export/submission_metadata.yml", known)
    return place


def canvas(place, week):
    """A zip as Canvas gives it: its times are those of the download."""
    with zipfile.ZipFile(place, "w") as archive:
        for student in range(COUNT):
            if one := alone(student, week):
                late = "_LATE" if one.late or student == MARKED_LATE else ""
                path = f"{name(student)}{late}_{2000 + student}_{student}_{stem(week)}-2.ipynb"
                _put(archive, path, week, one)
    return place


def folders(place, week, inner=""):
    """A folder for each student, as a shared drive has it; nbgrader's have one more inside."""
    trios = {m: team for team in TEAMS.get(week, ()) for m in team}
    for student in range(COUNT):
        team = trios.get(student)
        if one := in_team(student, week, team) if team else alone(student, week):
            path = place / name(student) / inner / f"{stem(week)}.ipynb"
            path.parent.mkdir(parents=True)
            remark = f"by {name(student)}" if team else one.remark
            path.write_bytes(notebook(week, one.add, one.scale, remark))
            os.utime(path, (came(week, one.late).timestamp(),) * 2)
    return place
