"""The reference, the cases and the hints of `MultiHeadAttention`."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from torch import nn

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises import attention_parts as parts
from course_lib.exercises.attention_parts import AGAIN, LENGTHS, called_again
from course_lib.exercises.common import (
    KEPT,
    MASKED,
    NO_DROPOUT,
    OF_ONE,
    STRETCHED,
    TOO_HIGH,
    ZERO_ALLOWED,
    single,
)
from course_lib.exercises.multi_head.heads.task import split_heads
from course_lib.exercises.multi_head.merging.task import merge_heads


class MultiHeadAttention(nn.Module):
    """Four layers, and between them what you have already written: project, split, attend, merge,
    project. Heads are one more batch axis, so all of them run in one matrix product and the mask
    broadcasts over them. Each head scales by the root of its own length, √(d/H). The last layer,
    W_o, is where the heads' results are mixed.

    Cost: For T = S: 4·T·d² multiplications in the layers and 2·T²·d in the attention, whatever the
    number of heads."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        projected = self.W_q(query), self.W_k(key), self.W_v(value)
        q, k, v = (split_heads(x, self.num_heads) for x in projected)  # (B, H, T or S, d/H)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, H, T, S)
        weights = parts.weigh(scores, mask)
        output = self.W_o(merge_heads(weights @ v))
        return output, weights


def inputs(
    s: Sampler, *, num_heads=None, d_head=None, lengths=None, mask="", nothing=False, grads=False
) -> Inputs:
    """One call. `mask` names its axes out of B, H, T, S and 1; `lengths` is (B, T, S)."""
    batch, n_queries, n_keys = lengths or s.dims(3)
    num_heads = num_heads or int(s.rng.integers(2, 4))
    d_model = num_heads * (d_head or 1 + s.size)
    names = [f"W_{letter}.{part}" for letter in "qkvo" for part in ("weight", "bias")]
    state = {n: s.floats(*[d_model] * (1 + n.endswith("weight")), scale=0.7) for n in names}
    args = (
        s.floats(batch, n_queries, d_model),
        s.floats(batch, n_keys, d_model),
        s.floats(batch, n_keys, d_model),
    )
    if mask:
        sizes = {"B": batch, "H": num_heads, "T": n_queries, "S": n_keys, "1": 1}
        drawn = s.mask(*(sizes[axis] for axis in mask))
        if nothing:
            drawn[..., 0, :] = False
        args = (*args, drawn | (mask == "BHTS" and s.turn(False, False, False, True)))
    upstream = None
    if grads:
        upstream = (
            s.floats(batch, n_queries, d_model),
            s.floats(batch, num_heads, n_queries, n_keys),
        )
    return Inputs(args, init=(d_model, num_heads), state=state, upstream=upstream)


def drawn(**choices) -> Callable[[Sampler], Inputs]:
    return lambda s: inputs(s, **choices)


case = Cases(sizes=(1, 3))
case.example(
    Inputs(
        (
            single([[[1, 0]]]),
            single([[[0, 5], [math.log(3), 0]]]),
            single([[[4, 4], [8, 8]]]),
        ),
        init=(2, 2),
        state={f"W_{x}.weight": single(np.eye(2)) for x in "qkvo"}
        | {f"W_{x}.bias": single([0, 0]) for x in "qkvo"},
    ),
    dtype="float32",
)
case("self-attention of two heads, no mask", drawn(num_heads=2, lengths=(2, 3, 3)))
case("more keys than queries, or fewer", drawn())
case("a mask over queries and keys", drawn(mask="TS"), perhaps=MASKED)
case("a mask for each sentence", drawn(mask="B1TS"))


@case("a forbidden score far above the others", perhaps=TOO_HIGH)
def high_forbidden(s):
    """Forbidden scores are thousands above those that are allowed, in every head."""
    made = inputs(s, mask="B11S")
    made.state["W_q.weight"][...] = 0
    made.state["W_q.bias"][...] = 1
    np.abs(made.state["W_k.weight"], out=made.state["W_k.weight"])
    made.args[1][~made.args[3][:, 0, 0]] += 5000
    return made


case("gradients reach inputs and parameters", drawn(grads=True))
case(
    "a module in training mode",
    lambda s: replace(inputs(s), is_training=True),
    sizes=(2,),
    dtypes=("float64",),
    perhaps=NO_DROPOUT,
)
case(
    "a module that is called again",
    lambda s: called_again(s, inputs(s, mask="B1TS")),  # one that comes alone before
    **AGAIN,
    perhaps=KEPT,
)
case.hidden(
    "a mask for each head",
    lambda s: inputs(s, mask=s.turn("BHTS", "HTS", "BHTS", "BHTS")),  # or one for all sentences
    perhaps=STRETCHED,
)
case.hidden("padding: one mask row for all queries", drawn(mask="B11S"), perhaps=STRETCHED)
case.hidden(
    "a query that may attend to nothing: zero weights, finite gradients",
    drawn(mask="BHTS", nothing=True, grads=True),
)


@case.hidden("allowed scores far below the forbidden ones", dtypes=("float64",), perhaps=TOO_HIGH)
def low_allowed(s):
    """Allowed scores are far below any constant that one thinks low, in every head."""
    made = inputs(s, mask="B11S")
    made.state["W_q.weight"][...] = 0
    made.state["W_q.bias"][...] = 1
    np.abs(made.state["W_k.weight"], out=made.state["W_k.weight"])
    made.args[1][made.args[3][:, 0, 0]] -= 1e5
    return made


FEW = {"dtypes": ("float64",)}
case.hidden("a single head", drawn(num_heads=1, mask="B1TS"), **FEW)
case.hidden("a batch of one, one key", drawn(lengths=(1, 3, 1)), perhaps=OF_ONE, **FEW)
case.hidden(
    "a mask for a single query", drawn(lengths=(2, 1, 3), mask="B1TS"), perhaps=LENGTHS, **FEW
)


@case.hidden("queries of zeros, and not all keys allowed", sizes=(1,), perhaps=ZERO_ALLOWED, **FEW)
def zeros(s):
    made = inputs(s, mask="TS")
    made.state["W_q.bias"][...] = 0
    made.args[0][...] = 0
    return made


@case.hidden("a mask with a single column, or False everywhere", sizes=(1, 2), **FEW)
def whole_rows(s):
    """The mask says for each query whether it may attend at all, or that none may."""
    made = inputs(s, mask="T1")
    *rest, mask = made.args
    mask[...] = mask & (s.size == 1)
    return replace(made, args=(*rest, mask if s.size == 1 else np.tile(mask, rest[1].shape[1])))


HINTS = (
    "Draw the way of one query through the module. Which steps have you written already, and "
    "which four hold parameters?",
    "In forward: project, `split_heads` each of the three, and attend as in exercise 07. With "
    "four axes all heads run in one matrix product.",
    "Divide by the root of `q.shape[-1]` after the split. Then `merge_heads`, then W_o. The mask "
    "broadcasts by itself; fill forbidden weights with 0 after the softmax.",
)
