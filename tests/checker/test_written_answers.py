"""What a student wrote in words is read as data: bounded, plain, and without the question."""

import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.checker.check_notebook import check_notebook
from course_lib.checker.notebook import Unreadable
from course_lib.checker.tasks import Written
from course_lib.checker.written_answers import (
    EMPTY,
    MAX_ANSWERS,
    MAX_TEXT,
    beside_the_place,
    emptied,
    written_answers,
)
from tests.checker.toy import EXERCISE


def cell(source, name="why", kind="markdown"):
    metadata = {"tags": ["written"], "written": name}
    return {"cell_type": kind, "metadata": metadata, "source": source}


def read(*cells):
    return written_answers(json.dumps({"cells": cells, "nbformat": 4}).encode())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("> **Why?**\n\nBecause.", "Because."),
        ("> **Why?** In two\n> sentences.\n\nBecause.\n", "Because."),
        ("> **Why?**\nBecause.", "Because."),
        (["> **Why?**\n", "\n", "Because."], "Because."),
        ("> **Why?**\r\n\r\nBecause.\r\n", "Because."),
        ("Because.", "Because."),
        ("> **Why?**\n\nThey say:\n> so\n\nI do not.", "They say:\n> so\n\nI do not."),
        ("> **Why?**", ""),
        (f"> **Why?**\n\n{EMPTY}\n", ""),
        ([], ""),
    ],
)
def test_the_text_below_the_question_is_the_answer(source, text):
    assert read(cell(source)) == {"why": text}


def test_only_markdown_with_a_name_is_read_and_the_last_counts():
    found = read(
        cell("print()", kind="code"),
        cell("no text", name=7),
        cell("no name", name=""),
        {"cell_type": "markdown", "metadata": {}, "source": "prose"},
        {"cell_type": "markdown", "metadata": None},
        "no cell",
        cell(["a", 1], name="broken"),
        cell("first"),
        cell("second"),
    )
    assert found == {"why": "second"}


def test_answers_are_few_short_and_without_control_characters():
    many = [cell("text", name=f"n{i}") for i in range(3 * MAX_ANSWERS)]
    assert len(read(*many)) == MAX_ANSWERS
    assert len(read(cell("a" * 10 * MAX_TEXT))["why"]) <= MAX_TEXT + 5
    assert read(cell("red \x1b[31m\u202eand back\ttab")) == {"why": "red �[31m�and back\ttab"}


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        ([cell(f"> Why?\n\n{EMPTY}"), "Because."], {"why"}),
        ([cell("> Why?"), "", "Because."], {"why"}),
        ([cell("> Why?\n\nBecause."), "More."], set()),
        ([cell("> Why?"), "## The next task"], set()),
        ([cell("> Why?"), cell("> How?", name="how"), "So."], {"how"}),
        ([cell("> Why?")], set()),
    ],
)
def test_what_is_written_in_a_cell_below_is_seen(cells, names):
    cells = [
        one if type(one) is dict else {"cell_type": "markdown", "source": one} for one in cells
    ]
    assert beside_the_place(json.dumps({"cells": cells}).encode()) == names


@given(st.binary(max_size=200))
def test_any_other_bytes_are_unreadable(data):
    with contextlib.suppress(Unreadable):
        assert type(written_answers(data)) is dict


def test_a_released_cell_keeps_the_question_alone():
    text = emptied("> **Why?** In two\n> sentences.\n\nA model answer.\n> quoted")
    assert text == f"> **Why?** In two\n> sentences.\n\n{EMPTY}"
    assert emptied(text) == text
    assert read(cell(text)) == {"why": ""}


def test_a_rubric_adds_up():
    assert Written("why", 3, "Why?", ("2: names it", "1: says how")).points == 3
    for rubric in (("2: names it",), ("names it", "says how"), ()):
        with pytest.raises(ValueError, match="sum to 3"):
            Written("why", 3, "Why?", rubric)


def test_what_is_written_in_words_is_named(tmp_path):
    questions = [Written(name, 2, "Why?", ("2: a reason",)) for name in ("a", "b", "c", "d")]
    exercise = replace(EXERCISE, written=tuple(questions))
    cells = [
        {"cell_type": "markdown", "metadata": {"written": name} if name else {}, "source": source}
        for name, source in (("a", "> Why?\n\nA good reason."), ("b", "> Why?"), ("", "Mine."))
    ]
    cells += [{"cell_type": "markdown", "metadata": {"written": "c"}, "source": "> Why?"}]
    path = tmp_path / f"{EXERCISE.stem}.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    printed = []
    assert check_notebook(path, {EXERCISE.stem: exercise}, printed.append) == 1
    assert printed[-1] == (
        "In words, 8 points that a person gives: a (3 words), b (empty: what you wrote in the cell "
        "below is not found, move it up), c (empty), d (its cell is missing: take it from the "
        "released notebook)"
    )
