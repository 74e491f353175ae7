"""A wrong result that is right for other inputs: as if one argument were missing, turned round or
exchanged with another. The reference says so, called with arguments that are changed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from course_lib.checker.compare.changes import RIGHT_IF, changes
from course_lib.checker.compare.difference import same_behaviour
from course_lib.checker.compare.enough import is_one_number, tells
from course_lib.checker.compare.other_layers import other_layers
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs, Observation, Transposed

IN_ONE = "In one case that fails, "
EXCHANGED = "`{0}` and `{1}` were exchanged"
IN_PLACE = "`{1}` were `{0}`"
WHERE_WRONG = "Where yours is wrong, w{0}"
MULTIPLE = "`{0}` were {2} times `{1}`"
GIVEN = "Perhaps you compute it so: `{0}` is given, use it as it is."
LOOK = "Look where you use which of the two."
LAYERS = (
    "Perhaps both are one layer, as `self.{1} = self.{0} = …` makes them, or one is used where the "
    "other belongs."
)


def as_if(
    trials: Sequence[Any],
    seen: Sequence[Observation],
    these: Sequence[int],
    wrong: Sequence[int] = (),
) -> str | None:
    """The sentence for a change of the arguments that explains all of these trials. Where another
    wrong trial is not explained, there is more to it, and no cure is told."""
    if any(seen[i].changed or trials[i].inputs.examiner for i in these):
        return None
    few = not tells(trials, seen, these)
    if few and not tells(trials, seen, wrong or these):
        return None
    if any(explains(trials[i], trials[i].inputs, seen[i]) for i in these):
        return None  # what is returned is right: something else is wrong, such as the way back
    first, *others = these
    for words, inputs in _changed(trials[first]):
        if is_one_number(trials, inputs, trials[first].inputs, wrong or these):
            continue
        if explains(trials[first], inputs, seen[first]) and all(
            explains(trials[i], dict(_changed(trials[i])).get(words), seen[i]) for i in others
        ):
            more = [i for i in wrong if i not in these and not trials[i].inputs.examiner]
            if all(
                explains(trials[i], dict(_changed(trials[i])).get(words), seen[i]) for i in more
            ):
                return words if _of_all(words, trials, seen, wrong) else _where_wrong(words)
            if few:  # alone they say too little
                continue
            return here(words.partition(". ")[0] + ".")
    return None


def _of_all(
    words: str, trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int]
) -> bool:
    """Whether what is right would be so with the changed argument, too, wherever that is given."""
    for i, trial in enumerate(trials):
        if i in wrong or trial.inputs.examiner or seen[i].error:
            continue
        changed = dict(_changed(trial)).get(words)
        if changed is not None and not explains(trial, changed, seen[i]):
            return False
    return True


def _where_wrong(words: str) -> str:
    """The sentence without its cure: elsewhere the argument has its part in the result."""
    return WHERE_WRONG.format(words.partition(". ")[0][1:] + ".")


def here(sentence: str) -> str:
    """A sentence that another wrong trial does not bear out, as one of that case alone."""
    return f"{IN_ONE}{sentence[0].lower()}{sentence[1:]}"


def explains(trial: Any, inputs: Inputs | None, got: Observation) -> bool:
    """Whether the reference gives what came, called with these arguments."""
    if inputs is None:
        return False
    done = execute(trial.task.reference, replace(inputs, upstream=None), trial.task.library)
    alone = Observation(value=got.value)
    return not done.error and same_behaviour(
        Observation(value=done.value), alone, trial.case.atol, within=trial.room
    )


def _changed(trial: Any) -> Iterator[tuple[str, Inputs]]:
    """(sentence, inputs) of every change of the arguments, in an order that is always the same."""
    given, names = trial.inputs, trial.names
    if given.init is not None:
        names = names[: len(given.args)]
    args = tuple(one.data if isinstance(one, Transposed) else one for one in given.args)
    for i, name in enumerate(names[: len(args)]):
        for words, other in changes(name, args[i]):
            yield words, replace(given, args=(*args[:i], other, *args[i + 1 :]))
    for name, value in given.kwargs.items():
        for words, other in changes(name, value):
            yield words, replace(given, kwargs={**given.kwargs, name: other})
    for i, one in enumerate(args):
        for j, two in enumerate(args):
            if i == j or not _alike(one, two):
                continue
            swapped = list(args)
            swapped[i], swapped[j] = two, one
            if i < j:
                words = RIGHT_IF.format(EXCHANGED.format(names[i], names[j]), LOOK)
                yield words, replace(given, args=tuple(swapped))
            words = RIGHT_IF.format(IN_PLACE.format(names[i], names[j]), LOOK)
            yield words, replace(given, args=(*args[:j], one, *args[j + 1 :]))
    for (i, one), (j, two) in permutations(enumerate(args), 2):
        for n in (2, 3, 4, 8) if type(one) is type(two) is int else ():
            words = RIGHT_IF.format(MULTIPLE.format(names[i], names[j], n), GIVEN.format(names[i]))
            yield words, replace(given, args=(*args[:i], n * two, *args[i + 1 :]))
    for one, two, is_exchange, changed in other_layers(given):
        what = (EXCHANGED if is_exchange else IN_PLACE).format(one, two)
        cure = LOOK if is_exchange else LAYERS.format(one, two)
        yield RIGHT_IF.format(what, cure), changed


def _alike(one: Any, two: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return one.shape == two.shape and one.dtype == two.dtype
    return type(one) is type(two) and type(one) in (set, list, int, float)
