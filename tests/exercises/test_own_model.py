"""A language model of a student's own answers: all theirs, some lent, one of them wrong."""

import inspect
from typing import Any

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from course_lib.checker.kept_answers import RIGHT, WRONG, keep
from course_lib.exercises import CATALOGUE, own_model
from course_lib.exercises.your_own_model import lent
from course_lib.exercises.your_own_model.lent import IMPORTS, OWN, PARTS
from tests.exercises.test_exercise_notebooks import answers, read
from tests.exercises.test_proofs import report_on

GIVEN = "\n\n".join(map(inspect.getsource, (lent.rms_norm, lent.feed_forward)))
OWN_ANSWERS = answers(read("solutions", "13_your_own_model"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep_parts(folder, names, file=RIGHT, change=lambda text: text):
    """Each as its own notebook's solution has it."""
    for name in names:
        text = answers(read("solutions", PARTS[name]))[name]
        text = text.replace("output, _ = causal_attention", "output, _ = attended")
        helpers = "def softmax(scores, axis=-1):\n    e = np.exp(scores)\n"
        helpers += "    return e / e.sum(axis=axis, keepdims=True)\n\n\n"
        helpers += "def attended(q, k, v):\n    mask = causal_mask(q.shape[-2], k.shape[-2])\n"
        helpers += "    return scaled_dot_product_attention(q, k, v, mask)\n\n\n"
        keep(folder, file, name, PARTS[name], IMPORTS + helpers + change(text), {})


def notebook() -> dict[str, Any]:
    """What a notebook defines once the parts have been taken."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for cell in (own_model.parts_text(), GIVEN, *OWN_ANSWERS.values()):
        exec(cell, space)
    return space


@pytest.mark.parametrize("count", [8, 2, 0])
def test_it_writes_with_parts_of_the_student_s_and_the_others_lent(folder, capsys, count):
    """Twelve answers are eight parts and the four of notebook 13; with two parts it is six."""
    keep_parts(folder, list(PARTS)[:count])
    own, (model, tokenizer) = notebook(), own_model.made_model()
    matrices = own_model.matrices_of(model)
    tokens = own_model.encode(tokenizer, own_model.PROMPT)
    torch.testing.assert_close(own["own_logits"](matrices, tokens)[0], model(tokens)[0])
    likeliest = model.generate(tokens, 5)[0, -5:].tolist()
    assert own_model.writes(own, matrices, tokenizer, 5) == tokenizer.decode(likeliest)
    assert own_model.writes(own, matrices, tokenizer, 5, drawn=True)
    own_model.report(own["WHOSE"])
    said = capsys.readouterr().out
    assert said.count("yours   ") == count and said.endswith(f"{count} of 8 parts are yours.\n")


def test_the_cell_of_the_parts_defines_them_and_becomes_them(folder, monkeypatch):
    """*Run All* goes on below it: the next cell reports the parts."""
    keep_parts(folder, list(PARTS)[:3])
    shell = InteractiveShell()
    monkeypatch.setattr(own_model, "shell_here", lambda: shell)
    written = []
    monkeypatch.setattr(shell, "set_next_input", lambda text, replace: written.append(text))
    shell.user_ns["own_model"] = own_model
    shell.run_cell("own_model.take_parts()").raise_error()
    assert list(shell.user_ns["WHOSE"].values()) == ["yours"] * 3 + ["lent"] * 5
    assert callable(shell.user_ns["rotate"]) and written == [own_model.parts_text()]


def test_a_wrong_part_speaks_and_the_right_one_is_back_afterwards(folder, capsys):
    keep_parts(folder, ["rotate"], WRONG, lambda text: text.replace("a * cos - b", "a * cos + b"))
    own, (model, tokenizer) = notebook(), own_model.made_model()
    matrices = own_model.matrices_of(model)
    before = own_model.writes(own, matrices, tokenizer, 6)
    own_model.what_it_says(own, matrices, tokenizer)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10 and not any("NameError" in line for line in lines)
    (line,) = (line for line in lines if line.startswith("rotate"))
    assert " yours " in line and repr(before) not in line
    assert sum("a stranger's" in line for line in lines) == 7
    assert own_model.writes(own, matrices, tokenizer, 6) == before


def test_a_wrong_part_that_raises_costs_one_line(folder, capsys):
    keep(folder, WRONG, "rotate", "11_positions", "def rotate(x, p, base):\n    return x[0, 9]", {})
    own, (model, tokenizer) = notebook(), own_model.made_model()
    own_model.what_it_says(own, own_model.matrices_of(model), tokenizer, 2)
    assert "raises IndexError" in capsys.readouterr().out


@pytest.mark.parametrize("name", PARTS)
def test_what_is_lent_is_right(name):
    report = report_on(CATALOGUE.tasks[name], getattr(lent, name), 0)
    assert report.passed, report


def test_without_the_file_a_made_model_is_opened(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_MODELS", "no")
    model, _, reference = own_model.open_model()
    assert len(model["layers"]) == 3 == len(reference.stack.layers)
    assert own_model.MADE in capsys.readouterr().out


def test_every_part_has_a_stranger_and_a_task():
    assert list(own_model.STRANGERS) == list(PARTS)
    assert [task.name for task in CATALOGUE.exercises["13_your_own_model"].tasks] == list(OWN)
