"""No answer passes that remembers an earlier call of the same shapes, function or module."""

import functools
import inspect

import pytest

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE

pytestmark = pytest.mark.usefixtures("as_a_user")


def shapes(values):
    return tuple(
        (str(one.dtype), tuple(one.shape)) if hasattr(one, "shape") else repr(one) for one in values
    )


def remembering(function):
    """The function, but for inputs of the same shapes what it gave the first time."""
    kept = {}

    @functools.wraps(function)
    def answer(*args, **kwargs):
        key = shapes((*args, *kwargs.values()))
        if key not in kept:
            kept[key] = function(*args, **kwargs)
        return kept[key]

    return answer


def module_that_remembers(kind):
    class Remembers(kind):
        def __init__(self, *args):
            super().__init__(*args)
            vars(self)["forward"] = remembering(super().forward)

    return Remembers


MODULES = [name for name, one in CATALOGUE.tasks.items() if inspect.isclass(one.reference)]


@pytest.mark.parametrize("name", MODULES)
def test_a_module_that_remembers_by_shape_is_refused(name):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 0)
    report = judge(task, trials, observe(module_that_remembers(task.reference), trials))
    assert not report.passed, name


@pytest.mark.parametrize("name", ["softmax", "attend", "causal_attention", "split_heads"])
def test_a_function_that_remembers_by_shape_is_refused(name):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 0) + draw_trials(task, 1)
    report = judge(task, trials, observe(remembering(task.reference), trials))
    assert not report.passed, name
