"""A wrong result that is right for other inputs: as if one argument were missing, turned round or
exchanged with another. The reference says so, called with arguments that are changed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_lib.checker.compare.difference import same_behaviour
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Array, Inputs, Observation

RIGHT_IF = "What you return would be right if {0}. {1}"
HERE = "In the first case that fails, "
EXCHANGED = "`{0}` and `{1}` were exchanged"
IN_PLACE = "`{1}` were `{0}`"
LOOK = "Look where you use which of the two."
UNUSED = "So it has no part in your result: see that it is used, and not overwritten on the way."
FEWEST = 4  # numbers that differ from a right result in which a coincidence is none

Change = tuple[str, str, Callable[[Any], Any]]  # what it would be, the cure, the changed argument

OF_FLOATS: tuple[Change, ...] = (
    ("`{0}` were all zeros", UNUSED, np.zeros_like),
    ("`{0}` were all ones", UNUSED, np.ones_like),
    ("`{0}` were minus itself", "Look at its sign.", np.negative),
    ("`{0}` went through a tanh first", "Leave that out.", np.tanh),
    ("`{0}` went through an exp first", "Leave that out.", np.exp),
    ("`{0}` were squared first", "Leave that out.", np.square),
    ("only the size of `{0}` counted, not its sign", "Leave out `abs`.", np.abs),
    ("`{0}` were rounded first", "Leave that out.", np.round),
    ("negative numbers of `{0}` were 0", "Leave that out.", lambda x: np.maximum(x, 0)),
    (
        "`{0}` went through a softmax first",
        "Leave that out.",
        lambda x: (e := np.exp(x - x.max(-1, keepdims=True))) / e.sum(-1, keepdims=True),
    ),
    (
        "`{0}` were divided by its sum first",
        "Leave that out.",
        lambda x: x / x.sum(-1, keepdims=True),
    ),
    (
        "`{0}` were divided by its length first",
        "Leave that out.",
        lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
    ),
    (
        "`{0}` were divided by the square root of its last axis' length",
        "Leave that out.",
        lambda x: x / np.sqrt(np.asarray(x.shape[-1], x.dtype)),
    ),
)
OF_ANY: tuple[Change, ...] = (
    (
        "the first of `{0}` stood in the place of all",
        "Each needs its own: an index 0 is left somewhere, or a loop stops after one.",
        lambda x: np.broadcast_to(x[:1], x.shape).copy(),
    ),
    (
        "the last of `{0}` stood in the place of all",
        "Each needs its own: an index -1 is left somewhere, or a loop keeps its last round.",
        lambda x: np.broadcast_to(x[-1:], x.shape).copy(),
    ),
    ("`{0}` ran backwards", "Look at the direction.", lambda x: x[::-1].copy()),
    (
        "`{0}` ran backwards along its last axis",
        "Look at the direction.",
        lambda x: x[..., ::-1].copy(),
    ),
)
OF_MASKS: tuple[Change, ...] = (
    ("`{0}` had True for False", "It is used the wrong way round: `~` turns it.", np.logical_not),
    ("`{0}` were True everywhere", UNUSED, np.ones_like),
    ("`{0}` were False everywhere", "Nothing is left of it: look where it is used.", np.zeros_like),
)
OF_INTEGERS: tuple[Change, ...] = (
    ("`{0}` were one more", "It is one too many somewhere.", lambda n: n + 1),
    ("`{0}` were one less", "It is one too few somewhere.", lambda n: n - 1),
    ("`{0}` were twice as large", "Leave the factor out.", lambda n: 2 * n),
    ("`{0}` were 0, whatever it is", "Use the argument, no number of your own.", lambda n: 0),
    ("`{0}` were 1, whatever it is", "Use the argument, no number of your own.", lambda n: 1),
    ("`{0}` were 2, whatever it is", "Use the argument, no number of your own.", lambda n: 2),
)
OF_NUMBERS: tuple[Change, ...] = (
    ("`{0}` were 1, whatever it is", UNUSED, lambda x: 1.0),
    ("`{0}` were one divided by it", "Multiply where you divide, or divide.", lambda x: 1 / x),
    ("`{0}` were squared", "Use it as it is.", lambda x: x * x),
    ("`{0}` were its square root", "Use it as it is.", lambda x: x**0.5),
    ("`{0}` were one more", "Nothing is added to it.", lambda x: x + 1),
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
    distinct = [i for i in these if _is_distinct(trials[i].expected.value)]
    single = {trials[i].expected.value for i in these if type(trials[i].expected.value) is float}
    if not distinct and len(single) < FEWEST - 1:
        return None
    first, *others = these
    for words, inputs in _changed(trials[first]):
        if _explains(trials[first], inputs, seen[first]) and all(
            _explains(trials[i], dict(_changed(trials[i])).get(words), seen[i]) for i in others
        ):
            more = [i for i in wrong if i not in these and not seen[i].error]
            if all(
                _explains(trials[i], dict(_changed(trials[i])).get(words), seen[i]) for i in more
            ):
                return words
            return HERE + words[0].lower() + words.partition(". ")[0][1:] + "."
    return None


def _explains(trial: Any, inputs: Inputs | None, got: Observation) -> bool:
    if inputs is None:
        return False
    done = execute(trial.task.reference, replace(inputs, upstream=None), trial.task.library)
    alone = Observation(value=got.value)
    return not done.error and same_behaviour(
        Observation(value=done.value), alone, trial.case.atol, within=trial.room
    )


def _is_distinct(value: Any) -> bool:
    """Whether there is enough in a value to be no other's by chance."""
    if isinstance(value, tuple):
        return any(map(_is_distinct, value))
    return isinstance(value, Array) and value.data.size >= FEWEST


def _changed(trial: Any) -> Iterator[tuple[str, Inputs]]:
    """(sentence, inputs) of every change of the arguments, in an order that is always the same."""
    given, names = trial.inputs, trial.names
    if given.init is not None:
        names = names[: len(given.args)]
    args = given.args
    for i, name in enumerate(names[: len(args)]):
        for what, cure, change in _of(args[i]):
            with np.errstate(all="ignore"):
                other = change(args[i])
            words = RIGHT_IF.format(what.format(name), cure)
            yield words, replace(given, args=(*args[:i], other, *args[i + 1 :]))
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


def _of(value: Any) -> tuple[Change, ...]:
    if type(value) is int:
        return OF_INTEGERS
    if type(value) is float:
        return OF_NUMBERS
    if not isinstance(value, np.ndarray) or not value.ndim or not value.size:
        return ()
    if value.dtype.kind == "b":
        return (*OF_MASKS, *OF_ANY)
    return (*OF_FLOATS, *OF_ANY) if value.dtype.kind == "f" else OF_ANY


def _alike(one: Any, two: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return one.shape == two.shape and one.dtype == two.dtype
    return type(one) is type(two) and type(one) in (set, list, int, float)
