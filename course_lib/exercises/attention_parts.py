"""Shared by the exercises on attention: what they draw, and ways from scores to weights, right and
wrong."""

import numpy as np
import torch
from torch import Tensor

from course_lib.checker.tasks import Candidate, Inputs, Sampler
from course_lib.exercises.mutants import source

INF = float("inf")
LENGTHS = (
    "Perhaps one query, one key, or as many queries as keys go another way than the rest, as after "
    "`if query.shape[-2] == 1`. The same lines serve all of them."
)
HIGH = -3e4  # what one may think lower than every score


def qkv(
    s: Sampler, lead: tuple[int, ...], lengths: tuple[int, int, int, int], scale: float = 1.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """query (*lead, T, d_k), key (*lead, S, d_k), value (*lead, S, d_v) for (T, S, d_k, d_v).

    Queries and keys have standard deviation `scale`, so scores grow with its square.
    """
    n_queries, n_keys, d_k, d_v = lengths
    query = s.floats(*lead, n_queries, d_k, scale=scale)
    key = s.floats(*lead, n_keys, d_k, scale=scale)
    return query, key, s.floats(*lead, n_keys, d_v)


def ragged(s: Sampler, axes: int = 1, scale: float = 1.0) -> tuple:
    """`qkv` in which no two axes have the same length; `axes` counts the leading ones."""
    lengths = s.dims(4 + axes)
    return qkv(s, lengths[4:], lengths[:4], scale)


def lengths_in_turn(s: Sampler, *lead: int) -> tuple:
    """`qkv` for one query, for one key, and for as many queries as keys, each as often."""
    some, d_k, d_v = s.dims(3)
    return qkv(s, lead, (*s.turn((1, some), (some, 1), (some, some)), d_k, d_v))


def tiny(s: Sampler) -> tuple:
    """`qkv` for a batch of one, small enough to be read in a report; T and S differ."""
    return qkv(s, (1,), (*s.dims(2, low=1), *s.dims(2)))


def with_gradients(s: Sampler, query, key, value, *more) -> Inputs:
    """Inputs whose gradients are compared: one upstream for the output and one for the weights."""
    output = s.floats(*query.shape[:-1], value.shape[-1])
    return Inputs((query, key, value, *more), upstream=(output, s.floats(*_scores(query, key))))


def _scores(query: np.ndarray, key: np.ndarray) -> tuple[int, ...]:
    return *query.shape[:-1], key.shape[-2]


def three_calls(module, *args):
    """One module with a mask, with other inputs, and with these without a mask."""
    first, second = args[: len(args) // 2], args[len(args) // 2 :]
    return module(*first), module(*second), module(*second[:-1])


CALLS = Candidate("three_calls", source(three_calls))
AGAIN = {
    "tells": "One module is called three times: with a mask, with other inputs, of the same shapes "
    "or of longer ones, and with these without a mask.",
    "parts": {
        f"[{i}]{part}": f"The {word} of the {nth} call"
        for i, nth in enumerate(("first", "second", "third"))
        for part, word in (("", "result"), ("[0]", "first result"), ("[1]", "weights"))
    },
}


def called_again(s: Sampler, first: Inputs) -> Inputs:
    """The same module for three calls, of which each must know nothing of those before it. The
    last argument is the mask, with the heads as the second of four axes. From size 3 on the second
    batch is larger, and so are its numbers of queries and keys."""
    more = int(s.size > 2)
    *floats, mask = first.args
    sides = [(0, 0 if mask.ndim == 4 and axis == 1 else more) for axis in range(mask.ndim)]
    turned = np.pad(np.roll(mask, 1, axis=-1), sides, constant_values=True)
    shapes = [(*(n + more for n in one.shape[:-1]), one.shape[-1]) for one in floats]
    second = (*(s.floats(*shape) for shape in shapes), turned)
    return Inputs((*first.args, *second), init=first.init, state=first.state, examiner=CALLS)


def of_torch(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Torch's own, whose causal mask is aligned top-left."""
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(query, key, value, is_causal=True)


def weigh(scores: Tensor, mask: Tensor | None, dim: int = -1) -> Tensor:
    """The softmax of the allowed scores; rows with nothing allowed are zero."""
    if mask is None:
        return torch.softmax(scores, dim)
    return torch.softmax(scores.masked_fill(~mask, -INF), dim).masked_fill(~mask, 0.0)


def sigmoid(scores: Tensor, mask: Tensor | None) -> Tensor:
    weights = torch.sigmoid(scores)
    return weights if mask is None else weights.masked_fill(~mask, 0.0)


def dropped(scores: Tensor, mask: Tensor | None, share: float) -> Tensor:
    return torch.nn.functional.dropout(weigh(scores, mask), share)


def zero_forbidden(scores: Tensor, mask: Tensor | None) -> Tensor:
    """The mask multiplied in; then every score that is 0 counts as forbidden."""
    scores = scores if mask is None else scores * mask
    return weigh(scores, scores != 0)


def inverted(scores: Tensor, mask: Tensor | None) -> Tensor:
    return weigh(scores, None if mask is None else ~mask)


def masked_after(scores: Tensor, mask: Tensor | None) -> Tensor:
    return weigh(scores, None) * (1 if mask is None else mask)


def masked_maximum(scores: Tensor, mask: Tensor | None) -> Tensor:
    """The largest score of all is subtracted, also where it is a forbidden one."""
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    powers = powers if mask is None else powers * mask
    total = powers.sum(-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1)


def without_maximum(scores: Tensor, mask: Tensor | None) -> Tensor:
    powers = scores.exp() if mask is None else scores.exp() * mask
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-30)


def small_added(scores: Tensor, mask: Tensor | None, small: float, of_all: bool = False) -> Tensor:
    """A small number in the divisor; the maximum is that of each row, or one `of_all`."""
    top = scores.max() if of_all else scores.amax(-1, keepdim=True)
    powers = torch.exp(scores - top) * (1 if mask is None else mask)
    return powers / (powers.sum(-1, keepdim=True) + small)


def high_forbidden(s: Sampler) -> Inputs:
    """Forbidden scores are thousands above those that are allowed."""
    query, key, value = ragged(s)
    mask = s.mask(key.shape[-2])
    query[..., 0] = 1
    key[..., ~mask, 0] += 9000
    return Inputs((query, key, value, mask))


def zero_queries(s: Sampler) -> Inputs:
    """All scores are 0, and some of them are forbidden."""
    query, key, value = ragged(s)
    return Inputs((0 * query, key, abs(value), s.mask(*_scores(query, key))))


def one_column(s: Sampler) -> Inputs:
    """The mask says for each query whether it may attend at all."""
    query, key, value = ragged(s)
    return Inputs((query, key, value, s.mask(1, query.shape[-2]).T))


def nothing(s: Sampler) -> Inputs:
    """No query may attend to anything."""
    query, key, value = ragged(s)
    return Inputs((query, key, value, np.zeros((query.shape[-2], key.shape[-2]), bool)))


def low_allowed(s: Sampler) -> Inputs:
    """Allowed scores are far below zero, and forbidden ones near it."""
    query, key, value = ragged(s)
    mask = s.mask(key.shape[-2])
    query[..., 0] = 1
    key[..., mask, 0] -= 1e6
    return Inputs((query, key, value, mask))


def filled(scores: Tensor, mask: Tensor | None, fill: float) -> Tensor:
    """Forbidden scores become `fill`, and that is all."""
    return torch.softmax(scores if mask is None else scores.masked_fill(~mask, fill), -1)


def filled_and_zeroed(scores: Tensor, mask: Tensor | None, fill: float = HIGH) -> Tensor:
    """Forbidden scores become a number that another score may be below; their weights go after."""
    weights = filled(scores, mask, fill)
    return weights if mask is None else weights.masked_fill(~mask, 0.0)


def penalised(scores: Tensor, mask: Tensor | None, height: float) -> Tensor:
    """Forbidden scores are lower by `height`, and that is all."""
    return weigh(scores if mask is None else scores - ~mask * height, None)


def not_broadcast(scores: Tensor, mask: Tensor | None) -> Tensor:
    """`scores[~mask] = -inf`, which needs a mask of the scores' own shape."""
    if mask is None:
        return weigh(scores, None)
    scores = scores.clone()
    scores[~mask] = -INF
    return weigh(scores, mask)
