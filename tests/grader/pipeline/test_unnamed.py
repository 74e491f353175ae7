"""`attn unnamed`: wrong answers of one kind come together, however they are written."""

import json
import sys

import pytest

from course_lib import cli
from tests.checker.toy import EXERCISE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux"),
]
SCALE = """from torch import nn
import torch
class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
    def forward(self, x):
        return x * self.weight
"""
TRIPLE = (
    "def double(x, times=1):\n    return 3 * x",
    "def double(x, times=1):\n    y = x + x\n    return y + x",
    "double = lambda x, times=1: x * 3.0",
)
ANSWERS = {f"triple {number}": text for number, text in enumerate(TRIPLE)} | {
    "minus": "def double(x, times=1):\n    return -x",
    "squared": "def double(x, times=1):\n    return x**2",  # which is known
    "right": "def double(x, times=1):\n    return x * 2**times",
}


def put(folder, student, answer):
    cells = [("double", answer), ("Scale", SCALE)]
    cells = [
        {"cell_type": "code", "metadata": {"task": task}, "source": text} for task, text in cells
    ]
    place = folder / student / f"{EXERCISE.stem}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"cells": cells, "nbformat": 4, "who": student}))
    return place


def test_the_largest_group_comes_first_with_its_shortest_answer(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cli, "_exercises", lambda: {EXERCISE.stem: EXERCISE})
    places = [put(tmp_path / "class", *one) for one in ANSWERS.items()]
    out = str(tmp_path / "grades")
    assert cli.main(["grade", str(tmp_path / "class"), "--out", out]) == 0
    capsys.readouterr()
    assert cli.main(["unnamed", out]) == 0
    said = capsys.readouterr().out
    heads = [line for line in said.splitlines() if line.startswith("01_toy, ")]
    assert heads == [
        "01_toy, double: 3 answers do the same: triple 0, triple 1, triple 2",
        "01_toy, double: 1 answer does the same: minus",
    ]
    assert min(TRIPLE, key=len) in said and "squared" not in said and "expected = " in said
    places[3].unlink()  # minus
    assert cli.main(["unnamed", out]) == 0
    said = capsys.readouterr().out
    assert "left out, as the file is not where it was, or has changed: minus, 01_toy" in said
