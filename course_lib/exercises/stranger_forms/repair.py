"""Repair in one line: the number of a line of a shown program, and what that line should be.

The answer, `repair_rotate()`, returns the name, the number and the line. An examiner puts the line
into the program, in the cell in which the answer itself ran, and calls that with the inputs of the
task: nothing that a student wrote runs anywhere else.
"""

import functools
import inspect
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F

from course_lib.checker.compare.difference import difference
from course_lib.checker.run.inputs import Candidate, Inputs, Observation
from course_lib.checker.run.program import Program
from course_lib.checker.say.report import Report
from course_lib.checker.tasks import Case, Rule, Sampler, Task
from course_lib.exercises.drawn import answered, number_of, report_on
from course_lib.exercises.find_the_bug.few_changes import LEFT_OUT, code_lines
from course_lib.exercises.mutants import HEADER
from course_lib.exercises.stranger_forms.shown import ShownProgram
from course_lib.exercises.strangers import one_point

LONGEST = 100  # characters of a line
ALLOWED = "your name, the number of a line, and one line of code"
FORM = (
    "Return your name, the number of the line, and the line as it should be, in quotes: "
    '`return ME, 2, "…"`.'
)
NO_NUMBER = "The number of a line is a whole number from 2, below `def`, to {0}."
NO_LINE = (
    "The third thing must be the text of one line of code, of at most {0} characters: one "
    "statement, without `;` and without the line's number."
)
SAME_LINE = "Line {0} is as it was. Write what it should be."
OTHER_LINE = (
    "Line {0} did what it should before you changed it, and the program is still wrong. The wrong "
    "line is another one: for each line, write down what it should give, and look for the first "
    "that gives something else."
)
THIS_LINE = "You have found the line. The program is still wrong with yours: {0}"
RAISES = "it raises {0}"
HIDDEN = "it is not yet right for “{0}”."
DATA = "an answer is your name, a number and a line"
NOT_DATA = (
    "Besides your name, a number and the text of a line, `{0}` holds something that runs: an "
    "import, a call, another function or a line above it in its cell. Leave that out."
)
FOUND = "Repaired. What we would say to the stranger of {0}: “{1}”"


def repaired(answer, programs, name, *args, **named):
    """The answer of a student, and what the repaired program gives: its result and no error, or
    None and the error. Where the answer has another form, that alone."""
    given = answer()
    if type(given) is not tuple or len(given) != 3:
        return given, None, None
    me, number, line = given
    if type(me) is not str or type(number) is not int or type(line) is not str:
        return given, None, None
    lines = programs[number_of(me, name) % len(programs)].split("\n")
    if not 2 <= number <= len(lines) or "\n" in line:
        return given, None, None
    before = lines[number - 1]
    lines[number - 1] = before[: len(before) - len(before.lstrip())] + line.strip()
    known = (len, range, sum, max, min, abs, int, float, bool, tuple, list, zip, enumerate)
    space: dict[str, Any] = {"math": math, "torch": torch, "F": F}
    space["__builtins__"] = {one.__name__: one for one in known}  # nothing is imported
    try:
        exec("\n".join(lines), space)
        return given, space[name](*args, **named), None
    except Exception as error:
        return given, None, f"{type(error).__name__}: {error}"[:200]


@functools.cache
def _examiner() -> Candidate:
    needs = "import hashlib\nimport unicodedata\n" + HEADER
    text = "\n\n".join(map(inspect.getsource, (number_of, repaired)))
    return Candidate(repaired.__name__, needs + text, hands_on=True)


def through(program: ShownProgram, case: Case) -> Case:
    """A case of the task that the program answers, for the program as the student repaired it."""
    texts = tuple("\n".join(program.strangers(one)) for one in program.wrong)

    def draw(s: Sampler) -> Inputs:
        inputs = case.inputs(s)
        args = texts, program.name, *inputs.args
        return replace(inputs, args=args, upstream=None, examiner=_examiner(), kept=inputs)

    return replace(case, draw=draw, perhaps="", tells="")


@dataclass(frozen=True, kw_only=True)
class RepairTask(Task):
    """The task to find and replace the wrong line of a program."""

    program: ShownProgram


