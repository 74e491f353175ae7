"""What goes wrong in `luong_scores`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, family
from course_lib.exercises.luong.scores.task import luong_scores

MISTAKES = Mistakes(luong_scores, globals())
MISTAKES.change(
    "dot-scaled",
    "@ state[..., None])[..., 0]",
    "@ state[..., None])[..., 0] / state.shape[-1] ** 0.5",
).says("""
    You divide the dot product by a square root. Luong's dot score is the plain dot product.
""")
MISTAKES.change("general-transposed", "(state @ W_a)", "(state @ W_a.T)").says("""
    You use W_a the wrong way round. The score is sᵀ W_a h: the rows of W_a (d_t, d_s) belong to the
    state.
""")
MISTAKES.change("always-true", 'method == "general":', 'method == "general" or "other":').says("""
    `method == "general" or "other"` is always true, since a text that is not empty counts as True,
    so "concat" is never reached. Write `method in ("general", "other")`.
""")
MISTAKES.change("general-without-matrix", "(state @ W_a)", "state").says("""
    Your general score is the plain dot product. Put W_a between: sᵀ W_a h.
""")
MISTAKES.change(
    "general-tanh",
    "(memory @ (state @ W_a)[..., None])[..., 0]",
    "torch.tanh(memory @ (state @ W_a)[..., None])[..., 0]",
).says("""
    You squash the general score with tanh. Only concat has a tanh.
""")
MISTAKES.change("memory-first", "[states, memory]", "[memory, states]").says("""
    You join [h; s]. The columns of W_a expect the state first: [s; h].
""")
MISTAKES.change("concat-without-tanh", "torch.tanh(", "(").says(
    "The tanh in concat is missing: v_aᵀ tanh(W_a [s; h])."
)
MISTAKES.change("concat-without-v", "hidden @ v_a", "hidden.sum(-1)").says("""
    In concat you add up the hidden numbers. Multiply each by its entry of v_a.
""")
MISTAKES.change(
    "concat-tanh-apart",
    "torch.tanh(torch.cat([states, memory], dim=-1) @ W_a.T)",
    "(states @ W_a[:, : (n := state.shape[1])].T).tanh() + (memory @ W_a[:, n:].T).tanh()",
).says("""
    In concat you take tanh of two halves and add. Add first: one tanh of all of W_a [s; h].
""")
MISTAKES.change(
    "concat-tanh-outside", "torch.tanh(", "(", "hidden @ v_a", "torch.tanh(hidden @ v_a)"
).says("""
    In concat you take tanh of the finished score. It belongs inside, before v_a.
""")
MISTAKES.change("always-dot", 'if method == "dot":', "if method in METHODS:").says("""
    You return the dot score whatever `method` says. Look at `method` first.
""")
MISTAKES.change(
    "unknown-is-dot", 'if method == "dot":', 'if method not in ("general", "concat"):'
).says("""
    An unknown method gets the dot score. A typing error would go unseen: raise a ValueError.
""")
MISTAKES.change("unknown-is-concat", 'method != "concat"', "False").says("""
    An unknown method falls through to concat. A typing error would go unseen: end with `raise
    ValueError`.
""")
MISTAKES.change(
    "unknown-is-none", 'raise ValueError("method is none of dot, general, concat")', "return None"
).says("An unknown method gives None. Raise a ValueError instead.")
MISTAKES.change(
    "key-error", 'raise ValueError("method is none of dot, general, concat")', 'return {}["method"]'
).says("""
    An unknown method raises a KeyError, as a dictionary does for what it lacks. Raise a ValueError
    instead.
""")
MISTAKES.by(
    "softmax-too-early", lambda *args, **named: torch.softmax(luong_scores(*args, **named), -1)
).says("""
    These are weights already. Return the scores; the softmax comes later.
""")
MISTAKES.by("extra-axis", lambda *args, **named: luong_scores(*args, **named)[..., None]).says("""
    An axis of length one is left over. The result has shape (B, S): `squeeze(-1)`.
""")
sentence = """
    `squeeze()` drops every axis of length one, also that of a single sentence or word. Name the
    one that you mean, as in `squeeze(1)`.
"""
MISTAKES.by("all-squeezed", lambda *args, **named: luong_scores(*args, **named).squeeze()).says(
    sentence
)
MISTAKES.change(
    "dot-and-general-squeezed",
    "state[..., None])[..., 0]",
    "state[..., None]).squeeze()",
    "W_a)[..., None])[..., 0]",
    "W_a)[..., None]).squeeze()",
).says(sentence)
MISTAKES.by("transposed", lambda *args, **named: luong_scores(*args, **named).T).says("""
    The result is transposed: rows are sentences, columns are source positions.
""")
MISTAKES.by("detached", lambda *args, **named: luong_scores(*args, **named).detach()).says("""
    No gradient flows back, so nothing could be learned. Avoid `.item()`, detach, .data, no_grad
    and NumPy between input and result.
""")
family(
    MISTAKES,
    """Each score is summed over all sentences of the batch. A state meets its own memory alone:
    both keep the same letter for the batch, as in `einsum("bd,bsd->bs", …)`.""",
    all_memories_dot=("memory @ state[", "memory.sum(0, keepdim=True) @ state["),
    all_memories=("memory @ (state @ W_a)[", "memory.sum(0, keepdim=True) @ (state @ W_a)["),
    all_memories_in_both=(
        "memory @ state[",
        "memory.sum(0, keepdim=True) @ state[",
        "memory @ (state @ W_a)[",
        "memory.sum(0, keepdim=True) @ (state @ W_a)[",
    ),
)
MISTAKES.change("concat-sigmoid", "torch.tanh(", "torch.sigmoid(").says("""
    You use a sigmoid in concat. The formula has tanh.
""")
MISTAKES.change("concat-relu", "torch.tanh(", "torch.relu(").says("""
    You use a ReLU in concat. The formula has tanh.
""")
MISTAKES.change(
    "concat-added",
    "torch.cat([states, memory], dim=-1) @ W_a.T",
    "states @ W_a[:, : state.shape[1]].T",
).says("""
    The memory changes nothing in your concat: all scores of a row are equal. Join [s; h].
""")
MISTAKES.change("concat-scaled", "hidden @ v_a", "hidden @ v_a / len(v_a) ** 0.5").says("""
    You divide the concat score by a square root. Luong's scores are not scaled.
""")
MISTAKES.change("concat-mean", "hidden @ v_a", "(hidden * v_a).mean(-1)").says("""
    In concat you take the mean over the hidden numbers. v_aᵀ x is a sum.
""")
MISTAKES.change(
    "general-scaled",
    "(state @ W_a)[..., None])[..., 0]",
    "(state @ W_a)[..., None])[..., 0] / memory.shape[-1] ** 0.5",
).says("""
    You divide the general score by a square root. Luong's scores are not scaled.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "state", "memory")
