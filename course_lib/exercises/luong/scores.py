"""Task `luong_scores`: three ways to compare a decoder state with the encoder's memory."""

import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed

METHODS = ("dot", "general", "concat")


def dot(state, memory, W_a=None, v_a=None):
    return (memory @ state[..., None])[..., 0]  # (B, S)


def general(state, memory, W_a, v_a=None):
    return dot(state @ W_a, memory)


def concat(state, memory, W_a, v_a):
    states = state[:, None].expand(-1, memory.shape[1], -1)
    return torch.tanh(torch.cat([states, memory], dim=-1) @ W_a.T) @ v_a


def refuse(state, memory, W_a, v_a):
    raise ValueError("method is none of dot, general, concat")


def choose(**exchanged):
    """Scores in which some methods are exchanged for others."""
    ways = {"dot": dot, "general": general, "concat": concat} | exchanged

    def luong_scores(state, memory, method, W_a=None, v_a=None):
        return ways.get(method, ways.get("other", refuse))(state, memory, W_a, v_a)

    return luong_scores


luong_scores = choose()


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


def equal(s: Sampler) -> Inputs:
    return draw(s, s.turn(*METHODS), (s.size + 1,) * 5)


def single(s: Sampler) -> Inputs:
    """A batch of one, then a memory of one."""
    batch, n_keys = (1, 3) if s.size == 1 else (3, 1)
    return draw(s, s.turn(*METHODS), (batch, n_keys, *s.dims(3)))


def by_name(s: Sampler) -> Inputs:
    state, memory, method, W_a, v_a = draw(s, "concat", s.dims(5)).args
    return Inputs((state, memory), {"method": method, "W_a": W_a, "v_a": v_a})


def unknown(s: Sampler) -> Inputs:
    state, memory, _ = draw(s, "dot", s.dims(5)).args
    return Inputs((state, memory, s.turn("location", "additive", "")))


def strided(s: Sampler) -> Inputs:
    state, memory, method, W_a = draw(s, "general", s.dims(5)).args
    return Inputs((state, Transposed(memory, (1, 2)), method, Transposed(W_a, (0, 1))))


def _after(change):
    return lambda *args, **kwargs: change(luong_scores(*args, **kwargs))


def _memory_first(state, memory, W_a, v_a):
    states = state[:, None].expand(-1, memory.shape[1], -1)
    return torch.tanh(torch.cat([memory, states], dim=-1) @ W_a.T) @ v_a


def _concat_without(squash, weigh):
    def answer(state, memory, W_a, v_a):
        states = state[:, None].expand(-1, memory.shape[1], -1)
        return squash(torch.cat([states, memory], dim=-1) @ W_a.T) @ weigh(v_a)

    return answer


def _scaled_dot(state, memory, W_a, v_a):
    return dot(state, memory) / state.shape[-1] ** 0.5


