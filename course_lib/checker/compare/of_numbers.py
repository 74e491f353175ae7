"""How the numbers of one array are related to another's: what turns the one into the other."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from course_lib.checker.compare.pair import Pair, Relation, near, nth

# What a right result is put through that it should not be, and what is missing from a wrong one.
ENTRYWISE: dict[str, Callable] = {
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
    "abs": np.abs,
    "square": np.square,
    "sqrt": np.sqrt,
    "1 / x": lambda x: 1 / x,
    "1 - x": lambda x: 1 - x,
}
FACTORS = {
    2: "2",
    100: "100",
    np.log(2): "ln 2 (base 2 in place of e)",
    np.log(10): "ln 10 (base 10 in place of e)",
    np.sqrt(2 * np.pi): "√(2π)",
    np.pi: "π",
}

NOT_ZERO = (
    "Your result is wrong only where 0 is right: other numbers stand there. Look for the line that "
    "has to make these zeros, or for what writes over them."
)

# One number is always some multiple of another: these need more than that.
WEAK = ("factor any", "gap")


def of_numbers(pair: Pair) -> Iterator[Relation]:
    """(key, sentence) of what relates the numbers of two arrays of one shape, the surest first."""
    if pair.arrays is None:
        return
    want, have = pair.arrays
    if want.shape != have.shape or not want.size:
        return
    if want.dtype.kind in "biu" or have.dtype.kind in "biu":
        yield from _of_whole_numbers(want, have)
    elif np.isfinite(want).all():
        with np.errstate(all="ignore"):
            yield from _of_numbers(want, have, pair.lengths, pair.hidden)


def of_lost_digits(pair: Pair) -> Iterator[Relation]:
    """Whole numbers where others are right."""
    if pair.arrays is None:
        return
    want, have = pair.arrays
    if (
        want.size
        and want.dtype.kind == "f"
        and have.dtype.kind in "bi"
        and want.shape == have.shape
    ):
        yield (
            "whole",
            "Your result holds whole numbers, and what stood behind the point is lost. Perhaps an "
            "array was made with `dtype=int`, or from whole numbers: give it `dtype=x.dtype`.",
        )


def _of_whole_numbers(want: np.ndarray, have: np.ndarray) -> Iterator[Relation]:
    both_whole = want.dtype != have.dtype and {want.dtype.kind, have.dtype.kind} <= {"i", "u"}
    if both_whole and (want == have).all():
        yield "other whole numbers", "The numbers are right; int64 is needed: `.long()`."
    if want.dtype.kind == "b" and have.dtype.kind == "b" and (want != have).all():
        yield "inverted", "True and False are exchanged: `~` turns a mask round."
    if have.dtype.kind == "f" and want.dtype.kind in "bi" and (want == have).all():
        kind = "bool: compare, or `.bool()`" if want.dtype.kind == "b" else "int64"
        yield "floats", f"The numbers are right, but they are floats. What is needed is {kind}."
    if have.dtype.kind in "iu" and want.dtype.kind == "b" and (want == have).all():
        yield (
            "no bool",
            "The numbers are right, but a boolean array is needed: `.bool()`, or `> 0`.",
        )
    yield from _moves(want, have)


def _of_numbers(
    want: np.ndarray, have: np.ndarray, lengths: list[int], hidden: bool
) -> Iterator[Relation]:
    """Functions, factors and sums between two arrays of one shape."""
    number = np.isfinite(have)
    if not number.all():
        none = np.isnan(have[~number]).all() and not want[~number].any()
        if none and near(want[number], have[number]):
            yield (
                "nan for zero",
                "It is right, but nan where zeros are right. Perhaps 0/0 or -inf - (-inf) arose "
                "there: give such a row a divisor of 1 and a maximum of 0.",
            )
        return
    if want.any() and not have.any():
        yield (
            "zero",
            "Your result is all zeros. Perhaps nan became zero, `//` cut off what stood behind the "
            "point, or what you computed is not in it.",
        )
        return
    none = want == 0
    tiny = none.any() and near(want[~none], have[~none]) and 0 < abs(have[none]).max() < 1e-4
    if tiny and have.dtype == want.dtype and (have[none] != 0).mean() > 0.9:
        yield (
            "tiny",
            "It is right, but small numbers stand where exactly 0 is right. Perhaps a small number "
            "is written or added there, or something large takes the place of -inf.",
        )
    for k in range(want.ndim):
        for which, index in (("first", 0), ("last", -1)):
            kept = np.arange(want.shape[k]) != index % want.shape[k]
            rest = want.compress(kept, k), have.compress(kept, k)
            if rest[0].any() and near(*rest) and not have.take(index, k).any():
                yield (
                    f"{which} {k} zero",
                    f"It is right, but the {which} along the {nth(k, want.ndim)} stays zero. "
                    "Perhaps a loop leaves it out: it has to go through all of them, `range(n)`, "
                    "from 0 to n − 1.",
                )
    wide = want.dtype == have.dtype == np.float64
    if wide and want.any() and np.allclose(have, want, rtol=2e-6, atol=1e-6):
        yield (
            "precision",
            "Your numbers are right to six digits, and no further. Perhaps a small number is added "
            "(1e-8), or something on the way is float32: `.float()`, or a tensor made without "
            "`dtype=`.",
        )
        return
    for digits in range(1, 5):
        if near(have, np.round(have, digits)) and abs(have - want).max() <= 0.51 * 10.0**-digits:
            yield "rounded", "You round the result. Return the numbers as they are."
            return
    yield from _factors(want, have, lengths, hidden)
    # Far out exp, tanh and their like are 0 or 1 whatever goes in: one such number says nothing.
    flat = have.size == 1 and np.isclose(have.item(), (0, 1), atol=1e-6).any()
    for name, function in ENTRYWISE.items() if not flat else ():
        if near(function(want), have):
            yield name, f"Yours is {_called(name)} of the right result: leave that out."
        elif name not in ("abs", "relu", "1 / x", "1 - x") and near(function(have), want):
            yield f"no {name}", f"A last step is missing: {_called(name)} of yours is right."
    for k in range(want.ndim):
        if want.shape[k] == 1:
            continue
        place = nth(k, want.ndim)
        if near(_softmax(want, k), have):
            yield f"softmax {k}", f"Yours is the softmax of what is needed, over the {place}."
        elif near(_softmax(have, k), want):
            yield f"no softmax {k}", f"A softmax over the {place} is missing."
        elif near(want / want.sum(k, keepdims=True), have):
            yield f"normalised {k}", f"You divide by the sum over the {place}. Leave that out."
        elif near(have / have.sum(k, keepdims=True), want):
            yield (
                f"not normalised {k}",
                f"Divided by its own sum over the {place}, your result is right: that step is "
                "missing, or divides by the sum of something else.",
            )
    if none.any() and (~none).sum() > 1 and near(want[~none], have[~none]) and not tiny:
        yield "only not zero", NOT_ZERO
    yield from _moves(want, have)


def _called(name: str) -> str:
    return {"1 / x": "one divided by each number", "1 - x": "one minus each number"}.get(
        name, f"the {name}"
    )


def _factors(
    want: np.ndarray, have: np.ndarray, lengths: list[int], hidden: bool
) -> Iterator[Relation]:
    solid = abs(want) > 1e-6 * abs(want).max()
    if not solid.any():
        return
    ratios = have[solid] / want[solid]
    factor = float(np.median(ratios))
    if not np.isclose(factor, 1, rtol=1e-4) and factor and near(want * factor, have):
        if np.isclose(factor, -1):
            yield "minus", "The sign is wrong: your result is minus the right one."
            return
        for what, size in _powers(factor, lengths):
            yield f"factor {what}", _too_large(factor, what, size, hidden)
    gap = float(np.median(have - want))
    if abs(gap) > 1e-6 and near(want + gap, have):
        shown = "" if hidden else f", {gap:.4g}"
        yield "gap", f"Every number is off by the same amount{shown}: something is added."


def _powers(factor: float, lengths: list[int]) -> Iterator[Relation]:
    """(what a factor is, how it is called): a constant, a power of an axis's length, or neither."""
    for value, name in FACTORS.items():
        for power in (1, -1):
            if np.isclose(factor, float(value) ** power, rtol=1e-5):
                yield f"{name} {power}", name
    for power, called in ((1, "{}"), (0.5, "√{}"), (2, "{}²")):
        for n in lengths:
            for sign in (power, -power):
                if np.isclose(factor, float(n) ** sign, rtol=1e-5):
                    yield f"length {sign}", called.format(n)
    yield "any", f"{max(factor, 1 / factor, key=abs):.4g}"


