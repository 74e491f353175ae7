"""What a report says beyond single mistakes: a task's own rule, and two mistakes in one answer."""

import math

import pytest
import torch

from course_lib.exercises import check


def by_autograd(query, key, value, grad_output):
    inputs = [x.clone().requires_grad_() for x in (query, key, value)]
    weights = torch.softmax(inputs[0] @ inputs[1].mT / math.sqrt(query.shape[-1]), -1)
    (weights @ inputs[2]).backward(grad_output)
    return tuple(x.grad for x in inputs)


def by_vjp(query, key, value, grad_output):
    def attend(q, k, v):
        return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v

    return torch.func.vjp(attend, query, key, value)[1](grad_output)


@pytest.mark.parametrize("answer", [by_autograd, by_vjp])
def test_autograd_is_refused_where_the_task_is_a_derivation(answer):
    answer.__name__ = "attention_backward"
    report = check(answer)
    assert not report.passed
    assert [case.name for case in report.cases if not case.passed] == ["the rule of this task"]
    assert "by hand" in report.cases[-1].message


def test_of_two_mistakes_the_one_that_shows_more_is_told():
    def scaled_dot_product_attention(query, key, value, mask=None):
        scores = query @ key.mT  # not scaled, and uniform where nothing is allowed
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = scores.softmax(-1)
        return weights @ value, weights

    report = check(scaled_dot_product_attention)
    assert report.mistake is None, "it explains the first case alone"
    assert report.diagnosis.startswith("In one case that fails, your weights are those of scores")
    assert "what the scores are divided or multiplied by" in report.diagnosis


def test_an_answer_that_raises_everywhere_is_no_known_mistake():
    def merge_heads(x):
        return undefined(x)

    report = check(merge_heads)
    assert not report.passed
    assert report.mistake is None
    assert report.diagnosis.startswith("Nothing that is handed in defines `undefined`.")


def test_a_sentence_that_two_slips_share_is_true_of_both():
    def response(query, key, divisor):
        scores = query @ key.T / divisor
        best = scores.argmax(-1, keepdim=True)
        after = scores  # the same tensor
        after.scatter_add_(-1, best, torch.full_like(scores, 0.01))
        moved = [torch.softmax(one, -1).gather(-1, best) for one in (scores, after)]
        return ((moved[1] - moved[0]) / 0.01).mean().item()

    assert "both names are one tensor: `scores.clone()` makes two" in check(response).diagnosis

    def most_texts(memory, parameters, bytes_per_number, cache_bytes):
        left = int(memory / cache_bytes) - int(parameters * bytes_per_number / cache_bytes)
        return max(left, 0)

    reports = [check(most_texts) for _ in range(5)]
    assert not any("nearest" in (report.diagnosis or "") for report in reports)
