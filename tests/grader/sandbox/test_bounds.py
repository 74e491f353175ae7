"""What the trusted side spends on an answer is bounded, whatever comes out of the cell."""

import json
import sys

import numpy as np
import pytest
import torch

from course_lib.checker.compare.formatting import brief, show
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs, Observation, Opaque
from grader.sandbox.inside.protocol import MAGIC, PREFIX, FrameError, decode, encode
from grader.sandbox.results import read_observations
from tests.checker.toy import DOUBLE, named, squared

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from grader.sandbox.inside.cell import _frame

P = 2**61 - 1  # every multiple of it hashes to 0


def frame_of(tree):
    header = json.dumps(tree).encode()
    return PREFIX.pack(MAGIC, len(header), 0) + header


def colliding(count):
    return [["i", hex(i * P)] for i in range(1, count + 1)]


def tuples(count):
    return [["t", ["i", hex(i * P)], ["i", hex(P)]] for i in range(1, count + 1)]


@pytest.mark.parametrize(
    "tree",
    [
        ["s", *colliding(20_000)],
        ["s", *tuples(20_000)],
        ["d", *([key, 0] for key in colliding(20_000))],
        ["d", *([key, 0] for key in tuples(20_000))],
        ["l", *(["s", *colliding(150)] for _ in range(500))],
        ["s", ["t", *([["t"]] * 9)]],
        ["s", ["t", ["t", 1]]],
        ["r", "Opaque", ["s", *colliding(20_000)]],
    ],
)
def test_colliding_keys_are_refused_before_they_are_hashed(tree):
    """Each of them would take up to half a minute to build."""
    with pytest.raises(FrameError):
        decode(frame_of(tree))


@pytest.mark.parametrize("changed", [(0,) * 65, (64,), (-1,)])
def test_records_without_end_are_refused(changed):
    with pytest.raises(FrameError):
        read_observations(encode([Observation(1, changed=changed)]), 1)


SHORT_AXES = np.zeros((6,) * 8, np.int8)


@pytest.mark.parametrize(
    "value",
    [
        SHORT_AXES,
        {"a": SHORT_AXES},
        [SHORT_AXES] * 500,
        (SHORT_AXES, [{"a": (SHORT_AXES,)}]),
        torch.zeros((6,) * 7),
        tuple(np.asarray(1.0) for _ in range(1_900)),
        {str(i) * 99: "x" * 9999 for i in range(199)},
        {(i, i) for i in range(199)},
        "x" * 10**6,
        [[[[["deep"] * 9] * 9] * 9] * 2],
    ],
)
def test_no_value_is_written_out_at_length(value):
    seen = execute(lambda x: value, Inputs((1,)), "numpy").value
    assert len(brief(seen)) <= 120 and len(show(seen)) < 2_000
    report = judge(DOUBLE, trials := draw_trials(DOUBLE, 0), [Observation(seen)] * len(trials))
    assert len(str(report)) < 10_000 and not report.passed


def test_a_long_set_is_the_same_here_and_in_the_cell():
    answer = named("double", lambda x, times=1: set(range(10**4)))
    seen = execute(answer, Inputs((1,)), "numpy")
    assert seen.value == Opaque("set that is too long")
    assert decode(_frame([seen]))[0].value == seen.value


ANSWERS = [
    lambda x, times=1: np.exp(x).sum(),
    lambda x, times=1: np.float32(1),
    lambda x, times=1: np.float16(1),
    lambda x, times=1: np.int32(1),
    lambda x, times=1: np.bool_(True),
    lambda x, times=1: 1.5,
    lambda x, times=1: None,
    lambda x, times=1: (i for i in x),
    lambda x, times=1: [x, {"a": x}, {1, 2}, (x,)],
    lambda x, times=1: torch.ones(2, dtype=torch.bfloat16),
    lambda x, times=1: type("", (), {})(),
    lambda x, times=1: {"x": SHORT_AXES},
    lambda x, times=1: list(range(10**5)),
    lambda x, times=1: x.astype(complex),
    lambda x, times=1: 10**1000,
    lambda x, times=1: 1 / 0,
    squared,
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_verdict_is_the_same_through_the_frame(answer):
    trials = draw_trials(DOUBLE, 1)
    seen = observe(answer, trials)
    there = read_observations(_frame(seen), len(trials))
    assert str(judge(DOUBLE, trials, there)) == str(judge(DOUBLE, trials, seen))
