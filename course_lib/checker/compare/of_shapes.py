"""How the shape of one array is related to another's, where their numbers say so."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from course_lib.checker.compare.of_text import FIRST, LAST, LOOP, RETURN, SLICE, perhaps
from course_lib.checker.compare.pair import Pair, Relation, near, nth

ANY_ORDER = (
    "The numbers are right, but the axes of your result stand in another order than is needed. "
    "Perhaps an axis is moved on the way (`moveaxis`, `transpose`) and not moved back."
)

KEEPS_LAST = (
    LOOP,
    "a loop that assigns keeps its last round only: collect every round, in a list or in an array "
    "that is made before the loop",
)
TOO_SHORT = (
    (LOOP, "a loop stops too early or begins too late"),
    (RETURN, "a `return` stands inside it"),
    (SLICE, "a slice is too short"),
)


def of_axes(pair: Pair) -> Iterator[Relation]:
    """Of two shapes that differ in one length: which axis stands there, and which should."""
    if pair.arrays is None:
        return
    want, have, shapes = *(one.shape for one in pair.arrays), pair.shapes
    off = [k for k in range(len(want)) if len(want) == len(have) and want[k] != have[k]]
    if len(off) != 1 or have[off[0]] == 1:
        return
    k = off[0]
    own = [
        [(name, i) for name, shape in shapes.items() for i, n in enumerate(shape) if n == length]
        for length in (have[k], want[k])
    ]
    if all(own):
        (mine, i), (needed, j) = own[0][0], own[1][0]
        first, second = (
            f"the {nth(a, len(shapes[name]))} of `{name}`" for name, a in ((mine, i), (needed, j))
        )
        yield (
            f"axis {k - len(want)} {mine} {i} {needed} {j}",
            f"Your {nth(k, len(want))} is as long as {first}; it has to be as long as {second}. "
            "Perhaps a sum, a product or `cat` runs along the wrong axis.",
        )


def of_shapes(pair: Pair) -> Iterator[Relation]:
    """Axes too many, too few, or in another order; one that was or was not summed over."""
    if pair.arrays is None or not all(one.size for one in pair.arrays):
        return
    with np.errstate(all="ignore"):
        yield from _of_shapes(*pair.arrays, pair.swap, pair.text)


def _of_shapes(want: np.ndarray, have: np.ndarray, swap: str, text: str) -> Iterator[Relation]:
    n, m = want.ndim, have.ndim
    if m > n == 0:
        ways = {
            "the mean of yours": have.mean(),
            "the mean of those that are not 0": have[have != 0].mean() if have.any() else 0,
            "the sum of yours": have.sum(),
        }
        right = [f"{way} is right" for way, value in ways.items() if near(value, want)]
        said = right[0] if right and have.size > 1 else "take their mean, or sum, over what counts"
        yield f"one number {said}", f"Many numbers came where one is needed: {said}."
    if m == n + 1:
        for k in range(m):
            last = k - m
            if have.shape[k] == 1 and near(have.squeeze(k), want):
                yield (
                    "axis of one",
                    f"The numbers are right; an axis of length one is left over, the "
                    f"{nth(k, m)}. Take away this one: `squeeze({last if k == m - 1 else k})`.",
                )
            elif near(have.sum(k), want):
                yield (
                    f"sum {last}",
                    f"An axis too many is left, and the sum over it is what is needed: "
                    f"`.sum({last})`, or a matrix product in place of `*`.",
                )
            elif near(have.mean(k), want):
                yield (
                    f"mean {last}",
                    f"An axis too many is left, and the mean over it is what is needed: "
                    f"`.mean({last})`.",
                )
        if m > 2 and have.shape[0] == have.shape[1] == len(want):
            rows = np.arange(len(want))
            if len(want) > 1 and near(have[rows, rows], want):
                yield (
                    "every pair",
                    "The first axis stands in your result twice: each member of the batch was "
                    "combined with every other. Let each meet its own alone: in `a @ b` both have "
                    "the batch in front, as in `(w[:, None] @ x)[:, 0]`, or `einsum` names it.",
                )
    lost = want.shape.count(1) > 0 and m < n
    lost = lost and [i for i in want.shape if i > 1] == [i for i in have.shape if i > 1]
    if lost and near(have.reshape(want.shape), want):
        yield (
            "lost axis",
            "The numbers are right, but an axis of length one is lost. Perhaps by a `squeeze()` "
            "without an axis, which takes all of them away: name the one, as in `squeeze(1)`.",
        )
    if m == n - 1:
        for k in range(n):
            if want.shape[k] > 1 and near(want.sum(k), have):
                yield (
                    f"summed {k - n}",
                    f"You have summed over the {nth(k, n)} of the result, which has to stay. "
                    "Look at the axis of your sum or product.",
                )
            elif want.shape[k] > 1 and near(want.mean(k), have):
                yield (
                    f"averaged {k - n}",
                    f"You have taken the mean over the {nth(k, n)} of the result, which has to "
                    "stay. Look at the axis of your mean.",
                )
        for k in range(n):
            if want.shape[k] > 1 and near(want.take(0, k), have):
                yield (
                    f"first of {k - n}",
                    f"What you return is the first along the {nth(k, n)} alone, and the others "
                    "are missing."
                    + perhaps(text, (FIRST, "by an index 0"), (RETURN, "by a `return` in a loop")),
                )
            elif want.shape[k] > 1 and near(want.take(-1, k), have):
                yield (
                    f"last of {k - n}",
                    f"What you return is the last along the {nth(k, n)} alone."
                    + perhaps(text, (LAST, "by an index -1"), KEEPS_LAST),
                )
    if m == n and n > 1:
        for order in permutations(range(n)):
            if order != tuple(range(n)) and near(have.transpose(order), want):
                moved = [i for i in range(n) if order[i] != i]
                places = " and ".join(nth(i, n) for i in moved)
                how = f"{swap}({moved[0]}, {moved[1]})" if len(moved) == 2 else f"permute{order}"
                yield (
                    f"order {order}",
                    f"The numbers are right, but {places} have changed places. Change them back: "
                    f"`{how}`.",
                )
                yield "order any", ANY_ORDER
                break
    no_ones = 1 not in (*want.shape, *have.shape)
    if n != m and no_ones and want.size == have.size and near(have.reshape(want.shape), want):
        yield (
            "reshape",
            "The numbers are right and in their order, but the shape is not. Give it with "
            "`reshape`; joined along a new axis (`stack`) and along an old one (`cat`) are not "
            "the same.",
        )
    if m == n:
        for k in range(n):
            yield from _ends(want, have, k, text)


def _ends(want: np.ndarray, have: np.ndarray, k: int, text: str) -> Iterator[Relation]:
    """One place more or fewer along an axis."""
    place, n = nth(k, want.ndim), want.shape[k]
    if min(n, have.shape[k]) < 1 or n == have.shape[k]:
        return
    if have.shape[k] > n:
        more = have.shape[k] - n
        for name, cut in (("end", np.s_[:n]), ("beginning", np.s_[more:])):
            index = (slice(None),) * k + (cut,)
            if near(have[index], want):
                yield (
                    f"more at the {name}",
                    f"It is right but for what stands too much at the {name} of the {place}: leave "
                    "that out.",
                )
    else:
        for name, cut in (("end", np.s_[: have.shape[k]]), ("beginning", np.s_[-have.shape[k] :])):
            index = (slice(None),) * k + (cut,)
            # What is the same throughout may be right by chance.
            if near(want[index], have) and len(np.unique(have)) > 1:
                yield (
                    f"less at the {name}",
                    f"What you return is right, but the {name} of the {place} is missing."
                    + perhaps(text, *TOO_SHORT),
                )
