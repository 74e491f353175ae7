"""How the numbers of one array are related to another's: what turns the one into the other."""

from collections.abc import Callable, Iterator

import numpy as np

from course_lib.checker.compare.enough import FEWEST, at_an_end
from course_lib.checker.compare.of_factors import of_factors, of_rows
from course_lib.checker.compare.of_moves import of_moves
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
NOT_ZERO = (
    "Your result is wrong only where 0 is right: other numbers stand there. Look for the line that "
    "has to make these zeros, or for what writes over them."
)

ALWAYS = (
    "Yours is {0} in every place. Perhaps one comparison holds wherever another does not and `|` "
    "joins them, or `&` joins two that never hold together; or one has the wrong sign."
)
ROUNDED = (
    "You round the result. Return the numbers as they are, and leave the rounding to whoever "
    "prints them."
)
NEARLY = (
    "Your numbers are right to about three digits, and no further. Perhaps something on the way is "
    "in half precision (`.half()`, `float16`, `bfloat16`), is rounded, or has a small number added."
)
MULTIPLES = (
    "Each row of yours is near the right one and holds whole multiples of one number, as if its "
    "numbers were rounded and then divided by their sum. Perhaps something is rounded on the way: "
    "leave that out."
)
NO_ROWS = (
    "Where yours is wrong, whole rows are zeros, and all other rows are right. Perhaps nan became "
    "zero there (`nan_to_num`), or those rows are passed over."
)
ZEROS = (
    "Your result is {0}. Perhaps nan became zero, `//` cut off what stood behind the point, or "
    "what you computed is not in it."
)
NOTHING = "all zero"  # the key of what is no property of an answer that is right elsewhere
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
    both_kinds = want.dtype.kind == have.dtype.kind == "b" and want.any() and not want.all()
    if both_kinds and (have.all() or not have.any()):
        yield f"always {have.any()}", ALWAYS.format(bool(have.any()))
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
    yield from of_moves(want, have)


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
        yield NOTHING, ZEROS.format("0" if have.size == 1 else "all zeros")
        if have.size > 1:
            yield "no rows", NO_ROWS
        return
    none = want == 0
    tiny = none.any() and near(want[~none], have[~none]) and 0 < abs(have[none]).max() < 1e-4
    if tiny and have.dtype == want.dtype and (have[none] != 0).mean() > 0.9:
        yield (
            "tiny",
            "It is right, but small numbers stand where exactly 0 is right. Perhaps a small number "
            "is written or added there, or something large takes the place of -inf.",
        )
    is_rounded = any(_is_rounded(want, have, digits) for digits in range(1, 7))
    if near(want, have) and have.dtype == np.float32 and not is_rounded and not tiny:
        yield "nearly", NEARLY
        return
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
    if want.ndim > 1 and _lacks_rows(want, have):
        yield "no rows", NO_ROWS
    if is_rounded:
        yield "rounded", ROUNDED
    if want.ndim and _are_multiples(want, have):
        yield "multiples", MULTIPLES
        return
    if is_rounded:
        return
    wide = want.dtype == have.dtype == np.float64
    if wide and np.allclose(have, want, rtol=2e-6, atol=1e-6):
        yield (
            "precision",
            "Your numbers are right to six digits, and no further. Perhaps a small number is added "
            "(1e-8), or something on the way is float32: `.float()`, or a tensor made without "
            "`dtype=`.",
        )
        return
    yield from of_factors(want, have, lengths, hidden)
    # Far out exp, tanh and their like are 0 or 1 whatever goes in: one such number says nothing,
    # given or needed.
    both = [have.item(), want.item()] if have.size == want.size == 1 else []
    flat = any(np.isclose(one, (0, 1), atol=1e-6).any() for one in both)
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
        if near(_softmax(have, k), want):
            yield f"no softmax {k}", f"A softmax over the {place} is missing."
        if near(want / want.sum(k, keepdims=True), have):
            yield f"normalised {k}", f"You divide by the sum over the {place}. Leave that out."
        if near(have / have.sum(k, keepdims=True), want):
            yield (
                f"not normalised {k}",
                f"Divided by its own sum over the {place}, your result is right: that step is "
                "missing, or divides by something else than that sum (by one to which a small "
                "number is added, or by the sum of other things).",
            )
    if none.any() and (~none).sum() > 1 and near(want[~none], have[~none]) and not tiny:
        yield "only not zero", NOT_ZERO
    yield from of_rows(want, have)
    yield from of_moves(want, have)


def _is_rounded(want: np.ndarray, have: np.ndarray, digits: int) -> bool:
    """Whether each number is the right one to so many digits, none has more, and some has any."""
    is_short = np.array_equal(have, np.round(have, digits)) and (have != np.round(have)).any()
    return bool(is_short and abs(have - want).max() <= 0.51 * 10.0**-digits)


def _are_multiples(want: np.ndarray, have: np.ndarray) -> bool:
    """Whether each row holds whole multiples of one number, 1/n, which is no row of what is right,
    and is within 1/n of that. A row needs as many numbers as no chance makes multiples, and not
    all alike: those are multiples of themselves."""
    parts = np.arange(2, 1001)

    def fits(row: np.ndarray) -> np.ndarray:
        times = row[..., None] * parts
        return np.asarray((abs(times - np.round(times)) < 1e-3).all(-2))

    near_enough = (abs(want - have)[..., None] * parts < 1).all(-2)
    found = fits(have) & ~fits(want) & near_enough
    there = ~at_an_end(have)
    span = have.max(-1, where=there, initial=-np.inf) - have.min(-1, where=there, initial=np.inf)
    enough = (there.sum(-1) >= FEWEST) & (span > 1e-3)
    return bool(enough.any() and found.any(-1).all())


def _lacks_rows(want: np.ndarray, have: np.ndarray) -> bool:
    """Whether each row is right or all zeros, and some row of each kind is asked for."""
    there, asked = have.any(-1), want.any(-1)
    return bool((asked & ~there).any() and near(want[there], have[there]))


def _called(name: str) -> str:
    return {"1 / x": "one divided by each number", "1 - x": "one minus each number"}.get(
        name, f"the {name}"
    )


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)
