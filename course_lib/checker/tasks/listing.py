"""How a task is written down: its cases one after the other, and its idea and cost where its
reference has a docstring. Name and code of a case stand together.
"""

import inspect
from collections.abc import Callable
from typing import Any

from course_lib.checker.tasks.mistakes import Mistakes
from course_lib.checker.tasks.task import Case, Task


def task(
    mistakes: Mistakes, points: int, cases: tuple[Case, ...], hints: tuple[str, ...], **choices: Any
) -> Task:
    """The Task that carries the name of the reference of its mistakes.

    The docstring of the reference is the `idea`; a last paragraph "Cost: …" is the `cost`.
    `choices` are the other fields of `Task`.
    """
    reference = mistakes.reference
    idea, _, cost = (inspect.getdoc(reference) or "").partition("\n\nCost: ")
    described = {"idea": _one_line(idea), "cost": _one_line(cost)} | choices
    return Task(reference.__name__, points, reference, cases, mistakes.all, hints, **described)


def _one_line(text: str) -> str:
    return " ".join(text.split())


class Cases:
    """Collects the cases of a task, in the order in which they are written.

    `choices` are those of `Case` (sizes, dtypes, atol, …) and hold for every case that does not
    choose for itself. A case whose inputs are one expression takes a line, others a decorator:

        case = Cases(dtypes=("float32",))
        case("one row", lambda s: (s.floats(s.size),))

        @case.hidden("a row of zeros")
        def zeros(s): ...
    """

    def __init__(self, **choices: Any) -> None:
        self._choices = choices
        self.all: tuple[Case, ...] = ()

    def __call__(self, name: str, draw: Callable | None = None, **choices: Any) -> Callable:
        """Add a case, and return its `draw`; without one, a decorator for it."""
        if draw is None:
            return lambda function: self(name, function, **choices)
        self.all += (Case(name, draw, **self._choices | choices),)
        return draw

    def hidden(self, name: str, draw: Callable | None = None, **choices: Any) -> Callable:
        """The same for a case of which a report shows the name alone."""
        return self(name, draw, hidden=True, **choices)
