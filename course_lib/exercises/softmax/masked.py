"""Task `masked_softmax`: places that may not be attended to get a weight of exactly zero."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.plain import softmax
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def masked_softmax(scores, mask, axis=-1):
    top = np.where(mask, scores, -np.inf).max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)  # nothing to attend to: any finite number will do
    exps = np.where(mask, np.exp(scores - top), 0).astype(scores.dtype)
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total > 0, total, 1)


def rows(s: Sampler) -> Inputs:
    n, m = s.dims(2)
    return Inputs((s.floats(n, m), s.mask(n, m)))


def empty_row(s: Sampler) -> Inputs:
    n, m = s.dims(2)
    mask = s.mask(n, m)
    mask[s.integers(0, n)] = False
    return Inputs((s.floats(n, m), mask))


def shared_mask(s: Sampler) -> Inputs:
    b, t, n = s.dims(3)
    shape = s.turn((n,), (1, n), (t, n), (b, 1, n))
    return Inputs((s.floats(b, t, n), s.mask(*shape)))


def inner_axis(s: Sampler) -> Inputs:
    a, b, c = s.dims(3)
    mask = s.mask(a, c, b).swapaxes(1, 2)
    return Inputs((s.floats(a, b, c), mask), {"axis": s.turn(1, -2)})


def square(s: Sampler) -> Inputs:
    n = s.size + 1
    mask = s.mask(n, n)
    mask[0] = False
    return Inputs((s.floats(n, n), mask.T.copy(), 0))


def high(s: Sampler) -> Inputs:
    n, m = s.dims(2)
    return Inputs((1000 + s.floats(n, m), s.mask(n, m)))


def low(s: Sampler) -> Inputs:
    n, m = s.dims(2)
    return Inputs((s.floats(n, m) - 1000, s.mask(n, m)))


def high_masked(s: Sampler) -> Inputs:
    """The masked scores are far above those that may be attended to."""
    n, m = s.dims(2)
    mask = s.mask(n, m)
    return Inputs((s.floats(n, m) + np.where(mask, 0, 2000).astype(s.dtype), mask))


def open_mask(s: Sampler) -> Inputs:
    return Inputs((s.floats(s.size), np.ones(s.size, bool)))


def closed_mask(s: Sampler) -> Inputs:
    shape = s.dims(2)
    return Inputs((s.floats(*shape), np.zeros(shape, bool)))


def closed_rows(s: Sampler) -> Inputs:
    """A mask with one column says for each row whether it may attend at all."""
    b, t, n = s.dims(3)
    return Inputs((s.floats(b, t, n), s.mask(b, 1, t).swapaxes(1, 2)))


def strided(s: Sampler) -> Inputs:
    a, b, c, d = s.dims(4)
    return Inputs((Transposed(s.floats(a, b, c, d), (1, 3)), s.mask(a, b, c, d)))


def _constant(scores, mask, axis=-1):
    return softmax(np.where(mask, scores, np.asarray(-1e9, scores.dtype)), axis)


def _constant_added(scores, mask, axis=-1):
    return softmax(scores + np.where(mask, 0, -1e9).astype(scores.dtype), axis)


def _nan_rows(scores, mask, axis=-1):
    return softmax(np.where(mask, scores, np.asarray(-np.inf, scores.dtype)), axis)


def _no_maximum(scores, mask, axis=-1):
    exps = np.where(mask, np.exp(scores), 0).astype(scores.dtype)
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total == 0, 1, total)


def _masked_maximum(scores, mask, axis=-1):
    exps = np.where(mask, np.exp(scores - scores.max(axis=axis, keepdims=True)), 0)
    total = exps.sum(axis=axis, keepdims=True)
    return (exps / np.where(total == 0, 1, total)).astype(scores.dtype)


def _own_shape_only(scores, mask, axis=-1):
    scores = scores.copy()
    scores[~mask] = -np.inf
    return masked_softmax(scores, mask, axis)


MASKED_SOFTMAX = Task(
    name="masked_softmax",
    points=3,
    reference=masked_softmax,
    library="numpy",
    idea=(
        "A place that may not be attended to should act as if it were not in the row: it is "
        "left out of the sum and of the maximum. A score of -inf does both, since exp(-inf) "
        "is 0 and -inf is never the largest of a row that has anything else. A row with no "
        "allowed place has a maximum of -inf and a sum of 0; put 0 and 1 in their places, and "
        "it comes out as zeros."
    ),
    cost="As a softmax, and one masked copy of the scores.",
    cases=(
        Case("masked places get zero, the others sum to one", rows),
        Case("a row with nothing to attend to is all zeros", empty_row),
        Case("one mask for many rows", shared_mask),
        Case("another axis, given by name", inner_axis),
        Case("scores around 1000", high),
        Case("a masked score far above the others", high_masked),
        Case("very negative scores", low, hidden=True),
        Case("a mask that is True everywhere changes nothing", open_mask, hidden=True),
        Case("a mask that is False everywhere", closed_mask, hidden=True),
        Case("the axis is obeyed when all axes are equally long", square, hidden=True),
        Case("a mask with a single column", closed_rows, hidden=True),
        Case("more axes, stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "mask-ignored",
            "The mask changes nothing here. Where it is False the weight must be exactly zero.",
            lambda s, mask, axis=-1: softmax(s, axis),
        ),
        Mistake(
            "mask-inverted",
            "You use the mask the wrong way round. True means “may attend”: keep those places, "
            "and give zero to the others.",
            lambda s, mask, axis=-1: masked_softmax(s, ~mask, axis),
        ),
        Mistake(
            "masked-after",
            "You mask after the softmax, so the weights that remain sum to less than one. Mask "
            "before the sum is taken, or divide by the new sum.",
            lambda s, mask, axis=-1: np.where(mask, softmax(s, axis), 0).astype(s.dtype),
        ),
        Mistake(
            "scores-zeroed",
            "You multiply the scores by the mask. A score of 0 still gets weight, since exp(0) is "
            "1. Set masked scores to -inf instead.",
            lambda s, mask, axis=-1: softmax(np.where(mask, s, 0).astype(s.dtype), axis),
        ),
        Mistake(
            "large-constant",
            "You replace masked scores by a large negative number. In a row where everything is "
            "masked they are all equal, so it attends to every place; its weights must be zero.",
            _constant,
        ),
        Mistake(
            "large-constant-added",
            "You add a large negative number to masked scores. Where a whole row is masked it is "
            "a mere shift and the row attends to every place; its weights must be zero.",
            _constant_added,
        ),
        Mistake(
            "nan-rows",
            "A row where everything is masked becomes nan, from 0/0 or -inf - (-inf). Give it "
            "weights of zero.",
            _nan_rows,
        ),
        Mistake(
            "no-maximum",
            "You take exp of the scores as they are, which overflows. Subtract the largest "
            "allowed score of each row first.",
            _no_maximum,
        ),
        Mistake(
            "masked-maximum",
            "You subtract the largest score of all, masked ones too. If that one is far above the "
            "others, every allowed exponential is 0. Subtract the largest *allowed* score.",
            _masked_maximum,
        ),
        Mistake(
            "mask-not-broadcast",
            "`scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many "
            "rows. `np.where(mask, scores, …)` stretches it.",
            _own_shape_only,
        ),
        Mistake(
            "axis-ignored",
            "You always normalise along the last axis. Hand `axis` on to max and sum.",
            lambda s, mask, axis=-1: masked_softmax(s, mask, -1),
        ),
        Mistake(
            "numerators-only",
            "The weights of a row do not sum to one. Divide by their sum along `axis`.",
            lambda s, mask, axis=-1: np.where(
                mask, np.exp(s - s.max(axis=axis, keepdims=True)), 0
            ).astype(s.dtype),
        ),
        always_float64(masked_softmax),
        changes_input(masked_softmax, 0, "scores"),
    ),
    hints=(
        "A masked place should weigh nothing. Which score has an exponential of exactly zero?",
        "exp(-inf) is 0, and `np.where(mask, scores, -np.inf)` stretches the mask. A row without "
        "any True then has a maximum of -inf and a sum of 0: both need care.",
        "Replace a maximum of -inf by 0 before you subtract it, and a sum of 0 by 1 before you "
        "divide. Then such a row comes out as zeros.",
    ),
)
