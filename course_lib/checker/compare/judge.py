"""Judge an answer: draw trials, compare what it did with the reference, name the mistake.

The three steps are apart because grading runs only the middle one, `execute`, in a sandbox:
trials are drawn and judged by the trusted side.
"""

import builtins
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from course_lib.checker.compare.difference import RIGHT_NUMBERS, difference, same_behaviour
from course_lib.checker.compare.errors import advice, everywhere, stopped
from course_lib.checker.compare.formatting import example, matrices
from course_lib.checker.compare.relation import relation
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs, Observation, Verdict
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.say.rows import SAME
from course_lib.checker.tasks.sampler import Sampler
from course_lib.checker.tasks.task import Case, Mistake, Task

KNOWN_ERRORS = {
    name
    for name, kind in vars(builtins).items()
    if inspect.isclass(kind) and issubclass(kind, BaseException)
} | {"AxisError", "LinAlgError", "_ArrayMemoryError", "OutOfMemoryError", "MissingAnswer"}
NOT_WRITTEN = (
    "It is not written yet, or a function of yours that it calls is not: replace `raise "
    "NotImplementedError` with your answer."
)
HIDDEN = "The result is not right there; the numbers stay hidden."
DTYPE = (
    "The dtype of your result is wrong; that comes first. Give each array that you make the dtype "
    "of the inputs, as in `zeros(n, dtype=x.dtype)`, and convert none to another."
)


@dataclass(frozen=True, eq=False)
class Trial:
    """One set of inputs for one case of a task."""

    task: Task
    case: Case
    inputs: Inputs

    @property
    def names(self) -> list[str]:
        """The names of the arguments that are given, in order."""
        return [*self.task.parameters[: len(self.inputs.args)], *self.inputs.kwargs]

    @property
    def limits(self) -> tuple[float | None, float | None]:
        return self.case.atol, self.case.within

    @cached_property
    def expected(self) -> Observation:
        return execute(self.task.reference, self.inputs, self.task.library)


def draw_trials(task: Task, seed: int, device: str = "cpu") -> list[Trial]:
    """Every trial of a task: each case at each size and dtype, smallest first."""

    def inputs(case: Case, *sampler: Any) -> Inputs:
        return replace(case.inputs(Sampler(*sampler)), device=device)

    return [
        Trial(task, case, inputs(case, _mix(seed, c, size, d), size, dtype))
        for c, case in enumerate(task.cases)
        for size in case.sizes
        for d, dtype in enumerate(case.dtypes)
    ]


def _mix(seed: int, *parts: int) -> int:
    return int(np.random.SeedSequence([seed, *parts]).generate_state(2, np.uint64)[0])


def observe(answer: Callable, trials: Sequence[Trial]) -> list[Observation]:
    """Run an answer on every trial, here and now."""
    return [execute(answer, trial.inputs, trial.task.library) for trial in trials]


def judge(task: Task, trials: Sequence[Trial], seen: Sequence[Observation]) -> Report:
    """The report on what an answer did. `seen` holds one observation for each trial, in order."""
    if task.judge:
        return task.judge(task, trials, seen)
    wrong = {
        i: _named(problem, one)
        for i, (one, got) in enumerate(zip(trials, seen, strict=True))
        if (problem := difference(one.expected, got, one.names, *one.limits))
    }
    unwritten = bool(wrong) and all(got.error == "NotImplementedError" for got in seen)
    here = all(trial.inputs.device == "cpu" for trial in trials)  # elsewhere only the right comes
    known = wrong and here and not unwritten
    mistake = _known_mistake(task, trials, seen, wrong) if known else None
    shown = [got for trial, got in zip(trials, seen, strict=True) if not trial.case.hidden]
    diagnosis = NOT_WRITTEN if unwritten else mistake.sentence if mistake else None
    diagnosis = diagnosis or advice(seen, shown, task.library)
    if wrong and not mistake and RIGHT_NUMBERS in next(iter(wrong.values())):
        diagnosis = DTYPE
    if wrong and not diagnosis:
        diagnosis = trials[min(wrong)].case.perhaps or relation(trials, seen, [*wrong])
    cases = tuple(_case_result(case, trials, seen, wrong) for case in task.cases)
    return Report(
        task=task.name,
        points=task.points,
        cases=_said_once(seen, _in_report_order(task, cases)),
        summary=_count(task, cases),
        diagnosis=diagnosis,
        mistake=mistake.name if mistake else None,
        notes=tuple(_notes(task, seen)),
        credit=task.credit,
    )


