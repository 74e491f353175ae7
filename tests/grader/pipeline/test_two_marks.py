"""Two marks for one answer are shown, with who gave them and when; the last one counts."""

import sys

import pytest

from grader.gradebook.database import Gradebook

if sys.platform.startswith("linux"):
    from grader.gradebook.rows import load_rows
    from grader.pipeline.run import open_gradebook
    from grader.pipeline.show import describe_written
    from grader.reports.needs_person import needs_a_person
    from tests.grader.pipeline.test_marks import LAB, Class

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="grading is Linux's")
HEADER = "student,exercise,item,points,comment\n"


@pytest.fixture
def class_(tmp_path):
    class_ = Class(tmp_path)
    class_.hand_in("ann", why="Because.", how="By eye.")
    class_.grade()
    return class_


def marked(class_, points, by, item="why"):
    class_.merge(f"{HEADER}ann,{LAB.stem},{item},{points},\n", by=by)


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
    ((kind, row, words),) = person
    assert (kind, row.student) == ("two marks for one answer", "ann")
    assert words.startswith("why: 3 points by ute, ") and "before: 1 points by tim, " in words


def test_one_who_changes_a_mark_of_their_own_or_agrees_is_no_second_one(class_, capsys):
    marked(class_, 1, "tim")
    marked(class_, 2, "tim")
    assert shown(class_)[1] == [] and "before" not in "".join(shown(class_)[0])
    marked(class_, 2, "ute")  # a table holds the marks that are known: it says nothing new
    assert "by ute" not in "".join(shown(class_)[0])
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
            "FROM marks; DROP TABLE marks; ALTER TABLE old RENAME TO marks; PRAGMA user_version=5"
        )
    lines, _ = shown(class_)
    assert lines[1] == "why: 2 of 3 points" and lines[2].startswith("  marked: 2 points, 20")
    marked(class_, 1, "ute")
    assert "before: 2 points, 20" in "\n".join(shown(class_)[0])
