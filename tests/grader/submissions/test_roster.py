"""Who is in a class, out of a table that a person or a platform wrote."""

import dataclasses

import pytest

from course_lib.checker.errors import InputError
from grader.exports.tables import write_moodle
from grader.exports.who import people
from grader.gradebook.rows import Row
from grader.pipeline.run import without_work
from grader.submissions.class_table import Found, Line
from grader.submissions.collect import collect
from grader.submissions.roster import load_roster
from tests.grader.class_rows import ROWS
from tests.grader.submissions.small_class import STEMS, in_zip, notebook, roster


def test_a_roster_finds_people_by_any_of_their_names(tmp_path):
    text = "Student,Name,Email,Canvas_ID\nann,Ann Lee,a@x,12\nbob,Bob Roe,b@x,13\n"
    (tmp_path / "roster.csv").write_text(text)
    roster = load_roster(tmp_path / "roster.csv")
    assert roster.person("ann").email == "a@x"
    place = "roebob_13_900_01_softmax.ipynb"
    rows = [
        Row("roebob", "01_softmax", "", "13", {}, place),
        Row("nobody", "01_softmax", "", "", {}),
    ]
    known = people(rows, roster)
    assert (known["roebob"].student, known["nobody"].full_name) == ("bob", "nobody")
    assert people([Row("Bob Roe", "01_softmax", "", "", {})], roster)["Bob Roe"].student == "bob"
    found = Found([Line("ann", "01_softmax")])
    nothing = ("bob", "01_softmax", "missing", "")
    assert without_work(found, roster) == [nothing]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name\nann\n", "has no column `student` in line 1"),
        ("", "has no column `student` in line 1"),
        ("student,name\nann,Ann\nbob,Bob\nann,A\n", "line 4: 'ann' stands in line 2 already"),
        ('student,name\nann,"Ann\nLee"\n../x,Bob\n', r"line 4: '\.\./x' cannot be a student's"),
    ],
)
def test_what_is_wrong_in_a_roster_is_told_with_its_line(tmp_path, text, sentence):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(InputError, match=sentence):
        load_roster(tmp_path / "roster.csv")


LANGUAGES = {  # mod/assign/lang: recordid, fullname, …; hiddenuser, with or without a space
    "sv": ("Identifierare,Fullständigt namn,E-postadress,Status,Betyg,Högsta", "Deltagare"),
    "de": ("ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Beste", "Teilnehmer/in"),
    "es": ("Identificador,Nombre completo,Correo,Estado,Calificación,Máx", "Participante"),
    "ru": ("Идентификатор,Имя,Email,Статус,Оценка,Максимум", "Участник "),
    "zh": ("标识,全名,邮箱,状态,成绩,最高", "参与者"),
    "en": ("Identifier,Full name,Email address,Status,Grade,Maximum Grade", "Participant "),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_moodle_s_worksheet_is_one_in_any_language_and_goes_back_in_its_words(language, tmp_path):
    header, word = LANGUAGES[language]
    text = f"{header}\n{word}4711,Ann Lee,a@x.org,,,10.00\n{word}4712,Bob Roe,b@x.org,,,10.00\n"
    people = roster(tmp_path, text)
    known = [(one.student, one.email, one.participant) for one in people.people]
    assert known == [("Ann Lee", "a@x.org", "4711"), ("Bob Roe", "b@x.org", "4712")]
    files = {"Ann Lee_4711_assignsubmission_file/a.ipynb": notebook("ann", "softmax")}
    files[f"{word.strip().replace('/', '')}_4712_assignsubmission_file/a.ipynb"] = notebook(
        "bob", "softmax"
    )
    lines = collect(in_zip(tmp_path, files), STEMS, "moodle", people)
    assert {line.student: line.id for line in lines} == {"Ann Lee": "4711", "Bob Roe": "4712"}
    rows = [dataclasses.replace(ROWS[1], student=line.student, lms_id=line.id) for line in lines]
    write_moodle(rows, people, tmp_path)
    sheet = (tmp_path / "worksheet-01_softmax.csv").read_text(encoding="utf-8").splitlines()
    if language == "en":
        assert sheet[1].startswith('"Participant 4711","Ann Lee","a@x.org","8"')
    else:
        assert sheet[0] == ",".join(f'"{name}"' for name in header.split(","))
        assert sheet[1] == f'"{word}4711","Ann Lee","a@x.org","","8","10.00"'


def test_students_of_one_s_own_called_s1_and_s2_are_no_participants(tmp_path):
    for header in ("student,name,email", "id,name,email", "login,email,name"):
        people = roster(tmp_path, f"{header}\ns1,Ann,a@x\ns2,Bob,b@x\n").people
        assert [one.student for one in people] == ["s1", "s2"]


def test_namesakes_keep_one_name_from_week_to_week_and_on_two_platforms(tmp_path):
    sheets = [
        f"Identifier,Full name,Email address,ID number\nParticipant {first}08,Ivo Li,one@x,17\n"
        f"Participant {first}09,Ivo Li,two@x,18\n"
        for first in (47, 57)
    ]
    canvas = "Student,ID,SIS User ID,SIS Login ID,Section\nLi Ivo,1,17,ivo,A\nLi Ivo,2,18,ivo2,A\n"
    names = [[one.student for one in roster(tmp_path, text).people] for text in sheets]
    assert names == [["Ivo Li (one@x)", "Ivo Li (two@x)"]] * 2
    before = roster(tmp_path, sheets[0]).by_keys()
    known = roster(tmp_path, canvas).known_as(before, {})
    assert [one.student for one in known.people] == names[0]
    alone = roster(tmp_path, "student,email\nIvo Li,ONE@x\n").by_keys()
    joined = roster(tmp_path, sheets[1]).known_as(alone, {})
    assert [one.student for one in joined.people] == ["Ivo Li", "Ivo Li (two@x)"]


def test_a_worksheet_of_another_week_is_noticed_and_nobody_lost(tmp_path):
    sheet = "Identifier,Full name,Email address\nParticipant 1,Ann Lee,a@x\nParticipant 2,Bob,b@x\n"
    files = {
        f"{name}_{number}_assignsubmission_file/a.ipynb": notebook(name, "softmax")
        for name, number in (("Ann Lee", 57), ("Bob", 58))
    }
    lines = collect(in_zip(tmp_path, files), STEMS, "moodle", roster(tmp_path, sheet))
    assert {line.student: line.id for line in lines if line.path} == {"Ann Lee": "57", "Bob": "58"}
    assert any("The worksheet is of another assignment" in line.why for line in lines)


def test_canvas_s_own_rows_are_no_students(tmp_path):
    text = "Student,ID,Section,Lab (9)\n    Points Possible,,,10\n"
    text += 'Manual Posting,,,\n"Lee, Ann",5,A,\n"Student, Test",6,A,\n'
    assert [one.lms_id for one in roster(tmp_path, text).people] == ["5"]
    assert roster(tmp_path, "sep=;\nstudent;name\nann;Ann\n").people[0].name == "Ann"
