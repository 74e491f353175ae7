"""Task `scaled_dot_product_attention`: compare, scale, mask and mix, over any leading axes."""

import math
from functools import partial

import torch

from course_lib.exercises import attention_mistakes as mistakes
from course_lib.exercises import attention_parts as parts
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


def scaled_dot_product_attention(query, key, value, mask=None):
    """Compare, scale, normalise, blend. The dot product of two vectors of d_k independent entries
    with variance 1 has variance d_k, so dividing by √d_k keeps the scores at one size, whatever the
    dimension. Everything acts on the last two axes, so batches and heads go through the same lines.
    Forbidden scores become -inf before the softmax; a row of nothing else becomes nan, and zeros
    are written over it.

    Cost: T·S·(d_k + d_v) multiplications for each batch element, and T·S weights in memory."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., T, S)
    weights = parts.weigh(scores, mask)
    return weights @ value, weights


def masked(axes: str):
    """Draws inputs with a mask over the named axes; "1" stands for an axis of length one."""

    def draw(s: Sampler) -> Inputs:
        query, key, value = parts.ragged(s, len(axes) - 2 if len(axes) > 2 else 2)
        lengths = {"B": query.shape[0], "H": query.shape[1], "1": 1}
        lengths |= {"T": query.shape[-2], "S": key.shape[-2]}
        return Inputs((query, key, value, s.mask(*(lengths[axis] for axis in axes))))

    return draw


case = Cases()
case("one sentence, no mask", parts.tiny)
case("one sentence, with a mask", lambda s: (*parts.qkv(s, (1,), (2, 3, *s.dims(2))), s.mask(2, 3)))
case("a batch, each sentence with its own mask", masked("BTS"))
case("heads: four axes, a mask for each", masked("BHTS"))


@case("a query that may attend to nothing")
def nothing_allowed(s):
    query, key, value = parts.ragged(s)
    mask = s.mask(*query.shape[:-1], key.shape[-2])
    mask[:, 0] = False
    return parts.with_gradients(s, query, key, value, mask)


case("a forbidden score far above the others", parts.high_forbidden)
case.hidden("allowed scores far below the forbidden ones", parts.low_allowed, dtypes=("float64",))
case.hidden("one mask row for all queries of a sentence", masked("B1S"))
case.hidden("one mask for all sentences and heads", masked("TS"))
case.hidden("one mask for all heads of a sentence", masked("B1TS"))
case.hidden(
    "a single query or a single key",
    lambda s: parts.qkv(s, (2,), [(1, 4, 3, 2), (3, 1, 2, 4), (1, 1, 2, 3)][s.size % 3]),
)
case.hidden(
    "scores in the thousands stay finite",
    lambda s: parts.ragged(s, scale=60.0),
    dtypes=("float64",),
)
case.hidden(
    "gradients reach queries, keys and values",
    lambda s: parts.with_gradients(s, *parts.ragged(s, axes=2)),
)


def _penalty(height, scores, mask):
    return parts.weigh(scores if mask is None else scores - (~mask) * height, None)


class Mistakes:
    scaling = mistakes.scaling_mistakes(parts.attention)
    third_axis = mistakes.third_axis(parts.attention)
    keys_reversed = mistakes.keys_reversed(parts.attention)

    def softmax_over_queries(*args):
        """Your softmax runs over the queries. Each query shares its attention among the keys: take
        the last axis, so that every row of the weights sums to one."""
        return parts.attention(*args, by=partial(parts.weigh, dim=-2))

    def mask_inverted(*args):
        """You read the mask the wrong way round. True means “may attend”: it is the False places
        that get no weight."""
        return parts.attention(*args, by=parts.inverted)

    def mask_ignored(*args):
        """Your mask changes nothing. Where it is False, take the score out of the softmax."""
        return parts.attention(*args, by=parts.unmasked)

    def mask_after_softmax(*args):
        """You multiply the weights by the mask after the softmax, so rows no longer sum to one.
        Take the forbidden scores out before the softmax."""
        return parts.attention(*args, by=parts.masked_after)

    def mask_times_scores(*args):
        """You multiply the scores by the mask. A score of 0 still gets weight, for exp(0) = 1: a
        forbidden score has to be -inf before the softmax."""
        return parts.attention(
            *args, by=lambda s, mask: parts.weigh(s if mask is None else s * mask, None)
        )

    def mask_added(*args):
        """You add the boolean mask to the scores, which adds one where attention is allowed. Set
        the forbidden scores to -inf instead."""
        return parts.attention(
            *args, by=lambda s, mask: parts.weigh(s if mask is None else s + mask, None)
        )

    def uniform_when_nothing_is_allowed(*args):
        """A query that may attend to nothing gets equal weights, because all its scores became the
        same large negative number. Its weights and its output have to be zero."""
        return parts.attention(*args, by=parts.filled(-1e9))

    def nan_when_nothing_is_allowed(*args):
        """A query that may attend to nothing gets NaN: the softmax of a row of -inf divides zero by
        zero. Set the weights of such a row to zero afterwards."""
        return parts.attention(*args, by=parts.filled(-parts.INF))

    def everything_when_nothing_is_allowed(*args):
        """You add a large negative number where the mask is False. A query that may attend to
        nothing gets it everywhere, and the softmax does not notice. Its weights have to be zero."""
        return parts.attention(*args, by=partial(_penalty, 1e9))

    def a_small_penalty(*args):
        """You add a negative number where the mask is False. A query that may attend to nothing
        gets it everywhere, and the softmax does not notice. Fill with -inf; its weights are 0."""
        return parts.attention(*args, by=partial(_penalty, 1e4))

    constant = mistakes.constant_mistakes(parts.attention)

    def entries_dropped(*args):
        """`scores[mask]` drops the forbidden scores, and the rows with them: one long row is left.
        Keep the shape (..., T, S), and give forbidden places a score of -inf."""
        return parts.attention(
            *args, by=lambda s, mask: parts.weigh(s if mask is None else s[mask], None)
        )

    def mask_not_broadcast(*args):
        """`scores[~mask]` needs a mask of the scores' own shape, but one mask may serve many
        queries, sentences and heads. `masked_fill` and `torch.where` stretch it."""
        return parts.attention(*args, by=parts.not_broadcast)

    maximum = mistakes.maximum_mistakes(parts.attention)

    def only_three_axes(query, key, value, mask=None):
        """You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever stands
        before them alone: with heads there are four axes."""
        _batch, _length, _d_k = query.shape
        return parts.attention(query, key, value, mask)

    def only_three_axes_bmm(query, key, value, mask=None):
        """You expect exactly three axes. Work on the last two, -2 and -1, and leave whatever stands
        before them alone: with heads there are four axes."""
        weights = parts.weigh(
            torch.bmm(query, key.transpose(1, 2)) / math.sqrt(query.shape[-1]), mask
        )
        return torch.bmm(weights, value), weights

    def output_alone(*args):
        """You return the output alone. Return the pair (output, weights)."""
        return parts.attention(*args)[0]

    def weights_first(*args):
        """You return the weights first. Return (output, weights), in this order."""
        return parts.attention(*args)[::-1]

    def weights_missing(*args):
        """Your second result is None. Return the weights: (output, weights)."""
        return (parts.attention(*args)[0], None)

    def weights_alone(*args):
        """You return the weights alone. Return the pair (output, weights)."""
        return parts.attention(*args)[1]

    def list(*args):
        """You return a list. Return a tuple, (output, weights)."""
        return list(parts.attention(*args))

    def scores_for_weights(q, k, v, mask=None):
        """Your second result is the scores. Return the weights, after the softmax."""
        return (
            parts.attention(q, k, v, mask)[0],
            q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5,
        )

    def always_float32(query, key, value, mask=None):
        """Your result is float32 whatever comes in. Keep the dtype of the inputs: no .float(), and
        no new tensor without dtype=query.dtype."""
        return parts.attention(query.float(), key.float(), value.float(), mask)

    def detached(*args):
        """Your numbers are right, but no gradient flows back: the result was detached, or made
        under no_grad. Stay with torch operations on the inputs themselves."""
        return tuple(one.detach() for one in parts.attention(*args))

    def changes_query(query, key, value, mask=None):
        """You scale `query` in place, but it belongs to the caller (`/=` writes into it). Make a
        new tensor instead."""
        query /= math.sqrt(query.shape[-1])
        return parts.attention(query, key, value, mask, factor=lambda q, k, v: 1)


HINTS = (
    "Four steps: compare each query with each key, scale, turn rows into weights, mix the values. "
    "Write the shape after each; only the last two axes take part.",
    "`query @ key.transpose(-2, -1)` makes all scores. Divide them by the square root of "
    "`query.shape[-1]`, and put -inf where the mask is False before the softmax over the last "
    "axis; `masked_fill` broadcasts the mask for you.",
    "A row of -inf becomes NaN in the softmax. After it, fill the forbidden places with 0: that "
    "changes nothing in the other rows and repairs those.",
)
ATTENTION = task(scaled_dot_product_attention, 7, case.all, Mistakes, HINTS)