def _too_large(factor: float, what: str, size: str, hidden: bool) -> str:
    many = f"Every number is too {'large' if abs(factor) > 1 else 'small'} by the same factor"
    if what.startswith("length"):
        shown = "the length of an axis, its root or square" if hidden else size
        return (
            f"{many}, {shown}: look at what you divide or multiply by, and whether a mean stands "
            "where a sum should, or the other way round."
        )
    if what != "any":
        return f"{many}, {size}: leave it out, or put it in."
    return f"{many}{'' if hidden else f', {size}'}: look at what you divide or multiply by."


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def _moves(want: np.ndarray, have: np.ndarray) -> Iterator[Relation]:
    """Reversed or shifted along an axis; one member for all."""
    for k in range(want.ndim):
        if want.shape != have.shape or want.shape[k] < 2:
            continue
        place = nth(k, want.ndim)
        one = want.take([0], k)
        if near(np.broadcast_to(one, want.shape).astype(have.dtype), have):
            yield (
                f"first for all {k}",
                f"Along the {place} all of your result is alike: what belongs to the first. Each "
                "needs its own.",
            )
        elif _varied(have) and near(np.flip(want, k), have):
            yield f"flipped {k}", f"Along the {place} your result runs backwards."
        elif want.shape[k] > 2:
            for shift, words in ((1, "too late"), (-1, "too early")):
                kept = (slice(None),) * k + (np.s_[1:] if shift > 0 else np.s_[:-1],)
                moved = np.roll(want, shift, k)[kept]
                if _varied(moved) and near(moved, have[kept]):
                    yield (
                        f"shift {k} {shift}",
                        f"Along the {place} everything stands one place {words}: off by one.",
                    )


def _varied(x: Any) -> bool:
    return x.size > 2 and bool((x != x.flat[0]).any())
