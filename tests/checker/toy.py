"""A small course with one function and one class, for tests of the checker itself."""

import numpy as np
import torch
from torch import nn

from course_lib.checker.tasks import Case, Catalogue, Exercise, Inputs, Mistake, Task


def double(x, times=1):
    return x * 2**times


class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x * self.weight


def squared(x, times=1):
    return x**2


def forgets_times(x, times=1):
    return x * 2


def draw_module(s):
    n = s.size
    state = {"weight": s.floats(n)}
    return Inputs((s.floats(2, n),), init=(n,), state=state, upstream=(s.floats(2, n),))


DOUBLE = Task(
    name="double",
    points=3,
    reference=double,
    library="numpy",
    cases=(
        Case("a row", lambda s: Inputs((s.floats(s.size),))),
        Case("twice", lambda s: Inputs((s.floats(2, s.size),), {"times": 2})),
        Case("large numbers", lambda s: Inputs((s.floats(3) + 1000,)), hidden=True),
    ),
    mistakes=(
        Mistake("squared", "You square. Double instead.", squared),
        Mistake("forgets-times", "You ignore `times`.", forgets_times),
        Mistake(
            "always-float64",
            "You return float64. Keep the dtype.",
            lambda x, times=1: double(x.astype(np.float64), times),
        ),
    ),
    hints=("first", "second", "third"),
)
SCALE = Task(
    name="Scale",
    points=7,
    reference=Scale,
    cases=(Case("scaled", draw_module), Case("hidden", draw_module, hidden=True)),
    mistakes=(),
    hints=("only",),
)
EXERCISE = Exercise("01_toy", "Toy", (DOUBLE, SCALE))


def catalogue() -> Catalogue:
    return Catalogue([EXERCISE])


def named(name, function):
    function.__name__ = name
    return function
