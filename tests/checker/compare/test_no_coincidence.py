"""What is nearly right, overflows, or holds a number of the example: none is told another cause."""

import math
from dataclasses import replace

import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE
from course_lib.exercises.attention_parts import weigh
from course_lib.exercises.multi_head.module.task import MultiHeadAttention as Right

NEARLY = "right to about three digits"


def diagnosis(name, answer, **others):
    task = replace(CATALOGUE.tasks[name], **others)
    trials = draw_trials(task, 5)
    return judge(task, trials, observe(answer, trials)).diagnosis or ""


def in_half_precision(x):
    if isinstance(x, tuple):
        return tuple(map(in_half_precision, x))
    return x.half().to(x.dtype) if torch.is_tensor(x) and x.is_floating_point() else x


@pytest.mark.parametrize("name", ["sinusoidal_positions", "alibi"])
def test_what_was_once_in_half_precision_stands_in_no_wrong_place(name):
    reference = CATALOGUE.tasks[name].reference
    assert NEARLY in diagnosis(name, lambda *given: in_half_precision(reference(*given)))


def slope(query, key, divisor, softmax):
    scores = query @ key.T / divisor
    best = scores.argmax(-1, keepdim=True)
    nudged = scores.scatter_add(-1, best, torch.full_like(scores, 0.01))
    before, after = (softmax(x).gather(-1, best) for x in (scores, nudged))
    return float(((after - before) / 0.01).mean())


def test_an_exp_that_overflows_is_no_exp_of_an_argument():
    def response(query, key, divisor):
        return slope(query, key, divisor, lambda x: x.exp() / x.exp().sum(-1, keepdim=True))

    assert "right if" not in diagnosis("response", response)


def test_a_number_within_the_room_of_a_case_is_not_told_as_a_change_of_the_program():
    def response(query, key, divisor):
        weights = (query @ key.T / divisor).softmax(-1)
        best = weights.argmax(-1, keepdim=True)
        raised = weights.scatter_add(-1, best, torch.full_like(weights, 0.01))
        raised = raised / raised.sum(-1, keepdim=True)
        return float(((raised - weights).gather(-1, best) / 0.01).mean())

    assert "log_softmax" not in diagnosis("response", response)


def kept_to_sixty_percent(probabilities, p):
    ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)
    kept = ranked * (ranked.cumsum(-1) - ranked < 0.6)
    kept = torch.zeros_like(probabilities).scatter(-1, order, kept)
    return kept / kept.sum(-1, keepdim=True)


def five_positions(layers, kv_heads, head_dim, length, batch, bytes_per_number):
    return 2 * layers * kv_heads * head_dim * 5 * batch * bytes_per_number


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("top_p", kept_to_sixty_percent, "right if `p` were 0.6"),
        ("kv_cache_bytes", five_positions, "right if `length` were 5"),
    ],
)
def test_a_number_of_the_example_in_the_code_is_told(name, answer, words):
    assert words in diagnosis(name, answer)


def test_the_example_s_number_is_not_told_where_another_thing_is_wrong():
    """The set is right with 0.6, and its numbers are not divided by their sum."""

    def undivided(probabilities, p):
        out = kept_to_sixty_percent(probabilities, p)
        return out * math.pi

    assert "0.6" not in diagnosis("top_p", undivided)


def test_a_number_far_below_the_0_that_is_right_lacks_no_exp():
    """The exp of every such number is 0."""

    def most_texts(memory, parameters, bytes_per_number, cache_bytes):
        left = memory - parameters * bytes_per_number
        return float(left // cache_bytes) if left > 0 else left / cache_bytes - 20

    assert "last step" not in diagnosis("most_texts", most_texts)


def test_what_a_loop_goes_through_stands_in_no_other_place():
    """All layers' keys in the place of the sum leave a gradient that is 1 everywhere."""

    def far_share(query, key, mask, distance):
        return max(query.shape[1] - 1 - distance, 0) / query.shape[1]

    assert "`weights @ key`" not in diagnosis("far_share", far_share, mistakes=())


def test_a_layer_s_product_has_nothing_to_transpose():
    """The mask's axis too many shows in the last line, which is right."""

    class MultiHeadAttention(Right):
        def forward(self, query, key, value, mask=None):
            q, k, v = (
                layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                for layer, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
            )
            scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
            weights = weigh(scores, None if mask is None else mask[:, None])
            joined = (weights @ v).transpose(1, 2).flatten(2)
            return self.W_o(joined), weights

    said = diagnosis("MultiHeadAttention", MultiHeadAttention, mistakes=())
    assert "transpose" not in said and "takes as many numbers" in said, said
