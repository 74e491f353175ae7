"""Predict before you run: an input on which a shown program is wrong, what is right there, and what
the program gives.

The answer, `predict_align()`, returns the name, the arguments and the two values, as plain data.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.say.report import Report
from course_lib.checker.tasks import Task
from course_lib.checker.tasks.rewritten import defined
from course_lib.exercises.allowed import Argument
from course_lib.exercises.drawn import answered, report_on
from course_lib.exercises.failing_input import NO_RESULT, allowed_inputs, differ, seen_on
from course_lib.exercises.stranger_forms.shown import ShownProgram
from course_lib.exercises.strangers import called_once, one_point

CLOSE = 0.01  # of a number: two digits by pencil
ALLOWED = "your name, an input that the task allows, and two values"
WRONG, RIGHT, THEIRS = (
    "the program is wrong on it",
    "the first value is what is right there",
    "the second value is what the program gives there",
)
FORM = (
    "Return your name, the arguments in their order, what is right for them and what the program "
    "gives: `return ME, ({0}), right, theirs`."
)
NO_TUPLE = "The second thing must be a tuple of the arguments: `({0})`."
RIGHT_HERE = "On this input the program gives what `{0}` should. In which line could that change?"
NEAR = (
    "On this input the two differ by less than {0}, which a pencil does not tell. Choose one where "
    "they lie further apart."
)
RAISES = "On this input the program raises {0} and gives no value. Choose another."
EXCHANGED = (
    "Your input shows what is wrong, and your two values are exchanged: what is right comes first."
)
ONE_WRONG = {
    RIGHT: "Your input shows what is wrong, and the program gives what you say. What `{0}` should "
    "give is something else than your first value.",
    THEIRS: "Your input shows what is wrong, and your first value is right. The program gives "
    "something else than your second: follow it line by line once more.",
}
BOTH_WRONG = (
    "Your input shows what is wrong, and neither value is what you say it is. Write down what each "
    "line gives, first as the line should be and then as it is."
)
TEXT = (
    "Your input shows what is wrong, but a value of yours is a text. Write the values themselves, "
    "without quotation marks."
)
FOUND = "Predicted. What we would say to the stranger of {0}: “{1}”"


@dataclass(frozen=True, kw_only=True)
class PredictTask(Task):
    """The task to predict where a program fails, and with which value.

    `task` is the one that the program answers, `takes` are its arguments, `names` are what the
    program finds beside them, and `also` gets the arguments and says what else is not allowed.
    """

    program: ShownProgram
    task: Task
    takes: Mapping[str, Argument]
    names: Mapping[str, Any]
    also: Callable[..., str] | None = None

    @cached_property
    def answers(self) -> dict[str, Callable]:
        """What each mistake's program computes."""
        program = self.program
        return {
            one: defined(program.name, "\n".join(program.strangers(one)), dict(self.names))
            for one in program.wrong
        }


def predict_task(
    reference: Callable,
    hints: tuple[str, str, str],
    cost: str,
    **about: Any,
) -> PredictTask:
    """The task that has the name of its `reference`, worth one point. `about` are the fields of a
    `PredictTask`; the reference's docstring is the idea."""
    same = one_point(reference, about["task"], hints, cost)
    return PredictTask(cases=called_once(WRONG), judge=_judged, **same, **about)


def _judged(task: PredictTask, _trials: Sequence, seen: Sequence[Observation]) -> Report:
    got, listed, name = seen[0], ", ".join(task.takes), task.task.name
    refused = partial(report_on, task, got, [(ALLOWED, False)])
    said = answered(got, 4, FORM.format(listed))
    if isinstance(said, str):
        return refused(said)
    me, given, right, theirs = said
    if not isinstance(given, tuple):
        return refused(NO_TUPLE.format(listed))
    inputs = allowed_inputs(task.takes, given, task.also)
    if isinstance(inputs, str):
        return refused(inputs)
    mistake = task.program.drawn(me)
    pair = seen_on(task.task.reference, task.answers[mistake], inputs, task.library)
    if pair is None:
        return refused(NO_RESULT.format(name))
    wanted, came = pair
    if problem := _why_not_shown(name, wanted, came):
        return report_on(task, got, [(ALLOWED, True), (WRONG, False)], problem)
    holds = {RIGHT: same_value(right, wanted.value), THEIRS: same_value(theirs, came.value)}
    cases = [(ALLOWED, True), (WRONG, True), *holds.items()]
    if all(holds.values()):
        found = FOUND.format(me.strip(), task.program.wrong[mistake].sentence)
        return report_on(task, got, cases, found=found)
    if same_value(right, came.value) and same_value(theirs, wanted.value):
        return report_on(task, got, cases, EXCHANGED)
    values = ((right, wanted.value), (theirs, came.value))
    if any(isinstance(said, str) and not isinstance(value, str) for said, value in values):
        return report_on(task, got, cases, TEXT)
    fails = [case for case, held in holds.items() if not held]
    problem = ONE_WRONG[fails[0]].format(name) if len(fails) == 1 else BOTH_WRONG
    return report_on(task, got, cases, problem)


def _why_not_shown(name: str, wanted: Observation, came: Observation) -> str:
    """The sentence where an input does not show what is wrong; "" where it does."""
    if came.error:
        return RAISES.format(came.error)
    if not differ(wanted, came):
        return RIGHT_HERE.format(name)
    return NEAR.format(CLOSE) if same_value(wanted.value, came.value) else ""


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are the same: numbers to two digits, lists and tuples by their items."""
    one, other = _plain(one), _plain(other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    numbers = isinstance(one, int | float), isinstance(other, int | float)
    if all(numbers):
        return bool(np.isclose(one, other, rtol=0, atol=CLOSE, equal_nan=True))
    return type(one) is type(other) and one == other


def _plain(value: Any) -> Any:
    if isinstance(value, Array):
        value = value.data.tolist()
    return tuple(value) if isinstance(value, list) else value
