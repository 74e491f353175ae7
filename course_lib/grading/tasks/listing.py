"""How a task is written down: its cases one after the other, its mistakes as a class of functions,
and its idea and cost where its reference has a docstring.

Name, sentence and code of one case, or of one mistake, stand together.
"""

import inspect
from collections.abc import Callable
from typing import Any

from course_lib.grading.tasks.task import Case, Mistake, Task


def task(
    reference: Callable,
    points: int,
    cases: tuple[Case, ...],
    mistakes: type,
    hints: tuple[str, ...],
    **choices: Any,
) -> Task:
    """The Task that carries the name of its reference.

    The docstring of the reference is the `idea`; a last paragraph "Cost: …" is the `cost`.
    `mistakes` is a class that lists them, `choices` are the other fields of `Task`.
    """
    idea, _, cost = (inspect.getdoc(reference) or "").partition("\n\nCost: ")
    told = {"idea": _one_line(idea), "cost": _one_line(cost)}
    known = list_mistakes(mistakes)
    return Task(reference.__name__, points, reference, cases, known, hints, **told | choices)


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


def list_mistakes(listing: type) -> tuple[Mistake, ...]:
    """The mistakes that a class lists, in order.

    Each function (or class, where a class is asked) is a wrong answer: its name, with "-" for "_",
    is the mistake's, and its docstring the sentence that helps. What a helper made, a Mistake or a
    tuple of them, keeps its place. Nothing is ever an instance of the class: no `self` anywhere.

        class Mistakes:
            def not_divided(scores):
                "These do not sum to one. Divide each by their sum."
                return np.exp(scores)

            in_place = changes_input(softmax, 0, "scores")

    Raises ValueError for a function without a docstring, and for anything else in the class.
    """
    members = [(name, value) for name, value in vars(listing).items() if not name.startswith("__")]
    return tuple(one for name, value in members for one in _read(name, value))


def _read(name: str, value: Any) -> tuple[Mistake, ...]:
    if isinstance(value, Mistake):
        return (value,)
    if isinstance(value, tuple) and all(isinstance(one, Mistake) for one in value):
        return value
    sentence = value.__doc__ if inspect.isfunction(value) or inspect.isclass(value) else None
    if not sentence:
        raise ValueError(
            f"`{name}` stands in a list of mistakes and is none; write a function whose docstring "
            "is the sentence that helps (python -OO drops docstrings)"
        )
    return (Mistake(name.replace("_", "-"), _one_line(sentence), value),)
