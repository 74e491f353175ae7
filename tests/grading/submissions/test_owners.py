"""Every student has a row of their own, whatever the platform calls them."""

import os
import unicodedata
import zipfile

import pytest

from course_lib.grading.errors import InputError
from course_lib.grading.pipeline.run import missing
from course_lib.grading.submissions.archive import find_in_zip
from course_lib.grading.submissions.folder import find_submissions
from course_lib.grading.submissions.owners import settle
from course_lib.grading.submissions.roster import load_roster

STEMS = ("01_softmax", "02_context_vectors")


def in_zip(tmp_path, *names, roster=None):
    """What is settled out of a zip in which each file holds its own name."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return settle(find_in_zip(path, STEMS), roster)


def in_folder(tmp_path, *names, roster=None):
    """The same on the disk."""
    for name in names:
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, (10**9, 10**9))
    return settle(find_submissions(tmp_path / "in", STEMS), roster)


def rows(found):
    """student → the file that counts."""
    return {one.student: one.read()[0].decode() for one in found.submissions}


def roster(tmp_path, text):
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    return load_roster(tmp_path / "roster.csv")


EVERYWHERE = pytest.mark.parametrize("read", [in_zip, in_folder])


@EVERYWHERE
def test_moodle_with_blind_marking_is_a_class_and_not_one_student(read, tmp_path):
    names = [f"Participant_{n}_assignsubmission_file_/01_softmax.ipynb" for n in (101, 102, 103)]
    found = read(tmp_path, *names)
    assert list(rows(found)) == [f"Participant {n}" for n in (101, 102, 103)]
    assert not any(one.conflict for one in found.submissions)


@EVERYWHERE
def test_namesakes_are_told_apart_by_their_ids(read, tmp_path):
    names = ("leeann_11_345_01_softmax.ipynb", "leeann_22_346_01_softmax.ipynb")
    assert list(rows(read(tmp_path, *names))) == ["leeann (11)", "leeann (22)"]


def test_moodle_namesakes_are_told_apart_within_an_assignment(tmp_path):
    names = (
        "Ann Lee_11_assignsubmission_file_/01_softmax.ipynb",
        "Ann Lee_22_assignsubmission_file_/01_softmax.ipynb",
        "Bo Roe_33_assignsubmission_file_/01_softmax.ipynb",
        "Bo Roe_77_assignsubmission_file_/02_context_vectors.ipynb",
    )
    found = in_zip(tmp_path, *names)
    who = sorted((one.student, one.exercise) for one in found.submissions)
    assert who == [
        ("Ann Lee (11)", "01_softmax"),
        ("Ann Lee (22)", "01_softmax"),
        ("Bo Roe", "01_softmax"),
        ("Bo Roe", "02_context_vectors"),
    ]


@EVERYWHERE
def test_who_handed_in_no_notebook_has_a_row_also_beside_a_namesake(read, tmp_path):
    names = (
        "Ann Lee_11_assignsubmission_file_/01_softmax.ipynb",
        "Ann Lee_22_assignsubmission_file_/answer.pdf",
        "Bo Roe_33_assignsubmission_file_/answer.pdf",
        "Cy Fox_44_assignsubmission_file_/01_softmax.ipynb",
        "Cy Fox_44_assignsubmission_onlinetext_/onlinetext.html",
    )
    found = read(tmp_path, *names)
    assert sorted(rows(found)) == ["Ann Lee (11)", "Cy Fox"]
    nothing = {("Ann Lee (22)", "01_softmax"), ("Bo Roe", "01_softmax")}
    assert missing(found, None) == nothing


@EVERYWHERE
@pytest.mark.parametrize(
    "names",
    [
        ("ann/01_softmax.ipynb", "ann/01_softmax-1.ipynb", "ann/01_softmax (2).ipynb"),
        ("ann/01_softmax-9.ipynb", "ann/01_softmax-10.ipynb"),
        ("lee_12_345_01_softmax.ipynb", "lee_LATE_12_346_01_softmax-1.ipynb"),
        ("lee_12_99_01_softmax.ipynb", "lee_12_100_01_softmax.ipynb"),
        (
            "A B_7_assignsubmission_file_/01_softmax.ipynb",
            "A B_7_assignsubmission_file_/01_softmax-2.ipynb",
        ),
    ],
)
def test_the_highest_version_counts(read, names, tmp_path):
    found = read(tmp_path, *reversed(names))
    assert list(rows(found).values()) == [names[-1]]
    assert "times; the last counts" in found.refused[0]


@EVERYWHERE
def test_what_cannot_be_told_apart_is_a_row_that_says_so(read, tmp_path):
    found = read(tmp_path, "vic/01_softmax.ipynb", "vic_01_softmax.ipynb", "zoe/01_softmax.ipynb")
    conflicts = {one.student: one.conflict for one in found.submissions}
    assert "flat files, vic" in conflicts["vic"] and not conflicts["zoe"]


@EVERYWHERE
def test_a_number_in_a_team_s_name_is_no_canvas_id(read, tmp_path):
    found = read(tmp_path, "team_3_1_01_softmax.ipynb", "ann_01_softmax.ipynb")
    assert sorted(rows(found)) == ["ann", "team_3_1"]


@EVERYWHERE
def test_a_stray_file_does_not_change_how_canvas_is_read(read, tmp_path):
    found = read(tmp_path, "lee_12_345_01_softmax.ipynb", "solution.ipynb")
    assert list(rows(found)) == ["lee"] and len(found.refused) == 1


@EVERYWHERE
@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("submissions/leeann_12_345_01_softmax.ipynb", "leeann"),
        ("class/ann/01_softmax.ipynb", "ann"),
        ("ann/01_softmax/01_softmax.ipynb", "ann"),
        ("submitted/ann/01_softmax/01_softmax.ipynb", "ann"),
        ("01_softmax/ann/01_softmax.ipynb", "ann"),
        ("attention-01-softmax-octo/01_softmax.ipynb", "octo"),
        ("می\u200cخواهم/01_softmax.ipynb", "می\u200cخواهم"),
        ("Jean\u00a0Paul/01_softmax.ipynb", "Jean\u00a0Paul"),
        ("Zoe\u0308/01_softmax.ipynb", "Zo\u00eb"),
        ("O'Neil, Ann/01_softmax.ipynb", "O'Neil, Ann"),
        ("ann/ann_01_softmax.ipynb", "ann"),
    ],
)
def test_layouts_and_names(read, name, student, tmp_path):
    assert list(rows(read(tmp_path, name))) == [student]


def test_an_nbgrader_course_is_read_where_students_hand_in(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/nbgrader_config.py").touch()
    names = ("submitted/ann/01_softmax/01_softmax.ipynb", "source/01_softmax/01_softmax.ipynb")
    assert list(rows(in_folder(tmp_path, *names))) == ["ann"]


def test_other_files_make_no_rows(tmp_path):
    people = roster(tmp_path, "student\n" + "".join(f"s{i}\n" for i in range(100)))
    found = in_folder(
        tmp_path, "s1/01_softmax.ipynb", "s2/scratch.ipynb", "homework.ipynb", roster=people
    )
    assert list(rows(found)) == ["s1"]
    assert missing(found, people) == {(f"s{i}", "01_softmax") for i in range(100) if i != 1}


CANVAS_EXPORT = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Softmax (5)\n"
    ",,,,,Manual Posting\n"
    "    Points Possible,,,,,10\n"
    '"Lee, Ann",11,s11,alee,A,\n'
    '"Lee, Ann",22,s22,alee2,A,\n'
    '"Zoe, Ann",77,s77,zoe1,A,\n'
)


def test_canvas_s_own_export_is_a_roster(tmp_path):
    people = roster(tmp_path, CANVAS_EXPORT)
    assert [p.student for p in people.people] == ["alee", "alee2", "zoe1"]
    found = in_zip(tmp_path, "zoeann_77_900_01_softmax.ipynb", roster=people)
    assert list(rows(found)) == ["zoe1"]
    assert missing(found, people) == {("alee", "01_softmax"), ("alee2", "01_softmax")}


def test_a_namesake_of_someone_on_the_roster_has_a_row_of_her_own(tmp_path):
    people = roster(tmp_path, CANVAS_EXPORT)
    found = in_zip(tmp_path, "zoeann_78_901_01_softmax.ipynb", roster=people)
    assert list(rows(found)) == ["zoeann"]


def test_moodle_s_worksheet_is_a_roster(tmp_path):
    text = "Identifier,Full name,Email address\nParticipant 101,Ann Lee,a@x\nParticipant 102,,\n"
    people = roster(tmp_path, text)
    names = [f"Participant_{n}_assignsubmission_file_/01_softmax.ipynb" for n in (101, 102)]
    assert list(rows(in_zip(tmp_path, *names, roster=people))) == ["Ann Lee", "Participant 102"]


def test_a_participant_s_number_is_not_another_student_s_id(tmp_path):
    people = roster(tmp_path, "student,name,lms_id\nbob,Bob Roe,101\nann,Ann Lee,5\n")
    names = ("Ann Lee_101_assignsubmission_file_/01_softmax.ipynb",)
    assert list(rows(in_zip(tmp_path, *names, roster=people))) == ["ann"]


def test_a_roster_written_in_another_form_of_unicode_matches(tmp_path):
    people = roster(tmp_path, unicodedata.normalize("NFC", "student\nZoe\u0308\n"))
    assert not missing(in_folder(tmp_path, "Zoe\u0308/01_softmax.ipynb", roster=people), people)


def test_one_name_on_two_lines_of_a_roster(tmp_path):
    people = roster(tmp_path, "student,lms_id\nLee,1\nLee,2\n").people
    assert [p.student for p in people] == ["Lee (1)", "Lee (2)"]
    with pytest.raises(InputError, match="line 3: 'Lee' stands in line 2 already"):
        roster(tmp_path, "student\nLee\nLee\n")
