"""A wrong result that is right for other inputs, or wrong in places that say what happened."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.tasks import Case, Inputs, Task
from course_lib.exercises import CATALOGUE


def scaled(x, y, mask, factor):
    """(n, m), (n, m), (n, m), a float → (n, m)."""
    return np.where(mask, x * np.exp(y), 0) / factor


def draw(s):
    shape = s.dims(2, low=3)
    return s.floats(*shape), s.floats(*shape), s.mask(*shape), 0.25 + s.rng.random()


TASK = Task("scaled", 1, scaled, (Case("any", draw),), (), ("a", "b", "c"), library="numpy")


def diagnosis(answer, task=TASK):
    trials = draw_trials(task, 0)
    return judge(task, trials, observe(answer, trials)).diagnosis or ""


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x, y, mask, f: scaled(y, x, mask, f), "`x` and `y` were exchanged"),
        (lambda x, y, mask, f: scaled(x, x, mask, f), "`y` were `x`"),
        (lambda x, y, mask, f: scaled(x, y, ~mask, f), "`mask` had True for False"),
        (lambda x, y, mask, f: scaled(x, y, mask | True, f), "`mask` were True everywhere"),
        (lambda x, y, mask, f: scaled(x, 0 * y, mask, f), "`y` were all zeros"),
        (lambda x, y, mask, f: scaled(x, -y, mask, f), "`y` were minus itself"),
        (lambda x, y, mask, f: scaled(x, np.tanh(y), mask, f), "`y` went through a tanh"),
        (lambda x, y, mask, f: scaled(x, y[:1] + 0 * y, mask, f), "the first of `y`"),
        (lambda x, y, mask, f: scaled(x, y.cumsum(0), mask, f), "the sum of all up to it"),
        (
            lambda x, y, mask, f: scaled(x, np.hstack([0 * y[:, :1], y[:, 1:]]), mask, f),
            "the first number of each row of `y` were 0. Perhaps a loop over a row begins at 1",
        ),
        (
            lambda x, y, mask, f: scaled(x, np.hstack([y[:, :-1], 0 * y[:, -1:]]), mask, f),
            "the last number of each row of `y` were 0. Perhaps a loop over a row ends one",
        ),
        (lambda x, y, mask, f: scaled(x, y.mean(0) + 0 * x, mask, f), "the mean of all"),
        (lambda x, y, mask, f: scaled(x, np.roll(y, 1, 0), mask, f), "what stands before it"),
        (lambda x, y, mask, f: scaled(x, np.roll(y, -1, 0), mask, f), "what stands behind it"),
        (lambda x, y, mask, f: scaled(x, y, mask, 1), "factor, not the same for all inputs"),
        (lambda x, y, mask, f: scaled(x, y, mask, f) + 0.1 * x * y, ""),
    ],
)
def test_the_other_inputs_are_named(answer, words):
    said = diagnosis(answer)
    assert words in said and bool(words) == bool(said), said


def labels(ids, end_id, pad_id):
    """int64 (B, T) → with END behind the words of each row."""
    more = np.concatenate([ids, np.full((len(ids), 1), pad_id)], axis=1)
    more[np.arange(len(ids)), (ids != pad_id).sum(1)] = end_id
    return more


def sentences(s):
    ids = s.integers(10, 60, s.size + 2, s.size + 2)
    ids[np.arange(s.size + 2) > s.integers(1, s.size + 1, s.size + 2)[:, None]] = 0
    return Inputs((ids, 3, 0))


LABELS = Task("labels", 1, labels, (Case("any", sentences),), (), ("a", "b", "c"), library="numpy")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            lambda ids, end, pad: np.where(
                labels(ids, end, pad) == end, pad, labels(ids, end, pad)
            ),
            "places where `end_id` is right and `pad_id` stands; all else is right",
        ),
        (lambda ids, end, pad: labels(ids, 9, pad), "`end_id` is right and 9 stands"),
        (lambda ids, end, pad: np.repeat(labels(ids, end, pad), 2, axis=0), "one loop too deep"),
        (
            lambda ids, end, pad: np.concatenate(
                [labels(ids, end, pad)[:1] + 1, labels(ids, end, pad)[1:]]
            ),
            "but for the first",
        ),
        (
            lambda ids, end, pad: np.concatenate(
                [labels(ids, end, pad)[:1], labels(ids, end, pad)[1:] * 2 + 1]
            ),
            "for every other",
        ),
        (lambda ids, end, pad: labels(ids, end, pad).reshape(-1, len(ids)).T, ""),
    ],
)
def test_the_places_say_what_happened(answer, words):
    assert words in diagnosis(answer, LABELS)


def test_few_numbers_that_reshape_has_mixed_are_told():
    case = Case("any", lambda s: (s.integers(0, 40, s.size + 2, s.size + 3),))
    task = Task("rest", 1, lambda x: x % 4, (case,), (), ("a", "b", "c"), library="numpy")
    assert "Perhaps `reshape`" in diagnosis(lambda x: (x % 4).T.reshape(x.shape), task)


def moments(columns, step):
    return (columns + 0.5) * step


def _of_step(step, name="any", **choices):
    return Case(f"{name} {step}", lambda s: (s.floats(2, 3), step), **choices)


@pytest.mark.parametrize(
    ("steps", "answer", "told"),
    [
        ((0.5, 0.02, 0.02), lambda c, step: moments(c, 0.02), "if `step` were 0.02, which it is"),
        ((0.5, 0.02, 0.04), lambda c, step: moments(c, min(step, 0.04)), ""),  # two are right
        ((0.5, 0.02, 0.02), lambda c, step: moments(c, step) if step < 0.1 else c, ""),
    ],
)
def test_a_number_that_stands_in_the_code_is_told(steps, answer, told):
    cases = tuple(_of_step(step, f"case {i}") for i, step in enumerate(steps))
    task = Task("moments", 1, moments, cases, (), ("a", "b", "c"), library="numpy")
    said = diagnosis(answer, task)
    assert (told in said) if told else "which it is wherever" not in said, said


def test_a_number_of_hidden_cases_is_not_told():
    cases = (_of_step(0.5), _of_step(0.02, hidden=True))
    task = Task("moments", 1, moments, cases, (), ("a", "b", "c"), library="numpy")
    assert "0.02" not in diagnosis(lambda c, step: moments(c, 0.02), task)


def test_numbers_in_the_wrong_places_are_told():
    def mixed(x, y, mask, factor):
        right = scaled(x, y, mask | True, factor)
        return right.T.reshape(right.shape)

    task = Task(
        "scaled",
        1,
        lambda *args: scaled(args[0], args[1], True, args[3]),
        TASK.cases,
        (),
        ("a", "b", "c"),
        library="numpy",
    )
    assert "`swapaxes`" in diagnosis(mixed, task)


def by_name(s):
    x, y, mask, factor = draw(s)
    return Inputs((x, y), {"mask": mask, "factor": factor})


def test_an_argument_that_is_given_by_name_is_looked_at():
    task = Task("scaled", 1, scaled, (Case("by name", by_name),), (), ("a",), library="numpy")
    said = diagnosis(lambda x, y, mask, factor: scaled(x, y, ~mask, factor), task)
    assert "`mask` had True for False" in said


def square_or_not(s):
    rows = 3 + s.size
    return s.floats(rows, rows + (s.size == 1)), s.floats(rows + (s.size == 1), 2)


@pytest.mark.parametrize(
    ("turn", "told"),
    [(lambda a: a.T if a.shape[0] == a.shape[1] else a, True), (lambda a: a[::-1], False)],
)
def test_a_transpose_between_equal_lengths_is_told(turn, told):
    case = Case("any", square_or_not)
    task = Task("product", 1, lambda a, b: a @ b, (case,), (), ("a",), library="numpy")
    said = diagnosis(lambda a, b: turn(a) @ b, task)
    assert ("`a` were transposed where its last two axes are equally long" in said) is told, said


def test_an_argument_of_which_nothing_is_wrong_is_not_named():
    task = Task("scaled", 1, scaled, (Case("by name", by_name),), (), ("a",), library="numpy")
    said = diagnosis(lambda x, y, mask, factor: scaled(x, y, mask, factor) + 0.1 * x * y, task)
    assert not said


def test_what_holds_where_the_answer_is_wrong_is_said_of_there_alone():
    """The mask is used where there are few rows: that it has no part would be false."""
    said = diagnosis(lambda x, y, mask, f: scaled(x, y, mask if len(x) < 5 else mask | True, f))
    assert said.startswith("Where yours is wrong, what you return would be right if `mask`"), said
    assert "no part" not in said


def product_and_sum(a, b, c):
    return 2 * a * b + c


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda a, b, c: 2 * a * (b - 1) + c, "`b` were one less"),
        (lambda a, b, c: 2 * a * b * b + c, "`b` were squared"),
        (lambda a, b, c: 2 * a * b + 7 * c + 3, ""),
    ],
)
def test_another_whole_number_is_told_by_what_it_makes(answer, words):
    """Of three trials each asks for another number: one answer by chance is not enough."""
    cases = (Case("any", lambda s: s.dims(3, low=5)),)
    task = Task("bytes", 1, product_and_sum, cases, (), ("a",), library="numpy")
    said = diagnosis(answer, task)
    assert words in said and bool(words) == bool(said), said


def test_whole_numbers_that_are_few_say_nothing():
    """One trial, one number: some change of some argument makes it by chance."""
    case = Case("any", lambda s: s.dims(3, low=5), sizes=(1,), dtypes=("float64",))
    task = Task("bytes", 1, product_and_sum, (case,), (), ("a",), library="numpy")
    assert not diagnosis(lambda a, b, c: 2 * a * (b - 1) + c, task)


class Two(nn.Module):
    def __init__(self, size, one="one", two="two"):
        super().__init__()
        self.one, self.two = nn.Linear(size, size), nn.Linear(size, size)
        self.way = one, two

    def forward(self, x):
        first, second = (getattr(self, name) for name in self.way)
        return second(torch.tanh(first(x)))


class OneLayer(Two):
    def __init__(self, size):
        super().__init__(size)
        self.one = self.two


class Exchanged(Two):
    def __init__(self, size):
        super().__init__(size, "two", "one")


class WithoutTanh(Two):
    def forward(self, x):
        return self.two(self.one(x))


def of_two_layers(s):
    names = [f"{name}.{part}" for name in ("one", "two") for part in ("weight", "bias")]
    state = {name: s.floats(*[3] * (1 + name.endswith("weight"))) for name in names}
    return Inputs((s.floats(s.size + 1, 3),), init=(3,), state=state)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (OneLayer, "if `one` were `two`. Perhaps both are one layer, as `self.one = self.two = …`"),
        (Exchanged, "if `one` and `two` were exchanged."),
        (WithoutTanh, ""),
    ],
)
def test_layers_that_have_the_numbers_of_others_are_told(answer, words):
    case = Case("any", of_two_layers, dtypes=("float64",))
    said = diagnosis(answer, Task("Two", 1, Two, (case,), (), ("a", "b", "c")))
    assert words in said and ("`one`" in said) is bool(words), said


def largest(weights, words):
    """(T, S), S words → of each row the word at its largest weight."""
    return [words[i] for i in weights.argmax(1)]


def test_a_list_that_is_right_for_other_numbers_is_told():
    words = [chr(97 + i) for i in range(9)]
    case = Case("any", lambda s: (s.weights(8, 9), words), dtypes=("float64",))
    task = Task("largest", 1, largest, (case,), (), ("a", "b", "c"), library="numpy")
    late = lambda weights, words: largest(weights * (np.arange(9) > 0), words)  # noqa: E731
    assert "first number of each row of `weights` were 0" in diagnosis(late, task)
    assert not diagnosis(lambda weights, words: words[: len(weights)], task)


@pytest.mark.parametrize("name", ["streaming_attention", "scaled_dot_product_attention"])
def test_a_right_result_is_explained_by_no_argument(name):
    task = CATALOGUE.tasks[name]

    def answer(*args, **named):
        found = task.reference(*args, **named)
        context = found[0] if isinstance(found, tuple) else found
        other = context + 0.5 * (context - context.detach())  # as large, with another gradient
        return (other, *found[1:]) if isinstance(found, tuple) else other

    said = diagnosis(answer, task)
    assert said is not None and "gradient" in said and "would be right" not in said
