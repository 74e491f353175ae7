"""Task `additive_scores`: a small network that says how well a state and an annotation match."""

import torch

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Case, Inputs, Mistake, Sampler, Task, Transposed


def additive_scores(state, annotations, W_a, U_a, v_a):
    hidden = torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T)  # (B, S, a)
    return hidden @ v_a


def draw(s: Sampler, lengths: tuple, scale: float = 1.0, grads: bool = True) -> Inputs:
    """`lengths` is (B, S, n, m, a)."""
    batch, n_keys, n, m, a = lengths
    args = (s.floats(batch, n), s.floats(batch, n_keys, m))
    maps = (s.floats(a, n, scale=scale), s.floats(a, m, scale=scale), s.floats(a, scale=scale))
    return Inputs((*args, *maps), upstream=(s.floats(batch, n_keys),) if grads else None)


def readable(s: Sampler) -> Inputs:
    return draw(s, (*s.dims(2, low=1), *s.dims(3)), grads=False)


def equal(s: Sampler) -> Inputs:
    return draw(s, (s.size + 1,) * 5, grads=False)


def strided(s: Sampler) -> Inputs:
    state, annotations, W_a, U_a, v_a = draw(s, s.dims(5)).args
    maps = Transposed(W_a, (0, 1)), Transposed(U_a, (0, 1)), v_a
    return Inputs((state, Transposed(annotations, (1, 2)), *maps))


def _squashed_by(squash):
    def answer(state, annotations, W_a, U_a, v_a):
        return squash((state @ W_a.T)[:, None] + annotations @ U_a.T) @ v_a

    return answer


def _tanh_apart(state, annotations, W_a, U_a, v_a):
    return (torch.tanh(state @ W_a.T)[:, None] + torch.tanh(annotations @ U_a.T)) @ v_a


def _product(state, annotations, W_a, U_a, v_a):
    return torch.tanh((state @ W_a.T)[:, None] * (annotations @ U_a.T)) @ v_a


def _maps_swapped(state, annotations, W_a, U_a, v_a):
    return additive_scores(state, annotations, U_a, W_a, v_a)


def _no_new_axis(state, annotations, W_a, U_a, v_a):
    return torch.tanh(state @ W_a.T + annotations @ U_a.T) @ v_a


def _every_pair(state, annotations, W_a, U_a, v_a):
    hidden = torch.tanh((state @ W_a.T)[:, None, None] + annotations @ U_a.T)
    return hidden @ v_a


