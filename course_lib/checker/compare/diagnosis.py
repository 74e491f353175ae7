"""Why an answer is wrong, in one sentence: the first of ten ways to say it that has one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from course_lib.checker.compare.difference import RIGHT_NUMBERS, difference, same_behaviour
from course_lib.checker.compare.errors import advice
from course_lib.checker.compare.relation import relations
from course_lib.checker.compare.search import Search
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Observation
from course_lib.checker.tasks.task import Mistake, Task

NOT_WRITTEN = (
    "It is not written yet, or a function of yours that it calls is not: replace `raise "
    "NotImplementedError` with your answer."
)
DTYPE = (
    "The dtype of your result is wrong; that comes first. Give each array that you make the dtype "
    "of the inputs, as in `zeros(n, dtype=x.dtype)`, and convert none to another."
)
HERE = "In one case that fails, it does what this does, and in others not: {0}"
IN_TWO = "In two cases that fail, it does what this does, and in others not: {0}"


@dataclass(frozen=True)
class Diagnosis:
    """A sentence, and the name of the known mistake that it belongs to."""

    sentence: str | None = None
    mistake: str | None = None


@dataclass(frozen=True, eq=False)
class Wrong:
    """What a wrong answer did: an observation for each trial, and how those that are wrong differ
    from what is right, by number, at least one."""

    task: Task
    trials: Sequence[Any]
    seen: Sequence[Observation]
    faults: Mapping[int, str]
    search: Search | None = None
    done: dict[tuple[int, int], Observation] = field(default_factory=dict)

    def did(self, mistake: Mistake, i: int) -> Observation:
        """What a mistake does on a trial. It is asked for several times, and run once."""
        key = id(mistake), i
        if key not in self.done:
            trial = self.trials[i]
            self.done[key] = execute(mistake.answer, trial.inputs.unwatched, self.task.library)
        return self.done[key]

    @property
    def is_over(self) -> bool:
        """Whether somebody has waited long enough."""
        return self.search is not None and self.search.is_over()

    @property
    def first(self) -> int:
        """The number of the first trial that is wrong."""
        return min(self.faults)

    @property
    def told_by_its_case(self) -> bool:
        """Whether one case alone fails, which says what breaks it, and first without an error."""
        first = self.trials[self.first].case
        alone = all(self.trials[i].case is first for i in self.faults)
        return bool(first.perhaps and alone and not self.seen[self.first].error)

    @property
    def by_case(self) -> dict[str, Any]:
        """What the answer gave in each case that fails, by the case's name."""
        return {self.trials[i].case.name: self.seen[i].value for i in self.faults}

    @cached_property
    def relations(self) -> tuple[str | None, str | None]:
        """How what came is related to what is right: a sentence that says it, and a vague one."""
        return relations(self.trials, self.seen, [*self.faults])


def diagnose(wrong: Wrong) -> Diagnosis:
    """The first sentence that one of the `WAYS` has."""
    found = (way(wrong) for way in WAYS if not wrong.is_over)
    return next((one for one in found if one and one.sentence), Diagnosis())


def _not_written(wrong: Wrong) -> Diagnosis | None:
    unwritten = all(got.error == "NotImplementedError" for got in wrong.seen)
    return Diagnosis(NOT_WRITTEN) if unwritten else None


def _at_once(wrong: Wrong) -> Diagnosis | None:
    if wrong.task.at_once is None:
        return None
    said = wrong.task.at_once(wrong.by_case, wrong.seen[0].value)
    names = (one.name for one in wrong.task.mistakes if one.sentence == said)
    return Diagnosis(said, next(names, None))


def _of_cases(wrong: Wrong) -> Diagnosis | None:
    told = wrong.task.of_cases
    return Diagnosis(told(wrong.by_case, wrong.seen[0].value)) if told else None


def _known(wrong: Wrong) -> Diagnosis | None:
    mistake = _known_mistake(wrong)
    return Diagnosis(mistake.sentence, mistake.name) if mistake else None


