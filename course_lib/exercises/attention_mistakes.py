"""What goes wrong in several exercises on attention, around a task's right answer. Where that takes
a keyword, it exchanges a step: `by` leads from scores to weights, `factor` is the scale."""

from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.exercises.attention_parts import (
    HIGH,
    filled,
    filled_and_zeroed,
    masked_maximum,
    without_maximum,
)
from course_lib.grading.tasks import Mistake, list_mistakes


def scaling_mistakes(answer: Callable[..., Any]) -> tuple[Mistake, ...]:
    """What goes wrong with √d_k, in any task; `answer` takes the keyword `factor`."""
    return (
        Mistake(
            "unscaled",
            "You do not scale the scores. Divide them by √d_k, the square root of the length of "
            "one query, before the softmax.",
            partial(answer, factor=lambda q, k, v: 1.0),
        ),
        Mistake(
            "scaled-by-d_k",
            "You divide the scores by d_k. Divide by its square root: a dot product of d_k random "
            "terms has standard deviation √d_k.",
            partial(answer, factor=lambda q, k, v: 1 / q.shape[-1]),
        ),
        Mistake(
            "scaled-by-d_v",
            "You divide the scores by the root of the values' length. What counts is d_k, the "
            "length of queries and keys: the dot product has d_k terms.",
            partial(answer, factor=lambda q, k, v: v.shape[-1] ** -0.5),
        ),
        Mistake(
            "scaled-by-the-number-of-keys",
            "You divide the scores by the root of the number of keys. Divide by √d_k, the root of "
            "the length of one query; the number of keys does not enter.",
            partial(answer, factor=lambda q, k, v: k.shape[-2] ** -0.5),
        ),
        Mistake(
            "scaled-by-the-number-of-queries",
            "You divide the scores by the root of the number of queries. Divide by √d_k: the "
            "length of one query is its last axis, `query.shape[-1]`.",
            partial(answer, factor=lambda q, k, v: q.shape[-2] ** -0.5),
        ),
        Mistake(
            "scaled-by-the-second-axis",
            "You divide the scores by the root of `query.shape[1]`: the number of queries, and "
            "with heads the number of heads. d_k is the last axis, `query.shape[-1]`.",
            partial(answer, factor=lambda q, k, v: q.shape[1] ** -0.5),
        ),
        Mistake(
            "multiplied-by-the-root",
            "You multiply the scores by √d_k. Divide by it: scaling makes them smaller.",
            partial(answer, factor=lambda q, k, v: q.shape[-1] ** 0.5),
        ),
    )


def third_axis(answer: Callable[..., Any]) -> Mistake:
    """What goes wrong with heads when d_k is counted from the left; `answer` takes `factor`."""
    sentence = (
        "You divide the scores by the root of `query.shape[2]`. With heads that is the number of "
        "queries; d_k is the last axis, however many stand before it: `query.shape[-1]`."
    )
    return Mistake(
        "scaled-by-the-third-axis",
        sentence,
        partial(answer, factor=lambda q, k, v: q.shape[2] ** -0.5),
    )


def maximum_mistakes(answer: Callable[..., Any]) -> tuple[Mistake, ...]:
    """What goes wrong with the largest score, in any task; `answer` takes the keyword `by`."""

    class Mistakes:
        def overflow(*args):
            """Your exp overflows for large scores. Take the largest score of each row away first,
            or use torch.softmax, which does so."""
            return answer(*args, by=without_maximum)

        def masked_maximum(*args):
            """You subtract the largest score of all, forbidden ones too. If that one is far above
            the others, every allowed exponential is 0. Subtract the largest *allowed* score."""
            return answer(*args, by=masked_maximum)

    return list_mistakes(Mistakes)


def constant_mistakes(answer: Callable[..., Any]) -> tuple[Mistake, ...]:
    """What goes wrong with a constant for -inf, in any task with a mask; `answer` takes `by`."""
    sentence = (
        "You fill forbidden scores with a negative number, but an allowed score may be lower "
        "still: then the forbidden ones take all the weight. Fill with -inf."
    )
    return (
        Mistake("constant-too-high", sentence, partial(answer, by=filled_and_zeroed)),
        Mistake("constant-too-high-not-zeroed", sentence, partial(answer, by=filled(HIGH))),
    )


def only_three_axes(answer: Callable[..., Any]) -> Mistake:
    """What goes wrong with heads, in any task whose first argument is (..., T, d_k)."""
    sentence = (
        "You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever stands "
        "before them alone."
    )

    def rigid(query, *args):
        _batch, _length, _d_k = query.shape
        return answer(query, *args)

    return Mistake("only-three-axes", sentence, rigid)


def keys_reversed(answer: Callable[..., Any]) -> Mistake:
    """What goes wrong with `key.T`, in any task that is called with (query, key, value, …)."""
    sentence = (
        "`.T` turns all axes of `key` round, not only the last two. Swap those two, and leave "
        "whatever stands before them: `key.transpose(-2, -1)`."
    )

    def reversed_keys(query, key, *args):
        return answer(query, key.permute(*range(key.ndim)[::-1]).transpose(-2, -1), *args)

    return Mistake("keys-reversed", sentence, reversed_keys)
