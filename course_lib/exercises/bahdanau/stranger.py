"""Task `repair_additive_scores`: a stranger's additive scores, right but for one line."""

from course_lib.exercises.bahdanau.scores import ADDITIVE_SCORES
from course_lib.exercises.stranger_forms.repair import repair_of, repair_task
from course_lib.exercises.stranger_forms.shown import ShownProgram, Wrong

STATE, WORDS = "of_state = state @ W_a.T", "of_words = annotations @ U_a.T"
TOGETHER, HIDDEN = "together = of_state[:, None] + of_words", "hidden = torch.tanh(together)"
SCORES = "return hidden @ v_a"
PROGRAM = ShownProgram(
    "additive_scores",
    f"""
def additive_scores(state, annotations, W_a, U_a, v_a):
    {STATE}  # (B, a)
    {WORDS}  # (B, S, a)
    {TOGETHER}  # (B, S, a)
    {HIDDEN}  # (B, S, a)
    {SCORES}  # (B, S)
""",
    {
        "first-state": Wrong(
            STATE,
            "of_state = (state @ W_a.T)[:1]",
            "You use the state of the first sentence for the whole batch. State b goes with "
            "annotations b.",
        ),
        "tanh-of-the-state": Wrong(
            STATE,
            "of_state = torch.tanh(state @ W_a.T)",
            "You squash W_a s before U_a h is added. Add first: tanh(W_a s + U_a h).",
        ),
        "tanh-of-the-words": Wrong(
            WORDS,
            "of_words = torch.tanh(annotations) @ U_a.T",
            "You squash the annotations before U_a maps them. The tanh is taken of the sum.",
        ),
        "product": Wrong(
            TOGETHER,
            "together = of_state[:, None] * of_words",
            "You multiply W_a s with U_a h. This attention is called additive: add them.",
        ),
        "no-new-axis": Wrong(
            TOGETHER,
            "together = of_state + of_words",
            "W_a s is (B, a) and U_a h is (B, S, a): they do not line up. Give the first an axis "
            "for the annotations.",
        ),
        "state-ignored": Wrong(
            TOGETHER,
            "together = torch.zeros_like(of_state)[:, None] + of_words",
            "The state changes nothing here: the scores would be the same at every step.",
        ),
        "sigmoid": Wrong(
            HIDDEN,
            "hidden = torch.sigmoid(together)",
            "You use a sigmoid. The formula has tanh.",
        ),
        "mean": Wrong(
            SCORES,
            "return (hidden * v_a).mean(-1)",
            "You take the mean over the hidden numbers. v_aᵀ x is a sum.",
        ),
        "scaled": Wrong(
            SCORES,
            "return hidden @ v_a / len(v_a) ** 0.5",
            "You divide the scores by a square root. That belongs to scaled dot-product attention.",
        ),
        "softmax-too-early": Wrong(
            SCORES,
            "return torch.softmax(hidden @ v_a, dim=-1)",
            "These are weights already. Return the scores; the softmax comes in the module.",
        ),
    },
)


def repair_additive_scores():
    """A program of five lines is found wrong by five questions: what should each line give, in
    words and in shape? The formula v_aᵀ tanh(W_a s + U_a h) has five parts, and each line makes
    one: W_a s, U_a h, their sum, its tanh, and the product with v_a. The line whose part is another
    one is to be replaced, and no other: what was right stays."""
    return repair_of(PROGRAM, "anybody")


REPAIR = repair_task(
    PROGRAM,
    ADDITIVE_SCORES,
    (
        "the example of the text",
        "one score for each annotation",
        "a batch of one",
        "all axes equally long",
        "large matrices",
    ),
    repair_additive_scores,
    (
        "The formula is v_aᵀ tanh(W_a s + U_a h). Which line makes which part of it?",
        "Write the shape and the formula beside each line: W_a s is (B, a), U_a h is (B, S, a), "
        "the sum and its tanh are (B, S, a), the scores (B, S).",
        f"Right are `{STATE}`, `{WORDS}`, `{TOGETHER}`, `{HIDDEN}` and `{SCORES}`. Compare.",
    ),
    "Reading five lines.",
)
