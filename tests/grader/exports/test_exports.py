"""What leaves the gradebook: every format holds the same grades, and nothing that runs."""

import base64
import csv
import dataclasses
import hashlib
import json
from xml.etree import ElementTree as xml

import pytest

from course_lib.checker.errors import InputError
from grader import exports
from grader.gradebook.answers_and_marks import Mark
from grader.gradebook.rows import Row
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv
from tests.grader.class_rows import ROSTER, ROWS, task
from tests.grader.class_rows import row as class_row


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("name", sorted(exports.FORMATS.keys() - {"moss"}))
def test_every_export_is_text_without_controls_or_formulas(name, tmp_path):
    written = exports.FORMATS[name](ROWS, ROSTER, tmp_path)
    assert written and all(place.exists() for place in written)
    for path in (
        p for place in written for p in ([place] if place.is_file() else place.rglob("*"))
    ):
        if path.is_file():
            text = path.read_bytes().decode("utf-8")
            assert not any(ord(c) < 32 and c != "\n" for c in text) and "\u202e" not in text
            if path.suffix == ".csv":
                assert not any(f[:1] in set("=+-@") for line in read(path) for f in line)
            assert "<script" not in text or path.suffix == ".csv"


@pytest.mark.parametrize(
    ("name", "file", "header", "ann"),
    [
        ("csv", "grades.csv", "student,exercise,score,max_score,status,submission_sha256", None),
        (
            "canvas",
            "canvas.csv",
            "Student,ID,SIS User ID,SIS Login ID,Section,01_softmax",
            "Ann Lee,12,s12,alee,,8",
        ),
        (
            "moodle",
            "moodle.csv",
            "Identifier,ID number,Full name,Email address,01_softmax",
            "alee,s12,Ann Lee,a@x,8",
        ),
        (
            # Without the last column Moodle refuses it.
            "moodle",
            "worksheet-01_softmax.csv",
            "Identifier,Full name,Email address,Grade,",
            "Participant 12,Ann Lee,a@x,8,8,",
        ),
        (
            "nbgrader",
            "nbgrader.csv",
            "assignment,duedate,timestamp,student_id,last_name,",
            "01_softmax,,,ann,Lee,Ann,a@x,8,0,8,8",
        ),
    ],
)
def test_tables_have_the_columns_of_their_platform(name, file, header, ann, tmp_path):
    exports.FORMATS[name](ROWS, ROSTER, tmp_path)
    first, *lines = [",".join(line) for line in read(tmp_path / file)]
    assert first.startswith(header)
    assert (
        ann in lines if ann else [line.split(",")[2] for line in lines] == ["4", "8", "0", "", "0"]
    )


def test_moodle_never_has_an_empty_identifier_nor_a_participant_s_for_an_id_number(tmp_path):
    _, *lines = read(exports.tables.write_moodle(ROWS, Roster([]), tmp_path)[0])
    assert all(all(line[:4]) and "12" not in line[:4] for line in lines)
    assert len(lines) == len(ROWS)


def test_a_platform_gets_no_marks_before_the_last_answer_is_marked(tmp_path):
    data = ROWS[1].data | {"written": {"why": 3, "how": 1}}
    one = dataclasses.replace(ROWS[1], data=data, marks={"why": Mark(0)})
    both = dataclasses.replace(
        one, student="bob", lms_id="13", marks={"why": Mark(2), "how": Mark(1)}
    )
    _, _, *lines = read(exports.tables.write_canvas([one, both], Roster([]), tmp_path)[0])
    assert [line[-2:] for line in lines] == [["8", ""], ["8", "3"]]
    (sentence,) = exports.waiting([one, both])
    assert sentence.startswith("01_softmax: in 1 of 2 rows an answer in words is not marked")
    assert list(exports.waiting([both])) == []


def test_junit_counts_failures_and_our_faults(tmp_path):
    root = xml.parse(exports.files.write_junit(ROWS, ROSTER, tmp_path)[0]).getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert suites["=1+1/01_softmax"].get("failures") == "1"
    assert suites["ours/01_softmax"].get("errors") == "1"
    values = {p.get("name"): p.get("value") for p in suites["ann/01_softmax"].iter("property")}
    assert values["score"] == values["max_score"] == "8"


