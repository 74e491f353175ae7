"""The evidence for a bug of lab 2, before the repair: a wrong line of the program as it was handed
out, and arguments on which the program gives another result than its docstring asks.

    def attend_to_words_bug():
        return "weights = …", (query, key, value, mask)

The line is compared by its code. The arguments are few numbers, so that a pencil tells what is
right; on them the program and its reference must differ by more than rounding.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from course_lib.checker.compare.diagnosis import NOT_WRITTEN
from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.formatting import describe
from course_lib.checker.run.inputs import Inputs, Observation
from course_lib.checker.run.statements import without_texts
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks import Case, Task
from course_lib.exercises.allowed import Argument
from course_lib.exercises.failing_input import NO_RESULT, allowed_inputs, differ, seen_on
from course_lib.exercises.find_the_bug.few_changes import code_lines
from course_lib.exercises.find_the_bug.planted import HALF

SUFFIX = "_bug"
MOST_NUMBERS = 10  # of all arrays together
LONGEST_LINE = 200
DRAWS = 4  # of what is random in a program: one draw may hide a bug
LINE, INPUT = "a line of the program that is wrong", "an input on which that shows"
FORM = "Return the line and the arguments in their order: `return line, ({0})`."
NO_TEXT = "`line` is {0}; it must be the text of the line, in quotes."
NO_CODE = "`line` holds no code; copy the text of the line that is wrong."
SEVERAL = "`line` holds {0} lines; choose one that is wrong."
NO_SUCH = (
    "The program as it was handed out has no such line. Copy one whole line of it, as it was "
    "before any repair."
)
DOCSTRING = "`line` stands in the docstring, which says what was meant; the wrong line is code."
DEF = "`line` names the function and its arguments, and is right; the wrong line stands below it."
OTHER_LINE = (
    "The wrong line is another one: yours does what it should. Print what each line gives on your "
    "input, and stop at the first that is not what you wrote down."
)
TOO_MANY = (
    "The arrays hold {0} numbers; up to {1} are allowed. Give every axis that does not matter for "
    "the bug the length 1."
)
AGREE = "On your input the program is right: {0}."
OTHER_BUG = "Your input shows the other bug of the program; what your line does is right there."
LINE_FOUND, INPUT_FOUND = "You have found the line.", "Your input shows a bug."
FOUND = "Found. On your input {0}"


@dataclass(frozen=True)
class Bug:
    """A program of the lab with what is to be found in it.

    Args:
        task: the repair, whose first mistake is the program as it was handed out.
        takes: what each argument may be, in order.
        lines: the wrong ones, each with the program that has its bug alone.
        why_same: gets arguments on which program and reference agree, and says why they do.
        also: gets arguments and says what else is not allowed; "" for nothing.
    """

    task: Task
    takes: Mapping[str, Argument]
    lines: Mapping[str, Callable]
    why_same: Callable[..., str]
    also: Callable[..., str] | None = None

    def judged(self, task: Task, _trials: Sequence, seen: Sequence[Observation]) -> Report:
        """The report on an answer, which was called once."""
        got = seen[0]
        pair = isinstance(got.value, tuple) and len(got.value) == 2
        problem = f"It raises {got.error}: {got.message}" if got.error else ""
        problem = NOT_WRITTEN if got.error == "NotImplementedError" else problem
        if problem or not pair or not isinstance(got.value[1], tuple):
            said = problem or FORM.format(", ".join(self.takes))
            return Report(task.name, task.points, (CaseResult(LINE, False),), diagnosis=said)
        line, given = got.value
        no_line = self.why_no_line(line)
        no_input, found = self.why_no_input("" if no_line else line, given)
        cases = CaseResult(LINE, not no_line), CaseResult(INPUT, not no_input)
        if not (no_line or no_input):
            summary = FOUND.format(found[:1].lower() + found[1:])
            return Report(task.name, task.points, cases, summary=summary)
        found = "" if no_line and no_input else LINE_FOUND if no_input else INPUT_FOUND
        said = " ".join(filter(None, (found, no_line, no_input)))
        return Report(task.name, task.points, cases, diagnosis=said)

    def why_no_line(self, line: Any) -> str:
        """The sentence that refuses a line; "" where it is wrong, as it should be. The text is a
        stranger's: it is compared and never parsed."""
        if not isinstance(line, str):
            return NO_TEXT.format(describe(line))
        if len(line) > LONGEST_LINE:
            return NO_SUCH
        codes = [*code_lines(line)]
        if len(codes) != 1:
            return SEVERAL.format(len(codes)) if codes else NO_CODE
        program = [*code_lines(without_texts(self.task.original))]
        if codes[0] in program:
            right = codes[0] not in map(_code, self.lines)
            return (DEF if codes[0] == program[0] else OTHER_LINE) if right else ""
        return DOCSTRING if codes[0] in code_lines(self.task.original) else NO_SUCH

    def why_no_input(self, line: str, given: tuple) -> tuple[str, str]:
        """The sentence that refuses the arguments; else "" and what the program does on them.
        A line that is wrong must be the cause of what they show."""
        inputs = allowed_inputs(self.takes, given, self.also)
        if isinstance(inputs, str):
            return inputs, ""
        count = sum(one.size for one in inputs.args if isinstance(one, np.ndarray))
        if count > MOST_NUMBERS:
            return TOO_MANY.format(count, MOST_NUMBERS), ""
        program = self.task.mistakes[0].answer
        if seen_on(self.task.reference, program, inputs, self.task.library) is None:
            return NO_RESULT.format(self.task.name), ""
        found = self.shown(program, inputs)
        if not found:
            return AGREE.format(self.why_same(*inputs.args)), ""
        alone = [one for text, one in self.lines.items() if _code(text) == _code(line)]
        if alone and not self.shown(alone[0], inputs):
            return OTHER_BUG, ""
        return "", found

    def shown(self, program: Callable, inputs: Inputs) -> str:
        """How a program differs from the reference in one of a few draws; "" where it does not."""
        for draws in range(DRAWS):
            seen = seen_on(
                _after(draws, self.task.reference),
                _after(draws, program),
                inputs,
                self.task.library,
            )
            if seen and differ(*seen):
                return difference(*seen, [*self.takes]) or ""
        return ""


def _code(line: str) -> str:
    return "".join(code_lines(line))


def _after(draws: int, program: Callable) -> Callable:
    """The program after random numbers are drawn, which changes those that it draws."""

    def drawn(*args: Any) -> Any:
        torch.rand(draws)
        return program(*args)

    return drawn


@dataclass(frozen=True, kw_only=True)
class BugTask(Task):
    """The task to find a bug: a line, and an input on which it shows."""

    bug: Bug


def bug_task(bug: Bug, reference: Callable, hints: tuple[str, str, str], cost: str) -> BugTask:
    """The task. `reference` gives a line and arguments; its docstring is the idea."""
    return BugTask(
        bug=bug,
        name=bug.task.name + SUFFIX,
        points=HALF,
        reference=reference,
        cases=(Case(INPUT, lambda _: (), sizes=(1,), dtypes=("float64",)),),
        mistakes=(),
        hints=hints,
        library=bug.task.library,
        refused=bug.task.refused,
        idea=" ".join((reference.__doc__ or "").split()),
        cost=cost,
        judge=bug.judged,
    )
