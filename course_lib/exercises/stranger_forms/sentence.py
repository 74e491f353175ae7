"""The sentence that the checker should say: which one is true of the stranger, and an input that
shows it.

    sentences_of("keys_in_use")  # {1: "You …", 2: …}, the same for every name

A name draws the stranger. The answer, `say_keys_in_use()`, returns the name, the number of the
sentence, and the arguments. Each sentence has a program that does what it says: on the input it
must do what the stranger does, which is wrong, and no other sentence's program may do the same.
"""

from collections.abc import Callable, Sequence
from functools import partial

from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs, Observation
from course_lib.checker.say.report import Report
from course_lib.checker.tasks import Mistake, Task
from course_lib.exercises.drawn import answered, report_on
from course_lib.exercises.failing_input import NO_RESULT, differ
from course_lib.exercises.strangers import (
    RIGHT_HERE,
    BreakTask,
    Strangers,
    stranger_task,
    strangers_of,
)

ALLOWED = "your name, a sentence's number, and an input that the task allows"
WRONG, TRUE = "the stranger is wrong on it", "the sentence explains what the stranger gives there"
ALONE = "no other sentence explains it"
FORM = "Return your name, the number of the sentence, and the arguments: `return ME, 1, ({0})`."
NO_NUMBER = "The second thing must be the number of a sentence, a whole number from 1 to {0}."
NOT_TRUE = (
    "Sentence {0} is not what this stranger needs to hear: a program that does what it says gives "
    "something else on your input than the stranger."
)
SEVERAL = (
    "On your input programs of {1} sentences give what the stranger gives, so it does not show "
    "that sentence {0} is the one. Change the input until only one is left."
)
FOUND = "Right. No other sentence explains what the stranger of {0} gives on your input."


def sentences_of(name: str) -> dict[int, str]:
    """The sentences that may be true of the strangers of a task, by their numbers.

    Raises ValueError where no stranger has written an answer to that task.
    """
    return dict(enumerate((one.sentence for one in _mistakes(strangers_of(name))), 1))


def number_of_sentence(strangers: Strangers, me: str) -> int:
    """The number of the sentence that is true of the stranger that a name draws."""
    return _mistakes(strangers).index(strangers.drawn(me)) + 1


def say_task(
    strangers: Strangers, reference: Callable, hints: tuple[str, str, str], cost: str
) -> BreakTask:
    """The task. `reference` gives an input that tells all apart; its docstring is the idea."""
    return stranger_task(strangers, reference, hints, cost, partial(_judged, strangers))


def _mistakes(strangers: Strangers) -> list[Mistake]:
    known = {one.name: one for one in strangers.task.mistakes}
    return [known[name] for name in strangers.names]


def _judged(
    strangers: Strangers, task: Task, _trials: Sequence, seen: Sequence[Observation]
) -> Report:
    got, name, known = seen[0], strangers.task.name, _mistakes(strangers)
    said = answered(got, 3, FORM.format(", ".join(strangers.takes)))
    if isinstance(said, str):
        return report_on(task, got, [(ALLOWED, False)], said)
    me, number, given = said
    inputs = strangers.inputs(me, given)
    if type(number) is not int or not 1 <= number <= len(known):
        return report_on(task, got, [(ALLOWED, False)], NO_NUMBER.format(len(known)))
    if isinstance(inputs, str):
        return report_on(task, got, [(ALLOWED, False)], inputs)
    differs = strangers.differs(strangers.drawn(me).answer, inputs)
    if differs is None:
        return report_on(task, got, [(ALLOWED, False)], NO_RESULT.format(name))
    cases = [(ALLOWED, True), (WRONG, differs)]
    if not differs:
        return report_on(task, got, cases, RIGHT_HERE.format(name))
    alike = [one for one, it in enumerate(known, 1) if _same(strangers, it, me, inputs)]
    cases += [(TRUE, number in alike)]
    if number not in alike:
        return report_on(task, got, cases, NOT_TRUE.format(number))
    cases += [(ALONE, alike == [number])]
    if len(alike) > 1:
        return report_on(task, got, cases, SEVERAL.format(number, len(alike)))
    return report_on(task, got, cases, found=FOUND.format(me.strip()))


def _same(strangers: Strangers, mistake: Mistake, me: str, inputs: Inputs) -> bool:
    """Whether the program of a mistake gives what the stranger gives."""
    answers = strangers.drawn(me).answer, mistake.answer
    one, other = (execute(answer, inputs, strangers.task.library) for answer in answers)
    plain = (Observation(seen.value, seen.error, seen.message) for seen in (one, other))
    return not differ(*plain)
