"""Whose row a file is, and which exercise: what a platform and a roster say, never a student."""

import json

import pytest

from course_lib.checker.errors import InputError
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import (
    EVERYWHERE,
    STEMS,
    in_folder,
    in_zip,
    notebook,
    roster,
    rows,
    whose,
)

SOFTMAX = notebook("ann", "softmax")
NAMES = (
    "Copy of 01_softmax", "Kopie von 01_softmax", "01_softmax - Copy", "01_softmax_final",
    "01_softmax_ada_lovelace", "01_Softmax", "01 softmax", "softmax", "Ada 01_softmax", "x",
    "01_softmax copy", "01_softmax (1)", "01_softmax-Copy1", "02_context_vectors",
)  # fmt: skip


@pytest.mark.parametrize("name", [f"{name}.ipynb" for name in NAMES] + ["a.ipynb.txt", "A.IPYNB"])
def test_the_cells_say_which_exercise_it_is_whatever_the_file_is_called(name, tmp_path):
    place = in_folder(tmp_path, {f"ann/{name}": SOFTMAX})
    assert rows(place, "folders") == {("ann", "01_softmax"): "ann"}


def test_without_names_in_its_cells_the_file_s_name_counts_then_what_it_defines(tmp_path):
    plain = {"cells": [{"cell_type": "code", "metadata": {}, "source": "def attend(q):\n  1"}]}
    data = json.dumps(plain | {"who": "ann"}).encode()
    files = {"ann/01_softmax.ipynb": data, "ann/colab.ipynb": data, "ann/b.ipynb": b"{"}
    place = in_folder(tmp_path, files)
    assert set(rows(place, "folders")) == {("ann", "01_softmax"), ("ann", "02_context_vectors")}
    assert found_in(collect(place, STEMS, "folders")).strays == {"ann": ["b.ipynb"]}


@EVERYWHERE
@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("folders", ("ann/01_softmax.ipynb", "ann/01_softmax-1.ipynb", "ann/01_softmax (2).ipynb")),
        ("folders", ("ann/01_softmax-9.ipynb", "ann/01_softmax-10.ipynb")),
        ("folders", ("ann/old/01_softmax.ipynb", "ann/01_softmax.ipynb")),
        ("canvas", ("lee_12_345_01_softmax.ipynb", "lee_LATE_12_346_01_softmax-1.ipynb")),
        ("canvas", ("lee_12_99_01_softmax.ipynb", "lee_12_100_01_softmax.ipynb")),
        ("moodle", ("A_7_assignsubmission_file_/a.ipynb", "A_7_assignsubmission_file_/a-2.ipynb")),
    ],
)
def test_of_several_the_last_counts(put, platform, names, tmp_path):
    place = put(tmp_path, {name: notebook(name, "softmax") for name in reversed(names)})
    assert list(rows(place, platform).values()) == [names[-1]]


def test_flat_files_of_one_name_are_a_row_to_decide(tmp_path):
    names = ("ann_01_softmax.ipynb", "ann_01_softmax (1).ipynb", "Copy_of_01_softmax (2).ipynb")
    lines = collect(in_folder(tmp_path, dict.fromkeys(names, SOFTMAX)), STEMS, "flat")
    notes = {one.student: one.note for one in found_in(lines).submissions}
    assert "nothing says whose they are" in notes["ann"] and notes["Copy_of"] == ""


def test_a_zip_s_clock_says_no_zone_and_a_clone_from_github_no_date(tmp_path):
    """A clone's files have the time of the download, which would be late for everybody."""
    (line,) = collect(in_zip(tmp_path, {"ann/a.ipynb": SOFTMAX}), STEMS, "folders")
    assert "T" in line.date and "+" not in line.date
    folder = in_folder(tmp_path, {"hw1-ann/a.ipynb": SOFTMAX})
    (line,) = collect(folder, STEMS, "folders")
    assert line.date == "2001-09-09T01:46:40+00:00"
    (line,) = collect(folder, STEMS, "github", assignment="hw1")
    assert (line.student, line.date) == ("ann", "")


CANVAS_EXPORT = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Softmax (5)\n,,,,,Manual Posting\n"
    "    Points Possible,,,,,10\n"
    '"Lee, Ann",11,s11,alee,A,\n"Lee, Ann",22,s22,alee2,A,\n"Zoe, Ann",77,s77,zoe1,A,\n'
)


WORKSHEET = "Identifier,Full name,Email address\nParticipant 101,Ann Lee,a@x\nParticipant 102,,\n"


