"""The reference, the cases and the hints of `luong_scores`."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import EQUAL, OF_ONE, ORDER, single, stored

GENERAL = (
    "Your dot score is right; general is not. It is sᵀ W_a h, which is dot with another state: "
    "`state @ W_a`, of shape (B, d_s), meets the memory."
)
CONCAT = (
    "Your dot and general scores are right; concat is not. It is v_aᵀ tanh(W_a [s; h]): repeat the "
    "state for each word, join along the last axis, `@ W_a.T`, tanh, `@ v_a`."
)
METHODS = ("dot", "general", "concat")
NO_METHODS = ("location", "Dot", "dots", "additive", "", "dot ")


def luong_scores(state, memory, method, W_a=None, v_a=None):
    """Three ways to compare, from plain to learned: dot needs both sides to have the same
    dimensions; general puts a matrix between them, which is dot with `state @ W_a` for the
    state; concat is additive scoring with one matrix for both sides joined. In general,
    multiply the state by W_a first: there is one state for each sentence, and S memories.

    Cost: dot B·S·d multiplications; general B·d_t·d_s + B·S·d_s; concat B·S·a·(d_t + d_s),
    with (B, S, d_t + d_s) numbers in memory."""
    if method == "dot":
        return (memory @ state[..., None])[..., 0]
    if method == "general":
        return (memory @ (state @ W_a)[..., None])[..., 0]
    if method != "concat":
        raise ValueError("method is none of dot, general, concat")
    states = state[:, None].expand(-1, memory.shape[1], -1)  # (B, S, d_t)
    hidden = torch.tanh(torch.cat([states, memory], dim=-1) @ W_a.T)  # (B, S, a)
    return hidden @ v_a


def draw(s: Sampler, method: str, lengths: tuple, grads: bool = False) -> Inputs:
    """`lengths` is (B, S, d_t, d_s, a); for "dot", d_s is d_t."""
    batch, n_keys, d_t, d_s, a = lengths
    d_s = d_t if method == "dot" else d_s
    args = (s.floats(batch, d_t), s.floats(batch, n_keys, d_s), method)
    if method == "general":
        args = (*args, s.floats(d_t, d_s))
    if method == "concat":
        args = (*args, s.floats(a, d_t + d_s), s.floats(a))
    return Inputs(args, upstream=(s.floats(batch, n_keys),) if grads else None)


def ragged(method: str, grads: bool = False):
    return lambda s: draw(s, method, s.dims(5), grads)


case = Cases()
MEMORY = single([[1, 2]]), single([[[1, 0], [0, 1], [2, 2]]])
case.example(
    (*MEMORY, "dot"),
    Inputs((*MEMORY, "general"), {"W_a": single([[0, 1], [1, 0]])}),
    (*MEMORY, "concat", single([[1, 0, 0, 1]]), single([2])),
    dtype="float32",
)
case("dot", ragged("dot"))
case("general, with sizes that differ", ragged("general"), perhaps=GENERAL)
case("concat, with sizes that differ", ragged("concat"), perhaps=CONCAT)
case(
    "an unknown method is refused with a ValueError",
    lambda s: (*draw(s, "dot", s.dims(5)).args[:2], s.turn(*NO_METHODS)),
)
case.hidden(
    "all axes equally long", lambda s: draw(s, s.turn(*METHODS), (s.size + 1,) * 5), perhaps=EQUAL
)


@case.hidden("a batch of one, or a memory of one", perhaps=OF_ONE)
def single(s):
    """A batch of one, then a memory of one."""
    batch, n_keys = (1, 3) if s.size == 1 else (3, 1)
    return draw(s, s.turn(*METHODS), (batch, n_keys, *s.dims(3)))


@case.hidden("arguments given by name")
def by_name(s):
    state, memory, method, W_a, v_a = draw(s, "concat", s.dims(5)).args
    return Inputs((state, memory), {"method": method, "W_a": W_a, "v_a": v_a})


@case.hidden("an unknown method is refused, whatever W_a and v_a are")
def unknown(s):
    """Both are there, or W_a alone, as for general."""
    state, memory, _, *given = draw(s, s.turn("concat", "general"), s.dims(5)).args
    return state, memory, s.turn(*NO_METHODS), *given


case.hidden("gradients of dot", ragged("dot", True), sizes=(1, 3))
case.hidden("gradients of general", ragged("general", True), sizes=(1, 3))
case.hidden("gradients of concat", ragged("concat", True), sizes=(1, 3))
case.hidden(
    "tensors stored in another order",
    lambda s: stored(draw(s, "general", s.dims(5)).args, None, (1, 2), None, (0, 1)),
    perhaps=ORDER,
)

HINTS = (
    "Write the shapes beside each of the three formulas. Which axis disappears in which product, "
    "and where does the state lack an axis?",
    "general is dot with another state: `state @ W_a`. For concat the state has to be repeated "
    "along S: `state[:, None].expand(-1, S, -1)`.",
    'torch.einsum makes them one line each: "bd,bsd->bs" for dot, "bd,de,bse->bs" for general; '
    "concat is `torch.tanh(joined @ W_a.T) @ v_a`.",
)