LUONG_SCORES = Task(
    name="luong_scores",
    points=5,
    reference=luong_scores,
    idea=(
        "Three ways to compare, from plain to learned: dot needs both sides to have the same "
        "dimensions; general puts a matrix between them, which is dot with `state @ W_a` for "
        "the state; concat is additive scoring with one matrix for both sides joined. In "
        "general, multiply the state by W_a first: there is one state for each sentence, and "
        "S memories."
    ),
    cost=(
        "dot B·S·d multiplications; general B·d_t·d_s + B·S·d_s; concat B·S·a·(d_t + d_s), "
        "with (B, S, d_t + d_s) numbers in memory."
    ),
    cases=(
        Case("dot", ragged("dot")),
        Case("general, with sizes that differ", ragged("general")),
        Case("concat, with sizes that differ", ragged("concat")),
        Case("an unknown method is refused with a ValueError", unknown),
        Case("all axes equally long", equal, hidden=True),
        Case("a batch of one, or a memory of one", single, hidden=True),
        Case("arguments given by name", by_name, hidden=True),
        Case("gradients of dot", ragged("dot", True), hidden=True, sizes=(1, 3)),
        Case("gradients of general", ragged("general", True), hidden=True, sizes=(1, 3)),
        Case("gradients of concat", ragged("concat", True), hidden=True, sizes=(1, 3)),
        Case("tensors stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "dot-scaled",
            "You divide the dot product by a square root. Luong's dot score is the plain dot "
            "product.",
            choose(dot=_scaled_dot),
        ),
        Mistake(
            "general-transposed",
            "You use W_a the wrong way round. The score is sᵀ W_a h: the rows of W_a (d_t, d_s) "
            "belong to the state.",
            choose(general=lambda state, memory, W_a, v_a: dot(state @ W_a.T, memory)),
        ),
        Mistake(
            "general-without-matrix",
            "Your general score is the plain dot product. Put W_a between: sᵀ W_a h.",
            choose(general=dot),
        ),
        Mistake(
            "general-tanh",
            "You squash the general score with tanh. Only concat has a tanh.",
            choose(general=lambda *args: torch.tanh(general(*args))),
        ),
        Mistake(
            "memory-first",
            "You join [h; s]. The columns of W_a expect the state first: [s; h].",
            choose(concat=_memory_first),
        ),
        Mistake(
            "concat-without-tanh",
            "The tanh in concat is missing: v_aᵀ tanh(W_a [s; h]).",
            choose(concat=_concat_without(lambda x: x, lambda v: v)),
        ),
        Mistake(
            "concat-without-v",
            "In concat you add up the hidden numbers. Multiply each by its entry of v_a.",
            choose(concat=_concat_without(torch.tanh, torch.ones_like)),
        ),
        Mistake(
            "concat-tanh-outside",
            "In concat you take tanh of the finished score. It belongs inside, before v_a.",
            choose(
                concat=lambda *args: torch.tanh(_concat_without(lambda x: x, lambda v: v)(*args))
            ),
        ),
        Mistake(
            "always-dot",
            "You return the dot score whatever `method` says. Look at `method` first.",
            choose(general=dot, concat=dot),
        ),
        Mistake(
            "unknown-is-dot",
            "An unknown method gets the dot score. A typing error would go unseen: raise a "
            "ValueError.",
            choose(other=dot),
        ),
        Mistake(
            "unknown-is-concat",
            "An unknown method falls through to concat. A typing error would go unseen: end with "
            "`raise ValueError`.",
            choose(other=concat),
        ),
        Mistake(
            "unknown-is-none",
            "An unknown method gives None. Raise a ValueError instead.",
            choose(other=lambda *args: None),
        ),
        Mistake(
            "key-error",
            "An unknown method raises a KeyError out of your dictionary. Raise a ValueError, with "
            "a sentence that names the methods.",
            choose(other=lambda *args: {}["method"]),
        ),
        Mistake(
            "softmax-too-early",
            "These are weights already. Return the scores; the softmax comes later.",
            _after(lambda scores: torch.softmax(scores, -1)),
        ),
        Mistake(
            "extra-axis",
            "An axis of length one is left over. The result has shape (B, S): `squeeze(-1)`.",
            _after(lambda scores: scores[..., None]),
        ),
        Mistake(
            "transposed",
            "The result is transposed: rows are sentences, columns are source positions.",
            _after(lambda scores: scores.T),
        ),
        Mistake(
            "detached",
            "No gradient flows back, so nothing could be learned. Avoid detach, .data, no_grad and "
            "NumPy between input and result.",
            _after(lambda scores: scores.detach()),
        ),
        always_float64(luong_scores),
        changes_input(luong_scores, 0, "state"),
        changes_input(luong_scores, 1, "memory"),
    ),
    hints=(
        "Write the shapes beside each of the three formulas. Which axis disappears in which "
        "product, and where does the state lack an axis?",
        "general is dot with another state: `state @ W_a`. For concat the state has to be repeated "
        "along S: `state[:, None].expand(-1, S, -1)`.",
        'torch.einsum makes them one line each: "bd,bsd->bs" for dot, "bd,de,bse->bs" for '
        "general; concat is `torch.tanh(joined @ W_a.T) @ v_a`.",
    ),
)
