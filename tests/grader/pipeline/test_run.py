"""What is graded again, and which rows are current: a run after a run."""

import stat

import pytest

from course_lib.checker.errors import InputError
from grader.pipeline.run import open_gradebook
from tests.grader.pipeline.toy_class import Class
from tests.grader.tables import grades


@pytest.fixture
def class_(tmp_path):
    return Class(tmp_path)


def test_what_a_run_does_not_see_stays_until_it_is_given_up(class_):
    for name in ("ann/01_toy.ipynb", "bob/01_toy.ipynb", "bob/02_other.ipynb"):
        class_.put(name)
    before = class_.grade()
    assert stat.S_IMODE(class_.out.stat().st_mode) == 0o700
    class_.take("bob/01_toy.ipynb")
    assert class_.grade() == before
    (class_.folder / "in/bob/02_other.ipynb").unlink()  # an empty folder is no zero for old work
    assert class_.grade() == before
    page = class_.out / "reports/bob/01_toy.html"
    other = class_.out / "reports/somebody/else.html"
    other.parent.mkdir()
    other.touch()
    assert page.is_file()
    (class_.folder / "in/bob").rmdir()
    assert set(class_.grade(forget=["bob/01_toy"])) == {("ann", "01_toy"), ("bob", "02_other")}
    assert not page.exists() and other.exists()
    with pytest.raises(InputError, match=r"no such row\. Did you mean 'bob'"):
        class_.grade(forget=["ann", "bo"])
    assert set(class_.grade()) == {("ann", "01_toy"), ("bob", "02_other")}


def test_an_old_notebook_among_this_week_s_zeroes_nobody(class_):
    """Ada hands in last week's notebook again: what the others had for it stays."""
    roster = "student\nada\nben\ncem\n"
    names = ("ada", "ben", "cem")
    for name in names:
        class_.put(f"{name}/01_toy.ipynb")
    class_.grade(roster=roster)
    for name in names:
        class_.take(f"{name}/01_toy.ipynb")
        class_.put(f"{name}/02_other.ipynb")
    class_.put("ada/01_toy.ipynb")
    rows = class_.grade(roster=roster)
    assert rows == {(name, stem): "graded" for name in names for stem in ("01_toy", "02_other")}


TASK = {"name": "t", "score": 0, "max_score": 5, "mistake": None, "diagnosis": None}
TASK |= {"hint": None, "cases": [], "example": None}


@pytest.mark.parametrize(
    ("status", "before", "after", "graded_again"),
    [
        ("graded", {}, {}, False),
        ("graded", {"timeout": 1.0}, {"timeout": 60.0}, False),
        ("timeout", {"timeout": 1.0}, {"timeout": 60.0}, True),
        ("timeout", {"timeout": 60.0}, {"timeout": 1.0}, False),
        ("memory", {"memory": 400}, {"memory": 800}, True),
        ("crashed", {}, {}, False),
        ("no-result", {"timeout": 1.0}, {"timeout": 2.0}, True),
        ("graded", {"profile": "trusted"}, {"profile": "strong"}, True),
        ("graded", {"profile": "trusted"}, {"profile": "trusted"}, False),
        ("graded", {"profile": "portable"}, {"profile": "strong"}, True),
        ("graded", {"profile": "strong"}, {"profile": "portable"}, False),
        ("graded", {"profile": "trusted"}, {"profile": "cluster"}, True),
        ("graded", {"profile": "portable"}, {"profile": "cluster"}, False),
        ("graded", {}, {"again": ["graded"]}, True),
        ("timeout", {}, {"again": ["graded"]}, False),
        ("needs-attention", {}, {}, True),
        ("graded", {}, {"config": "exercises.01_toy.points.double = 9"}, False),
        ("graded", {}, {"config": "credit = 'by case'"}, False),
        ("crashed", {"timeout": 1.0, "tasks": ["timeout", "crashed"]}, {"timeout": 60.0}, True),
    ],
)
def test_what_is_graded_again(class_, status, before, after, graded_again):
    class_.put("ann/01_toy.ipynb")
    class_.outcome = {"status": status, "score": None if status == "needs-attention" else 0}
    class_.outcome["tasks"] = [TASK | {"status": one} for one in before.pop("tasks", ())]
    class_.grade(**before)
    class_.grade(**after)
    assert class_.graded == (["ann"] if graded_again else [])
    assert class_.tally.known == (not graded_again)


def test_the_best_of_several_tries_stays_where_the_class_says_so(class_):
    class_.put("ann/01_toy.ipynb")
    class_.grade(config="count = 'best'")
    class_.put("ann/01_toy-1.ipynb")
    class_.outcome = {"status": "graded", "score": 4}
    for config, score in (("count = 'best'", "10"), ("", "4"), ("count = 'best'", "10")):
        class_.grade(config=config)
        assert [row["score"] for row in grades(class_.out).values()] == [score]


def test_a_gradebook_that_may_not_be_written_asks_for_another_folder(tmp_path):
    (tmp_path / "out").write_text("in the way, as a file system that may only be read is")
    message = (
        r"cannot be written: .*\. Give another one, or a copy of this one that may be written\."
    )
    with pytest.raises(InputError, match=message), open_gradebook(tmp_path / "out"):
        pass


def test_a_folder_with_files_of_somebody_else_s_is_not_written_over(tmp_path):
    (tmp_path / "grades.csv").write_text("mine")
    with pytest.raises(InputError, match=r"holds grades\.csv, which"), open_gradebook(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["grades.csv"]
