"""Values as a person reads them, for the example in a report."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import (
    Array,
    Candidate,
    Inputs,
    LookupStep,
    Observation,
    Opaque,
    Transposed,
    Verdict,
)
from course_lib.checker.run.values import observe_value
from course_lib.checker.say.picture import Matrices
from course_lib.checker.say.report import Example

LARGEST = 12  # rows and columns of a matrix that is drawn
MANY = 8  # arrays of one tuple that are shown
SORTED = 1000  # items of a set that are put in order
SHOWN_ITEMS = 60  # an example with more numbers than this is not shown: nobody reads it


def example(
    inputs: Inputs, names: list[str], expected: Observation, got: Observation
) -> Example | None:
    """Inputs, expected and got side by side; None when they are too large to read."""
    if inputs.examiner or any(isinstance(value, Candidate) for value in inputs.args):
        return None
    shown = dict(zip(names, (*inputs.args, *inputs.kwargs.values()), strict=False))
    if sum(_count(v) for v in [*shown.values(), expected.value]) > SHOWN_ITEMS or inputs.init:
        return None
    wanted, came = _outcome(expected), _outcome(got)
    for digits in (6, 9, 17) if _dtype(expected) == _dtype(got) else ():
        if wanted != came:
            break
        wanted, came = _outcome(expected, digits), _outcome(got, digits)
    if wanted == came:  # what is wrong is not in the numbers
        return None
    return Example(
        inputs=tuple((name, show(value)) for name, value in shown.items()),
        expected=wanted,
        got=came,
    )


def matrices(expected: Observation, got: Observation) -> Matrices | None:
    """The first matrix of a result that is not right, small enough to be drawn."""
    wanted, came = expected.value, got.value
    if got.error or type(wanted) is not type(came):
        return None
    if not isinstance(wanted, tuple):
        return _matrix(wanted, came, "The result")
    pairs = enumerate(zip(wanted, came, strict=False))
    found = (_matrix(want, have, f"Output {i}") for i, (want, have) in pairs)
    return next(filter(None, found), None)


def _matrix(wanted: Any, came: Any, part: str) -> Matrices | None:
    if not isinstance(wanted, Array) or not isinstance(came, Array):
        return None
    arrays = wanted.data, came.data
    shape = wanted.data.shape
    if came.data.shape != shape or not all(one.dtype.kind in "biuf" for one in arrays):
        return None
    if len(shape) < 2 or max(shape[-2:]) > LARGEST:
        return None
    right, yours = (one.astype(float) for one in arrays)
    wrong = np.argwhere(~np.isclose(yours, right, rtol=1e-4, atol=1e-5, equal_nan=True))
    if not len(wrong):
        return None
    place = tuple(int(i) for i in wrong[0][:-2])
    if place:
        part += f" [{', '.join(map(str, place))}]"
    return Matrices(part, _finite(yours[place]), _finite(right[place]))


def _finite(matrix: np.ndarray) -> list[list[float | None]]:
    return [[value if np.isfinite(value) else None for value in row] for row in matrix.tolist()]


def _dtype(seen: Observation) -> str | None:
    return getattr(seen.value, "dtype", None)


def _outcome(seen: Observation, digits: int = 3) -> str:
    return f"raises {seen.error}" if seen.error else show(seen.value, digits)


def _count(value: Any) -> int:
    return sum(array.size for array in _arrays(value))


def _arrays(value: Any) -> Iterator[np.ndarray]:
    match value:
        case np.ndarray():
            yield value
        case Array() | Transposed():
            yield value.data
        case LookupStep():
            yield value.table
        case tuple() | list():
            for item in value:
                yield from _arrays(item)


def show(value: Any, digits: int = 3) -> str:
    """A value as a person reads it: few decimals, at most some twenty lines, whatever it is."""
    match value:
        case np.ndarray() if value.size > SHOWN_ITEMS:
            first = np.array2string(value.reshape(-1)[:6], precision=digits, suppress_small=True)
            return f"an array of shape {value.shape}, beginning with {first}"
        case np.ndarray():
            return np.array2string(value, precision=digits, suppress_small=True)
        case Array() | Transposed():
            return show(value.data, digits)
        case Candidate():
            return value.source
        case Verdict():
            return "refuses it" if value.refused else "accepts it"
        case LookupStep():
            return f"a step that looks its logits up in\n{show(value.table)}"
        case tuple() | list() if any(isinstance(item, Array | np.ndarray) for item in value[:MANY]):
            more = f",\nand {len(value) - MANY} more" if len(value) > MANY else ""
            return ",\n".join(show(item, digits) for item in value[:MANY]) + more
        case _:
            return brief(value, 400)


def brief(value: Any, room: int = 120) -> str:
    """A value on one line of at most `room` characters. What is cut off is never written out."""
    match value:
        case np.ndarray() | Array() | Transposed() | Opaque() | LookupStep():
            text = describe(value if isinstance(value, Array | Opaque) else observe_value(value))
        case str():
            text = repr(value[:room])
        case tuple() | list() | set() | dict():
            items = list(itertools.islice(value, MANY * 2 if type(value) is not set else SORTED))
            if type(value) is set:  # its own order is another one in every process
                items = sorted(items, key=brief)[: MANY * 2]
            if isinstance(value, dict):
                inner = [f"{brief(key, 40)}: {brief(value[key], 40)}" for key in items]
            else:
                inner = [brief(item, 40) for item in items]
            inner += ["…"] if len(value) > len(items) else []
            left, right = {tuple: "()", list: "[]"}.get(type(value), "{}")
            comma = "," if type(value) is tuple and len(value) == 1 else ""
            text = (
                f"{left}{', '.join(inner)}{comma}{right}"
                if value or type(value) is not set
                else "set()"
            )
        case bool() | int() | float() | None:
            text = repr(value)
        case _:
            text = describe(observe_value(value))
    return text if len(text) <= room else text[: room - 1] + "…"


def describe(value: Any) -> str:
    """What a value is, for a sentence: "a NumPy array of shape (2, 3)"."""
    if value is None:
        return "None"
    if isinstance(value, Array):
        thing = "NumPy array" if value.library == "numpy" else "torch tensor"
        return f"a {thing} of shape {value.data.shape}"
    name = value.type_name if isinstance(value, Opaque) else type(value).__name__
    return f"{'an' if name[:1] in tuple('aeiouAEIO') else 'a'} {name or 'nameless thing'}"
