"""Several numbers where one is asked for: which one of them, or what of them, is right."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from course_lib.checker.compare.pair import Pair, Relation
from course_lib.checker.run.inputs import Array

MANY = "You return several numbers where one is needed, and {0} is right: return that."
ALIKE = "What you return holds the right number. Return the number alone, not what it stands in."
WHICH: dict[str, Callable] = {
    "their mean": np.mean,
    "their sum": np.sum,
    "the largest of them": np.max,
    "the smallest of them": np.min,
    "the first of them": lambda x: x.flat[0],
    "the last of them": lambda x: x.flat[-1],
}


def of_many(pair: Pair) -> Iterator[Relation]:
    """(key, sentence) of everything that makes the one right number of those that came. Where all
    of them are right it is any: another trial says which."""
    if type(pair.want) not in (int, float):
        return
    numbers = _numbers(pair.have)
    if numbers is None or not numbers.size or not np.isfinite(numbers).all():
        return
    room = max(pair.trial.case.within or 0, 1e-4)

    def is_right(x: Any) -> Any:
        return np.isclose(x, pair.want, rtol=room, atol=1e-9)

    if is_right(numbers).all():
        yield "many alike", ALIKE
    for name, make in WHICH.items():
        if is_right(make(numbers)):
            yield f"many {name}", MANY.format(name)


def _numbers(have: Any) -> np.ndarray | None:
    """All numbers of an array, a list or a tuple in one array; None where something is none."""
    if isinstance(have, Array):
        return have.data.astype(np.float64) if have.data.dtype.kind in "iuf" else None
    if not isinstance(have, list | tuple):
        return None
    plain = [_number(one) for one in have]
    return np.array(plain, float) if all(type(one) in (int, float) for one in plain) else None


def _number(one: Any) -> Any:
    return one.data.item() if isinstance(one, Array) and one.data.size == 1 else one
