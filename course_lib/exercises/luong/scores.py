"""Task `luong_scores`: three ways to compare a decoder state with the encoder's memory."""

import torch

from course_lib.exercises.common import always_float64, changes_input, stored
from course_lib.grading.tasks import Cases, Inputs, Sampler, task

METHODS = ("dot", "general", "concat")


def dot(state, memory, W_a=None, v_a=None):
    return (memory @ state[..., None])[..., 0]  # (B, S)


def general(state, memory, W_a, v_a=None):
    return dot(state @ W_a, memory)


def concat(state, memory, W_a, v_a, squash=torch.tanh):
    states = state[:, None].expand(-1, memory.shape[1], -1)
    return squash(torch.cat([states, memory], dim=-1) @ W_a.T) @ v_a


def refuse(state, memory, W_a, v_a):
    raise ValueError("method is none of dot, general, concat")


def choose(state, memory, method, W_a=None, v_a=None, **exchanged):
    """Scores in which some methods are exchanged for others."""
    ways = {"dot": dot, "general": general, "concat": concat} | exchanged
    return ways.get(method, ways.get("other", refuse))(state, memory, W_a, v_a)


def luong_scores(state, memory, method, W_a=None, v_a=None):
    """Three ways to compare, from plain to learned: dot needs both sides to have the same
    dimensions; general puts a matrix between them, which is dot with `state @ W_a` for the
    state; concat is additive scoring with one matrix for both sides joined. In general,
    multiply the state by W_a first: there is one state for each sentence, and S memories.

    Cost: dot B·S·d multiplications; general B·d_t·d_s + B·S·d_s; concat B·S·a·(d_t + d_s),
    with (B, S, d_t + d_s) numbers in memory."""
    return choose(state, memory, method, W_a, v_a)


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
case("dot", ragged("dot"))
case("general, with sizes that differ", ragged("general"))
case("concat, with sizes that differ", ragged("concat"))
case(
    "an unknown method is refused with a ValueError",
    lambda s: (*draw(s, "dot", s.dims(5)).args[:2], s.turn("location", "additive", "")),
)
case.hidden("all axes equally long", lambda s: draw(s, s.turn(*METHODS), (s.size + 1,) * 5))


@case.hidden("a batch of one, or a memory of one")
def single(s):
    """A batch of one, then a memory of one."""
    batch, n_keys = (1, 3) if s.size == 1 else (3, 1)
    return draw(s, s.turn(*METHODS), (batch, n_keys, *s.dims(3)))


@case.hidden("arguments given by name")
def by_name(s):
    state, memory, method, W_a, v_a = draw(s, "concat", s.dims(5)).args
    return Inputs((state, memory), {"method": method, "W_a": W_a, "v_a": v_a})


case.hidden("gradients of dot", ragged("dot", True), sizes=(1, 3))
case.hidden("gradients of general", ragged("general", True), sizes=(1, 3))
case.hidden("gradients of concat", ragged("concat", True), sizes=(1, 3))
case.hidden(
    "tensors stored in another order",
    lambda s: stored(draw(s, "general", s.dims(5)).args, None, (1, 2), None, (0, 1)),
)


def _memory_first(state, memory, W_a, v_a):
    states = state[:, None].expand(-1, memory.shape[1], -1)
    return torch.tanh(torch.cat([memory, states], dim=-1) @ W_a.T) @ v_a


class Mistakes:
    def dot_scaled(*args, **named):
        """You divide the dot product by a square root. Luong's dot score is the plain dot
        product."""
        return choose(*args, **named, dot=lambda s, h, *_: dot(s, h) / s.shape[-1] ** 0.5)

    def general_transposed(*args, **named):
        """You use W_a the wrong way round. The score is sᵀ W_a h: the rows of W_a (d_t, d_s) belong
        to the state."""
        return choose(*args, **named, general=lambda s, h, W, _: dot(s @ W.T, h))

    def general_without_matrix(*args, **named):
        """Your general score is the plain dot product. Put W_a between: sᵀ W_a h."""
        return choose(*args, **named, general=dot)

    def general_tanh(*args, **named):
        """You squash the general score with tanh. Only concat has a tanh."""
        return choose(*args, **named, general=lambda *args: torch.tanh(general(*args)))

    def memory_first(*args, **named):
        """You join [h; s]. The columns of W_a expect the state first: [s; h]."""
        return choose(*args, **named, concat=_memory_first)

    def concat_without_tanh(*args, **named):
        """The tanh in concat is missing: v_aᵀ tanh(W_a [s; h])."""
        return choose(*args, **named, concat=lambda *args: concat(*args, lambda x: x))

    def concat_without_v(*args, **named):
        """In concat you add up the hidden numbers. Multiply each by its entry of v_a."""
        return choose(*args, **named, concat=lambda s, h, W, v: concat(s, h, W, torch.ones_like(v)))

    def concat_tanh_outside(*args, **named):
        """In concat you take tanh of the finished score. It belongs inside, before v_a."""
        return choose(*args, **named, concat=lambda *args: torch.tanh(concat(*args, lambda x: x)))

    def always_dot(*args, **named):
        """You return the dot score whatever `method` says. Look at `method` first."""
        return choose(*args, **named, general=dot, concat=dot)

    def unknown_is_dot(*args, **named):
        """An unknown method gets the dot score. A typing error would go unseen: raise a
        ValueError."""
        return choose(*args, **named, other=dot)

    def unknown_is_concat(*args, **named):
        """An unknown method falls through to concat. A typing error would go unseen: end with
        `raise ValueError`."""
        return choose(*args, **named, other=concat)

    def unknown_is_none(*args, **named):
        """An unknown method gives None. Raise a ValueError instead."""
        return choose(*args, **named, other=lambda *args: None)

    def key_error(*args, **named):
        """An unknown method raises a KeyError out of your dictionary. Raise a ValueError, with a
        sentence that names the methods."""
        return choose(*args, **named, other=lambda *args: {}["method"])

    def softmax_too_early(*args, **named):
        """These are weights already. Return the scores; the softmax comes later."""
        return torch.softmax(luong_scores(*args, **named), -1)

    def extra_axis(*args, **named):
        """An axis of length one is left over. The result has shape (B, S): `squeeze(-1)`."""
        return luong_scores(*args, **named)[..., None]

    def transposed(*args, **named):
        """The result is transposed: rows are sentences, columns are source positions."""
        return luong_scores(*args, **named).T

    def detached(*args, **named):
        """No gradient flows back, so nothing could be learned. Avoid detach, .data, no_grad and
        NumPy between input and result."""
        return luong_scores(*args, **named).detach()

    float64 = always_float64(luong_scores)
    changes_state = changes_input(luong_scores, 0, "state")
    changes_memory = changes_input(luong_scores, 1, "memory")


HINTS = (
    "Write the shapes beside each of the three formulas. Which axis disappears in which product, "
    "and where does the state lack an axis?",
    "general is dot with another state: `state @ W_a`. For concat the state has to be repeated "
    "along S: `state[:, None].expand(-1, S, -1)`.",
    'torch.einsum makes them one line each: "bd,bsd->bs" for dot, "bd,de,bse->bs" for general; '
    "concat is `torch.tanh(joined @ W_a.T) @ v_a`.",
)
LUONG_SCORES = task(luong_scores, 5, case.all, Mistakes, HINTS)
