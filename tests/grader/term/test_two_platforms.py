"""Six weeks on Moodle and on Canvas in turns, with namesakes, a team and work handed in again: each
person is one student of the gradebook, and every number is the one that is computed by hand."""

import sys
import zipfile

import pytest

from course_lib import cli
from grader.pipeline import command
from grader.sandbox.probe import find_sandbox
from tests.grader import tables
from tests.grader.term.course import EXERCISES, WEEKS, notebook, stem

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux"),
]
PEOPLE = (  # name, address, the row that a person has all term
    ("Ivo Li", "one@x.org", "Ivo Li (one@x.org)"),
    ("Ivo Li", "two@x.org", "Ivo Li (two@x.org)"),
    ("Ada Lovelace", "ada@x.org", "Ada Lovelace"),
    ("Ben Ng", "ben@x.org", "Ben Ng"),
    ("Zoë Müller-Weiß", "zoe@x.org", "Zoë Müller-Weiß"),
    ("Seán O'Brien", "sean@x.org", "Seán O'Brien"),
)
ADA, BEN, ZOE = 2, 3, 4
GROUP_WEEK, AGAIN_WEEK, NOTHING = 3, 1, {(5, 2), (0, 6)}
KINDS = ("right", "wrong", "none")


def answers(person, week):
    """What somebody hands in; of the team one work, of who hands in again the last."""
    if week == GROUP_WEEK and person in (ADA, BEN):
        return "right", "wrong"
    return KINDS[(person + week) % 3], ("right", "signs", "wrong")[(2 * person + week) % 3]


def points(person, week):
    """By hand: 4 points for the one, 6 for the other; None for nothing handed in."""
    if (person, week) in NOTHING:
        return ""
    add, scale = ("right",) * 2 if (person, week) == (ZOE, AGAIN_WEEK) else answers(person, week)
    return str(4 * (add == "right") + 6 * (scale == "right"))


def number(person, week):
    """Moodle numbers everybody anew in each assignment, and a group's number is somebody's."""
    return 100 * week + (person + week) % len(PEOPLE)


def worksheet(week):
    lines = ["Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade"]
    for person, (name, address, _) in enumerate(PEOPLE):
        group = "Group A" if week == GROUP_WEEK and person in (ADA, BEN) else ""
        lines.append(f"Participant {number(person, week)},{name},{address},,{group},,10.00")
    return "\n".join(lines) + "\n"


def moodle(week, who, remark=""):
    files = {}
    for person in who:
        name = f"{PEOPLE[person][0].replace(chr(39), '')}_{number(person, week)}"
        if week == GROUP_WEEK and person in (ADA, BEN):
            name = f"Group A_{number(ZOE, week)}"
        work = ("right", "right") if remark else answers(person, week)
        path = f"{name}_assignsubmission_file/{stem(week)}.ipynb"
        files[path] = notebook(week, *work, remark or f"{person}")
    return files


def gradebook_of_canvas():
    lines = ["Student,ID,SIS User ID,SIS Login ID,Section", "    Points Possible,,,,"]
    for person, (name, address, _) in enumerate(PEOPLE):
        first, last = name.split(" ", 1)
        lines.append(f'"{last}, {first}",{5000 + person},s{person},{address},A')
    return "\n".join(lines) + "\n"


def canvas(week, who):
    files = {}
    for person in who:
        first, last = PEOPLE[person][0].split(" ", 1)
        called = "".join(filter(str.isalnum, f"{last}{first}")).lower()
        path = f"{called}_{5000 + person}_{9000 + person}_{stem(week)}.ipynb"
        files[f"HW {week} submissions/{path}"] = notebook(week, *answers(person, week), f"{person}")
    return files | {"__MACOSX/._x": b"x"}


def zipped(place, files):
    with zipfile.ZipFile(place, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return str(place)


def test_every_person_is_one_student_and_every_number_is_the_one_by_hand(
    tmp_path, monkeypatch, capsys
):
    one, _ = find_sandbox(400)
    stop, one.stop = one.stop, lambda: None
    monkeypatch.setattr(cli, "_exercises", lambda: EXERCISES)
    monkeypatch.setattr(command, "find_sandbox", lambda *how: (one, []))
    monkeypatch.setattr(command, "exercise_version", lambda exercise: "v1")
    out = str(tmp_path / "grades")

    def grade(files, platform, people):
        (tmp_path / "roster.csv").write_text(people, encoding="utf-8")
        place = zipped(tmp_path / "download.zip", files)
        words = ["--roster", str(tmp_path / "roster.csv"), "--out", out, "--memory", "400"]
        assert cli.main(["grade", place, "--from", platform, *words]) == 0
        return capsys.readouterr().out

    for week in WEEKS:
        who = [person for person in range(len(PEOPLE)) if (person, week) not in NOTHING]
        if week % 2:
            grade(moodle(week, who), "moodle", worksheet(week))
        else:
            grade(canvas(week, who), "canvas", gradebook_of_canvas())
        if week == AGAIN_WEEK + 1:  # late, and after another week
            said = grade(moodle(AGAIN_WEEK, [ZOE], "again"), "moodle", worksheet(AGAIN_WEEK))
            assert "scores that changed: 1\n  Zoë Müller-Weiß, 01_week: " in said
    stop()
    rows = tables.grades(tmp_path / "grades")
    by_hand = {
        (row, stem(week)): points(person, week)
        for person, (*_, row) in enumerate(PEOPLE)
        for week in WEEKS
    }
    assert {key: row["score"] for key, row in rows.items()} == by_hand
    assert {row["status"] for row in rows.values()} <= {"graded", "missing"}

    (tmp_path / "roster.csv").write_text(worksheet(GROUP_WEEK), encoding="utf-8")
    words = ["--to", "moodle", "--roster", str(tmp_path / "roster.csv")]
    assert cli.main(["export", out, *words]) == 0
    sheet = tables.lines_of(tmp_path / f"grades/export/moodle/worksheet-{stem(GROUP_WEEK)}.csv")
    assert {line["Identifier"]: line["Grade"] for line in sheet} == {
        f"Participant {number(person, GROUP_WEEK)}": points(person, GROUP_WEEK)
        for person in range(len(PEOPLE))
    }
