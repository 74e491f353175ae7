"""An answer that keeps something between calls, and lists that are nearly right, are told so."""

import numpy as np
import pytest

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.compare.kept import KEPT, LEFT
from course_lib.checker.tasks import Case, Task
from course_lib.exercises import CATALOGUE

LAST = Task(
    "last",
    1,
    lambda x: [("at", float(one)) for one in x],
    (Case("numbers", lambda s: (s.floats(s.size + 1),)),),
    (),
    (),
    library="numpy",
)


def diagnosis(task, answer):
    trials = draw_trials(task, 0)
    return judge(task, trials, observe(answer, trials)).diagnosis


def remembering():
    known = {}

    def answer(scores, axis=-1):
        key = scores.shape, scores.dtype, axis
        exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return known.setdefault(key, exps / exps.sum(axis=axis, keepdims=True))

    return answer


def growing(x, pairs=[]):  # noqa: B006
    pairs.extend(LAST.reference(x))
    return pairs


def test_a_result_of_an_earlier_call_is_told_as_that():
    assert diagnosis(CATALOGUE.tasks["softmax"], remembering()) == KEPT


@pytest.mark.parametrize("seed", range(4))
def test_a_size_that_is_wrong_is_no_earlier_call_s(seed):
    sinusoids, alibi = CATALOGUE.tasks["sinusoidal_positions"], CATALOGUE.tasks["alibi"]
    for task, answer in (
        (sinusoids, lambda length, d_model: sinusoids.reference(length, d_model)[: length - 1]),
        (alibi, lambda heads, _, keys: alibi.reference(heads, keys, keys)),
    ):
        trials = draw_trials(task, seed)
        assert judge(task, trials, observe(answer, trials)).diagnosis not in (None, KEPT)


def test_one_array_for_all_results_is_found_by_two_calls():
    buffer = np.zeros((2, 3))

    def answer(weights, grad_weights):
        right = CATALOGUE.tasks["softmax_backward"].reference(weights, grad_weights)
        if right.shape != buffer.shape or right.dtype != buffer.dtype:
            return right
        buffer[...] = right
        return buffer

    said = diagnosis(CATALOGUE.tasks["softmax_backward"], answer)
    assert said is not None and "Something is kept between calls" in said


def test_a_list_that_grows_from_call_to_call_is_told_as_that():
    assert diagnosis(LAST, growing) == LEFT


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set, "a set"),
        (lambda pairs: zip(*zip(*pairs, strict=True), strict=True), "a zip"),
        (lambda pairs: [f"{a}{b}" for a, b in pairs], "type str"),
        (lambda pairs: [one for one in pairs for _ in pairs], "many times"),
        (lambda pairs: pairs[::-1], "opposite order"),
        (lambda pairs: pairs[:1], "end of the list is missing"),
        (lambda pairs: pairs[1:], "beginning of the list is missing"),
        (lambda pairs: pairs[1:] + pairs[:1], "order"),
    ],
)
def test_a_list_that_is_nearly_right_is_told_how(change, words):
    assert words in diagnosis(LAST, lambda x: change(LAST.reference(x)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x: x.astype(int), "whole numbers"),
        (lambda x: 0 * x, "all zeros"),
        (lambda x: np.concatenate([x[:-1], 0 * x[-1:]]), "stays zero"),
        (lambda x: (row for row in x), "generator"),
    ],
)
def test_numbers_that_are_lost_are_told(change, words):
    twice = Task(
        "twice",
        1,
        lambda x: 2 * x,
        (Case("numbers", lambda s: (s.floats(s.size + 2, 3),)),),
        (),
        (),
        library="numpy",
    )
    said = diagnosis(twice, lambda x: change(2 * x))
    assert said is not None and words in said
