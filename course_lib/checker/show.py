"""`show`: what a task asks for, drawn before any code is written.

Only what a report would show is shown: inputs of public cases, and the right results for them.
"""

import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.checker.cells import names_here
from course_lib.checker.compare.formatting import show as in_words
from course_lib.checker.compare.judge import Trial
from course_lib.checker.run.inputs import Array, Candidate, LookupStep, Transposed
from course_lib.checker.say.drawing import Rows
from course_lib.checker.say.target import Shown, Target, Thing
from course_lib.checker.tasks.catalogue import Catalogue
from course_lib.checker.tasks.sampler import Sampler
from course_lib.checker.tasks.task import Task

MANY = 3  # examples
ROOM = 40  # numbers of one example, where its case has a smaller one
LARGEST = 12  # rows and columns of a matrix
ROWS = 9  # of all matrices of an array
NO_TASK = "There is no such task. The tasks are: {0}."
NOTHING = (
    "There is nothing to draw for `{0}`: what it is given and what is right say more in words."
)


def show_task(catalogue: Catalogue, task: Any, seed: int = 0) -> Target:
    """Three small inputs of a task and the right result for each; another `seed` draws others.

    `task` is its name, or the function or class that is to become the answer. Never raises: what
    cannot be shown gets a sentence that says why.
    """
    known = catalogue.tasks.get(task) if type(task) is str else None
    if known is None and type(task) is not str:
        known, _ = catalogue.task_of(task, names_here())
    if known is None:
        return Target("", note=NO_TASK.format(", ".join(catalogue.tasks)))
    call = known.call_form.replace("`", "")
    examples = _examples(known, seed if type(seed) is int and seed >= 0 else 0)
    return Target(call, examples, "" if examples else NOTHING.format(known.name))


def _examples(task: Task, seed: int) -> tuple[Shown, ...]:
    if task.judge or not task.parameters:
        return ()
    found: list[Shown] = []
    for turn in range(MANY):
        chosen = _chosen(task, seed + turn)
        found += [_shown(trial) for trial in chosen[: MANY - len(found)]]
    return tuple(found)


def _chosen(task: Task, seed: int) -> list[Trial]:
    """One trial of each public case that can be drawn: the largest with room, or the smallest. Its
    numbers hang on the case's name, so that a new case changes no picture but its own."""
    chosen = []
    for case in (one for one in task.cases if not one.hidden and not one.is_example):
        mixed = seed + zlib.crc32(case.name.encode())
        drawn = (case.inputs(Sampler(mixed, size, case.dtypes[0])) for size in case.sizes)
        trials = [t for inputs in drawn if _can_be_drawn(t := Trial(task, case, inputs))]
        small = [one for one in trials if _numbers(one) <= ROOM]
        chosen += small[-1:] or trials[:1]
    return chosen


def _can_be_drawn(trial: Trial) -> bool:
    """Whether what comes in is not code, and what comes out is the result itself: not a gradient,
    and not how much memory it took."""
    inputs = trial.inputs
    plain = inputs.examiner is None and not any(isinstance(v, Candidate) for v in inputs.args)
    return plain and inputs.upstream is None and inputs.largest is None


def _numbers(trial: Trial) -> int:
    inputs = trial.inputs
    given = [*inputs.args, *inputs.kwargs.values(), trial.expected.value]
    return sum(array.size for value in given for array in _arrays(value))


def _arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, Array | Transposed | np.ndarray):
        yield _data(value)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _arrays(item)


def _data(value: Any) -> np.ndarray:
    return value if isinstance(value, np.ndarray) else value.data


def _shown(trial: Trial) -> Shown:
    inputs, seen = trial.inputs, trial.expected
    given = dict(zip(trial.names, (*inputs.args, *inputs.kwargs.values()), strict=True))
    names = trial.task.returns
    if names and isinstance(seen.value, tuple):
        right = {f"right {name}": one for name, one in zip(names, seen.value, strict=True)}
    else:
        right = {"right": seen.value}
    # Of a batch the first text alone, unless there is room for all of it.
    whole = all(_rows_of(one) <= ROWS for one in _arrays([*given.values(), seen.value]))
    before = [thing for pair in given.items() for thing in _things(*pair, whole)]
    after = [thing for pair in right.items() for thing in _things(*pair, whole)]
    if inputs.init is not None:
        before.insert(0, _module(trial))
    if seen.error:
        after = [Thing("right", "", f"raises {seen.error}")]
    return Shown(trial.case.name, tuple(before), tuple(after))


def _rows_of(data: np.ndarray) -> int:
    return math.prod(data.shape[:-1])


def _things(name: str, value: Any, whole: bool) -> Iterator[Thing]:
    """What is drawn of a value; of a tuple of arrays, each for itself."""
    if (
        isinstance(value, tuple | list)
        and value
        and all(isinstance(v, Array | np.ndarray) for v in value)
    ):
        for number, item in enumerate(value):
            yield from _things(f"{name}[{number}]", item, whole)
    elif isinstance(value, LookupStep):
        likeliest = value.table.argmax(-1)
        about = "likeliest next word: a row for each state, a column for each word"
        yield Thing(name, about, in_words(value), _matrices(likeliest, whole))
    elif isinstance(value, Array | Transposed | np.ndarray) and _data(value).ndim:
        data = _data(value)
        yield Thing(name, _about(data), in_words(data), _matrices(data, whole))
    elif isinstance(value, Array):
        yield Thing(name, "", f"{value.data.item():.4g}")
    else:
        yield Thing(name, "", f"{value:.4g}" if isinstance(value, float) else in_words(value))


def _about(data: np.ndarray) -> str:
    axes = zip(("columns", "rows"), data.shape[::-1], strict=False)
    cut = [f"its first {LARGEST} {kind}" for kind, size in axes if size > LARGEST]
    return ", ".join([str(data.shape), *cut])


def _module(trial: Trial) -> Thing:
    sizes = ", ".join(map(str, trial.inputs.init or ()))
    parts = (f"{name} {_data(value).shape}" for name, value in trial.inputs.state.items())
    text = f"{trial.task.name}({sizes})\nwith drawn parameters: {', '.join(parts)}"
    return Thing("module", "", text)


def _matrices(data: np.ndarray, whole: bool) -> tuple[tuple[str, Rows], ...]:
    """The matrices of an array, the first along its first axis or all; a vector is a row."""
    if data.ndim < 2:
        return (("", _rows(data[None])),)
    places = [p for p in np.ndindex(data.shape[:-2]) if whole or not p or p[0] == 0]
    room = max(1, ROWS // max(1, min(LARGEST, data.shape[-2])))
    return tuple((str(list(place)) if place else "", _rows(data[place])) for place in places[:room])


def _rows(matrix: np.ndarray) -> Rows:
    kept = matrix[:LARGEST, :LARGEST].tolist()
    return [[v if isinstance(v, int) or np.isfinite(v) else None for v in row] for row in kept]
