"""A stranger's bug: an answer that passes the visible example and is wrong. Which input shows it?

    stranger = stranger_of("masked_softmax", "my name")
    stranger(scores, mask)

A name draws one of the task's known mistakes, the same one at every call: two students have two
strangers. The answer, `break_masked_softmax()`, returns the name and the arguments on which the
stranger is wrong. It is right where stranger and reference differ there by more than rounding.
"""

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Inputs, Observation
from course_lib.checker.run.values import build_value, observe_value
from course_lib.checker.say.report import Report
from course_lib.checker.tasks import Case, Mistake, Task
from course_lib.exercises.allowed import Argument
from course_lib.exercises.drawn import answered, number_of, report_on, why_no_name
from course_lib.exercises.failing_input import NO_RESULT, allowed_inputs, differ, seen_on

PREFIX = "break_"
CALLED = (PREFIX, "which_", "say_")  # tasks with a stranger who can be run
ALLOWED, WRONG = "your name, and an input that the task allows", "the stranger is wrong on it"
FORM = "Return your name and the arguments in their order: `return ME, ({0})`."
RIGHT_HERE = (
    "On this input the stranger is right: it gives what `{0}` should. Which sizes, signs and "
    "heights, and what at the edges of the task, does your input leave out?"
)
FOUND = "Found. What we would say to the stranger of {0}: “{1}”"


@dataclass(frozen=True)
class Strangers:
    """The strangers of a task: those of its mistakes that are right on the visible example.

    Args:
        task: whose answer the stranger wrote.
        names: of the mistakes.
        takes: what each argument may be, in order.
        example: the arguments of the visible example.
        also: gets the arguments and says what else is not allowed; "" where nothing is.
        opened: the arguments, of those with which an answer is called, where it gets blocks.
    """

    task: Task
    names: Sequence[str]
    takes: Mapping[str, Argument]
    example: tuple
    also: Callable[..., str] | None = None
    opened: Callable[..., tuple] | None = None

    def drawn(self, me: str) -> Mistake:
        """The mistake that a name draws."""
        wanted = self.names[number_of(me, self.task.name) % len(self.names)]
        return next(one for one in self.task.mistakes if one.name == wanted)

    def inputs(self, me: Any, given: Any) -> Inputs | str:
        """What stranger and reference are called with, floats as float64; or the sentence that
        refuses the name or the arguments. Both are plain data."""
        if problem := why_no_name(me):
            return problem
        if not isinstance(given, tuple):
            return FORM.format(", ".join(self.takes))
        return allowed_inputs(self.takes, given, self.also)

    def differs(self, answer: Callable, inputs: Inputs) -> bool | None:
        """Whether an answer differs from the reference by more than rounding in float32 would; None
        where the reference has no finite result."""
        inputs = replace(inputs, in_blocks=None if self.opened is None else 0)
        seen = seen_on(self.task.reference, answer, inputs, self.task.library)
        return differ(*seen) if seen else None

    def judged(self, task: Task, _trials: Sequence, seen: Sequence[Observation]) -> Report:
        """The report on an answer, which was called once."""
        got = seen[0]
        said = answered(got, 2, FORM.format(", ".join(self.takes)))
        if isinstance(said, str):
            return report_on(task, got, [(ALLOWED, False)], said)
        me, given = said
        inputs = self.inputs(me, given)
        if isinstance(inputs, str):
            return report_on(task, got, [(ALLOWED, False)], inputs)
        differs = self.differs(self.drawn(me).answer, inputs)
        if differs is None:
            return report_on(task, got, [(ALLOWED, False)], NO_RESULT.format(self.task.name))
        cases = [(ALLOWED, True), (WRONG, differs)]
        if not differs:
            return report_on(task, got, cases, RIGHT_HERE.format(self.task.name))
        found = FOUND.format(me.strip(), self.drawn(me).sentence)
        return report_on(task, got, cases, found=found)


@dataclass(frozen=True, kw_only=True)
class BreakTask(Task):
    """A task about a stranger who can be run: to find an input on which the stranger is wrong."""

    strangers: Strangers


