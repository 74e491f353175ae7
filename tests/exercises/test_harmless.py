"""The reference with one change that is no mistake of the task's gets no mistake's sentence."""

import inspect

import numpy as np
import pytest
import torch

from course_lib.checker.compare.diagnosis import DTYPE
from course_lib.checker.compare.difference import RIGHT_NUMBERS
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE
from course_lib.exercises.common import TWO_CALLS

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
TASKS = [
    name
    for name, one in CATALOGUE.tasks.items()
    if not one.judge
    and all(
        trial.inputs.examiner in (None, TWO_CALLS) or trial.inputs.init is not None
        for trial in draw_trials(one, 0)
    )
]


def deep(value, change):
    if type(value) in (tuple, list):
        return type(value)(deep(one, change) for one in value)
    is_array = isinstance(value, np.ndarray | np.floating) and value.dtype.kind == "f"
    is_tensor = isinstance(value, torch.Tensor) and value.is_floating_point()
    return change(value) if is_array or is_tensor else value


def to(name):
    numpy, other = getattr(np, name), getattr(torch, name)
    return lambda x: x.to(other) if isinstance(x, torch.Tensor) else x.astype(numpy)


def copied(x):
    return x.clone() if isinstance(x, torch.Tensor) else x.copy()


def stored_otherwise(x):
    return x if x.ndim < 2 else copied(x.swapaxes(0, -1)).swapaxes(0, -1)


def last_digit(x):
    return x * (1 + 1e-7 if x.dtype in (np.float32, torch.float32) else x * 0 + 1 + 1e-15)


PASSES = {"copied": copied, "stored otherwise": stored_otherwise, "last digit": last_digit}
FAILS = {
    "float32": to("float32"),
    "float64": to("float64"),
    "three decimals": lambda x: x.round(decimals=3),
}


def report(task, trials, before, after):
    right = task.reference

    def answer(*args, **named):
        args = [deep(one, before) for one in args]
        return deep(right(*args, **named), after)

    def module(*sizes):
        made = right(*sizes)
        forward = made.forward

        def changed(*args):
            return deep(forward(*(deep(one, before) for one in args)), after)

        made.forward = changed
        return made

    answer = module if inspect.isclass(right) else answer
    return judge(task, trials, observe(answer, trials))


def same(x):
    return x


@pytest.mark.parametrize("name", TASKS)
def test_what_changes_nothing_passes(name, subtests):
    task, trials = CATALOGUE.tasks[name], draw_trials(CATALOGUE.tasks[name], 0)
    for what, change in PASSES.items():
        with subtests.test(what):
            assert report(task, trials, same, change).passed, what


@pytest.mark.parametrize("name", TASKS)
def test_another_dtype_or_a_rounding_gets_no_other_mistake_s_name(name, subtests, judged_once):
    task, trials = CATALOGUE.tasks[name], draw_trials(CATALOGUE.tasks[name], 0)
    for what, change in FAILS.items():
        for where, pair in {"inputs": (change, same), "result": (same, change)}.items():
            with subtests.test(f"{what} of the {where}"):
                said = report(task, trials, *pair)
                own = "rounded" if what == "three decimals" else "float"
                assert said.mistake is None or own in said.mistake, said
                if said.mistake is None and RIGHT_NUMBERS in said.cases[0].message:
                    assert said.diagnosis == DTYPE
                elif said.mistake is None and "dtype" in said.cases[0].message:  # it raises
                    assert "dtype" in said.diagnosis
