"""Task `attend`: scores, weights and context for many queries at once."""

import numpy as np

from course_lib.exercises.common import always_float64, changes_input
from course_lib.exercises.softmax.masked import _masked_maximum, masked_softmax
from course_lib.exercises.softmax.plain import softmax
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def attend(queries, keys, values, mask=None):
    scores = queries @ keys.swapaxes(-1, -2)
    weights = masked_softmax(scores, np.True_ if mask is None else mask)
    return weights @ values, weights


def draw(s: Sampler, b: int, t: int, n: int, d: int, d_v: int, scale: float = 1.0) -> tuple:
    queries, keys = s.floats(b, t, d, scale=scale), s.floats(b, n, d, scale=scale)
    return queries, keys, s.floats(b, n, d_v)


def unmasked(s: Sampler) -> Inputs:
    return Inputs(draw(s, *s.dims(5)))


def masked(s: Sampler) -> Inputs:
    b, t, n, d, d_v = s.dims(5)
    return Inputs((*draw(s, b, t, n, d, d_v), s.mask(b, t, n)))


def empty_row(s: Sampler) -> Inputs:
    b, t, n, d, d_v = s.dims(5)
    mask = s.mask(b, t, n)
    mask[:, s.integers(0, t)] = False
    return Inputs((*draw(s, b, t, n, d, d_v), mask))


def shared_mask(s: Sampler) -> Inputs:
    b, t, n, d, d_v = s.dims(5)
    mask = s.turn(
        s.mask(n), s.mask(t, n), s.mask(1, t, n), s.mask(b, 1, n), s.mask(b, 1, t).swapaxes(1, 2)
    )
    return Inputs(draw(s, b, t, n, d, d_v), {"mask": mask})


def one_of_each(s: Sampler) -> Inputs:
    """One sentence, one query; then one key."""
    n, d = s.dims(2)
    t, n = (1, n) if s.size > 1 else (n, 1)
    return Inputs(draw(s, 1, t, n, d, d))


def equal(s: Sampler) -> Inputs:
    n = s.size + 2
    return Inputs((*draw(s, n, n, n, n, n), s.mask(n, n, n)))


def large(s: Sampler) -> Inputs:
    """Dot products whose exponential overflows, yet small enough that their rounding does not
    show in the weights: around 1000 in float64, around 120 in float32."""
    b, t, n, d, d_v = s.dims(5)
    queries, keys, values = draw(s, b, t, n, d, d_v)
    queries[..., 0] = 1
    keys[..., 0] += 1000 if s.dtype == np.float64 else 120
    return Inputs((queries, keys, values))


def high_masked(s: Sampler) -> Inputs:
    """Masked scores are far above those that may be attended to."""
    b, t, n, d, d_v = s.dims(5)
    queries, keys, values = draw(s, b, t, n, d, d_v)
    mask = s.mask(n)
    queries[..., 0] = 1
    keys[:, ~mask, 0] += 2000
    return Inputs((queries, keys, values, mask))


def strided(s: Sampler) -> Inputs:
    q, k, v = draw(s, *s.dims(5))
    return Inputs((Transposed(q, (1, 2)), Transposed(k, (1, 2)), Transposed(v, (0, 1))))


def _with(scores=None, weigh=masked_softmax):
    """Attention with other scores or another way from scores to weights."""

    def answer(queries, keys, values, mask=None):
        raw = queries @ keys.swapaxes(-1, -2)
        raw = raw if scores is None else scores(raw, queries)
        weights = weigh(raw, np.ones(raw.shape, bool) if mask is None else mask)
        return weights @ values, weights

    return answer


def _filled(constant):
    def weigh(scores, mask):
        return softmax(np.where(mask, scores, np.asarray(constant, scores.dtype)))

    return weigh


def _no_maximum(scores, mask):
    exps = np.where(mask, np.exp(scores), 0).astype(scores.dtype)
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total == 0, 1, total)


def _own_shape_only(scores, mask):
    scores = scores.copy()
    scores[~mask] = -np.inf
    return masked_softmax(scores, mask)


def _keys_as_values(queries, keys, values, mask=None):
    return attend(queries, keys, keys, mask)