def one_point(reference: Callable, task: Task, hints: tuple[str, str, str], cost: str) -> dict:
    """The fields of a task worth one point that has the name of its `reference` and is about an
    answer to `task`. The reference's docstring is the idea."""
    return {
        "name": reference.__name__,
        "points": 1,
        "reference": reference,
        "mistakes": (),
        "hints": hints,
        "library": task.library,
        "refused": task.refused,
        "idea": " ".join((reference.__doc__ or "").split()),
        "cost": cost,
    }


def called_once(name: str) -> tuple[Case]:
    """The case of an answer that takes nothing and is called once."""
    return (Case(name, lambda _: (), sizes=(1,), dtypes=("float64",)),)


def asked(forms: Collection[str]) -> dict[str, Any]:
    """The tasks whose names begin with one of these, by the name of the function that they are
    about: {"rotate": the task `repair_rotate`}."""
    from course_lib.exercises import CATALOGUE

    return {
        name.removeprefix(form): CATALOGUE.tasks[name]
        for name in CATALOGUE.tasks
        for form in forms
        if name.startswith(form)
    }


def stranger_task(
    strangers: Strangers,
    reference: Callable,
    hints: tuple[str, str, str],
    cost: str,
    judge: Callable[..., Report] | None = None,
) -> BreakTask:
    """The task that has the name of its `reference`, worth one point. The reference finds an input
    for every stranger; its docstring is the idea. Another form of task brings its `judge`."""
    return BreakTask(
        strangers=strangers,
        cases=called_once(WRONG),
        judge=judge or strangers.judged,
        **one_point(reference, strangers.task, hints, cost),
    )


def strangers_of(name: str) -> Strangers:
    """All strangers of a task. Raises ValueError where it has none."""
    there = asked(CALLED)
    if name not in there:
        raise ValueError(f"no stranger has written {name!r}; they have written {', '.join(there)}")
    task = there[name]
    assert isinstance(task, BreakTask)
    return task.strangers


class Stranger:
    """A stranger's function, to be called as the student's own is. One of two has a letter, and
    may be right."""

    def __init__(self, name: str, me: str, letter: str = "", is_right: bool = False) -> None:
        self.name, self.me, self.letter, self._is_right = name, me, letter, is_right

    def __repr__(self) -> str:
        whose = f"stranger {self.letter}" if self.letter else "the stranger"
        return f"<the {self.name} of {whose} of {self.me.strip()}>"

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the stranger's function returns, in the dtype of the floats that are given. Raises
        ValueError for what the task does not allow, RuntimeError where the function raises."""
        strangers = strangers_of(self.name)
        if strangers.opened is not None and len(given) + len(named) < len(strangers.takes):
            given, named = strangers.opened(*given, **named), {}
        behind = list(strangers.takes)[len(given) :]
        given += tuple(named[name] for name in behind[: len(named)] if name in named)
        if set(named) - set(behind[: len(named)]):
            wanted = ", ".join(strangers.takes)
            raise ValueError(f"{', '.join(named)} do not fit; the arguments are {wanted}.")
        inputs = strangers.inputs(self.me, observe_value(given))
        if isinstance(inputs, str):
            raise ValueError(inputs)
        args = [build_value(value, strangers.task.library) for value in inputs.args]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                right = strangers.task.reference
                result = (right if self._is_right else strangers.drawn(self.me).answer)(*args)
            except Exception as error:  # without the lines of the stranger's code
                raised = f"the stranger's {self.name} raises {type(error).__name__}: {error}"
                raise RuntimeError(raised) from None
        dtypes = [one.dtype for one in given if "float" in str(getattr(one, "dtype", ""))]
        return _in_dtype(result, dtypes[0]) if dtypes else result


def stranger_of(name: str, me: str) -> Stranger:
    """The stranger that your name draws for a task: `stranger_of("masked_softmax", "my name")`.

    Raises ValueError where no stranger has written an answer to that task.
    """
    strangers_of(name)
    return Stranger(name, me)


def _in_dtype(result: Any, dtype: Any) -> Any:
    """The result with its floats in a dtype of its library."""
    if isinstance(result, tuple):
        return tuple(_in_dtype(one, dtype) for one in result)
    if "float" not in str(getattr(result, "dtype", "")):
        return result
    return result.astype(dtype) if isinstance(result, np.ndarray) else result.to(dtype)
