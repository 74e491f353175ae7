"""More of what goes wrong in `masked_softmax`, and ways to fill masked scores."""

import numpy as np

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.softmax.plain import softmax


def filled(fill):
    """Masked scores become `fill`."""
    return lambda scores, mask, axis=-1: softmax(
        np.where(mask, scores, scores.dtype.type(fill)), axis
    )


def filled_and_zeroed(fill):
    return lambda scores, mask, axis=-1: filled(fill)(scores, mask, axis) * mask


def added(fill):
    return lambda scores, mask, axis=-1: softmax(scores + scores.dtype.type(fill) * ~mask, axis)


def _exps(scores, axis):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


def _nan_to_zero(weights):
    return np.nan_to_num(weights, nan=0.0)


def slips(mistakes: Mistakes) -> None:
    """Where the mask comes in, along which axis, and what becomes of a row without anything."""
    mistakes.by(
        "numerators-only",
        lambda s, mask, axis=-1: np.exp(s - s.max(axis, keepdims=True)) * mask,
    ).says("""
        The weights of a row do not sum to one. Divide by their sum along `axis`.
    """)
    masked_softmax = mistakes.reference
    mistakes.by(
        "masked-below-alone",
        lambda s, mask, axis=-1: (e := _exps(s, axis)) / (e * mask).sum(axis=axis, keepdims=True),
    ).says("""
        You leave masked scores out of the sum, but they keep a weight of their own. Their
        exponentials must be zero above the line too: mask once, and use the masked ones above and
        below.
    """)
    sentence = """
        You take exp of the scores as they are, which overflows around 1000. Subtract the largest
        allowed score of each row first; and choose with `np.where(mask, …, 0)`, for inf times 0 is
        nan.
    """

    @mistakes.says(sentence)
    def exponentials_times_mask(scores, mask, axis=-1):
        exps = np.exp(scores) * mask
        total = exps.sum(axis=axis, keepdims=True)
        return exps / np.where(total == 0, 1, total)

    @mistakes.says(sentence)
    def exponentials_times_mask_guarded(scores, mask, axis=-1):
        exps = np.exp(scores) * mask
        total = exps.sum(axis=axis, keepdims=True)
        return exps / np.where(total > 0, total, 1)

    mistakes.by(
        "zeros-only-if-all-is-masked",
        lambda s, mask, axis=-1: filled(-np.inf)(s, mask, axis) if mask.any() else np.zeros_like(s),
    ).says("""
        You ask whether anything at all is allowed. A single row with nothing allowed is still nan:
        ask for each row, `mask.any(axis=axis, keepdims=True)`, or put zeros in the place of nan.
    """)
    mistakes.by(
        "no-keepdims",
        lambda s, mask, axis=-1: _nan_to_zero(
            (e := np.exp((f := np.where(mask, s, -np.inf)) - f.max(axis=axis))) / e.sum(axis=axis)
        ),
    ).says("""
        max and sum drop the axis they run along, so their result no longer lines up with the
        scores. Keep it with `keepdims=True`.
    """)
    for number, words in ((-1, "the last axis"), (0, "the first axis"), (1, "axis 1")):
        mistakes.change(
            f"sum-along-{number}", "exps.sum(axis=axis", f"exps.sum(axis={number}"
        ).says(f"""
            Your sum runs along {words}, whatever `axis` is asked. (Python's own `sum` adds along
            the first.) Hand it on: `sum(axis=axis, keepdims=True)`.
        """)
    mistakes.by("first-axis", lambda s, mask, axis=-1: masked_softmax(s, mask, 0)).says("""
        You always normalise along the first axis. Hand `axis` on to max and sum; its default is the
        last axis.
    """)
    mistakes.change(
        "sum-over-everything", "exps.sum(axis=axis, keepdims=True)", "exps.sum()"
    ).says("""
        You divide by the sum over the whole array, so all weights together sum to one. Each row
        needs its own sum: `sum(axis=axis, keepdims=True)`.
    """)
    mistakes.by(
        "whole-array",
        lambda s, mask, axis=-1: masked_softmax(
            s.reshape(-1), np.broadcast_to(mask, s.shape).reshape(-1)
        ).reshape(s.shape),
    ).says("""
        All weights of the array together sum to one. Each row needs its own maximum and its own
        sum, along `axis`.
    """)
    sentence = """
        Where a row has nothing to attend to, masking changes nothing here: its weights are those of
        all its scores. They must be zero.
    """

    @mistakes.says(sentence)
    def empty_rows_unmasked(scores, mask, axis=-1):
        mask = np.broadcast_to(mask, scores.shape)
        return masked_softmax(scores, mask | ~mask.any(axis=axis, keepdims=True), axis)

    @mistakes.says("""
        One row with nothing to attend to makes your whole result zero. Each row is on its own.
    """)
    def all_zero_if_one_row_is(scores, mask, axis=-1):
        if not np.broadcast_to(mask, scores.shape).any(axis=axis).all():
            return np.zeros_like(scores)
        return masked_softmax(scores, mask, axis)

    @mistakes.says("""
        You write into `scores`, which belongs to the caller: `scores[~mask] = …` works in place.
        Make a new array, with `np.where(mask, scores, -np.inf)`, which also stretches the mask.
    """)
    def scores_overwritten(scores, mask, axis=-1):
        scores[~mask] = -np.inf
        return _nan_to_zero(softmax(scores, axis))

    @mistakes.says("""
        You write into `scores`, which belongs to the caller, even where it is a mere name for it.
        Take a copy first, or `np.where(mask, scores, -np.inf)`, which makes a new array.
    """)
    def scores_overwritten_by_copyto(scores, mask, axis=-1):
        np.copyto(scores, -np.inf, where=~mask)
        return _nan_to_zero(softmax(scores, axis))

    @mistakes.says("""
        Your loop goes over the first axis and takes all that lies below it for one row. That holds
        for a matrix alone, and for its last axis. Hand `axis` on to max and sum; no loop is needed.
    """)
    def loop_over_the_first_axis(scores, mask, axis=-1):
        out = np.zeros_like(scores)
        for i in range(len(scores)):
            out[i][mask[i]] = softmax(scores[i][mask[i]])
        return out

    for fill in (-1, -5, -10, -50, -999, -9999):
        mistakes.by(f"filled-with-{fill:g}", filled(fill)).says(f"""
            You give masked scores a number, such as {fill:g}, but an allowed score may be lower,
            and a row with nothing allowed gets equal weights. Fill with -inf, whose exponential is
            exactly zero, and give a row with nothing allowed zeros.
        """)
    mistakes.by(
        "mask-inverted-with-infinity", lambda s, mask, axis=-1: filled(-np.inf)(s, ~mask, axis)
    ).says("""
        You use the mask the wrong way round: places where it is True become -inf. True means “may
        attend”: `np.where(mask, scores, -np.inf)`.
    """)
    mistakes.by(
        "mask-added", lambda s, mask, axis=-1: softmax(s + mask.astype(s.dtype), axis)
    ).says("""
        You add the mask to the scores, which adds 1 where it is True. Masked scores have to become
        -inf: `np.where(mask, scores, -np.inf)`.
    """)
    mistakes.by(
        "scores-of-weights",
        lambda s, mask, axis=-1: softmax(np.where(mask, softmax(s, axis), 0).astype(s.dtype), axis),
    ).says("""
        You take a softmax, zero the masked weights, and take another softmax, in which a 0 gets
        weight again. Set masked scores to -inf, and take one softmax.
    """)
    mistakes.by("plus-infinity", filled(np.inf)).says("""
        You fill masked scores with inf or nan, which makes nan of the whole row. Fill with -inf.
    """)
    mistakes.by(
        "plus-infinity-zeroed",
        lambda s, mask, axis=-1: _nan_to_zero(filled(np.inf)(s, mask, axis)),
    ).says("""
        You fill masked scores with inf or nan, so each row that has one becomes nan, and then zero.
        Fill with -inf, whose exponential is zero.
    """)
    mistakes.by(
        "times-infinity",
        lambda s, mask, axis=-1: _nan_to_zero(softmax(s - s.dtype.type(np.inf) * ~mask, axis)),
    ).says("""
        inf times 0 is nan, so allowed scores become nan too, and then zero. Choose instead of
        multiplying: `np.where(mask, scores, -np.inf)`.
    """)
    mistakes.by(
        "scores-alone", lambda s, mask, axis=-1: np.where(mask, s, s.dtype.type(-np.inf))
    ).says("""
        You return the scores with -inf behind the mask. Now take their softmax, with zeros for a
        row of nothing but -inf.
    """)
    mistakes.by(
        "logarithm", lambda s, mask, axis=-1: np.log(masked_softmax(s, mask, axis))
    ).says("""
        You return the logarithms of the weights. Return the weights themselves.
    """)
    mistakes.change("not-divided", "exps / np.where(total > 0, total, 1)", "exps").says("""
        These are exponentials: a row of them does not sum to one. Divide them by their sum along
        `axis`.
    """)
    mistakes.by(
        "counted",
        lambda s, mask, axis=-1: (
            np.where(mask, _exps(s, axis), 0).astype(s.dtype)
            / np.maximum(np.broadcast_to(mask, s.shape).sum(axis, keepdims=True), 1).astype(s.dtype)
        ),
    ).says("""
        You divide by the number of allowed places. Divide by the sum of their exponentials.
    """)
