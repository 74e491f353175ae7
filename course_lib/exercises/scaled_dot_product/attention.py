"""Task `scaled_dot_product_attention`: compare, scale, mask and mix, over any leading axes."""

import math
from functools import partial

import torch

from course_lib.exercises.attention_parts import (
    INF,
    attention,
    filled,
    high_forbidden,
    maximum_mistakes,
    qkv,
    ragged,
    scaling_mistakes,
    tiny,
    weigh,
    with_gradients,
)
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, S)
    weights = weigh(scores, mask)
    return weights @ value, weights


def masked(axes: str):
    """Draws inputs with a mask over the named axes; "1" stands for an axis of length one."""

    def draw(s: Sampler) -> Inputs:
        query, key, value = ragged(s, len(axes) - 2 if len(axes) > 2 else 2)
        lengths = {"B": query.shape[0], "H": query.shape[1], "1": 1}
        lengths |= {"T": query.shape[-2], "S": key.shape[-2]}
        return Inputs((query, key, value, s.mask(*(lengths[axis] for axis in axes))))

    return draw


def tiny_mask(s: Sampler) -> Inputs:
    return Inputs((*qkv(s, (1,), (2, 3, *s.dims(2))), s.mask(2, 3)))


def nothing_allowed(s: Sampler) -> Inputs:
    query, key, value = ragged(s)
    mask = s.mask(*query.shape[:-1], key.shape[-2])
    mask[:, 0] = False
    return with_gradients(s, query, key, value, mask)


def single(s: Sampler) -> Inputs:
    lengths = [(1, 4, 3, 2), (3, 1, 2, 4), (1, 1, 2, 3)][s.size % 3]
    return Inputs(qkv(s, (2,), lengths))


def high(s: Sampler) -> Inputs:
    return Inputs(ragged(s, scale=60.0))


def _large_penalty(scores, mask):
    return weigh(scores if mask is None else scores + (~mask).to(scores.dtype) * -1e9, None)


def _three_axes(query, key, value, mask=None):
    _batch, _length, _d_k = query.shape
    return attention(query, key, value, mask)


def _bmm(query, key, value, mask=None):
    weights = weigh(torch.bmm(query, key.transpose(1, 2)) / math.sqrt(query.shape[-1]), mask)
    return torch.bmm(weights, value), weights


def _halved(query, key, value, mask=None):
    return attention(query.float(), key.float(), value.float(), mask)


def _in_place(query, key, value, mask=None):
    query /= math.sqrt(query.shape[-1])
    return attention(query, key, value, mask, factor=lambda q, k, v: 1)


def _then(pick):
    return lambda *args: pick(*attention(*args))


