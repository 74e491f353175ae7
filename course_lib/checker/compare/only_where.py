"""The kind of call in which alone an answer is wrong, in words of its arguments: "`mask` is None",
"`query` has 2 axes". Who has a way of their own for it goes wrong there."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Array, Transposed

NONE = "`{0}` is None"
GIVEN = "`{0}` is not None"
NUMBER = "`{0}` is {1}"
AXES = "`{0}` has {1} axes"
ONE = "`{0}.shape[{1}]` is 1"
EQUAL = "`{0}.shape[{2}]` and `{1}.shape[{2}]` are equal"
SAME = "`{0}` and `{1}` are equal"
MORE = "`{0}` is greater than `{1}`"
FEWEST = 3  # right results that are of another kind
MOST_RIGHT = 0.25  # for each wrong one: results of the kind that are right, as by chance


def only_where(trials: Sequence[Any], wrong: Sequence[int]) -> tuple[str, list[int]] | None:
    """What holds of the arguments wherever the answer is wrong and nearly nowhere else, and the
    trials of which it holds; None where there is no such thing."""
    plain = [i for i, trial in enumerate(trials) if not trial.inputs.examiner]
    off = [i for i in plain if i in wrong]
    if trials[0].task.of_cases or len(off) < 2 or any(trials[i].expected.error for i in off):
        return None
    optional = _optional(trials[0].task.reference)
    holds = {i: [*_true_of(_given(trials[i], optional))] for i in plain}
    found = []
    for said in holds[off[0]]:
        these = [i for i in plain if said in holds[i]]
        right = [i for i in these if i not in off and not _says_little(trials[i])]
        if not {*off} <= {*these} or len(plain) - len(these) < FEWEST:
            continue
        if len(right) <= MOST_RIGHT * len(off):
            found.append((len(right), said, these))
    best = min(found, key=lambda one: one[0], default=None)
    return best and best[1:]


def _optional(reference: Callable) -> dict[str, None]:
    """The arguments of a function, or of a class's `forward`, that are None where none is given."""
    called: Any = (
        getattr(reference, "forward", reference) if inspect.isclass(reference) else reference
    )
    taken = inspect.signature(called).parameters.values()
    return {one.name: None for one in taken if one.default is None}


def _given(trial: Any, optional: Mapping[str, None]) -> dict[str, Any]:
    values = (*trial.inputs.args, *trial.inputs.kwargs.values())
    plain = (one.data if isinstance(one, Transposed) else one for one in values)
    return {**optional, **dict(zip(trial.names, plain, strict=False))}


def _true_of(given: Mapping[str, Any]) -> Iterator[str]:
    """What can be said of the arguments of one call, what says most first. Of a number it is told
    only that it is 0 or 1: a hidden one stays hidden."""
    for name, value in given.items():
        if value is None:
            yield NONE.format(name)
        elif isinstance(value, bool | str) or (type(value) in (int, float) and value in (0, 1)):
            yield NUMBER.format(name, repr(value) if isinstance(value, bool | str) else int(value))
    arrays = {name: one for name, one in given.items() if isinstance(one, np.ndarray) and one.ndim}
    for name, value in arrays.items():
        yield AXES.format(name, value.ndim)
        for axis in _axes(value):
            if value.shape[axis] == 1:
                yield ONE.format(name, axis)
    for (one, a), (two, b) in combinations(arrays.items(), 2):
        for axis in _axes(a) if a.ndim == b.ndim else ():
            if a.shape[axis] == b.shape[axis]:
                yield EQUAL.format(one, two, axis)
    counts = [(name, n) for name, n in given.items() if name.startswith("n_") and type(n) is int]
    for (one, n), (two, m) in combinations(counts, 2):
        words = SAME if n == m else MORE
        yield words.format(*((one, two) if n >= m else (two, one)))
    yield from (GIVEN.format(name) for name, value in given.items() if value is not None)


def _axes(array: np.ndarray) -> tuple[int, ...]:
    """The axes that have a name whatever stands before them; of four, that of the heads."""
    return {1: (-1,), 4: (1, -2, -1)}.get(array.ndim, (-2, -1))


def _says_little(trial: Any) -> bool:
    """Whether what is right in a trial is so for many: an error, or an axis of length one."""
    value = trial.expected.value
    parts = value if isinstance(value, tuple) else (value,)
    thin = any(isinstance(one, Array) and 1 in one.data.shape for one in parts)
    return bool(trial.expected.error or thin)
