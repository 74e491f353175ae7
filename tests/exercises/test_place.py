"""Wrong answers of which no cause is known: the first case that fails says where to look."""

import pytest
import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises import CATALOGUE
from course_lib.exercises.positions.alibi.task import alibi
from course_lib.exercises.positions.rotate.task import rotate
from course_lib.exercises.your_own_model.attention.task import own_attention
from course_lib.exercises.your_own_model.lent import softmax_with_temperature, top_p
from course_lib.exercises.your_own_model.logits.task import own_logits
from course_lib.exercises.your_own_model.writing.task import own_text
from tests.exercises.test_proofs import report_on

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
GIVEN = {"torch": torch}
ATTENTION, LOGITS = Mistakes(own_attention, GIVEN), Mistakes(own_logits, GIVEN)
ROTATE, ALIBI = Mistakes(rotate, GIVEN), Mistakes(alibi, GIVEN)


def calls_for_places(x, layer, cache=None):
    calls, kept = cache or (0, None)
    moved = kept and (torch.empty(calls, 0), kept)
    right = ATTENTION.changed(
        "cache[0].shape[-2]", "len(cache[0])", "(q, k, v, cache)", "(q, k, v, cache[1])"
    )
    output, kept = right(x, layer, moved)
    return output, (calls + 1, kept)


def cooled_after_top_p(logits, temperature, p):
    return top_p(logits.softmax(-1), p) ** (1 / temperature)


def rounded(logits, temperature, p):
    return top_p((logits / temperature).softmax(-1).round(decimals=2), p)


def of_numpy(logits, temperature, p):
    return top_p(softmax_with_temperature(logits.numpy(), temperature), p)


def caches_of_the_prompt(step, choose, tokens, length):
    _, caches = step(tokens[:, :-1], None) if tokens.shape[1] > 1 else (None, None)
    new, written = tokens[:, -1:], []
    for _ in range(length):
        new = choose(step(new, caches)[0][:, -1])[:, None]
        written.append(new)
    return torch.cat(written, dim=1)


def last_text_for_all(step, choose, tokens, length):
    caches, written = None, []
    for _ in range(length):
        logits, caches = step(tokens, caches)
        tokens = choose(logits[:, -1])[-1:].expand(len(tokens))[:, None]
        written.append(tokens)
    return torch.cat(written, dim=1)


def first_text_alone(step, choose, tokens, length):
    return own_text(step, choose, tokens, length)[:1]


TOLD = [
    ("own_attention", calls_for_places, "Token by token it is right, and behind a prompt"),
    (
        "own_attention",
        ATTENTION.changed("one.repeat_interleave(share, dim=1)", "one[:, :1].expand_as(q)"),
        "With one group for all heads a single token is right",
    ),
    (
        "own_attention",
        ATTENTION.changed("torch.arange(x.shape[1])", "torch.arange(x.shape[1]).flip(0)"),
        "A single token is right, and several are not",
    ),
    (
        "own_attention",
        ATTENTION.changed(
            "k = rotate(k, positions",
            "k = k if cache is not None else rotate(k, positions",
        ),
        "A text that comes at once is right, and token by token",
    ),
    (
        "own_attention",
        lambda x, layer, cache=None: own_attention(x, layer, cache)[::-1],
        "the first of the two that it returns is the output",
    ),
    (
        "own_logits",
        LOGITS.changed('model["norm"])', 'torch.ones_like(model["norm"]))'),
        "With gains of 1 it is right",
    ),
    ("own_choice", cooled_after_top_p, "With temperature 1 it is right, and with another"),
    ("own_choice", rounded, "whole multiples of one number"),
    ("own_choice", of_numpy, "NumPy's methods know no `dim`"),
    ("own_text", caches_of_the_prompt, "A text of one new token is right, and a longer one is not"),
    ("own_text", last_text_for_all, "what belongs to the last"),
    ("own_text", first_text_alone, "One text is right, and several are not"),
]


EXPONENT, SLOPES = "-torch.arange(0, d, 2, device=x.device) / d", "torch.arange(1, num_heads + 1)"
UNKNOWN = [
    ("rotate", lambda x, positions, *base: rotate(x, positions.sort().values, *base), "other pos"),
    ("rotate", lambda x, positions, *base: rotate(x, positions - positions.min(), *base), "other"),
    (
        "rotate",
        ROTATE.changed(EXPONENT, f"({EXPONENT} * d / max(d - 2, 1))"),
        "look at their speeds",
    ),
    (
        "rotate",
        ROTATE.changed(EXPONENT, "-torch.linspace(0, 1, d // 2)"),
        "Up to whole turns yours are 1, 0.0001",
    ),
    (
        "rotate",
        ROTATE.changed(f"base ** ({EXPONENT})", "base ** (torch.arange(d // 2) / 2)"),
        "Up to whole turns yours are 1, -0.531",
    ),
    (
        "rotate",
        ROTATE.changed(f"base ** ({EXPONENT})", f"1 / (1 - base * ({EXPONENT}))"),
        "look at their speeds",
    ),
    (
        "rotate",
        ROTATE.changed(
            "angles.cos(), angles.sin()",
            "angles.bfloat16().float().cos(), angles.bfloat16().float().sin()",
        ),
        "right to a few digits only",
    ),
    (
        "rotate",
        ROTATE.changed(f"base ** ({EXPONENT})", "1.0 * (torch.arange(d // 2) == 0)"),
        "come out as they came in",
    ),
    (
        "alibi",
        ALIBI.changed("2.0 ** (", "torch.ones(1) if num_heads == 1 else 2.0 ** ("),
        "slopes, are others",
    ),
    (
        "alibi",
        ALIBI.changed(f"-8 / num_heads * {SLOPES}", "-torch.linspace(1, 8, num_heads)"),
        "for 2 heads yours are 0.5, 0.00391, and right are 0.0625, 0.00391",
    ),
    (
        "alibi",
        ALIBI.changed(f"-8 / num_heads * {SLOPES}", f"-8 // num_heads * {SLOPES}"),
        "slopes, are others",
    ),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("task", "answer", "says"), UNKNOWN)
def test_the_unknown_that_the_numbers_tell_is_told(task, answer, says, seed):
    report = report_on(CATALOGUE.tasks[task], answer, seed)
    assert not report.passed
    assert says in (report.diagnosis or ""), report


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("task", "answer", "says"), TOLD)
def test_the_place_is_told(task, answer, says, seed):
    report = report_on(CATALOGUE.tasks[task], answer, seed)
    assert not report.passed
    assert says in f"{report.diagnosis} {report}", report
