"""Why an answer is wrong, in one sentence: the first of fifteen ways to say it that has one."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.checker.compare.as_if import IN_ONE
from course_lib.checker.compare.difference import RIGHT_NUMBERS
from course_lib.checker.compare.enough import tells
from course_lib.checker.compare.errors import advice
from course_lib.checker.compare.mutations import mutations
from course_lib.checker.compare.of_empty import where_empty
from course_lib.checker.compare.wrong import Wrong, all_like, explained, like
from course_lib.checker.tasks.task import Mistake

NOT_WRITTEN = (
    "It is not written yet, or a function of yours that it calls is not: replace `raise "
    "NotImplementedError` with your answer."
)
DTYPE = (
    "The dtype of your result is wrong; that comes first. Give each array that you make the dtype "
    "of the inputs, as in `zeros(n, dtype=x.dtype)`; where a step needs another one, turn its "
    "result back."
)
MORE = (
    "your result is that of this mistake; in others something else is wrong, or something more: {0}"
)
ALONE = "Your answer goes wrong only where {0}."
THERE = "Your answer goes wrong only where {0}, and there it does what this mistake does: {1}"
HERE = f"In one case that fails, {MORE}"
IN_SOME = f"In some cases that fail, {MORE}"


@dataclass(frozen=True)
class Diagnosis:
    """A sentence, and the name of the known mistake that it belongs to."""

    sentence: str | None = None
    mistake: str | None = None


def diagnose(wrong: Wrong) -> Diagnosis:
    """The first sentence that one of the `WAYS` has. A place takes no time: it is told, too, where
    a search is over."""
    found = (way(wrong) for way in WAYS if way is _place or not wrong.is_over)
    return next((one for one in found if one and one.sentence), _alone(wrong))


def _alone(wrong: Wrong) -> Diagnosis:
    """The kind of call in which alone something is wrong, with what else may be said of it."""
    return Diagnosis() if wrong.is_over else _with_where(wrong, wrong.relations[1])


def _with_where(wrong: Wrong, said: str | None) -> Diagnosis:
    """A sentence behind the kind of call in which alone something is wrong, if there is one."""
    kind = ALONE.format(wrong.only_where[0]) if wrong.only_where else None
    return Diagnosis(" ".join(filter(None, (kind, said))) or None)


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
    alone = [RIGHT_NUMBERS in fault for fault in wrong.faults.values()]
    if RIGHT_NUMBERS not in wrong.faults[wrong.first]:
        return None
    return (None if all(alone) else _mutation(wrong)) or Diagnosis(DTYPE)


def _error(wrong: Wrong) -> Diagnosis | None:
    if wrong.told_by_its_case:
        return None
    pairs = zip(wrong.trials, wrong.seen, strict=True)
    shown = [got for trial, got in pairs if not trial.case.hidden]
    return Diagnosis(advice(wrong.seen, shown, wrong.task.library))


def _known_where(wrong: Wrong) -> Diagnosis | None:
    """The known mistake that does what the answer does in the one kind of call that goes wrong."""
    if not wrong.only_where or not tells(wrong.trials, wrong.seen, [*wrong.faults]):
        return None
    if wrong.task.relate and wrong.relations[0]:
        return None  # what a task itself finds in the numbers says more
    said, these = wrong.only_where
    mistake = next(all_like(wrong, [*wrong.faults], within=these), None)
    if mistake is None:
        return None
    # Where one case alone fails, it may know more of what is so there.
    first = wrong.trials[wrong.first].case
    alone = all(wrong.trials[i].case is first for i in wrong.faults)
    perhaps = first.perhaps if alone else ""
    return Diagnosis(f"{THERE.format(said, mistake.sentence)} {perhaps}".rstrip())


def _of_the_case(wrong: Wrong) -> Diagnosis | None:
    """What breaks the first case, but where it is hidden and another one has another cause: then
    neither property alone is to blame."""
    first = wrong.trials[wrong.first].case
    others = {wrong.trials[i].case.perhaps for i in wrong.faults} - {"", first.perhaps}
    if not first.perhaps or (first.hidden and others):
        return None
    these = wrong.only_where[1] if wrong.only_where else [*range(len(wrong.trials))]
    mine = {i for i, trial in enumerate(wrong.trials) if trial.case is first}
    # Of a case that draws several kinds of call, the one kind says more.
    return Diagnosis(first.perhaps) if mine <= {*these} else _with_where(wrong, first.perhaps)


def _never_made(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(where_empty(wrong.trials, wrong.seen, [*wrong.faults], is_made=False))


def _related(wrong: Wrong) -> Diagnosis | None:
    said = wrong.relations[0]
    return None if not said or said.startswith(IN_ONE) else _with_where(wrong, said)


def _mutation(wrong: Wrong) -> Diagnosis | None:
    """A right answer with one thing otherwise that does what the answer does on every trial."""
    task = wrong.task
    if task.of_cases or not tells(wrong.trials, wrong.seen, [*wrong.faults]):
        return None
    # Of a change that nobody wrote down, a number near the answer's says too little.
    among = mutations(task.reference)
    found = like(wrong, [*wrong.faults], among=among, dtypes=(True,), exactly=True)
    return Diagnosis(found.sentence) if found else None


def _place(wrong: Wrong) -> Diagnosis | None:
    """What the cases before the first that fails leave to look at: they hold."""
    return Diagnosis(wrong.trials[wrong.first].case.place)


def _related_here(wrong: Wrong) -> Diagnosis | None:
    return _with_where(wrong, wrong.relations[0]) if wrong.relations[0] else None


def _of_nothing(wrong: Wrong) -> Diagnosis | None:
    return Diagnosis(where_empty(wrong.trials, wrong.seen, [*wrong.faults], is_made=True))


def _known_here(wrong: Wrong) -> Diagnosis | None:
    first = wrong.trials[wrong.first].case
    cases = [first]
    if sum(trial.case is first for trial in wrong.trials) == 1:
        others = (wrong.trials[i].case for i in sorted(wrong.faults))
        cases += [case for case in others if case is not first][:1]
    mistake = _known_in(wrong, cases)
    if mistake is None:
        return None
    where = {id(wrong.trials[i].case) for i in explained(wrong, mistake)}
    return Diagnosis((IN_SOME if len(where) > 1 else HERE).format(mistake.sentence))


# What every trial confirms is said of the answer; what the first case alone does, of that case.
WAYS: tuple[Callable[[Wrong], Diagnosis | None], ...] = (
    _not_written, _at_once, _known, _dtype, _error, _never_made, _known_where, _of_the_case,
    _of_cases, _related, _mutation, _place, _of_nothing, _related_here, _known_here,
)  # fmt: skip


def _known_mistake(wrong: Wrong) -> Mistake | None:
    """The known mistake that does what the answer does on every trial. An answer may hold two at
    once, so failing that: one that does so but for the dtype of its floats."""
    # Who says the same is found first. But torch words one slip in many ways; which trials it
    # breaks tells it apart, unless all are broken. NumPy names the shapes that met, the slip's own.
    fails = wrong.task.library == "numpy" or all(got.error for got in wrong.seen)
    places = [*wrong.faults]
    if said := like(wrong, places):
        return said
    errors = any(wrong.seen[i].error for i in places)
    return like(wrong, places, with_messages=False) if errors and not fails else None


def _known_in(wrong: Wrong, cases: Sequence[Any]) -> Mistake | None:
    """The known mistake that does what the answer does on every trial of these cases, the first
    that fail, and is right wherever the answer is: a single trial would say too little. Of several
    that do, the one that does what the answer does most often."""
    inside = [any(trial.case is case for case in cases) for trial in wrong.trials]
    of_first = [i for i in wrong.faults if inside[i]]
    trials = sum(inside)
    # An error without a number is many a slip's: alone, of one case, it says nothing.
    tells = any(
        not wrong.seen[i].error or re.search(r"\d", wrong.seen[i].message) for i in of_first
    )
    if trials < 2 or not tells:
        return None
    found = [*all_like(wrong, of_first)]
    return max(found, key=lambda one: len(explained(wrong, one)), default=None)
