"""`course.toml`: what it sets, and what every wrong key and value is told."""

import sys
from dataclasses import replace

import pytest

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import ALL_OR_NOTHING, BY_CASE
from grader.gradebook.policy import Policy
from grader.pipeline.course_toml import Config, find_config, load_config, worth_of
from tests.checker.toy import DOUBLE, EXERCISE

if sys.platform.startswith("linux"):
    from grader.pipeline.machine import machine_memory, say_memory

BONUS = replace(DOUBLE, name="bonus", points=4, judge=print, credit="by case")
STEMS = {"01_toy": EXERCISE, "02_other": replace(EXERCISE, capstone=BONUS)}
FULL = """
credit = "by case"

[limits]
timeout = 2.5
memory = 700

[exercises.01_toy]
credit = "all or nothing"
points = { double = 20 }

[exercises.02_other]
"""


@pytest.fixture
def read(tmp_path):
    def read(text):
        (tmp_path / "course.toml").write_bytes(text if type(text) is bytes else text.encode())
        return load_config(tmp_path / "course.toml", STEMS)

    return read


def test_without_the_file_the_course_s_own_values_hold(read):
    assert (
        load_config(None, STEMS) == read("") == Config(STEMS, 10.0, 1024, Policy(worth_of(STEMS)))
    )


def test_exercises_points_credit_and_limits(read):
    config = read(FULL)
    assert (config.timeout, config.memory) == (2.5, 700)
    assert config.policy.worth == {
        "01_toy": {"double": [20, ALL_OR_NOTHING], "Scale": [7, ALL_OR_NOTHING]},
        "02_other": {"double": [3, BY_CASE], "Scale": [7, BY_CASE]},
    }
    assert config.exercises["01_toy"].max_score == 27 and EXERCISE.max_score == 10
    assert list(read("[exercises.02_other]").exercises) == ["02_other"]


def test_a_task_of_half_a_point_keeps_it_or_gets_another_half(tmp_path):
    tasks = (replace(DOUBLE, points=0.5), replace(DOUBLE, name="other", points=0.5))
    stems, path = {"01_toy": replace(EXERCISE, tasks=tasks)}, tmp_path / "course.toml"
    assert repr(stems["01_toy"].max_score) == "1"
    for points, most in (("", "1"), ("points.double = 1.5", "2"), ("points.double = 2", "2.5")):
        path.write_text(f"[exercises.01_toy]\n{points}", encoding="utf-8")
        assert repr(load_config(path, stems).exercises["01_toy"].max_score) == most


def test_a_capstone_counts_where_a_class_asks_for_it_and_keeps_its_steps(read):
    text = 'credit = "all or nothing"\n[exercises.02_other]\ncapstone = '
    assert read(text + "false").exercises["02_other"].max_score == 10
    config = read(text + "true\npoints = { bonus = 6 }")
    (*_, bonus) = config.exercises["02_other"].tasks
    assert config.exercises["02_other"].max_score == 16 and bonus.credit == "by case"
    assert config.policy.worth["02_other"]["bonus"] == [6, BY_CASE]


@pytest.mark.parametrize(
    ("text", "unmarked"),
    [
        ("", []),
        ("written = false", ["01_toy", "02_other"]),
        ("[exercises.01_toy]\nwritten = false\n[exercises.02_other]", ["01_toy"]),
        ("written = false\n[exercises.01_toy]\nwritten = true\n[exercises.02_other]", ["02_other"]),
    ],
)
def test_answers_in_words_count_in_each_exercise_or_not(read, text, unmarked):
    assert read(text).policy.unmarked == unmarked


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("a = \n", None, "is not TOML: Invalid value (at line 1, column 5)"),
        (b"\xff", None, "is not UTF-8 text"),
        ("[" * 9_000, None, "is not TOML"),
        ("#" * 200_000, None, "is larger than 100000 bytes"),
        (
            "\n\nlimit = 3",
            3,
            "no 'limit'. There are: credit, count, written, limits, late, exercises.",
        ),
        ("limits = 3", 1, "limits is 3; a table is needed"),
        ("[limits]\nmemory = 500\ntime = 3", 3, "no 'time' in limits. There are: timeout, memory."),
        ("limits.timeout = 0", 1, "timeout is 0; a number above 0 and up to 1,000,000 is needed"),
        ("limits.timeout = nan", 1, "timeout is nan; a number"),
        ("[limits]\n\nmemory = 0.5", 3, "memory is 0.5; a whole number above 0"),
        (
            "credit = 'half'",
            1,
            '"all or nothing", "by property" or "by case" is needed',
        ),
        ("[exercises]", 1, "no exercise is named, so nothing would be graded"),
        ("[exercises.03_toy]", 1, "no '03_toy' in exercises. There are: 01_toy, 02_other."),
        ("[exercises.01_toy.points]\nduble = 3", 2, "no 'duble' in exercises.01_toy.points."),
        ("[exercises.01_toy]\npoints = { double = 0 }", 2, "double is 0; a whole number above 0"),
        (
            "[exercises.01_toy]\ndue = 2026-11-20T23:59:00",
            2,
            "due is '2026-11-20 23:59:00'; a date,",
        ),
        ("[exercises.01_toy]\ndrop = ['duble']", 2, "drop is ['duble']; a list of tasks is needed"),
        ("[exercises.01_toy]\ncapstone = 1", 2, "capstone is 1; true or false is needed"),
        ("\nwritten = 'no'", 2, "written is 'no'; true or false is needed"),
        ("[exercises.01_toy]\ncapstone = true", 2, "01_toy has no capstone. There is one in: 02_"),
        ("[late]\ndeduction = 200", 2, "deduction is 200; a number from 0 and up to 100"),
        ("[late]\nday = 2", 2, "there is no 'day' in late. There are: free_days, deduction, zone."),
        ('[late]\nzone = "Berlin"', 2, "zone is 'Berlin'; the name of a zone is needed"),
        ("[exercises.01_toy]\npoints.double = 5000", 2, "double is 5000; a whole number above 0"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(read, text, line, sentence):
    with pytest.raises(InputError) as raised:
        read(text)
    assert sentence in str(raised.value)
    assert "course.toml'" + (f", line {line}: " if line else " is ") in str(raised.value)


def test_it_lies_beside_the_submissions_and_one_among_them_may_be_a_student_s(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    assert find_config(folder) is None and find_config(tmp_path / "class.zip") is None
    (tmp_path / "course.toml").touch()
    for submissions in (folder, tmp_path / "class.zip"):
        assert find_config(submissions).samefile(tmp_path / "course.toml")
    (folder / "course.toml").touch()
    assert find_config(folder).samefile(tmp_path / "course.toml")
    (tmp_path / "course.toml").unlink()
    assert find_config(folder) is None
    assert find_config(folder, tmp_path / "other.toml") == tmp_path / "other.toml"
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_config(tmp_path / "other.toml", STEMS)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="grading is Linux's")
def test_more_memory_than_the_machine_has_is_said_before_it_starts(capsys):
    assert 100 < machine_memory() < 10**8
    say_memory(2, 1024, 2048)
    assert capsys.readouterr().err == ""
    say_memory(4, 1024, 2048)
    assert "may hold 4096 MB, and this machine has 2048" in capsys.readouterr().err
