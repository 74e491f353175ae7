"""`check` keeps right answers in `mine.py`: readable, importable, and nothing is ever lost."""

import os
import runpy
import sys
from types import SimpleNamespace

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course_lib.checker import kept_answers
from course_lib.checker.kept_answers import HEAD, RIGHT, arranged, keep, parts_in
from course_lib.exercises import check

SPLIT = """\
import torch

SHIFT = 0

# Cut, then move the heads to the front.
def cut(x, n):
    return x.unflatten(-1, (n, -1))

print("beside it")

def split_heads(x, num_heads):
    \"\"\"Heads.\"\"\"
    return cut(x, num_heads).transpose(1, 2) + SHIFT
"""
MERGE = """\
import torch

def cut(x):
    return x.transpose(1, 2)

def merge_heads(x):
    return cut(x).flatten(2)
"""
WRONG = "def split_heads(x, num_heads):\n    return x.unflatten(-1, (num_heads, -1))\n"


@pytest.fixture(scope="module")
def shell():
    hook = sys.displayhook
    config = Config({"HistoryManager": {"hist_file": ":memory:"}})
    made = InteractiveShell.instance(config=config)
    made.displayhook.flush = lambda: None
    yield made
    InteractiveShell.clear_instance()
    sys.displayhook = hook


@pytest.fixture
def run(shell, tmp_path, monkeypatch):
    """Run a cell in a notebook of its own; what `check` says then of a task."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COURSE_MINE", "yes")
    shell.reset()
    shell.user_ns["check"] = check

    def run(source, task, **choices):
        shell.run_cell(source, store_history=True).raise_error()
        return check(shell.user_ns[task], **choices)

    return run


def module(path):
    return SimpleNamespace(**runpy.run_path(str(path)))


def test_a_right_answer_is_kept_with_what_it_needs_and_no_more(run, tmp_path):
    report = run(SPLIT, "split_heads")
    assert report.passed and report.notes == (kept_answers.KEPT.format(RIGHT),)
    text = (tmp_path / RIGHT).read_text()
    assert text.startswith(HEAD[RIGHT]) and "= split_heads =" in text
    assert "print" not in text and "import torch" not in text
    assert "# Cut, then" in text and '"""Heads."""' in text and "SHIFT = 0" in text
    x = torch.arange(24.0).reshape(1, 2, 12)
    assert module(tmp_path / RIGHT).split_heads(x, 3).shape == (1, 3, 2, 4)
    assert not run("", "split_heads").notes  # it is there already
    assert [path.name for path in tmp_path.iterdir()] == [RIGHT]


def test_two_helpers_of_one_name_stay_apart(run, tmp_path):
    run(SPLIT, "split_heads")
    run(MERGE, "merge_heads")
    made = module(tmp_path / RIGHT)
    x = torch.arange(24.0).reshape(1, 2, 12)
    assert (made.merge_heads(made.split_heads(x, 3)) == x).all()
    parts = parts_in((tmp_path / RIGHT).read_text())
    assert list(parts) == ["split_heads", "merge_heads"]
    assert "_alone" in parts["split_heads"].text and "_alone" not in parts["split_heads"].raw
    assert arranged(parts) in (tmp_path / RIGHT).read_text()


def test_a_newer_right_answer_replaces_an_older_one_and_a_hand_edit_stays(run, tmp_path):
    run(SPLIT, "split_heads")
    run(SPLIT.replace("SHIFT", "OFFSET"), "split_heads")
    text = (tmp_path / RIGHT).read_text()
    assert "OFFSET" in text and "SHIFT" not in text
    edited = text.replace("OFFSET = 0", "OFFSET = 0.0  # by hand")
    (tmp_path / RIGHT).write_text(edited)
    assert "changed there by hand" in run(SPLIT, "split_heads").notes[0]
    assert (tmp_path / RIGHT).read_text() == edited
    run(MERGE, "merge_heads")
    assert "# by hand" in (tmp_path / RIGHT).read_text()
    assert parts_in((tmp_path / RIGHT).read_text())["split_heads"].is_edited


def test_wrong_answers_are_kept_when_that_is_asked_for(run, tmp_path):
    assert not run(WRONG, "split_heads").notes and not list(tmp_path.iterdir())
    report = run(WRONG, "split_heads", keep_wrong=True)
    assert not report.passed and "mine_wrong.py" in report.notes[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["mine_wrong.py"]
    stub = "def merge_heads(x):\n    raise NotImplementedError\n"
    assert "mine_wrong.py" not in str(run(stub, "merge_heads", keep_wrong=True))


@pytest.mark.parametrize("where", ["the browser", "switched off"])
def test_elsewhere_nothing_is_written(run, tmp_path, monkeypatch, where):
    if where == "the browser":
        monkeypatch.setattr(sys, "platform", "emscripten")
    else:
        monkeypatch.setenv("COURSE_MINE", "no")
    assert not run(SPLIT, "split_heads").notes and not list(tmp_path.iterdir())


def test_what_cannot_be_written_costs_one_sentence(run, tmp_path):
    (tmp_path / RIGHT).mkdir()
    report = run(SPLIT, "split_heads")
    assert report.passed and "cannot be written" in report.notes[0]


def test_a_file_of_another_s_is_left_alone(run, tmp_path):
    (tmp_path / RIGHT).write_text("x = 1\n")
    assert "does not begin as the file" in run(SPLIT, "split_heads").notes[0]
    assert (tmp_path / RIGHT).read_text() == "x = 1\n"


def test_what_comes_in_between_is_not_overwritten(tmp_path, monkeypatch):
    replaced, file = [], tmp_path / RIGHT
    stat = os.chmod

    def meanwhile(*args):
        """Another notebook keeps an answer while this one is about to."""
        if not replaced:
            replaced.append(1)
            keep(tmp_path, RIGHT, "rotate", "11_positions", "def rotate(): ...", {})
        stat(*args)

    monkeypatch.setattr(kept_answers.os, "chmod", meanwhile)
    keep(tmp_path, RIGHT, "alibi", "11_positions", "def alibi(): ...", {})
    assert set(parts_in(file.read_text())) == {"rotate", "alibi"}
    assert [path.name for path in tmp_path.iterdir()] == [RIGHT]
