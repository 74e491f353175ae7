"""Two strangers, one is right: which one, and an input on which the other is wrong.

    A, B = two_strangers("attend", "my name")

A name draws the known mistake of the one who is wrong, and which letter that one has. The answer,
`which_attend()`, returns the name, the letter of the one who is right, and the arguments.
"""

from collections.abc import Callable, Sequence
from functools import partial

from course_lib.checker.run.inputs import Observation
from course_lib.checker.say.report import Report
from course_lib.checker.tasks import Task
from course_lib.exercises.drawn import answered, number_of, report_on
from course_lib.exercises.failing_input import NO_RESULT
from course_lib.exercises.strangers import (
    BreakTask,
    Stranger,
    Strangers,
    stranger_task,
    strangers_of,
)

LETTERS = "A", "B"
ALLOWED = "your name, a letter, and an input that the task allows"
DIFFER, NAMED = "one of the strangers is wrong on it", "the other one is named"
FORM = (
    "Return your name, the letter of the one who is right, and the arguments: "
    '`return ME, "A", ({0})`.'
)
NO_LETTER = 'The second thing must be "A" or "B", the stranger who is right.'
BOTH_RIGHT = (
    "On this input both strangers give what `{0}` should, so it tells nothing of either. Which "
    "sizes, signs and heights, and what at the edges of the task, does your input leave out?"
)
OTHER_ONE = (
    "Your input tells them apart, and the one whom you call right is wrong on it. Where they "
    "differ, work out one number by hand, or with your own function."
)
FOUND = "Found. What we would say to stranger {0} of {1}: “{2}”"


def right_letter(name: str, me: str) -> str:
    """The letter of the stranger who is right."""
    return LETTERS[number_of(me, name, "right") % 2]


def two_strangers(name: str, me: str) -> tuple[Stranger, Stranger]:
    """Strangers A and B that your name draws for a task: one is right.

    Raises ValueError where no stranger has written an answer to that task.
    """
    strangers_of(name)
    first, second = (Stranger(name, me, one, one == right_letter(name, me)) for one in LETTERS)
    return first, second


def which_task(
    strangers: Strangers, reference: Callable, hints: tuple[str, str, str], cost: str
) -> BreakTask:
    """The task. `reference` gives an input that shows every mistake; its docstring is the idea."""
    return stranger_task(strangers, reference, hints, cost, partial(_judged, strangers))


def _judged(
    strangers: Strangers, task: Task, _trials: Sequence, seen: Sequence[Observation]
) -> Report:
    got, name = seen[0], strangers.task.name
    said = answered(got, 3, FORM.format(", ".join(strangers.takes)))
    if isinstance(said, str):
        return report_on(task, got, [(ALLOWED, False)], said)
    me, letter, given = said
    inputs = strangers.inputs(me, given)
    problem = NO_LETTER if letter not in LETTERS else inputs if isinstance(inputs, str) else ""
    if problem or isinstance(inputs, str):
        return report_on(task, got, [(ALLOWED, False)], problem)
    differs = strangers.differs(strangers.drawn(me).answer, inputs)
    if differs is None:
        return report_on(task, got, [(ALLOWED, False)], NO_RESULT.format(name))
    if not differs:
        return report_on(task, got, [(ALLOWED, True), (DIFFER, False)], BOTH_RIGHT.format(name))
    is_right = letter == right_letter(name, me)
    cases = [(ALLOWED, True), (DIFFER, True), (NAMED, is_right)]
    if not is_right:
        return report_on(task, got, cases, OTHER_ONE)
    (other,) = {*LETTERS} - {letter}
    found = FOUND.format(other, me.strip(), strangers.drawn(me).sentence)
    return report_on(task, got, cases, found=found)
