"""One factor between all numbers of a wrong array and of the right one, or one gap."""

from collections.abc import Iterator

import numpy as np

from course_lib.checker.compare.pair import Relation, near

FACTORS = {
    2: "2",
    100: "100",
    np.log(2): "ln 2 (base 2 in place of e)",
    np.log(10): "ln 10 (base 10 in place of e)",
    np.sqrt(2 * np.pi): "√(2π)",
    np.pi: "π",
}

VARIES, OF_FIRST = ", not the same for all inputs", " in the first case that fails"

OF_ROWS = (
    "Each row of yours, along the last axis, is the right one times a number of its own. Look what "
    "a row is divided or multiplied by."
)
OF_SHARES = (
    "Each row of yours, along the last axis, is the right one times a number of its own, and the "
    "right ones sum to one. Divide each row by its own sum, and by nothing else."
)


def of_factors(
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
            yield what, _too_large(factor, what, size, hidden)
    gap = float(np.median(have - want))
    if abs(gap) > 1e-6 and near(want + gap, have):
        shown = "" if hidden else f", {gap:.4g}"
        yield (
            f"{gap:.4g} gap",
            f"Every number is off by the same amount{shown}: something is added.",
        )
        yield "gap", f"Every number is off by one amount{VARIES}: something is added."


def of_rows(want: np.ndarray, have: np.ndarray) -> Iterator[Relation]:
    """A factor of its own in each row, of which two numbers at least are not 0."""
    if want.ndim < 2 or ((want != 0).sum(-1) < 2).any():
        return
    top = abs(want).argmax(-1)[..., None]
    factors = np.take_along_axis(have, top, -1) / np.take_along_axis(want, top, -1)
    differ = factors.all() and abs(factors - factors.flat[0]).max() > 1e-3
    if differ and near(want * factors, have):
        if np.allclose(want.sum(-1), 1):
            yield "only factors of shares", OF_SHARES
        yield "only factors of rows", OF_ROWS


def _powers(factor: float, lengths: list[int]) -> Iterator[Relation]:
    """(what a factor is, how it is called): a constant, a power of an axis's length, or neither."""
    for value, name in FACTORS.items():
        for power in (1, -1):
            if np.isclose(factor, float(value) ** power, rtol=1e-5):
                yield f"factor {name} {power}", name
    for power, called in ((1, "{}"), (0.5, "√{}"), (2, "{}²")):
        for n in lengths:
            for sign in (power, -power):
                if np.isclose(factor, float(n) ** sign, rtol=1e-5):
                    yield f"factor length {sign}", called.format(n)
    size = f"{max(factor, 1 / factor, key=abs):.4g}"
    side = "large" if abs(factor) > 1 else "small"
    yield f"{side} {size} factor any", size
    yield f"{side} factor any", ""


def _too_large(factor: float, what: str, size: str, hidden: bool) -> str:
    """What holds wherever the key does: a number that is not in the key is of one case alone."""
    many = f"Every number is too {'large' if abs(factor) > 1 else 'small'} by"
    if what.startswith("factor length"):
        shown = "the length of an axis, its root or square" if hidden else f"{size}{OF_FIRST}"
        return (
            f"{many} the same factor, {shown}: look at what you divide or multiply by, and whether "
            "a mean stands where a sum should, or the other way round."
        )
    if not what.endswith("any"):
        return f"{many} the same factor, {size}: leave it out, or put it in."
    shown = f"the same factor{'' if hidden else f', {size}'}" if size else f"one factor{VARIES}"
    return f"{many} {shown}: look at what you divide or multiply by."
