"""A way of its own for one kind of call: that kind is told, and what is done there."""

import math

import pytest
import torch

from course_lib.checker.compare.diagnosis import ALONE
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.compare.only_where import only_where
from course_lib.exercises import CATALOGUE
from course_lib.exercises.causal.attention.task import causal_attention
from course_lib.exercises.generation.grouped.task import grouped_query_attention
from course_lib.exercises.generation.nucleus.task import top_p
from course_lib.exercises.positions.rotate.task import rotate
from course_lib.exercises.scaled_dot_product.attention.task import scaled_dot_product_attention

UNSCALED = "You do not scale the scores."


def unscaled(answer, where):
    """The root of d_k is taken back for one kind of call."""

    def changed(query, *more):
        return answer(query * (math.sqrt(query.shape[-1]) if where(query, *more) else 1), *more)

    return changed


def open_where_square(query, key, value):
    same = query.shape[-2] == key.shape[-2]
    return (scaled_dot_product_attention if same else causal_attention)(query, key, value)


def likeliest_where_all(probabilities, p):
    if p < 1:
        return top_p(probabilities, p)
    likeliest = probabilities.argmax(-1, keepdim=True)
    return torch.zeros_like(probabilities).scatter(-1, likeliest, 1.0)


def heads_take_places(x, positions, base=10000.0):
    return rotate(x, positions, base) if x.ndim < 4 else x * positions[:, None, None].cos()


def report_on(name, answer):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 3)
    return judge(task, trials, observe(answer, trials))


@pytest.mark.parametrize(
    ("answer", "where", "kind"),
    [
        (causal_attention, lambda query, *_: query.ndim == 2, "`query` has 2 axes"),
        (causal_attention, lambda query, *_: query.shape[-2] == 1, "`query.shape[-2]` is 1"),
        (
            grouped_query_attention,
            lambda query, key, _: query.shape[1] == key.shape[1],
            "`query.shape[1]` and `key.shape[1]` are equal",
        ),
        (grouped_query_attention, lambda _, key, __: key.shape[1] == 1, "`key.shape[1]` is 1"),
    ],
)
def test_the_kind_of_call_is_told_with_the_mistake(answer, where, kind):
    report = report_on(answer.__name__, unscaled(answer, where))
    assert f"only where {kind}, and there" in report.diagnosis, report
    assert UNSCALED in report.diagnosis and report.mistake is None


@pytest.mark.parametrize(
    ("name", "answer", "kind"),
    [
        ("causal_attention", open_where_square, "`query.shape[-2]` and `key.shape[-2]` are equal"),
        ("top_p", likeliest_where_all, "`p` is 1"),
        ("rotate", heads_take_places, "`x` has 4 axes"),
    ],
)
def test_the_kind_of_call_is_told_where_no_mistake_is_known(name, answer, kind):
    assert f"only where {kind}" in report_on(name, answer).diagnosis


def test_what_goes_wrong_in_many_kinds_of_call_is_no_matter_of_one():
    said = report_on("causal_attention", unscaled(causal_attention, lambda *_: True)).diagnosis
    assert said.startswith(UNSCALED)
    trials = draw_trials(CATALOGUE.tasks["causal_attention"], 0)
    assert only_where(trials, [*range(len(trials))]) is None  # nothing is right
    assert only_where(trials, [0]) is None  # one trial is no kind
    half = [i for i, trial in enumerate(trials) if trial.inputs.args[0].ndim == 3][::2]
    found = only_where(trials, half)
    assert found is None or "3 axes" not in found[0]  # as many are right
    assert ALONE.partition("{0}")[0] not in said
