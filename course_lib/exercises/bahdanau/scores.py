"""Task `additive_scores`: a small network that says how well a state and an annotation match."""

import torch

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import (
    EQUAL,
    OF_ONE,
    ORDER,
    always_float64,
    changes_input,
    family,
    stored,
)


def additive_scores(state, annotations, W_a, U_a, v_a):
    """State and annotation may have different lengths, so neither a dot product nor a difference
    exists; two matrices bring both into the same a dimensions. There they are added, squashed by
    tanh, and weighed by v_a. Without the tanh the state would add the same number to all scores of
    a sentence, and the softmax would not notice it.

    Cost: B·S·a·m multiplications for U_a h, needed once a sentence; then B·a·n + B·S·a for each
    step, with (B, S, a) numbers in memory."""
    hidden = torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T)  # (B, S, a)
    return hidden @ v_a


def draw(s: Sampler, lengths: tuple, scale: float = 1.0, grads: bool = True) -> Inputs:
    """`lengths` is (B, S, n, m, a)."""
    batch, n_keys, n, m, a = lengths
    args = (s.floats(batch, n), s.floats(batch, n_keys, m))
    maps = (s.floats(a, n, scale=scale), s.floats(a, m, scale=scale), s.floats(a, scale=scale))
    return Inputs((*args, *maps), upstream=(s.floats(batch, n_keys),) if grads else None)


case = Cases()
case(
    "one score for each annotation", lambda s: draw(s, (*s.dims(2, low=1), *s.dims(3)), grads=False)
)
case("a batch of one", lambda s: draw(s, (1, *s.dims(4)), grads=False), perhaps=OF_ONE)
case("gradients reach all five inputs", lambda s: draw(s, s.dims(5)))
case.hidden(
    "all axes equally long", lambda s: draw(s, (s.size + 1,) * 5, grads=False), perhaps=EQUAL
)
case.hidden("a single annotation", lambda s: draw(s, (2, 1, *s.dims(3))), perhaps=OF_ONE)
case.hidden("large matrices", lambda s: draw(s, s.dims(5), 4.0, False))
case.hidden(
    "tensors stored in another order",
    lambda s: stored(draw(s, s.dims(5)).args, None, (1, 2), (0, 1), (0, 1), None),
    perhaps=ORDER,
)