ONLY_3D = (
    "You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever stands "
    "before them alone: with heads there are four axes."
)
MISTAKES = (
    *scaling_mistakes(attention),
    Mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries. Each query shares its attention among the keys: take "
        "the last axis, so that every row of the weights sums to one.",
        partial(attention, by=partial(weigh, dim=-2)),
    ),
    Mistake(
        "mask-inverted",
        "You read the mask the wrong way round. True means “may attend”: it is the False places "
        "that get no weight.",
        partial(attention, by=lambda s, mask: weigh(s, None if mask is None else ~mask)),
    ),
    Mistake(
        "mask-ignored",
        "Your mask changes nothing. Where it is False, take the score out of the softmax.",
        partial(attention, by=lambda s, mask: weigh(s, None)),
    ),
    Mistake(
        "mask-after-softmax",
        "You multiply the weights by the mask after the softmax, so rows no longer sum to one. "
        "Take the forbidden scores out before the softmax.",
        partial(attention, by=lambda s, mask: weigh(s, None) * (1 if mask is None else mask)),
    ),
    Mistake(
        "mask-times-scores",
        "You multiply the scores by the mask. A score of 0 still gets weight, for exp(0) = 1: a "
        "forbidden score has to be -inf before the softmax.",
        partial(attention, by=lambda s, mask: weigh(s if mask is None else s * mask, None)),
    ),
    Mistake(
        "mask-added",
        "You add the boolean mask to the scores, which adds one where attention is allowed. Set "
        "the forbidden scores to -inf instead.",
        partial(attention, by=lambda s, mask: weigh(s if mask is None else s + mask, None)),
    ),
    Mistake(
        "uniform-when-nothing-is-allowed",
        "A query that may attend to nothing gets equal weights, because all its scores became the "
        "same large negative number. Its weights and its output have to be zero.",
        partial(attention, by=filled(-1e9)),
    ),
    Mistake(
        "nan-when-nothing-is-allowed",
        "A query that may attend to nothing gets NaN: the softmax of a row of -inf divides zero by "
        "zero. Set the weights of such a row to zero afterwards.",
        partial(attention, by=filled(-INF)),
    ),
    Mistake(
        "everything-when-nothing-is-allowed",
        "You add a large negative number where the mask is False. A query that may attend to "
        "nothing gets it everywhere, and the softmax does not notice. Its weights have to be zero.",
        partial(attention, by=_large_penalty),
    ),
    *maximum_mistakes(attention),
    Mistake("only-three-axes", ONLY_3D, _three_axes),
    Mistake("only-three-axes-bmm", ONLY_3D, _bmm),
    Mistake(
        "output-alone",
        "You return the output alone. Return the pair (output, weights).",
        _then(lambda output, weights: output),
    ),
    Mistake(
        "weights-first",
        "You return the weights first. Return (output, weights), in this order.",
        _then(lambda output, weights: (weights, output)),
    ),
    Mistake(
        "weights-missing",
        "Your second result is None. Return the weights: (output, weights).",
        _then(lambda output, weights: (output, None)),
    ),
    Mistake(
        "weights-alone",
        "You return the weights alone. Return the pair (output, weights).",
        _then(lambda output, weights: weights),
    ),
    Mistake(
        "list",
        "You return a list. Return a tuple, (output, weights).",
        _then(lambda output, weights: [output, weights]),
    ),
    Mistake(
        "scores-for-weights",
        "Your second result is the scores. Return the weights, after the softmax.",
        lambda q, k, v, mask=None: (
            attention(q, k, v, mask)[0],
            q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5,
        ),
    ),
    Mistake(
        "always-float32",
        "Your result is float32 whatever comes in. Keep the dtype of the inputs: no .float(), and "
        "no new tensor without dtype=query.dtype.",
        _halved,
    ),
    Mistake(
        "detached",
        "Your numbers are right, but no gradient flows back: the result was detached, or made "
        "under no_grad. Stay with torch operations on the inputs themselves.",
        _then(lambda output, weights: (output.detach(), weights.detach())),
    ),
    Mistake(
        "changes-query",
        "You scale `query` in place, but it belongs to the caller (`/=` writes into it). Make a "
        "new tensor instead.",
        _in_place,
    ),
)
ATTENTION = Task(
    name="scaled_dot_product_attention",
    points=7,
    reference=scaled_dot_product_attention,
    idea=(
        "Compare, scale, normalise, blend. The dot product of two vectors of d_k independent "
        "entries with variance 1 has variance d_k, so dividing by √d_k keeps the scores at "
        "one size, whatever the dimension. Everything acts on the last two axes, so batches "
        "and heads go through the same lines. Forbidden scores become -inf before the "
        "softmax; a row of nothing else becomes nan, and zeros are written over it."
    ),
    cost=("T·S·(d_k + d_v) multiplications for each batch element, and T·S weights in memory."),
    cases=(
        Case("one sentence, no mask", lambda s: Inputs(tiny(s))),
        Case("one sentence, with a mask", tiny_mask),
        Case("a batch, each sentence with its own mask", masked("BTS")),
        Case("heads: four axes, a mask for each", masked("BHTS")),
        Case("a query that may attend to nothing", nothing_allowed),
        Case("a forbidden score far above the others", high_forbidden),
        Case("one mask row for all queries of a sentence", masked("B1S"), hidden=True),
        Case("one mask for all sentences and heads", masked("TS"), hidden=True),
        Case("one mask for all heads of a sentence", masked("B1TS"), hidden=True),
        Case("a single query or a single key", single, hidden=True),
        Case("scores in the thousands stay finite", high, hidden=True, dtypes=("float64",)),
        Case(
            "gradients reach queries, keys and values",
            lambda s: with_gradients(s, *ragged(s, axes=2)),
            hidden=True,
        ),
    ),
    mistakes=MISTAKES,
    hints=(
        "Four steps: compare each query with each key, scale, turn rows into weights, mix the "
        "values. Write the shape after each; only the last two axes take part.",
        "`query @ key.transpose(-2, -1)` makes all scores. Divide them by the square root of "
        "`query.shape[-1]`, and put -inf where the mask is False before the softmax over the "
        "last axis; `masked_fill` broadcasts the mask for you.",
        "A row of -inf becomes NaN in the softmax. After it, fill the forbidden places with 0: "
        "that changes nothing in the other rows and repairs those.",
    ),
)
