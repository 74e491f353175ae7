"""A wrong answer that is a right one but for one thing: told, in whatever form it is written."""

import math

import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.compare.mutations import mutations
from course_lib.checker.tasks import Case, Task


def turned(x, by):
    return torch.cat([x[..., by:], x[..., :by]], dim=-1)


def looks(query, parts, by):
    """(B, T, d), a dictionary of keys and values (B, S, d) → (B, T, d), of what was before it."""
    key = turned(parts["key"], by)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    before = torch.arange(key.shape[1]) <= torch.arange(query.shape[1])[:, None]
    weights = scores.masked_fill(~before, float("-inf")).softmax(-1)
    found = []
    for row in weights.unbind(1):
        found.append((row[:, :, None] * parts["value"]).sum(1))
    return torch.stack(found, dim=1)


def draw(s):
    batch, t, d = s.dims(3, low=3)
    shape = batch, t + 1, d
    return s.floats(batch, t, d), {"key": s.floats(*shape), "value": s.floats(*shape)}, 1


TASK = Task("looks", 1, looks, (Case("any", draw), Case("hidden", draw, hidden=True)), (), ("a",))


def wrong(keys="key", values="value", ahead=0):
    """The same with one sum for all rows, and something otherwise."""

    def answer(query, parts, by):
        key = parts[keys].roll(-1, -1)
        scores = torch.einsum("btd,bsd->bts", query, key) * query.shape[-1] ** -0.5
        seen = torch.ones(scores.shape[1:]).tril(ahead) > 0
        scores = torch.where(seen, scores, torch.tensor(-math.inf, dtype=scores.dtype))
        return (scores - scores.logsumexp(-1, keepdim=True)).exp() @ parts[values]

    return answer


def diagnosis(answer):
    trials = draw_trials(TASK, 0)
    return judge(TASK, trials, observe(answer, trials)).diagnosis


@pytest.mark.parametrize(
    ("otherwise", "words"),
    [
        ({"keys": "value"}, "`parts['value']` stands where `parts['key']` belongs"),
        ({"values": "key"}, "`parts['key']` stands where `parts['value']` belongs"),
        ({"ahead": -1}, "< torch.arange(query.shape[1])[:, None]` stands where"),
    ],
)
def test_one_thing_is_otherwise(otherwise, words):
    said = diagnosis(wrong(**otherwise))
    assert said
    assert words in said


def test_what_is_right_has_no_mutation():
    assert diagnosis(wrong()) is None
    trials = draw_trials(TASK, 0)
    assert judge(TASK, trials, observe(wrong(), trials)).passed


def test_two_mutations_at_once_are_not_told_as_one():
    said = diagnosis(wrong(keys="value", ahead=-1))
    assert said is None or "a right one would do" not in said


def test_no_mutation_changes_the_reference():
    trials = draw_trials(TASK, 0)
    assert len([*mutations(looks)]) > 100
    assert judge(TASK, trials, observe(looks, trials)).passed


def plus(number, name):
    """A reference that finds a number around it, and bears another name than its text does."""

    def moved(x):
        return x + number

    moved.__name__ = name
    return moved


def decorated():
    def twice(function):
        return lambda x: function(function(x))

    @twice
    def scaled(x):
        return x * 3

    return scaled


def bits(s):
    return (s.floats(8),)


def said_of(reference, answer):
    task = Task(
        "any", 1, reference, (Case("any", bits), Case("hidden", bits, hidden=True)), (), ("a",)
    )
    trials = draw_trials(task, 0)
    return judge(task, trials, observe(answer, trials)).diagnosis


def test_a_reference_of_another_name_is_found_with_the_number_around_it():
    assert "`x * number` stands" in said_of(plus(2.0, "other"), lambda x: x * 2.0)


@pytest.mark.parametrize("reference", [decorated(), lambda x: x + 1.0, plus(2.0, "<lambda>")])
def test_a_reference_whose_text_defines_it_nowhere_else_takes_no_verdict(reference):
    assert said_of(reference, lambda x: x - 41.0) != ""