MISTAKES = Mistakes(additive_scores)
MISTAKES.change(
    "summed-over-positions", "return hidden @ v_a", "return (hidden * v_a).sum(1)"
).says(
    """
    You sum over the positions. The sum runs over the a features, the last axis: `hidden @ v_a`.
"""
)
MISTAKES.change("no-tanh", "torch.tanh(", "(").says("""
    The tanh is missing: without it the state adds the same number to every score of a row, and the
    softmax would ignore it.
""")
MISTAKES.change(
    "tanh-outside", "torch.tanh(", "(", "hidden @ v_a", "torch.tanh(hidden @ v_a)"
).says("""
    You take tanh of the finished score. It belongs inside, before v_a.
""")
MISTAKES.change("tanh-twice", "hidden @ v_a", "torch.tanh(hidden @ v_a)").says("""
    You take tanh of the finished score as well. It belongs inside only, before v_a.
""")
MISTAKES.change(
    "tanh-apart",
    "torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T)",
    "torch.tanh(state @ W_a.T)[:, None] + torch.tanh(annotations @ U_a.T)",
).says("""
    You squash W_a s and U_a h apart and then add. Add first: tanh(W_a s + U_a h).
""")
MISTAKES.change("sigmoid", "torch.tanh", "torch.sigmoid").says(
    "You use a sigmoid. The formula has tanh."
)
MISTAKES.change("relu", "torch.tanh", "torch.relu").says("You use a ReLU. The formula has tanh.")
MISTAKES.change("product", "+ annotations @ U_a.T", "* (annotations @ U_a.T)").says("""
    You multiply W_a s with U_a h. This attention is called additive: add them.
""")
MISTAKES.change("v-ignored", "hidden @ v_a", "hidden.sum(-1)").says("""
    You add up the hidden numbers and leave v_a out. Multiply each by its entry of v_a.
""")
MISTAKES.change("state-ignored", "(state @", "(0 * state @").says("""
    The state changes nothing here: the scores would be the same at every step. Add W_a s inside the
    tanh.
""")
MISTAKES.change("annotations-ignored", "+ annotations", "+ 0 * annotations").says("""
    The annotations change nothing here: all scores of a row are equal. Add U_a h inside the tanh.
""")
MISTAKES.change(
    "maps-swapped", "state @ W_a", "state @ U_a", "annotations @ U_a", "annotations @ W_a"
).says("""
    You use W_a for the annotations and U_a for the state. W_a (a, n) maps the state, U_a (a, m) the
    annotations.
""")
MISTAKES.change("no-new-axis", "[:, None]", "").says("""
    W_a s is (B, a) and U_a h is (B, S, a): they do not line up. Give the first an axis for the
    annotations, `[:, None, :]`.
""")
MISTAKES.change("every-pair", "[:, None]", "[:, None, None]").says("""
    You score each state with the annotations of every sentence. A state meets only its own
    sentence: shape (B, S).
""")
MISTAKES.change("first-state", "(state @", "(state[:1].expand_as(state) @").says("""
    You use the state of the first sentence for the whole batch. State b goes with annotations b.
""")
MISTAKES.change("softmax-too-early", "hidden @ v_a", "torch.softmax(hidden @ v_a, dim=-1)").says("""
    These are weights already. Return the scores; the softmax comes in the module.
""")
MISTAKES.change("scaled", "hidden @ v_a", "hidden @ v_a / len(v_a) ** 0.5").says("""
    You divide the scores by a square root. That belongs to scaled dot-product attention; here the
    scores stand as they are.
""")
MISTAKES.change("extra-axis", "hidden @ v_a", "(hidden @ v_a)[..., None]").says("""
    An axis of length one is left over. The result has shape (B, S): multiply by v_a as a vector, or
    `squeeze(-1)`.
""")
MISTAKES.change("all-squeezed", "hidden @ v_a", "(hidden @ v_a).squeeze()").says("""
    `squeeze()` drops every axis of length one, also that of a single sentence or word. Name the
    axis: `squeeze(-1)`.
""")
MISTAKES.change("transposed", "hidden @ v_a", "(hidden @ v_a).T").says("""
    The result is transposed: rows are sentences, columns are annotations.
""")
MISTAKES.change("detached", "hidden @ v_a", "(hidden @ v_a).detach()").says("""
    No gradient flows back, so nothing could be learned. Avoid `.item()`, detach, .data, no_grad
    and NumPy between input and result.
""")
MISTAKES.change("mean", "hidden @ v_a", "(hidden * v_a).mean(-1)").says(
    "You take the mean over the hidden numbers. v_aᵀ x is a sum."
)
MISTAKES.change(
    "dot-product",
    "hidden = torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T)",
    "return (annotations @ U_a.T @ (state @ W_a.T)[..., None])[..., 0]",
).says("""
    You multiply W_a s with U_a h and add up, a dot product. This attention is called additive: add
    the two, then tanh, then v_a.
""")
family(
    MISTAKES,
    """You take the largest, or the softmax, of the hidden numbers. The score is v_aᵀ tanh(…): each
    times its entry of v_a, and all of them added up.""",
    largest=("hidden @ v_a", "(hidden * v_a).amax(-1)"),
    softmaxed=("hidden @ v_a", "torch.softmax(hidden, -1) @ v_a"),
)
always_float64(MISTAKES)
changes_input(MISTAKES, "state", "annotations")


HINTS = (
    "How long is a state, how long an annotation? What has to happen before the two can be added?",
    "Both are mapped to a numbers: `state @ W_a.T` is (B, a), `annotations @ U_a.T` is (B, S, a). "
    "The first needs an axis for S before they are added.",
    "Add `(state @ W_a.T)[:, None]` and `annotations @ U_a.T`. What is left is a tanh, and one "
    "product with v_a.",
)
ADDITIVE_SCORES = task(MISTAKES, 3, case.all, HINTS)
