"""Why an answer is wrong, in one sentence: the first of eight ways to say it that has one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.checker.compare.difference import RIGHT_NUMBERS, difference, same_behaviour
from course_lib.checker.compare.errors import advice
from course_lib.checker.compare.relation import relation
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

    @property
    def first(self) -> int:
        """The number of the first trial that is wrong."""
        return min(self.faults)

    @property
    def by_case(self) -> dict[str, Any]:
        """What the answer gave in each case that fails, by the case's name."""
        return {self.trials[i].case.name: self.seen[i].value for i in self.faults}


def diagnose(wrong: Wrong) -> Diagnosis:
    """The first sentence that one of the `WAYS` has."""
    found = (way(wrong) for way in WAYS)
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
    if any(trial.inputs.device != "cpu" for trial in wrong.trials):
        return None  # elsewhere only the right comes
    mistake = _known_mistake(wrong.task, wrong.trials, wrong.seen, wrong.faults)
    return Diagnosis(mistake.sentence, mistake.name) if mistake else None


def _dtype(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(DTYPE) if RIGHT_NUMBERS in wrong.faults[wrong.first] else None


def _error(wrong: Wrong) -> Diagnosis | None:
    pairs = zip(wrong.trials, wrong.seen, strict=True)
    shown = [got for trial, got in pairs if not trial.case.hidden]
    return Diagnosis(advice(wrong.seen, shown, wrong.task.library))


def _of_the_case(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(wrong.trials[wrong.first].case.perhaps)


def _related(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(relation(wrong.trials, wrong.seen, [*wrong.faults]))


WAYS: tuple[Callable[[Wrong], Diagnosis | None], ...] = (
    _not_written, _at_once, _known, _dtype, _error, _of_the_case, _of_cases, _related,
)  # fmt: skip


def _known_mistake(
    task: Task, trials: Sequence[Any], seen: Sequence[Observation], wrong: Mapping[int, str]
) -> Mistake | None:
    """The known mistake that does what the answer does on every trial. An answer may hold two at
    once, so failing that: one that does so but for the dtype of its floats, and then one that does
    so on every trial of the first case that fails, and is right wherever the answer is: a single
    trial would say too little. Where nothing but a dtype is wrong, that must be the mistake."""
    right = [i for i in range(len(trials)) if i not in wrong]
    first_case = trials[min(wrong)].case
    of_first = [i for i in wrong if trials[i].case is first_case]
    several = len(of_first) + sum(trials[i].case is first_case for i in right) > 1
    # Who says the same is found first. But torch words one slip in many ways; which trials it
    # breaks tells it apart, unless all are broken. NumPy names the shapes that met, the slip's own.
    fails = task.library == "numpy" or all(got.error for got in seen)
    # A mistake whose numbers are right on a trial does not say why the answer's are wrong there.
    numbers = not any(RIGHT_NUMBERS in fault for fault in wrong.values())
    # An error without a number is many a slip's: alone, of one case, it says nothing.
    several &= any(not seen[i].error or re.search(r"\d", seen[i].message) for i in of_first)
    passes = [([*wrong], True)]
    if not fails and any(seen[i].error for i in wrong):
        passes.append(([*wrong], False))
    if several:
        passes.append((of_first, True))
    for places, with_messages in passes:
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


def _is_dtype(mistake: Mistake, trial: Any) -> bool:
    """Whether what a mistake gets wrong is the dtype of right numbers."""
    done = execute(mistake.answer, trial.inputs.unwatched, trial.task.library)
    return RIGHT_NUMBERS in (difference(trial.expected, done, [], trial.case.atol) or "")


def _behaves_as(
    mistake: Mistake,
    trial: Any,
    got: Observation,
    is_wrong: bool,
    with_messages: bool,
    with_dtypes: bool,
) -> bool:
    if not is_wrong:
        return _is_right(mistake, trial)
    done = execute(mistake.answer, trial.inputs.unwatched, trial.task.library)
    return same_behaviour(done, got, trial.case.atol, with_messages, with_dtypes, trial.room)


def _is_right(mistake: Mistake, trial: Any) -> bool:
    """Whether a mistake does not show on this trial."""
    done = execute(mistake.answer, trial.inputs.unwatched, trial.task.library)
    return difference(trial.expected, done, [], *trial.limits) is None
