"""Weights of scores that are all too large, or too small, by one factor."""

import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.tasks import Case, Task

OTHER = [
    lambda e, mask: e.softmax(-1) ** 2,  # no row sums to one
    lambda e, mask: (e + e.sum(0)).softmax(-1),
    lambda e, mask: (e * torch.arange(1.0, len(e) + 1, dtype=e.dtype)[:, None]).softmax(-1),
    lambda e, mask: (-e).softmax(-1),
    lambda e, mask: e.tanh().softmax(-1),
    lambda e, mask: (e * 2).softmax(0),
]


def weigh(e, mask):
    """(T, S) and a mask → the weights, zero in a row that may see nothing."""
    return e.masked_fill(~mask, -torch.inf).softmax(-1).masked_fill(~mask, 0.0)


def draw(s):
    queries, keys = s.dims(2)
    return s.floats(queries, keys), s.mask(queries, keys)


CASES = (Case("any", draw), Case("hidden", draw, hidden=True))


def said(answer, reference=weigh, cases=CASES, seed=0):
    task = Task("weigh", 1, reference, cases, (), ("a", "b", "c"))
    trials = draw_trials(task, seed)
    return judge(task, trials, observe(answer, trials)).diagnosis or ""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("factor", [0.3, 0.5, 1.1, 2.0, 1.7])
def test_one_factor_is_told_with_its_size(factor, seed):
    found = said(lambda e, mask: weigh(factor * e, mask), seed=seed)
    assert f"too {'large' if factor > 1 else 'small'} by one factor, {factor:.3g}" in found


def test_a_factor_that_is_another_in_each_trial_is_not_told_as_one():
    found = said(lambda e, mask: weigh(e / (1 + len(e)), mask))
    assert "too small by one factor, not the same in every trial" in found


def test_of_a_pair_the_weights_are_looked_at():
    pair = lambda e, mask: (weigh(e, mask) @ e.T, weigh(e, mask))  # noqa: E731
    wrong = lambda e, mask: (weigh(3 * e, mask) @ e.T, weigh(3 * e, mask))  # noqa: E731
    assert "by one factor, 3." in said(wrong, pair)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("which", range(len(OTHER)))
def test_what_no_single_factor_explains_is_not_said_to_be_one(which, seed):
    whole = lambda s: (s.floats(*s.dims(2)), torch.ones(1, dtype=torch.bool).numpy())  # noqa: E731
    cases = (Case("any", whole),)
    reference = lambda e, mask: e.softmax(-1)  # noqa: E731
    assert "by one factor" not in said(OTHER[which], reference, cases, seed)


def test_too_few_numbers_say_nothing():
    case = Case("two keys", lambda s: (s.floats(1, 2),), sizes=(1, 1, 1), dtypes=("float64",))
    answer = lambda e: (e + torch.tensor([0.3, 0.0], dtype=e.dtype)).softmax(-1)  # noqa: E731
    assert "by one factor" not in said(answer, lambda e: e.softmax(-1), (case,))


@pytest.mark.parametrize(("hidden", "shown"), [(False, ", 2."), (True, "by one factor. Look")])
def test_the_size_of_a_factor_in_a_hidden_case_stays_hidden(hidden, shown):
    case = Case("any", draw, hidden=hidden)
    assert shown in said(lambda e, mask: weigh(2 * e, mask), cases=(case,))


def test_a_factor_in_the_first_case_alone_is_said_of_it():
    far = Case("far", lambda s: (s.floats(4, 3) + 5, s.mask(4, 3)))
    found = said(lambda e, mask: weigh(e * (2 if e.sum() < 30 else e), mask), cases=(CASES[0], far))
    assert found.startswith("In one case that fails, your weights are those"), found