def _in_report_order(task: Task, cases: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """The cases as a report has them: where they are counted, those that fail come first."""
    if task.unnamed:
        plain = {True: CaseResult(task.unnamed, True, hidden=True)}
        plain[False] = CaseResult(task.unnamed, False, "Not right.", hidden=True)
        cases = tuple(plain[case.passed] if case.hidden else case for case in cases)
    return tuple(sorted(cases, key=lambda case: case.passed)) if any(task.counts) else cases


def _count(task: Task, cases: tuple[CaseResult, ...]) -> str:
    parts = []
    for words, required in zip(task.counts, (True, False), strict=True):
        these = [case.passed for case in cases if case.required is required]
        parts += [f"{sum(these)} of {len(these)} {words}"] if words else []
    return ", ".join(parts) + "." if parts else ""


def _said_once(
    seen: Sequence[Observation], cases: tuple[CaseResult, ...]
) -> tuple[CaseResult, ...]:
    """The cases, where all of them say the same, with the first alone saying it."""
    if everywhere(seen) is None:
        return cases
    return cases[0], *(replace(case, message=SAME, example=None) for case in cases[1:])


def _named(problem: str, trial: Trial) -> str:
    """A sentence that calls a part of what came out by its name, where case or task give one."""
    for path, name in trial.case.parts.items():
        problem = problem.replace(f"Output {path} ", f"{name} ")
    for i, name in enumerate(trial.task.returns):
        problem = re.sub(rf"Output \[{i}\]((?:\[\d+\])*)", rf"`{name}\1`", problem)
    return problem


def _notes(task: Task, seen: Sequence[Observation]) -> Iterator[str]:
    if any(got.printed for got in seen):
        yield "Your answer prints; what it printed was left out."
    if any(got.error == "TypeError" and "argument" in got.message for got in seen):
        yield f"The checker calls it as {task.call_form}."


def _case_result(
    case: Case, trials: Sequence[Trial], seen: Sequence[Observation], wrong: dict[int, str]
) -> CaseResult:
    failing = [i for i in wrong if trials[i].case is case]
    if not failing:
        return CaseResult(case.name, True, hidden=case.hidden, required=case.required)
    first = failing[0]
    trial, got = trials[first], seen[first]
    result = CaseResult(case.name, False, wrong[first], case.hidden, required=case.required)
    if got.error == "NotImplementedError":
        return result
    if case.hidden:  # the property is named; what was put in and what came out stay unseen
        message = f"{HIDDEN} {case.perhaps}".rstrip()
        if got.error:
            known = {o.error for t, o in zip(trials, seen, strict=True) if not t.case.hidden}
            message = stopped(got) or _raises(got.error, known)
        elif isinstance(trial.expected.value, Verdict):  # the input is a program, which has a name
            message = wrong[first]
        return replace(result, message=message)
    if case.tells:
        result = replace(result, message=f"{result.message} {case.tells}")
    shown = example(trial.inputs, trial.names, trial.expected, got)
    return replace(result, example=shown, matrices=matrices(trial.expected, got))


def _raises(error: str, known: set[str | None]) -> str:
    """A hidden case's exception. A student's own could spell the hidden inputs, and so can a choice
    among Python's: only a name that the public cases show too says nothing new."""
    return f"It raises {error if error in known & KNOWN_ERRORS else 'an exception'} here."


def _known_mistake(
    task: Task, trials: Sequence[Trial], seen: Sequence[Observation], wrong: dict[int, str]
) -> Mistake | None:
    """The known mistake that does what the answer does on every trial. An answer may hold two at
    once, so failing that: one that does so but for the dtype of its floats, and then one that does
    so on every trial of the first case that fails, and is right wherever the answer is: a single
    trial would say too little. Where nothing but a dtype is wrong, that must be the mistake."""
    right = [i for i in range(len(trials)) if i not in wrong]
    first_case = trials[min(wrong)].case
    of_first = [i for i in wrong if trials[i].case is first_case]
    several = len(of_first) + sum(trials[i].case is first_case for i in right) > 1
    # Torch words one slip in many ways; which trials it breaks tells it apart, unless all are
    # broken. NumPy names the shapes that met, which are the slip's own.
    fails = task.library == "numpy" or all(got.error for got in seen)
    # A mistake whose numbers are right on a trial does not say why the answer's are wrong there.
    numbers = not any(RIGHT_NUMBERS in fault for fault in wrong.values())
    # An error without a number is many a slip's: alone, of one case, it says nothing.
    several &= any(not seen[i].error or re.search(r"\d", seen[i].message) for i in of_first)
    for places, with_messages in (([*wrong], fails), (of_first, True))[: 1 + several]:
        alone = all(RIGHT_NUMBERS in wrong[i] for i in places)
        for with_dtypes in (True, False):
            for mistake in task.mistakes:
                if all(
                    _behaves_as(mistake, trials[i], seen[i], i in wrong, with_messages, with_dtypes)
                    and not (numbers and i in wrong and _is_right(mistake, trials[i]))
                    and (with_dtypes or not alone or i in right or _is_dtype(mistake, trials[i]))
                    for i in [*places, *right]
                ):
                    return mistake
    return None


def _is_dtype(mistake: Mistake, trial: Trial) -> bool:
    """Whether what a mistake gets wrong is the dtype of right numbers."""
    done = execute(mistake.answer, trial.inputs, trial.task.library)
    return RIGHT_NUMBERS in (difference(trial.expected, done, [], trial.case.atol) or "")


def _behaves_as(
    mistake: Mistake,
    trial: Trial,
    got: Observation,
    is_wrong: bool,
    with_messages: bool,
    with_dtypes: bool,
) -> bool:
    if not is_wrong:
        return _is_right(mistake, trial)
    done = execute(mistake.answer, trial.inputs, trial.task.library)
    return same_behaviour(done, got, trial.case.atol, with_messages, with_dtypes)


def _is_right(mistake: Mistake, trial: Trial) -> bool:
    """Whether a mistake does not show on this trial."""
    done = execute(mistake.answer, trial.inputs, trial.task.library)
    return difference(trial.expected, done, [], *trial.limits) is None
