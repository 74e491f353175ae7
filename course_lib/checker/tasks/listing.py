"""How a task is written down: its cases and its mistakes one after the other, and its idea and cost
where its reference has a docstring. What a case or a mistake says stands with its code.
"""

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from course_lib.checker.run.inputs import Inputs
from course_lib.checker.tasks.rewritten import defined, rewritten
from course_lib.checker.tasks.task import Case, Mistake, Task

EXAMPLE = "the example of the text"


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

    def example(self, *calls: Inputs | tuple, dtype: str = "float64", perhaps: str = "") -> None:
        """The example that the task's text prints, call by call: the first case of all, wherever
        it is written. `dtype` is that of its floats; `perhaps` is said where it fails alone."""
        choices = self._choices | {
            "sizes": tuple(range(1, len(calls) + 1)),
            "dtypes": (dtype,),
            "is_example": True,
            "perhaps": perhaps,
        }
        one = Case(EXAMPLE, lambda s: calls[s.size - 1], **choices)
        self.all = (one, *self.all)

    def hidden(self, name: str, draw: Callable | None = None, **choices: Any) -> Callable:
        """The same for a case of which a report shows the name alone."""
        return self(name, draw, hidden=True, **choices)


class Mistakes:
    """Collects the mistakes of a task, in the order in which they are written.

    A name and the wrong answer come first: a function, or the reference's own text with some words
    changed. Then what the student is told; lines and indentation of a sentence do not count:

        MISTAKES = Mistakes(softmax)
        MISTAKES.by("not-divided", lambda s, axis=-1: np.exp(s)).says("You do not divide.")
        MISTAKES.change("no-keepdims", ", keepdims=True", "").says("The sum drops its axis.")

        @MISTAKES.says("You subtract the largest score of the whole array. Take one for each row.")
        def maximum_of_all(scores, axis=-1): ...
    """

    def __init__(self, reference: Callable, names: Mapping[str, Any] | None = None) -> None:
        """`names` are found by changed text beside what the reference finds: `globals()`, where
        the list stands in a file of its own."""
        self.reference = reference
        self.names = names or {}
        self.all: tuple[Mistake, ...] = ()
        self.unsaid: list[str] = []  # names of mistakes that wait for their sentence
        self.is_listed = False  # in a task, which has no part in what comes later

    def by(self, name: str, answer: Callable) -> "Unsaid":
        """A wrong answer by its name, which waits for its sentence."""
        return Unsaid(self, name, answer)

    def change(self, name: str, *words: str) -> "Unsaid":
        """The reference with words of its text exchanged: pairs of old and new."""
        return self.by(name, self.changed(*words))

    def says(self, sentence: str) -> Callable[[Callable], Callable]:
        """A decorator: the mistake has the function's name, with "-" for "_"."""
        return lambda answer: self.by(answer.__name__.replace("_", "-"), answer).says(sentence)

    def __getitem__(self, name: str) -> Callable:
        """The wrong answer of that name."""
        return next(one.answer for one in self.all if one.name == name)

    @functools.cached_property
    def text(self) -> str:
        """The reference as it is written."""
        return textwrap.dedent(inspect.getsource(self.reference))

    def changed(self, *pairs: str, **others: Any) -> Callable:
        """The reference made from its text with words exchanged, as in `rewritten`. It finds the
        names that the reference and the list find, but for `others`."""
        names = vars(inspect.getmodule(self.reference)) | dict(self.names) | others
        return defined(self.reference.__name__, rewritten(self.text, *pairs), names)


class Unsaid:
    """A mistake of `Mistakes` that has no sentence yet."""

    def __init__(self, mistakes: Mistakes, name: str, answer: Callable) -> None:
        if mistakes.is_listed:
            raise ValueError(f"{name!r} comes after its task was made: write it above `task(…)`.")
        self._mistakes, self._name, self._answer = mistakes, name, answer
        mistakes.unsaid.append(name)

    def says(self, sentence: str) -> Callable:
        """What the student is told. Returns the wrong answer."""
        self._mistakes.unsaid.remove(self._name)
        self._mistakes.all += (Mistake(self._name, " ".join(sentence.split()), self._answer),)
        return self._answer


def task(
    mistakes: Mistakes,
    points: int | float,
    cases: tuple[Case, ...],
    hints: tuple[str, ...],
    **choices: Any,
) -> Task:
    """The Task that carries the name of the reference of its mistakes.

    The docstring of the reference is the `idea`; a last paragraph "Cost: …" is the `cost`.
    `choices` are the other fields of `Task`.
    """
    reference = mistakes.reference
    if mistakes.unsaid:
        raise ValueError(f"{reference.__name__}: no sentence for {', '.join(mistakes.unsaid)}.")
    mistakes.is_listed = True
    idea, _, cost = (inspect.getdoc(reference) or "").partition("\n\nCost: ")
    described: dict[str, Any] = {
        "idea": " ".join(idea.split()),
        "cost": " ".join(cost.split()),
    } | choices
    return Task(reference.__name__, points, reference, cases, mistakes.all, hints, **described)
