"""What goes wrong in `additive_scores`, in the order in which it is looked for."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.bahdanau.scores.task import additive_scores
from course_lib.exercises.common import always_float64, changes_input, family

MISTAKES = Mistakes(additive_scores, globals())
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
family(
    MISTAKES,
    "You use a sigmoid, a ReLU or a hardtanh. The formula has tanh.",
    sigmoid=("torch.tanh", "torch.sigmoid"),
    relu=("torch.tanh", "torch.relu"),
    hardtanh=("torch.tanh", "torch.nn.functional.hardtanh"),
)
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