ADDITIVE_SCORES = Task(
    name="additive_scores",
    points=4,
    reference=additive_scores,
    idea=(
        "State and annotation may have different lengths, so neither a dot product nor a "
        "difference exists; two matrices bring both into the same a dimensions. There they "
        "are added, squashed by tanh, and weighed by v_a. Without the tanh the state would "
        "add the same number to all scores of a sentence, and the softmax would not notice "
        "it."
    ),
    cost=(
        "B·S·a·m multiplications for U_a h, needed once a sentence; then B·a·n + B·S·a for "
        "each step, with (B, S, a) numbers in memory."
    ),
    cases=(
        Case("one score for each annotation", readable),
        Case("a batch of one", lambda s: draw(s, (1, *s.dims(4)), grads=False)),
        Case("gradients reach all five inputs", lambda s: draw(s, s.dims(5))),
        Case("all axes equally long", equal, hidden=True),
        Case("a single annotation", lambda s: draw(s, (2, 1, *s.dims(3))), hidden=True),
        Case("large matrices", lambda s: draw(s, s.dims(5), 4.0, False), hidden=True),
        Case("tensors stored in another order", strided, hidden=True),
    ),
    mistakes=(
        Mistake(
            "no-tanh",
            "The tanh is missing: without it the state adds the same number to every score of a "
            "row, and the softmax would ignore it.",
            _squashed_by(lambda x: x),
        ),
        Mistake(
            "tanh-outside",
            "You take tanh of the finished score. It belongs inside, before v_a.",
            lambda *args: torch.tanh(_squashed_by(lambda x: x)(*args)),
        ),
        Mistake(
            "tanh-twice",
            "You take tanh of the finished score as well. It belongs inside only, before v_a.",
            lambda *args: torch.tanh(additive_scores(*args)),
        ),
        Mistake(
            "tanh-apart",
            "You squash W_a s and U_a h apart and then add. Add first: tanh(W_a s + U_a h).",
            _tanh_apart,
        ),
        Mistake("sigmoid", "You use a sigmoid. The formula has tanh.", _squashed_by(torch.sigmoid)),
        Mistake("relu", "You use a ReLU. The formula has tanh.", _squashed_by(torch.relu)),
        Mistake(
            "product",
            "You multiply W_a s with U_a h. This attention is called additive: add them.",
            _product,
        ),
        Mistake(
            "v-ignored",
            "You add up the hidden numbers and leave v_a out. Multiply each by its entry of v_a.",
            lambda state, annotations, W_a, U_a, v_a: additive_scores(
                state, annotations, W_a, U_a, torch.ones_like(v_a)
            ),
        ),
        Mistake(
            "state-ignored",
            "The state changes nothing here: the scores would be the same at every step. Add W_a s "
            "inside the tanh.",
            lambda state, *rest: additive_scores(torch.zeros_like(state), *rest),
        ),
        Mistake(
            "annotations-ignored",
            "The annotations change nothing here: all scores of a row are equal. Add U_a h inside "
            "the tanh.",
            lambda state, annotations, *rest: additive_scores(
                state, torch.zeros_like(annotations), *rest
            ),
        ),
        Mistake(
            "maps-swapped",
            "You use W_a for the annotations and U_a for the state. W_a (a, n) maps the state, "
            "U_a (a, m) the annotations.",
            _maps_swapped,
        ),
        Mistake(
            "no-new-axis",
            "W_a s is (B, a) and U_a h is (B, S, a): they do not line up. Give the first an axis "
            "for the annotations, `[:, None, :]`.",
            _no_new_axis,
        ),
        Mistake(
            "every-pair",
            "You score each state with the annotations of every sentence. A state meets only its "
            "own sentence: shape (B, S).",
            _every_pair,
        ),
        Mistake(
            "first-state",
            "You use the state of the first sentence for the whole batch. State b goes with "
            "annotations b.",
            lambda state, *rest: additive_scores(state[:1].expand_as(state), *rest),
        ),
        Mistake(
            "softmax-too-early",
            "These are weights already. Return the scores; the softmax comes in the module.",
            lambda *args: torch.softmax(additive_scores(*args), dim=-1),
        ),
        Mistake(
            "scaled",
            "You divide the scores by a square root. That belongs to scaled dot-product attention; "
            "here the scores stand as they are.",
            lambda *args: additive_scores(*args) / args[-1].shape[0] ** 0.5,
        ),
        Mistake(
            "extra-axis",
            "An axis of length one is left over. The result has shape (B, S): multiply by v_a as a "
            "vector, or `squeeze(-1)`.",
            lambda *args: additive_scores(*args)[..., None],
        ),
        Mistake(
            "transposed",
            "The result is transposed: rows are sentences, columns are annotations.",
            lambda *args: additive_scores(*args).T,
        ),
        Mistake(
            "detached",
            "No gradient flows back, so nothing could be learned. Avoid detach, .data, no_grad and "
            "NumPy between input and result.",
            lambda *args: additive_scores(*args).detach(),
        ),
        always_float64(additive_scores),
        changes_input(additive_scores, 0, "state"),
        changes_input(additive_scores, 1, "annotations"),
    ),
    hints=(
        "How long is a state, how long an annotation? What has to happen before the two can be "
        "added?",
        "Both are mapped to a numbers: `state @ W_a.T` is (B, a), `annotations @ U_a.T` is (B, "
        "S, a). The first needs an axis for S before they are added.",
        "hidden = torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T), then `hidden @ v_a`.",
    ),
)