@pytest.mark.parametrize(
    ("platform", "people", "form", "who"),
    [
        (
            "canvas",
            CANVAS_EXPORT,
            "{}_a.ipynb",
            {"zoeann_77_900": "zoe1", "leeann_22_901": "alee2", "zoeann_78_902": "zoeann"},
        ),
        (
            "moodle",
            WORKSHEET,
            "{}_assignsubmission_file_/a.ipynb",
            {
                "Participant_101": "Ann Lee",
                "Ann Lee_102": "Participant 102",
                "Ann Lee_7": "Ann Lee (7)",
            },
        ),
        # A participant's number is not another student's id.
        (
            "moodle",
            "student,name,lms_id\nbob,Bob Roe,101\nann,Ann Lee,5\n",
            "{}_assignsubmission_file_/a.ipynb",
            {"Ann Lee_101": "ann"},
        ),
        # Blind marking, and namesakes whom no roster knows.
        (
            "moodle",
            "student\n",
            "{}_assignsubmission_file_/a.ipynb",
            {"Participant_101": "Participant 101", "Ann Lee_11": "Ann Lee (11)"}
            | {"Ann Lee_22": "Ann Lee (22)"},
        ),
    ],
)
def test_the_platform_s_own_list_is_a_roster_and_its_ids_say_who_it_is(
    platform, people, form, who, tmp_path
):
    files = {form.format(name): notebook(name, "softmax") for name in who}
    seen = rows(in_zip(tmp_path, files), platform, roster(tmp_path, people))
    assert {by: student for (student, _), by in seen.items()} == who


CLASSROOM = (
    '"identifier","github_username","github_id","name"\n'
    '"Lee, Ann","Anne-Marie","7","Ann Lee"\n"roe@x","marie","8",""\n"stranger","other","9",""\n'
)


def test_a_login_of_github_s_is_the_roster_s_exactly(tmp_path):
    people = roster(tmp_path, CLASSROOM)
    logins = ("anne-marie", "marie", "x-marie", "stranger")
    files = {f"hw-1-{login}/a.ipynb": notebook(login, "softmax") for login in logins}
    lines = collect(in_zip(tmp_path, files), STEMS, "github", people, assignment="hw-1")
    who = {by: student for (student, _), by in whose(found_in(lines)).items()}
    assert who.pop("stranger").startswith("stranger <")  # whose name the roster gives another
    assert who == {"anne-marie": "Lee, Ann", "marie": "roe@x", "x-marie": "x-marie"}
    with pytest.raises(InputError, match="say the assignment's name, such as --assignment hw1"):
        collect(in_zip(tmp_path, files), STEMS, "github", people)
    (tmp_path / "download.zip").rename(tmp_path / "hw-1-submissions (2).zip")
    assert len(collect(tmp_path / "hw-1-submissions (2).zip", STEMS, "github")) == 4


METADATA = """
submission_301:
  :submitters:
  - {":name": Ada Lovelace, ":sid": "4711", ":email": ada@x}
  - {":name": Ben Ng, ":sid": "", ":email": ben@x}
  :created_at: 2026-11-20 23:59:00.000000000 Z
submission_302:
  :submitters: []
"""


def test_gradescope_s_list_says_whose_a_submission_is_and_when_it_came(tmp_path):
    people = roster(tmp_path, "student,email,sis_id\nada,a@x,4711\nben,ben@x,\n")
    files = {"export/submission_metadata.yml": METADATA.encode()}
    files |= {f"export/submission_{n}/a.ipynb": notebook(str(n), "softmax") for n in (301, 302)}
    files["export/submission_302/submission_metadata.yml"] = b"submission_302: {}"
    lines = collect(in_zip(tmp_path, files), STEMS, "gradescope", people)
    assert {student: by for (student, _), by in whose(found_in(lines)).items()} == {
        "ada": "301",
        "ben": "301",
        "submission_302": "302",
    }
    assert {line.date for line in lines if line.student == "ada"} == {"2026-11-20T23:59:00+00:00"}
    del files["export/submission_metadata.yml"]
    with pytest.raises(InputError, match=r"There is no submission_metadata\.yml"):
        collect(in_zip(tmp_path, files), STEMS, "gradescope")


def test_nbgrader_s_course_and_an_outer_folder_of_the_zip_s_own_name(tmp_path):
    files = {
        "submitted/ann/week1/a.ipynb": notebook("ann", "softmax"),
        "submitted/ben/week1/a.ipynb": notebook("ben", "softmax"),
        "submitted/ben/week1/data/notes.ipynb": notebook("ben"),
        "source/week1/a.ipynb": notebook("nobody", "softmax"),
    }
    place = in_folder(tmp_path, files)
    students = {("ann", "01_softmax"): "ann", ("ben", "01_softmax"): "ben"}
    assert rows(place, "nbgrader") == students
    assert rows(place / "submitted", "nbgrader") == students
    files = {f"download/{who}/a.ipynb": notebook(who, "softmax") for who in ("ann", "ben")}
    assert rows(in_zip(tmp_path, files), "folders") == students


def test_without_work_and_not_on_the_roster_a_folder_is_nobody_s(tmp_path):
    files = dict.fromkeys(("images/a.png", "__pycache__/x.pyc", "ann/a.pdf"), b"")
    files["zoe/b.ipynb"] = SOFTMAX
    people = roster(tmp_path, "student\nann\n")
    lines = collect(in_zip(tmp_path, files), STEMS, "folders", people)
    assert [(line.student, line.exercise) for line in lines] == [
        ("ann", ""),
        ("", ""),
        ("zoe", "01_softmax"),
    ]
