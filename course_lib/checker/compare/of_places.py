"""Which places of a wrong array are wrong, where that says what happened."""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from course_lib.checker.compare.of_text import (
    FIRST,
    LAST,
    LOOP,
    RETURN,
    SLICE,
    Guess,
    perhaps,
)
from course_lib.checker.compare.pair import Pair, Relation, near, nth

FEW = 2  # kinds of wrong places that one sentence can tell
MIXED = (
    "All numbers are right, and they stand in the wrong places. Perhaps `reshape` or `view` "
    "changes the shape where axes have to change places: `{0}`."
)
REPEATED = "Along the {0} all of it stands more than once."
TOO_DEEP = (LOOP, "the line that appends, or that fills a place, stands one loop too deep")
ONLY = {
    "first right": "Your result is right for the first along the {0}, and wrong for every other.",
    "last right": "Your result is right for the last along the {0}, and wrong for every other.",
    "first wrong": "Your result is right but for the first along the {0}.",
    "last wrong": "Your result is right but for the last along the {0}.",
}
WHY: dict[str, tuple[Guess, ...]] = {
    "first right": (
        (RETURN, "a `return` stands inside the loop"),
        (FIRST, "an index 0 is left"),
        (LOOP, "a loop does not set back what it begins with"),
        ("", "what is first is right in any case, as a position 0 is"),
    ),
    "last right": (
        (LAST, "an index -1 is left"),
        (LOOP, "one array serves all rounds of a loop"),
        ("", "what is last is right in any case"),
    ),
    "first wrong": (
        (LOOP, "a loop begins too late"),
        (SLICE, "a slice begins too late"),
        ("", "what stands there is made, or changed afterwards, otherwise than the rest"),
    ),
    "last wrong": (
        (LOOP, "a loop ends too early"),
        (SLICE, "a slice ends too early"),
        ("", "what stands there is made, or changed afterwards, otherwise than the rest"),
    ),
}


def of_places(pair: Pair) -> Iterator[Relation]:
    """(key, sentence) of what the wrong places have in common. Of a hidden case no number is told
    but the arguments that are whole numbers, by name."""
    if pair.arrays is None:
        return
    want, have = pair.arrays
    if want.ndim == have.ndim and want.shape != have.shape:
        yield from _repeated(want, have, pair.text)
    if want.shape != have.shape or want.dtype.kind == "b" or have.dtype.kind == "b":
        return
    if want.dtype.kind in "iu":
        yield from _named_numbers(want, have, pair.whole_numbers, pair.hidden)
    wrong = ~np.asarray(np.isclose(have, want, rtol=1e-5, atol=1e-8, equal_nan=True))
    for k in range(want.ndim):
        if want.shape[k] < 3:
            continue
        lines = [bool(wrong.take(i, k).any()) for i in range(want.shape[k])]
        for key, says in ONLY.items():
            where, what = key.split()
            alone = np.arange(len(lines)) == (0 if where == "first" else len(lines) - 1)
            if what == "right" and len(np.unique(want.take(0 if where == "first" else -1, k))) < 2:
                continue  # what is the same throughout may be right by chance
            if lines == list(alone if what == "wrong" else ~alone):
                why = perhaps(pair.text, *WHY[key])
                yield f"only {key} {k}", says.format(nth(k, want.ndim)) + why
    # Compared as loosely as the sorted numbers: else rounding would look like another order.
    off = ~np.asarray(np.isclose(have, want, rtol=1e-3, atol=1e-5, equal_nan=True))
    telling = want.ndim > 1 and len(np.unique(want)) > 5 and off.mean() > 0.4
    telling = telling and near(np.sort(want, axis=None), np.sort(have, axis=None))
    if telling or _is_reshaped(want, have):
        yield "mixed", MIXED.format(pair.swap)


def _is_reshaped(want: np.ndarray, have: np.ndarray) -> bool:
    """Whether axes changed places and `reshape` took that back in form alone."""
    orders = itertools.permutations(range(want.ndim))
    turned = (want.transpose(order).reshape(want.shape) for order in orders)
    varied = len(np.unique(want)) > 2 and not near(want, have)
    return varied and any(near(one, have) for one in turned)


def _repeated(want: np.ndarray, have: np.ndarray, text: str) -> Iterator[Relation]:
    for k in range(want.ndim):
        times, rest = divmod(have.shape[k], max(want.shape[k], 1))
        if rest or times < 2:
            continue
        tiled = np.concatenate([want] * times, axis=k)
        if near(np.repeat(want, times, axis=k), have) or near(tiled, have):
            why = perhaps(text, TOO_DEEP)
            yield f"repeated {k}", REPEATED.format(nth(k, want.ndim)) + why


def _named_numbers(
    want: np.ndarray, have: np.ndarray, numbers: Mapping[str, int], hidden: bool
) -> Iterator[Relation]:
    """Wrong places at which numbers that have a name are right, or stand."""
    called = {number: name for name, number in numbers.items()}
    wrong = want != have
    pairs = sorted({(int(a), int(b)) for a, b in zip(want[wrong], have[wrong], strict=True)})
    if not 0 < len(pairs) <= FEW or not all(a in called for a, _ in pairs):
        return
    if hidden and not all(b in called for _, b in pairs):
        return
    told = [
        f"`{called[a]}` is right and " + (f"`{called[b]}` stands" if b in called else f"{b} stands")
        for a, b in pairs
    ]
    key = " ".join(f"{called[a]}:{called.get(b, b)}" for a, b in pairs)
    yield (
        f"numbers {key}",
        f"What is wrong are places where {', and places where '.join(told)}; all else is right.",
    )
