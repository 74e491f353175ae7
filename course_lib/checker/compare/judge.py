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

from course_lib.checker.compare.diagnosis import Diagnosis, Wrong, diagnose
from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.errors import everywhere, ran, stopped
from course_lib.checker.compare.formatting import example, matrices
from course_lib.checker.compare.search import ENDED, Search, begin
from course_lib.checker.compare.search import SECONDS as SEARCH_SECONDS
from course_lib.checker.limits import SECONDS, TimeLimit
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs, Observation, Verdict
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.say.rows import SAME
from course_lib.checker.tasks.sampler import Sampler
from course_lib.checker.tasks.task import Case, Task

KNOWN_ERRORS = {
    name
    for name, kind in vars(builtins).items()
    if inspect.isclass(kind) and issubclass(kind, BaseException)
} | {"AxisError", "LinAlgError", "_ArrayMemoryError", "OutOfMemoryError", "MissingAnswer"}
LATE = " {0} were not run to their end: your answer took longer than {1:g} s for all of them."
HIDDEN = "The result is not right there; the numbers stay hidden."


@dataclass(frozen=True, eq=False)
class Trial:
    """One set of inputs for one case of a task."""

    task: Task
    case: Case
    inputs: Inputs

    @property
    def names(self) -> list[str]:
        """The names of the arguments that are given, in order."""
        names = self.task.given or self.task.parameters
        return [*names[: len(self.inputs.args)], *self.inputs.kwargs]

    @property
    def limits(self) -> tuple[float | None, float | None]:
        return self.case.atol, self.case.within

    @property
    def room(self) -> float:
        """How far two ways to the same number may lie apart: half of what a small limit allows."""
        return (self.case.within or 0) / 2 if (self.case.within or 0) <= 0.02 else 0.0

    @cached_property
    def expected(self) -> Observation:
        return execute(self.task.reference, self.inputs.unwatched, self.task.library)


def draw_trials(task: Task, seed: int, device: str = "cpu") -> list[Trial]:
    """Every trial of a task: each case at each size and dtype, smallest first."""

    def inputs(case: Case, *sampler: Any) -> Inputs:
        return replace(case.inputs(Sampler(*sampler)), device=device)

    drawn = (case for case in task.cases if not case.is_example)
    number = {case.name: c for c, case in enumerate(drawn)}  # an example changes no other's draws
    return [
        Trial(task, case, inputs(case, _mix(seed, number.get(case.name, 0), size, d), size, dtype))
        for case in task.cases
        for size in case.sizes
        for d, dtype in enumerate(case.dtypes)
    ]


def _mix(seed: int, *parts: int) -> int:
    return int(np.random.SeedSequence([seed, *parts]).generate_state(2, np.uint64)[0])


def observe(answer: Callable, trials: Sequence[Trial]) -> list[Observation]:
    """Run an answer on every trial, here and now."""
    return [execute(answer, trial.inputs, trial.task.library) for trial in trials]


def judge(
    task: Task, trials: Sequence[Trial], seen: Sequence[Observation], text: str = ""
) -> Report:
    """The report on what an answer did. `seen` holds one observation for each trial, in order;
    `text` is the answer's own, "" where it is not known."""
    if task.judge:
        return task.judge(task, trials, seen)
    wrong = {
        i: _named(problem, one)
        for i, (one, got) in enumerate(zip(trials, seen, strict=True))
        if (problem := difference(one.expected, got, one.names, *one.limits))
    }
    cases = tuple(_case_result(case, trials, seen, wrong) for case in task.cases)
    report = Report(
        task=task.name,
        points=task.points,
        cases=_said_once(seen, _in_report_order(task, cases)),
        summary=_count(task, cases, seen),
        notes=tuple(_notes(task, seen)),
        credit=task.credit,
        ran=not wrong or any(ran(seen[i]) for i in wrong),
    )
    if not wrong:
        return report
    search = begin(report.headline)
    found = _diagnosed(task, trials, seen, wrong, search, text)
    ended = search is not None and search.has_ended and not found.sentence
    notes = (*report.notes, ENDED.format(SEARCH_SECONDS)) if ended else report.notes
    return replace(report, diagnosis=found.sentence, mistake=found.mistake, notes=notes)


def _diagnosed(
    task: Task,
    trials: Sequence[Trial],
    seen: Sequence[Observation],
    wrong: dict[int, str],
    search: Search | None,
    text: str,
) -> Diagnosis:
    """The diagnosis by what was drawn: the few round numbers of an example fit many causes."""
    drawn = [i for i, trial in enumerate(trials) if not trial.case.is_example]
    if not any(i in wrong for i in drawn):
        drawn = [*range(len(trials))]
    faults = {place: wrong[i] for place, i in enumerate(drawn) if i in wrong}
    chosen = [trials[i] for i in drawn], [seen[i] for i in drawn]
    return diagnose(Wrong(task, *chosen, faults, search, text))


def _in_report_order(task: Task, cases: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """The cases as a report has them: where they are counted, those that fail come first."""
    if task.unnamed:
        plain = {True: CaseResult(task.unnamed, True, hidden=True)}
        plain[False] = CaseResult(task.unnamed, False, "Not right.", hidden=True)
        cases = tuple(plain[case.passed] if case.hidden else case for case in cases)
    return tuple(sorted(cases, key=lambda case: case.passed)) if any(task.counts) else cases


def _count(task: Task, cases: tuple[CaseResult, ...], seen: Sequence[Observation]) -> str:
    parts = []
    for words, required in zip(task.counts, (True, False), strict=True):
        these = [case.passed for case in cases if case.required is required]
        parts += [f"{sum(these)} of {len(these)} {words}"] if words else []
    if not parts:
        return ""
    late = sum(got.error == TimeLimit.__name__ for got in seen)
    return ", ".join(parts) + "." + LATE.format(late, SECONDS) * bool(late)


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
        alone = all(trials[i].case.hidden for i in wrong)  # else more than the property is wrong
        message = f"{HIDDEN} {case.perhaps}".rstrip() if alone else HIDDEN
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
