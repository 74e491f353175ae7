"""Written answers are collected for a person; what the person gave comes back, all or nothing."""

import csv
import json

import pytest

from course_lib.checker.errors import InputError
from grader.gradebook.database import Gradebook
from grader.gradebook.rows import load_rows
from grader.pipeline.marks import merge_marks
from grader.pipeline.run import open_gradebook
from grader.pipeline.show import describe_written
from grader.reports.marking_pages import ANONYMOUS
from grader.reports.needs_person import needs_a_person
from tests.checker.toy import EXERCISE
from tests.grader.class_rows import HOSTILE
from tests.grader.pipeline.toy_class import LAB, STEMS, Class
from tests.grader.tables import grades, lines_of


class Marked(Class):
    """A class whose lab asks for answers in words."""

    def hand_in(self, student, exercise=LAB.stem, **texts):
        cells = [
            {
                "cell_type": "markdown",
                "metadata": {"tags": ["written"], "written": name},
                "source": f"> The question\n\n{text}",
            }
            for name, text in texts.items()
        ]
        self.put(f"{student}/{exercise}.ipynb", json.dumps({"cells": cells}))

    def table(self, name=f"{LAB.stem}.csv"):
        return lines_of(self.out / "written" / name)

    def merge(self, text, by=""):
        (self.folder / "marks.csv").write_text(text, encoding="utf-8")
        return merge_marks(self.out, self.folder / "marks.csv", by, STEMS)

    def grades(self):
        rows = grades(self.out).items()
        return {who: (row["marks"], row["max_marks"], row["total"]) for who, row in rows}

    def page(self):
        return (self.out / "written" / f"{LAB.stem}.html").read_text()


@pytest.fixture
def class_(tmp_path):
    class_ = Marked(tmp_path)
    class_.outcome = {"status": "graded", "score": 7}
    class_.hand_in("ann", why=f"Because {HOSTILE}.", how="By eye.")
    class_.hand_in("=bob", why="")
    class_.hand_in("ann", EXERCISE.stem)
    class_.grade()
    return class_


def test_all_answers_of_a_class_stand_beside_the_rubric(class_):
    page = class_.page()
    assert "Because &lt;script&gt;" in page and "<script" not in page and "\u202e" not in page
    assert "Why does <code>softmax</code> not overflow?" in page and "<li>2: a proof</li>" in page
    assert "4 answers to mark" in page and page.count("Nothing is written here.") == 2
    assert not (class_.out / "written" / f"{EXERCISE.stem}.html").exists()
    lines = class_.table()
    assert [(line["student"], line["item"], line["points"]) for line in lines] == [
        ("'=bob", "why", ""),
        ("'=bob", "how", ""),
        ("ann", "why", ""),
        ("ann", "how", ""),
    ]
    assert [line["max_points"] for line in lines] == ["3", "1", "3", "1"]


def test_the_filled_in_table_gives_marks_and_a_total(class_, capsys):
    path = class_.out / "written" / f"{LAB.stem}.csv"
    lines = class_.table()
    for line, points in zip(lines, ("0", "1", "2.5", ""), strict=True):
        line["points"], line["comment"] = points, "See <me>." if points == "2.5" else ""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    edited = path.read_text()
    assert class_.merge(edited) == 0
    assert "3 marks merged; 1 written answers are not marked yet." in capsys.readouterr().out
    assert class_.grades() == {
        ("'=bob", "lab_toy"): ("1", "4", "8"),
        ("ann", "lab_toy"): ("2.5", "4", ""),  # not all of it is marked
        ("ann", "01_toy"): ("", "", "7"),
    }
    assert path.read_text() == edited, "what somebody fills in is not overwritten"
    new = class_.table(f"{LAB.stem}.new.csv")
    assert [line["points"] for line in new] == ["0", "1", "2.5", ""]
    report = (class_.out / "reports/ann/lab_toy.html").read_text()
    assert "why: 2.5 of 3 points" in report and "See &lt;me&gt;." in report
    assert "how: not marked yet" in report
    page = class_.page()
    assert page.index("<h3>ann</h3>") < page.index("Marked: 2.5 of 3. See &lt;me&gt;.")
    assert page.rindex("<h3>ann</h3>") < page.rindex("<h3>=bob</h3>")  # who is not marked is first


HEADER = "student,exercise,item,points,submission_sha256\n"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("anna,lab_toy,why,1", "no row of 'anna' for lab_toy. Did you mean 'ann'?"),
        ("=bob,01_toy,why,1", "01_toy has no written answer 'why'; it has none."),
        ("ann,lab_toi,why,1", "the course has no exercise 'lab_toi'."),
        ("ann,lab_toy,whi,1", "lab_toy has no written answer 'whi'; there are why, how."),
        ("ann,lab_toy,why,4", "points are '4'; a number from 0 to 3 is needed."),
        ("ann,lab_toy,why,-1", "points are '-1'; a number"),
        ("ann,lab_toy,why,nan", "points are 'nan'; a number"),
        ("ann,lab_toy,why,good", "points are 'good'; a number"),
        ("ann,lab_toy,how,1", "ann has points for how in line 2 already."),
    ],
)
def test_one_wrong_line_and_nothing_is_merged(class_, line, sentence):
    before = class_.grades()
    with pytest.raises(InputError) as raised:
        class_.merge(f"{HEADER}ann,lab_toy,how,1\n\n{line}\nann,lab_toy,why,\n")
    assert "line 4: " in str(raised.value) and sentence in str(raised.value)
    assert str(raised.value).startswith("Nothing of ")
    assert class_.grades() == before and "Marked" not in class_.page()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no column student, exercise, item, points in line 1"),
        ("student,exercise,item\n", "no column points in line 1"),
        (f"{HEADER}\nann,lab_toy,why,1,5,ab\n", "6 fields in line 3 and 5 columns"),
    ],
)
def test_what_is_no_table_of_marks_is_refused(class_, text, sentence):
    with pytest.raises(InputError, match=sentence):
        class_.merge(text)