ATTEND = Task(
    name="attend",
    points=4,
    reference=attend,
    library="numpy",
    idea=(
        "Scores, weights, context: the three steps of the tasks before, now for T queries at "
        "once. With an axis for T, each step is one matrix product or one softmax along the "
        "last axis; `@` works on the last two axes, so each sentence meets only itself. The "
        "mask acts on the scores, before the sum is taken, so that the weights that are left "
        "still sum to one."
    ),
    cost=(
        "B·T·S·(d + d_v) multiplications and B·T·S weights: this grows with the product of "
        "the two lengths."
    ),
    cases=(
        Case("context and weights without a mask", unmasked),
        Case("a mask of its own for each query", masked),
        Case("a query with nothing to attend to gets zeros", empty_row),
        Case("one mask for many queries, given by name", shared_mask),
        Case("a masked score far above the others", high_masked),
        Case("one sentence with one query, or with one key", one_of_each, hidden=True),
        Case("all axes equally long", equal, hidden=True),
        Case("large scores", large, hidden=True),
        Case("arrays stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "scaled",
            "You divide the scores by the square root of d. Here they are plain dot products; "
            "scaling comes in exercise 07.",
            _with(lambda scores, q: scores / np.asarray(q.shape[-1] ** 0.5, q.dtype)),
        ),
        Mistake(
            "masked-maximum",
            "You subtract the largest score of all, masked ones too. If that one is far above the "
            "others, every allowed exponential is 0. Subtract the largest *allowed* score.",
            _with(weigh=_masked_maximum),
        ),
        Mistake(
            "mask-ignored",
            "The mask changes nothing here. Where it is False the weight must be exactly zero.",
            lambda q, k, v, mask=None: attend(q, k, v),
        ),
        Mistake(
            "mask-inverted",
            "You use the mask the wrong way round. True means “may attend”.",
            lambda q, k, v, mask=None: attend(q, k, v, None if mask is None else ~mask),
        ),
        Mistake(
            "masked-after",
            "You mask after the softmax, so the remaining weights sum to less than one. Mask the "
            "scores, before the softmax.",
            _with(weigh=lambda s, mask: np.where(mask, softmax(s), 0).astype(s.dtype)),
        ),
        Mistake(
            "scores-zeroed",
            "You multiply the scores by the mask. A score of 0 still gets weight, since exp(0) is "
            "1. Set masked scores to -inf instead.",
            _with(weigh=_filled(0)),
        ),
        Mistake(
            "large-constant",
            "You replace masked scores by a large negative number, so a query with nothing to "
            "attend to attends to everything. Its weights and its context must be zero.",
            _with(weigh=_filled(-1e9)),
        ),
        Mistake(
            "nan-rows",
            "A query with nothing to attend to becomes nan. Give it weights of zero; its context "
            "is then zero too. Put 0 in place of a maximum of -inf, and 1 in place of a sum of 0.",
            _with(weigh=_filled(-np.inf)),
        ),
        Mistake(
            "mask-not-broadcast",
            "`scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many "
            "queries. `np.where(mask, scores, …)` stretches it.",
            _with(weigh=_own_shape_only),
        ),
        Mistake(
            "softmax-over-queries",
            "You normalise over the queries. The weights of one query, a row, sum to one: take the "
            "softmax along the last axis.",
            _with(weigh=lambda s, mask: masked_softmax(s, mask, axis=1)),
        ),
        Mistake(
            "no-maximum",
            "exp overflows for large scores. Subtract the largest score of each row first.",
            _with(weigh=_no_maximum),
        ),
        Mistake(
            "no-softmax",
            "You use the scores as weights. Put them through the softmax first.",
            _with(weigh=lambda s, mask: np.where(mask, s, 0).astype(s.dtype)),
        ),
        Mistake(
            "keys-as-values",
            "You blend the keys. Keys decide the weights; the context is a blend of the values.",
            _keys_as_values,
        ),
        Mistake(
            "context-only",
            "You return the context alone. Return both: `context, weights`.",
            lambda *args, **kwargs: attend(*args, **kwargs)[0],
        ),
        Mistake(
            "swapped",
            "You return the weights first. The order is `context, weights`.",
            lambda *args, **kwargs: attend(*args, **kwargs)[::-1],
        ),
        Mistake(
            "as-list",
            "You return a list. Return a tuple: `return context, weights`.",
            lambda *args, **kwargs: list(attend(*args, **kwargs)),
        ),
        always_float64(attend),
        changes_input(attend, 0, "queries"),
        changes_input(attend, 2, "values"),
    ),
    hints=(
        "Three steps that you have already: scores, weights, context. Only the axis of the T "
        "queries is new.",
        "`queries @ keys.swapaxes(1, 2)` gives all scores, (B, T, S); `@` works sentence by "
        "sentence.",
        "`np.where(mask, scores, -np.inf)`, unless the mask is None; exp of the scores minus the "
        "largest of their row; divide by the sum of the row. In a row of nothing but -inf take 0 "
        "for the largest and 1 for the sum. The context is `weights @ values`.",
    ),
)
