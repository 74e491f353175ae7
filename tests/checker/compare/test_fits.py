"""Two arrays that do not fit: the sentence names the student's own line and what makes them fit."""

import pytest
import torch

from course_lib.checker.compare.fits import fits
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.inputs import Observation
from course_lib.checker.tasks import Case, Task


def product(x, weights, rows):
    """(B, S, d), (B, S), (d, m)."""
    return (weights[:, None] @ x)[:, 0] @ rows


def draw(s):
    b, n, d, m = s.dims(4)
    return s.floats(b, n, d), s.floats(b, n), s.floats(d, m)


TASK = Task("product", 1, product, (Case("any", draw),), (), ("a", "b", "c"))


def diagnosis(answer, task=TASK):
    trials = draw_trials(task, 0)
    return str(judge(task, trials, observe(answer, trials)).diagnosis)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x, w, rows: x @ rows.T, "Turned round, `rows.T` fits: `rows`."),
        (lambda x, w, rows: x.transpose(1, 2) @ rows, "fits: `x`."),
        (lambda x, w, rows: rows @ x, "the other order"),
        (lambda x, w, rows: x.T @ rows, "turns all axes round"),
        (lambda x, w, rows: rows[:, 0] @ x, "the other order they fit: `x @ rows[:, 0]`"),
        (lambda x, w, rows: w[:, None, :, None] @ x, "still has an axis of length one"),
        (lambda x, w, rows: x @ w, "as in `w[:, None] @ x`"),
        (lambda x, w, rows: torch.matmul(x, x.sum(1)), "as in `x @ x.sum(1)[..., None]`"),
        (lambda x, w, rows: (w * x).sum(1) @ rows, "`w[..., None]`"),
        (lambda x, w, rows: (w[:, None] * x).sum(1) @ rows, "belongs where the other has its last"),
        (lambda x, w, rows: w[0] * rows[:, 0], "must be a column"),
    ],
)
def test_what_would_fit_is_said_of_the_line(answer, words):
    said = diagnosis(answer)
    if "`x.transpose(1, 2)`" in said:  # the change is taken back
        words = "Turned round"
    assert words in said, said


def test_where_nothing_fits_nothing_is_said():
    assert not fits([Observation(error="ValueError", shapes="`x` (2, 3) @ `y` (5, 7)")], "numpy")
    assert not fits([Observation(error="ValueError", shapes="`x` (2, 3), `y` (3, 5)")], "numpy")
    assert not fits([], "numpy")


def test_what_fits_in_one_draw_by_chance_is_not_said():
    chance = Observation(error="ValueError", shapes="`x` (2, 3) @ `y` (5, 3)")
    other = Observation(error="ValueError", shapes="`x` (2, 3) @ `y` (5, 7)")
    assert "Turned round" in str(fits([chance], "numpy"))
    assert not fits([chance, other], "numpy")


def test_the_line_is_not_run_again_where_that_may_have_an_effect():
    calls = []

    def written(x):
        calls.append(x)
        return x

    diagnosis(lambda x, w, rows: written(x) @ rows.T)
    trials = draw_trials(TASK, 0)
    assert len(calls) == len(trials)


def test_axes_that_are_counted_from_the_front_are_told_so():
    """With heads `transpose(1, 2)` exchanges the heads and the keys."""
    shapes = "`q` (2, 3, 5, 4) @ `k.transpose(1, 2)` (2, 7, 3, 4)"
    said = fits([Observation(error="RuntimeError", shapes=shapes)], "torch")
    assert said and said.endswith("Count from the end: `k.transpose(-2, -1)`.")
    other = shapes.replace("(2, 7, 3, 4)", "(2, 7, 6, 4)")  # from the end it would not fit either
    assert not fits([Observation(error="RuntimeError", shapes=other)], "torch")