def test_a_spreadsheet_that_splits_at_semicolons_is_read(class_):
    class_.merge("\ufeffStudent;Exercise;Item;Points\nann;lab_toy;why;1,5\n")
    assert class_.grades()["ann", "lab_toy"] == ("1.5", "4", "")


def test_a_file_that_changed_since_it_was_marked_is_told_and_keeps_its_points(class_, capsys):
    table = (class_.out / "written" / f"{LAB.stem}.csv").read_text().replace('""', '"1"')
    class_.hand_in("ann", why="Something else.", how="By eye.")
    class_.grade()
    assert class_.merge(table.replace('"1","ab', '"","ab')) == 0
    printed = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in printed if ": line " in line] == [
        f"line {n}: ann has handed in lab_toy anew since this was marked." for n in (4, 5)
    ]
    assert class_.grades()["ann", "lab_toy"] == ("2", "4", "9")
    assert class_.page().count("The file has changed since.") == 2
    overview = (class_.out / "overview.html").read_text()
    assert "not the one that was marked (how, why)." in overview


def test_without_names_a_code_stands_for_each_student(class_):
    sha = grades(class_.out)["ann", LAB.stem]["submission_sha256"]
    with open_gradebook(class_.out) as gradebook:
        gradebook.set_setting(ANONYMOUS, "yes")
    class_.grade()
    page = class_.page()
    assert "<h3>ann</h3>" not in page and "bob" not in page
    lines = class_.table()
    codes = {line["student"] for line in lines}
    assert len(codes) == 2 and all(code.startswith("anon-") for code in codes)
    code = next(line["student"] for line in lines if line["submission_sha256"] == sha)
    assert page.index(f"<h3>{code}</h3>") < page.index("Because")
    class_.merge(f"{HEADER}{code},lab_toy,why,3\n{code},lab_toy,how,1\n")
    assert class_.grades()["ann", "lab_toy"] == ("4", "4", "11")
    assert "<h3>ann</h3>" not in class_.page()  # it stays so
    with pytest.raises(InputError, match=f"line 3: {code} has points for why in line 2 already"):
        class_.merge(f"{HEADER}{code},lab_toy,why,3\n{code},lab_toy,why,1\n")


COMMENTED = "student,exercise,item,points,comment\n"


def marked(class_, points, by, item="why"):
    class_.merge(f"{COMMENTED}ann,{LAB.stem},{item},{points},\n", by=by)


def shown(class_):
    with open_gradebook(class_.out) as gradebook:
        lines = list(describe_written(gradebook, gradebook.entry("ann", LAB.stem)))
        return lines, needs_a_person(load_rows(gradebook))


def test_the_last_counts_and_both_are_shown(class_, capsys):
    marked(class_, 1, "tim")
    assert "counts; before" not in capsys.readouterr().err
    marked(class_, 3, "ute")
    printed = capsys.readouterr().err
    assert f"ann, {LAB.stem}, why: 3 points by ute, 20" in printed
    assert ", counts; before: 1 points by tim, 20" in printed
    lines, person = shown(class_)
    assert lines[1] == "why: 3 of 3 points" and lines[2].startswith("  marked: 3 points by ute, 20")
    assert lines[3].startswith("  before: 1 points by tim, 20")
    assert lines[4].startswith("  answer: Because ")
    ((kind, row, words),) = person
    assert (kind, row.student) == ("two marks for one answer", "ann")
    assert words.startswith("why: 3 points by ute, ") and "before: 1 points by tim, " in words


def test_one_who_changes_a_mark_of_their_own_or_agrees_is_no_second_one(class_, capsys):
    marked(class_, 1, "tim")
    marked(class_, 2, "tim")
    assert shown(class_)[1] == [] and "before" not in "".join(shown(class_)[0])
    marked(class_, 2, "ute")  # a table holds the marks that are known: it says nothing new
    assert "by ute" not in "".join(shown(class_)[0])
    class_.merge(f"{COMMENTED}ann,{LAB.stem},why,2,Well said.\n", by="ute")
    lines, person = shown(class_)
    assert "marked: 2 points by ute" in lines[2] and person == []
    marked(class_, 0, "ute")
    marked(class_, 2, "tim")
    assert "marked: 2 points by tim" in shown(class_)[0][2]
    assert "counts; before: 0 points by ute" in capsys.readouterr().err


def test_a_mark_for_an_older_file_is_no_other_opinion(class_):
    marked(class_, 1, "tim")
    class_.hand_in("ann", why="Because of the maximum.", how="By eye.")
    class_.grade()
    marked(class_, 3, "ute")
    assert shown(class_)[1] == [] and "  before: 1 points by tim" in "\n".join(shown(class_)[0])


def test_marks_of_an_older_gradebook_stay(class_):
    marked(class_, 2, "tim")
    with Gradebook(class_.out / "gradebook.sqlite") as gradebook:
        gradebook.db.executescript(
            "CREATE TABLE old AS SELECT student, exercise, item, points, comment, sha, marked_at "
            "FROM marks; DROP TABLE marks; ALTER TABLE old RENAME TO marks; "
            "ALTER TABLE rows DROP COLUMN look; PRAGMA user_version=5"
        )
    lines, _ = shown(class_)
    assert lines[1] == "why: 2 of 3 points" and lines[2].startswith("  marked: 2 points, 20")
    marked(class_, 1, "ute")
    assert "before: 2 points, 20" in "\n".join(shown(class_)[0])
