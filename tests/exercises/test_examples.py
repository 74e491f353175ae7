"""The example that a task's text prints is the first case of its check."""

import doctest
import inspect

import numpy as np
import pytest
import torch

from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.judge import draw_trials
from course_lib.checker.run.blocks import Blocks
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.values import observe_value
from course_lib.exercises import CATALOGUE, TASKS
from tests.exercises.special import given as given_names
from tests.exercises.test_exercise_notebooks import read, run_answers, texts_before
from tests.exercises.test_proofs import STEMS


def recorded(answer, calls):
    """The answer, which writes down how it is called, what it returns, and how it was made."""
    if not inspect.isclass(answer):

        def called(*args, **named):
            # What comes once is written down before it is handed on.
            given = [[*one] if isinstance(one, zip) else one for one in args]
            result = answer(*map(_once, given, args), **named)
            calls.append((inspect.signature(answer).bind(*given, **named), result, None))
            return result

        return called

    class Called(answer):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            self.made = tuple(inspect.signature(answer).bind(*args, **named).arguments.values())

        def forward(self, *args, **named):
            result = super().forward(*args, **named)
            given = inspect.signature(super().forward).bind(*args, **named)
            calls.append((given, result, self.made))
            return result

    return Called


def _once(value, was):
    return iter(value) if isinstance(was, zip) else value


def plain(value):
    """A value without tensors."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(plain, value))
    return np.asarray(value) if hasattr(value, "shape") else value


def alike(one, other):
    if isinstance(one, (tuple, list)):
        return type(one) is type(other) and len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and np.allclose(one, other)
    return one == other


SPACES: dict = {}
SHAPES_ALONE = {"Translator"}  # its stub prints no number of what the call returns


def examples(stem, name):
    """The calls of the answer in the examples of its text and its stub."""
    if stem not in SPACES:
        notebook = read("solutions", stem)
        SPACES[stem] = run_answers(notebook), texts_before(notebook)
    space, texts = SPACES[stem]
    calls: list = []
    for words in (space[name].__doc__ or "", texts[name].replace("```", "")):
        names = space | {name: recorded(space[name], calls)}
        example = doctest.DocTestParser().get_doctest(words, names, name, None, None)
        doctest.DocTestRunner().run(example, out=lambda text: None)
    return calls


def test_every_task_of_the_catalogue_is_looked_at():
    asked = {name for names in TASKS.values() for name in names.split()}
    assert {name for _, name in STEMS} <= asked


@pytest.mark.parametrize(("stem", "name"), STEMS, ids=[name for _, name in STEMS])
def test_the_example_of_the_text_is_the_first_case(stem, name):
    task, calls = CATALOGUE.tasks[name], examples(stem, name)
    if name in SHAPES_ALONE:
        calls = []
    assert bool(calls) != ("example" in task.without), "an example, or the reason for none"
    first = [one for one in draw_trials(task, 0) if one.case is task.cases[0] and calls]
    assert len(first) == len(calls)
    for trial, (given, result, made) in zip(first, calls, strict=True):
        assert trial.case.is_example and not trial.case.hidden
        names = given_names(trial)
        if trial.inputs.in_blocks is not None:
            query, *pair, size = map(torch.tensor, trial.inputs.args)
            names = {"query": query, "blocks": [*Blocks(pair, int(size), stay=True)]}
            names = {name: plain(value) for name, value in names.items()}
        assert list(names) == list(given.arguments)
        for one, value in given.arguments.items():
            # A step and its state are made for the example; what comes out of them is compared.
            assert callable(value) or one == "state" or alike(plain(value), names[one]), one
        assert made is None or made == trial.inputs.init
        got = Observation(value=observe_value(result))
        assert difference(trial.expected, got, [], 1e-4) is None