def test_gradescope_reads_score_and_tests(tmp_path):
    exports.files.write_gradescope(ROWS, ROSTER, tmp_path)
    result = json.loads((tmp_path / "=1+1/01_softmax.results.json").read_text())
    assert result["score"] == 4 and [t["status"] for t in result["tests"]] == ["passed", "failed"]
    assert result["stdout_visibility"] == "hidden"
    assert "score" not in json.loads((tmp_path / "ours/01_softmax.results.json").read_text())


def test_github_classroom_reads_base64_of_json(tmp_path):
    exports.files.write_github(ROWS, ROSTER, tmp_path)
    report = json.loads(base64.b64decode((tmp_path / "ann/01_softmax.base64").read_text()))
    assert report["version"] == 1 and report["status"] == "pass" and report["max_score"] == 8
    assert sum(test["score"] for test in report["tests"]) == 8


def test_table_fields_cannot_run():
    """Behind a semicolon, too: there a spreadsheet may split a line, quotes or not."""
    given = ["=1", "-x", "@y", -3, "x;=HYPERLINK(1)", "a\u200cb"]
    shown = ["'=1", "'-x", "'@y", "-3", "x;'=HYPERLINK(1)", "a\u200cb"]
    lines = as_csv(("a",), [(field,) for field in given]).splitlines()
    assert lines == [f'"{field}"' for field in ("a", *shown)]


def test_a_ranking_names_nobody_without_a_roster_and_leaves_out_who_broke_a_limit(tmp_path):
    def measured(student, sha, bleu, within=True):
        said = f"BLEU {bleu}, 9 parameters, 50 seconds of the processor."
        limit = {"name": "parameters", "passed": within, "required": True}
        task = {"name": "train_translator", "summary": said, "cases": [limit]}
        return dataclasses.replace(class_row(student, task | {"score": 0}), sha=sha * 64)

    rows = [
        measured("ann", "a", 61.5),
        measured("bob", "b", 97.0),
        measured("eve", "e", 99.9, within=False),
        measured("zoe", "c", 61.5),
        *ROWS,
    ]
    header, *lines = read(exports.tables.write_ranking(rows, Roster([]), tmp_path)[0])
    assert header[:2] == ["place", "who"]
    assert [line[:2] for line in lines] == [["1", "b" * 8], ["2", "a" * 8], ["2", "c" * 8]]
    _, *lines = read(exports.tables.write_ranking(rows, ROSTER, tmp_path)[0])
    assert [line[1] for line in lines] == ["bob", "Ann Lee", "zoe"]


def test_each_answer_is_a_file_and_a_changed_notebook_is_left_out(tmp_path):
    rows = []
    for student in ("ann", "bob", "cyd"):
        source = f"def softmax(x):\n    return '{student}'\n"
        cells = [{"cell_type": "code", "metadata": {"task": "softmax"}, "source": source}]
        data = json.dumps({"cells": cells}).encode()
        (tmp_path / f"{student}.ipynb").write_bytes(data)
        sha = hashlib.sha256(data if student != "bob" else b"before").hexdigest()
        result = {"status": "graded", "score": 4, "max_score": 4, "tasks": [task("softmax", 4)]}
        rows.append(Row(student, "01_softmax", sha, "", result, str(tmp_path / f"{student}.ipynb")))
    (place,) = exports.files.write_moss(rows, Roster([]), tmp_path / "moss")
    assert place == tmp_path / "moss" / "01_softmax" / "softmax"
    assert sorted(path.name for path in place.iterdir()) == ["ann.py", "cyd.py"]
    assert (place / "ann.py").read_text() == "def softmax(x):\n    return 'ann'\n"
    with pytest.raises(InputError, match="run this where you graded"):
        exports.files.write_moss(rows[1:2], Roster([]), tmp_path / "none")
