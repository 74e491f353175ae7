"""What a wrong answer did, and the listed mistake that does the same."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from course_lib.checker.compare.difference import RIGHT_NUMBERS, difference, same_behaviour
from course_lib.checker.compare.only_where import only_where
from course_lib.checker.compare.relation import relations
from course_lib.checker.compare.search import Search
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Observation
from course_lib.checker.tasks.task import Mistake, Task


@dataclass(frozen=True, eq=False)
class Wrong:
    """What a wrong answer did: an observation for each trial, and how those that are wrong differ
    from what is right, by number, at least one."""

    task: Task
    trials: Sequence[Any]
    seen: Sequence[Observation]
    faults: Mapping[int, str]
    search: Search | None = None
    text: str = ""  # of the answer; "" where it is not known
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
    def only_where(self) -> tuple[str, list[int]] | None:
        """The kind of call in which alone the answer is wrong, and the trials of that kind."""
        return only_where(self.trials, [*self.faults])

    @cached_property
    def relations(self) -> tuple[str | None, str | None]:
        """How what came is related to what is right: a sentence that says it, and a vague one."""
        return relations(self.trials, self.seen, [*self.faults], self.text)


def like(
    wrong: Wrong,
    places: Sequence[int],
    with_messages: bool = True,
    among: Iterable[Mistake] | None = None,
    dtypes: Sequence[bool] = (True, False),
    exactly: bool = False,
) -> Mistake | None:
    """The first of `all_like`."""
    return next(all_like(wrong, places, with_messages, among, dtypes, exactly), None)


def explained(wrong: Wrong, mistake: Mistake) -> list[int]:
    """The wrong trials on which a mistake does what the answer does."""
    return [i for i in wrong.faults if _behaves_as(wrong, mistake, i, True, True, False)]


def all_like(
    wrong: Wrong,
    places: Sequence[int],
    with_messages: bool = True,
    among: Iterable[Mistake] | None = None,
    dtypes: Sequence[bool] = (True, False),
    exactly: bool = False,
    within: Container[int] | None = None,
) -> Iterator[Mistake]:
    """The known mistakes that do what the answer does at these places, and are right wherever the
    answer is, or `within` these trials. Where nothing but a dtype is wrong, that must be the
    mistake. Two ways to one number may lie apart as far as the case allows, unless `exactly`."""
    task, trials = wrong.task, wrong.trials
    if any(trial.inputs.device != "cpu" for trial in trials):
        return  # elsewhere only the right comes
    right = [i for i in range(len(trials)) if i not in wrong.faults]
    right = right if within is None else [i for i in right if i in within]
    # A mistake whose numbers are right on a trial does not say why the answer's are wrong there.
    numbers = not any(RIGHT_NUMBERS in fault for fault in wrong.faults.values())
    alone = all(RIGHT_NUMBERS in wrong.faults[i] for i in places)
    for with_dtypes in dtypes:
        for mistake in task.mistakes if among is None else among:
            if wrong.is_over:
                return
            if all(
                _behaves_as(wrong, mistake, i, with_messages, with_dtypes, exactly)
                and not (
                    numbers and i in wrong.faults and _is_close(wrong, mistake, i, with_dtypes)
                )
                and (with_dtypes or not alone or i in right or _is_dtype(wrong, mistake, i))
                for i in [*places, *right]
            ):
                yield mistake


def _is_dtype(wrong: Wrong, mistake: Mistake, i: int) -> bool:
    """Whether what a mistake gets wrong is the dtype of right numbers."""
    trial, done = wrong.trials[i], wrong.did(mistake, i)
    return RIGHT_NUMBERS in (difference(trial.expected, done, [], trial.case.atol) or "")


def _behaves_as(
    wrong: Wrong, mistake: Mistake, i: int, with_messages: bool, with_dtypes: bool, exactly: bool
) -> bool:
    if i not in wrong.faults:
        return _is_right(wrong, mistake, i)
    trial, got, done = wrong.trials[i], wrong.seen[i], wrong.did(mistake, i)
    room = 0.0 if exactly else trial.room
    return same_behaviour(done, got, trial.case.atol, with_messages, with_dtypes, room)


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
