"""Scores that are filled before the softmax, their weights made zero after it: right with -inf and
with the lowest number there is, wrong with a constant that an allowed score may be below."""

import numpy as np
import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE
from course_lib.exercises.bahdanau.module.mistakes import MISTAKES as BAHDANAU
from course_lib.exercises.common import TOO_HIGH
from course_lib.exercises.multi_head.module.mistakes import MISTAKES as MULTI_HEAD


def numpy_weights(scores, mask, axis=-1, *, fill):
    fill = np.finfo(scores.dtype).min if fill == "lowest" else fill
    filled = np.where(mask, scores, np.asarray(fill, scores.dtype))
    top = filled.max(axis=axis, keepdims=True)
    exps = np.exp(filled - np.where(np.isfinite(top), top, 0))
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total == 0, 1, total) * mask


def torch_weights(scores, mask, *, fill):
    if mask is None:
        return scores.softmax(-1)
    fill = torch.finfo(scores.dtype).min if fill == "lowest" else fill
    return scores.masked_fill(~mask, fill).softmax(-1).masked_fill(~mask, 0)


def masked_softmax(fill):
    return lambda scores, mask, axis=-1: numpy_weights(scores, mask, axis, fill=fill)


def attend(fill):
    def answer(queries, keys, values, mask=None):
        scores = queries @ keys.swapaxes(-1, -2)
        weights = numpy_weights(scores, np.True_ if mask is None else mask, fill=fill)
        return weights @ values, weights

    return answer


def scaled_dot_product_attention(fill):
    def answer(query, key, value, mask=None):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        weights = torch_weights(scores, mask, fill=fill)
        return weights @ value, weights

    return answer


def causal_attention(fill):
    def answer(query, key, value):
        n_queries, n_keys = query.shape[-2], key.shape[-2]
        mask = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)
        return scaled_dot_product_attention(fill)(query, key, value, mask)

    return answer


def attend_with_cache(fill):
    def answer(query, key, value, cache):
        if cache is not None:
            key, value = (torch.cat(pair, -2) for pair in zip(cache, (key, value), strict=True))
        return causal_attention(fill)(query, key, value)[0], (key, value)

    return answer


def module(mistakes):
    def answer(fill):
        fill = "torch.finfo(scores.dtype).min" if fill == "lowest" else f"float('{fill}')"
        return mistakes.changed(
            "parts.weigh(scores, mask)", f"parts.filled_and_zeroed(scores, mask, {fill})"
        )

    return answer


ANSWERS = {
    "masked_softmax": masked_softmax,
    "attend": attend,
    "BahdanauAttention": module(BAHDANAU),
    "scaled_dot_product_attention": scaled_dot_product_attention,
    "MultiHeadAttention": module(MULTI_HEAD),
    "causal_attention": causal_attention,
    "attend_with_cache": attend_with_cache,
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_filled_is_right_if_it_is_lower_than_every_score(name, seed, subtests, judged_once):
    """And named if a score may be below it. All are judged on the same inputs."""
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, seed)
    for fill in (-float("inf"), "lowest", -1e4, -1e5):
        with subtests.test(f"{fill}"):
            report = judge(task, trials, observe(ANSWERS[name](fill), trials))
            if fill in (-float("inf"), "lowest"):
                assert report.passed, report
                continue
            assert not report.passed
            named = (report.mistake or "").startswith("constant-too-high")
            assert named or report.diagnosis == TOO_HIGH, report  # or it fails in two ways at once