def _dtype(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(DTYPE) if RIGHT_NUMBERS in wrong.faults[wrong.first] else None


def _error(wrong: Wrong) -> Diagnosis | None:
    if wrong.told_by_its_case:
        return None
    pairs = zip(wrong.trials, wrong.seen, strict=True)
    shown = [got for trial, got in pairs if not trial.case.hidden]
    return Diagnosis(advice(wrong.seen, shown, wrong.task.library))


def _of_the_case(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(wrong.trials[wrong.first].case.perhaps)


def _related(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(wrong.relations[0])


def _known_here(wrong: Wrong) -> Diagnosis | None:
    first = wrong.trials[wrong.first].case
    cases = [first]
    if sum(trial.case is first for trial in wrong.trials) == 1:
        others = (wrong.trials[i].case for i in sorted(wrong.faults))
        cases += [case for case in others if case is not first][:1]
    mistake = _known_in(wrong, cases)
    said = HERE if len(cases) == 1 else IN_TWO
    return Diagnosis(said.format(mistake.sentence)) if mistake else None


def _vaguely(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(wrong.relations[1])


# What every trial confirms is said of the answer; what the first case alone does, of that case.
WAYS: tuple[Callable[[Wrong], Diagnosis | None], ...] = (
    _not_written, _at_once, _known, _dtype, _error, _of_the_case, _of_cases, _related,
    _known_here, _vaguely,
)  # fmt: skip


def _known_mistake(wrong: Wrong) -> Mistake | None:
    """The known mistake that does what the answer does on every trial. An answer may hold two at
    once, so failing that: one that does so but for the dtype of its floats."""
    # Who says the same is found first. But torch words one slip in many ways; which trials it
    # breaks tells it apart, unless all are broken. NumPy names the shapes that met, the slip's own.
    fails = wrong.task.library == "numpy" or all(got.error for got in wrong.seen)
    places = [*wrong.faults]
    if said := _like(wrong, places):
        return said
    errors = any(wrong.seen[i].error for i in places)
    return _like(wrong, places, with_messages=False) if errors and not fails else None


def _known_in(wrong: Wrong, cases: Sequence[Any]) -> Mistake | None:
    """The known mistake that does what the answer does on every trial of these cases, the first
    that fail, and is right wherever the answer is: a single trial would say too little."""
    inside = [any(trial.case is case for case in cases) for trial in wrong.trials]
    of_first = [i for i in wrong.faults if inside[i]]
    trials = sum(inside)
    # An error without a number is many a slip's: alone, of one case, it says nothing.
    tells = any(
        not wrong.seen[i].error or re.search(r"\d", wrong.seen[i].message) for i in of_first
    )
    return _like(wrong, of_first) if trials > 1 and tells else None


def _like(wrong: Wrong, places: Sequence[int], with_messages: bool = True) -> Mistake | None:
    """The known mistake that does what the answer does at these places, and is right wherever the
    answer is. Where nothing but a dtype is wrong, that must be the mistake."""
    task, trials = wrong.task, wrong.trials
    if any(trial.inputs.device != "cpu" for trial in trials):
        return None  # elsewhere only the right comes
    right = [i for i in range(len(trials)) if i not in wrong.faults]
    # A mistake whose numbers are right on a trial does not say why the answer's are wrong there.
    numbers = not any(RIGHT_NUMBERS in fault for fault in wrong.faults.values())
    alone = all(RIGHT_NUMBERS in wrong.faults[i] for i in places)
    for with_dtypes in (True, False):
        for mistake in task.mistakes:
            if wrong.is_over:
                return None
            if all(
                _behaves_as(wrong, mistake, i, with_messages, with_dtypes)
                and not (
                    numbers and i in wrong.faults and _is_close(wrong, mistake, i, with_dtypes)
                )
                and (with_dtypes or not alone or i in right or _is_dtype(wrong, mistake, i))
                for i in [*places, *right]
            ):
                return mistake
    return None


def _is_dtype(wrong: Wrong, mistake: Mistake, i: int) -> bool:
    """Whether what a mistake gets wrong is the dtype of right numbers."""
    trial, done = wrong.trials[i], wrong.did(mistake, i)
    return RIGHT_NUMBERS in (difference(trial.expected, done, [], trial.case.atol) or "")


def _behaves_as(
    wrong: Wrong, mistake: Mistake, i: int, with_messages: bool, with_dtypes: bool
) -> bool:
    if i not in wrong.faults:
        return _is_right(wrong, mistake, i)
    trial, got, done = wrong.trials[i], wrong.seen[i], wrong.did(mistake, i)
    return same_behaviour(done, got, trial.case.atol, with_messages, with_dtypes, trial.room)


def _is_close(wrong: Wrong, mistake: Mistake, i: int, with_dtypes: bool) -> bool:
    """Whether a mistake does not show on this trial as closely as numbers are compared: where
    dtypes may differ, a mistake in the seventh digit says nothing of an answer off there."""
    trial, done = wrong.trials[i], wrong.did(mistake, i)
    if with_dtypes or done.error or trial.expected.error or done.changed:
        return _is_right(wrong, mistake, i)
    plain = Observation(value=trial.expected.value), Observation(value=done.value)
    return same_behaviour(*plain, trial.case.atol, width=False)


def _is_right(wrong: Wrong, mistake: Mistake, i: int) -> bool:
    """Whether a mistake does not show on this trial."""
    trial, done = wrong.trials[i], wrong.did(mistake, i)
    return difference(trial.expected, done, [], *trial.limits) is None
