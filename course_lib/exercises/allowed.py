"""What a task allows as its arguments: shapes, dtypes, ranges. What is refused gets a sentence.

Axes have names: the same name is the same length in all arguments, and "..." are any leading axes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_lib.checker.compare.formatting import describe
from course_lib.checker.run.inputs import Array

LARGEST = 1000.0  # of a number; what is larger tells rounding from faults no longer
MOST_NUMBERS = 400  # of one argument: the judge computes with them
KINDS = {"floats": "f", "numbers": "fi", "integers": "i", "mask": "b"}
WORDS = {"floats": "floats", "numbers": "numbers", "integers": "whole numbers", "mask": "booleans"}
Sizes = dict[str, Any]


@dataclass(frozen=True)
class Argument:
    """One argument: its kind, its axes, and for whole numbers the range.

    kind: an array of "floats", of "numbers" (floats or whole), of "integers" (int64), or a "mask"
    (booleans that broadcast to the axes); "whole" (an int), "number" (an int or a float),
    "probability" (a number from 0 to 1), "flag" (a bool), or "words" (a list of texts, one for each
    place of its axis). An axis of a mask may be "1".
    """

    kind: str
    axes: str = ""
    low: int | float = -LARGEST
    high: int | float = LARGEST
    optional: bool = False


def floats(axes: str, low: int | float = -LARGEST, high: int | float = LARGEST) -> Argument:
    return Argument("floats", axes, low, high)


def mask(axes: str, optional: bool = False) -> Argument:
    return Argument("mask", axes, optional=optional)


def number(low: int | float, high: int | float, optional: bool = False) -> Argument:
    return Argument("number", "", low, high, optional)


def integers(axes: str, low: int, high: int) -> Argument:
    return Argument("integers", axes, low, high)


def words(axes: str) -> Argument:
    return Argument("words", axes)


def whole(low: int, high: int, optional: bool = False) -> Argument:
    return Argument("whole", "", low, high, optional)


def probability() -> Argument:
    return Argument("probability")


def flag() -> Argument:
    return Argument("flag")


def why_not_allowed(takes: Mapping[str, Argument], given: Sequence) -> str:
    """The sentence that refuses these arguments, plain data; "" where all are allowed."""
    needed = [name for name, one in takes.items() if not one.optional]
    if not len(needed) <= len(given) <= len(takes):
        free = [name for name, one in takes.items() if one.optional]
        more = f", and {', '.join(free)} if you like" if free else ""
        listed = ", ".join(needed) + more
        return f"{len(given)} arguments are given; {len(needed)} are needed: {listed}."
    sizes: Sizes = {}
    pairs = list(zip(takes.items(), given, strict=False))  # those at the end may be left out
    # A mask broadcasts to axes that the others give.
    for (name, one), value in sorted(pairs, key=lambda pair: pair[0][1].kind == "mask"):
        if problem := _problem(one, value, sizes):
            return f"`{name}` {problem}"
    return ""


def _problem(one: Argument, value: Any, sizes: Sizes) -> str:
    if value is None and one.optional:
        return ""
    if one.kind == "whole":
        if type(value) is not int or not one.low <= value <= one.high:
            given = value if type(value) in (int, float, bool) else describe(value)
            return f"must be an int from {one.low} to {one.high}; it is {given}."
        return ""
    if one.kind == "number":
        if not isinstance(value, int | float) or not one.low < value <= one.high:
            given = value if isinstance(value, int | float) else describe(value)
            return f"must be a number above {one.low:g} and up to {one.high:g}; it is {given}."
        return ""
    if one.kind == "probability":
        fits = isinstance(value, int | float) and type(value) is not bool and 0 <= value <= 1
        given = value if type(value) in (int, float) else describe(value)
        return "" if fits else f"must be a number from 0 to 1; it is {given}."
    if one.kind == "flag":
        return "" if type(value) is bool else f"must be a bool; it is {describe(value)}."
    if one.kind == "words":
        if type(value) is not list or not value or not all(type(word) is str for word in value):
            return "must be a list of words."
        return _shape_problem(one.axes, (len(value),), sizes)
    if not isinstance(value, Array) or value.data.dtype.kind not in KINDS[one.kind]:
        if one.kind == "floats" and isinstance(value, Array) and value.data.dtype.kind == "i":
            return "holds whole numbers; floats are needed: write 1.0 for 1."
        needed = f"must be an array of {WORDS[one.kind]}; it"
        if not isinstance(value, Array):
            return f"{needed} is {describe(value)}."
        cure = " Write True and False, or compare, as in `x > 0`." if one.kind == "mask" else ""
        return f"{needed} holds numbers of {value.dtype}.{cure}"
    if one.kind == "integers" and value.dtype != "int64":
        return "must be of dtype int64."
    if not 0 < value.data.size <= MOST_NUMBERS:
        return f"has {value.data.size} numbers; from 1 to {MOST_NUMBERS} are allowed."
    if one.kind == "mask":
        return _mask_problem(one.axes, value.data.shape, sizes)
    if not np.isfinite(value.data).all():
        return "contains nan or inf; only finite numbers are allowed."
    if value.data.min() < one.low or value.data.max() > one.high:
        return f"must hold numbers from {one.low:g} to {one.high:g}."
    return _shape_problem(one.axes, value.data.shape, sizes)


def _shape_problem(axes: str, shape: tuple[int, ...], sizes: Sizes) -> str:
    names = axes.split()
    leading = names[:1] == ["..."]
    names = names[leading:]
    fits = len(shape) >= len(names) if leading else len(shape) == len(names)
    found: Sizes = dict(zip(names, shape[len(shape) - len(names) :], strict=False))
    if leading:
        found["..."] = shape[: len(shape) - len(names)]
    wrong = [name for name in found if sizes.setdefault(name, found[name]) != found[name]]
    if fits and not wrong:
        return ""
    known = ", ".join(f"{name} = {sizes[name]}" for name in [*wrong] if fits)
    return f"has the shape {shape}; ({', '.join(axes.split())}) is needed" + (
        f", and {known} by the others." if known else "."
    )


def _mask_problem(axes: str, shape: tuple[int, ...], sizes: Sizes) -> str:
    full: tuple[int, ...] = ()
    for name in axes.split():
        size = sizes[name] if name != "1" else 1
        full += size if isinstance(size, tuple) else (size,)
    try:
        if np.broadcast_shapes(shape, full) == full and math.prod(shape):
            return ""
    except ValueError:
        pass
    return f"has the shape {shape}, which does not broadcast to {full}."