def repair_task(
    program: ShownProgram,
    task: Task,
    cases: Iterable[str],
    reference: Callable,
    hints: tuple[str, str, str],
    cost: str,
) -> RepairTask:
    """The task that has the name of its `reference`, worth one point; `cases` are the names of
    those of `task`, which the program answers. The reference's docstring is the idea."""
    named = {case.name: case for case in task.cases}
    return RepairTask(
        program=program,
        cases=tuple(through(program, named[name]) for name in cases),
        judge=_judged,
        given=("programs", "name", *task.parameters),
        rule=Rule(DATA, only_data),
        **one_point(reference, task, hints, cost),
    )


def only_data(text: Program) -> str | None:
    """The rule that an answer is a name, a number and a text. The repaired program runs where the
    answer ran, so whatever else ran there could have changed what the program finds."""
    if not text.pieces:
        return None
    rows = text.text.split("\n")  # without what stands in quotes and in comments
    code = "\n".join(LEFT_OUT.sub(lambda it: '""' if it[1] else " ", row) for row in rows)
    values = set(re.findall(r"^ *([^\W\d]\w*) =[^=]", code, re.MULTILINE))
    plain = set(text.names) - values == {text.task}
    is_one = text.pieces[-1][1] == (0,) and not re.search(r"\w *\(|@|\bclass\b", _below(code))
    return None if plain and is_one and "__" not in code else NOT_DATA.format(text.task)


def _below(code: str) -> str:
    """Code without the words that stand before a bracket in an answer that is data."""
    return re.sub(r"def \w+\(\)|\breturn\b", "", code)


def repair_of(program: ShownProgram, me: str) -> tuple[str, int, str]:
    """What a student of that name returns to be right."""
    mistake = program.drawn(me)
    return me, program.number(mistake), program.wrong[mistake].right


def _judged(task: RepairTask, trials: Sequence, seen: Sequence[Observation]) -> Report:
    program, first = task.program, seen[0]
    given = first.value[0] if isinstance(first.value, tuple) and not first.error else None
    answer = replace(first, value=given)
    said = answered(answer, 3, FORM)
    problem = said if isinstance(said, str) else _why_no_line(program, *said)
    if problem or isinstance(said, str):
        return report_on(task, answer, [(ALLOWED, False)], problem)
    me, number, _ = said
    mistake, wrong = program.drawn(me), {}
    drawn = f"line {program.number(mistake)}"  # those of one line have one repair
    for trial, got in zip(trials, seen, strict=True):
        if trial.case.name not in wrong and (fault := _fault(trial, got)):
            wrong[trial.case.name] = fault
    cases = [(ALLOWED, True), *((case.name, case.name not in wrong) for case in task.cases)]
    if not wrong:
        found = FOUND.format(me.strip(), program.wrong[mistake].sentence)
        return report_on(task, answer, cases, found=found, drawn=drawn)
    shown = [wrong[case.name] for case in task.cases if case.name in wrong and not case.hidden]
    hidden = [case.name for case in task.cases if case.name in wrong]
    how = shown[0] if shown else HIDDEN.format(hidden[0])
    is_it = number == program.number(mistake)
    problem = THIS_LINE.format(how) if is_it else OTHER_LINE.format(number)
    return report_on(task, answer, cases, problem, drawn=drawn)


def _why_no_line(program: ShownProgram, me: str, number: Any, line: Any) -> str:
    """The sentence that refuses a number or a line; "" where they will do. The line is compared as
    text and not parsed."""
    if type(number) is not int or not 2 <= number <= len(program.lines):
        return NO_NUMBER.format(len(program.lines))
    one_line = isinstance(line, str) and "\n" not in line and ";" not in line
    one_line = one_line and not re.match(r"\s*\d+[.:)]?\s+\w", line)
    if not one_line or len(line) > LONGEST or len([*code_lines(line)]) != 1:
        return NO_LINE.format(LONGEST)
    before = program.strangers(program.drawn(me))[number - 1]
    return SAME_LINE.format(number) if [*code_lines(line)] == [*code_lines(before)] else ""


def _fault(trial: Any, got: Observation) -> str:
    """How the repaired program's result differs from the right one; "" where it does not."""
    if got.error or not isinstance(got.value, tuple) or len(got.value) != 3:
        return RAISES.format(got.error or "an exception")
    _, result, error = got.value
    if error:
        return RAISES.format(error)
    wanted = Observation(trial.expected.value[1])
    found = difference(wanted, Observation(result), [], *trial.limits)
    return f"{found[:1].lower()}{found[1:]}" if found else ""
