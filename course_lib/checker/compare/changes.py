"""What may stand in an argument's place in a wrong answer: zeros, its negative, one more, its first
for all. Lists by kind of argument, in the order in which they are looked through."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

RIGHT_IF = "What you return would be right if {0}. {1}"
LEAVE = "Perhaps such a step stands there: leave it out."
OF_MY_OWN = (
    "Perhaps a number of your own stands in its place, or the part of a sum that holds it is lost: "
    "`a + b if c else d` is `(a + b) if c else d`."
)
UNUSED = "So it has no part in your result: see that it is used, and not overwritten on the way."

Change = tuple[str, str, Callable[[Any], Any]]  # what it would be, the cure, the changed argument

OF_FLOATS: tuple[Change, ...] = (
    ("`{0}` were all zeros", UNUSED, np.zeros_like),
    ("`{0}` were all ones", UNUSED, np.ones_like),
    ("`{0}` were minus itself", "Look at its sign.", np.negative),
    ("`{0}` went through a tanh first", LEAVE, np.tanh),
    ("`{0}` went through an exp first", LEAVE, np.exp),
    ("`{0}` were squared first", LEAVE, np.square),
    (
        "only the size of `{0}` counted, not its sign",
        "Perhaps `abs` stands there, or a square and its root.",
        np.abs,
    ),
    ("`{0}` were rounded first", LEAVE, np.round),
    ("negative numbers of `{0}` were 0", LEAVE, lambda x: np.maximum(x, 0)),
    (
        "`{0}` went through a softmax first",
        LEAVE,
        lambda x: (e := np.exp(x - x.max(-1, keepdims=True))) / e.sum(-1, keepdims=True),
    ),
    (
        "`{0}` were divided by its sum first",
        LEAVE,
        lambda x: x / x.sum(-1, keepdims=True),
    ),
    (
        "`{0}` were divided by its length first",
        LEAVE,
        lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
    ),
    (
        "the first number of each row of `{0}` were 0",
        "Perhaps a loop over a row begins at 1: `range(n)` begins at 0.",
        lambda x: np.where(np.arange(x.shape[-1]) == 0, np.zeros_like(x), x),
    ),
    (
        "the last number of each row of `{0}` were 0",
        "Perhaps a loop over a row ends one too early: `range(n)` goes up to n − 1.",
        lambda x: np.where(np.arange(x.shape[-1]) == x.shape[-1] - 1, np.zeros_like(x), x),
    ),
    (
        "`{0}` were divided by the square root of its last axis' length",
        LEAVE,
        lambda x: x / np.sqrt(np.asarray(x.shape[-1], x.dtype)),
    ),
)
OF_ANY: tuple[Change, ...] = (
    (
        "the first of `{0}` stood in the place of all",
        "Each needs its own. Perhaps an index 0 is left, or a loop stops after one.",
        lambda x: np.broadcast_to(x[:1], x.shape).copy(),
    ),
    (
        "the last of `{0}` stood in the place of all",
        "Each needs its own. Perhaps an index -1 is left, or a loop keeps its last round.",
        lambda x: np.broadcast_to(x[-1:], x.shape).copy(),
    ),
    ("`{0}` ran backwards", "Look at the direction.", lambda x: x[::-1].copy()),
    (
        "`{0}` ran backwards along its last axis",
        "Look at the direction.",
        lambda x: x[..., ::-1].copy(),
    ),
)
ROWS = "each place of `{0}`, along its axis before the last, "
OF_ROWS: tuple[Change, ...] = (
    (
        f"{ROWS}held the sum of all up to it",
        "Perhaps something is not set back where a round of the loop begins: make it anew in each.",
        lambda x: x.cumsum(-2),
    ),
    (
        f"{ROWS}held the mean of all",
        "Each needs its own: leave that mean out.",
        lambda x: np.broadcast_to(x.mean(-2, keepdims=True), x.shape).copy(),
    ),
    (
        f"{ROWS}held what stands before it",
        "Perhaps an index is one too small there, where -1 is the last.",
        lambda x: np.roll(x, 1, -2),
    ),
    (
        f"{ROWS}held what stands behind it",
        "Perhaps an index is one too large there.",
        lambda x: np.roll(x, -1, -2),
    ),
)
OF_SQUARES: tuple[Change, ...] = (
    (
        "`{0}` were transposed where its last two axes are equally long",
        "Look for a transpose: between equal lengths it raises nothing.",
        lambda x: x.swapaxes(-1, -2).copy(),
    ),
)
OF_MASKS: tuple[Change, ...] = (
    (
        "`{0}` had True for False",
        "Perhaps it is used the wrong way round: `~` turns it.",
        np.logical_not,
    ),
    ("`{0}` were True everywhere", UNUSED, np.ones_like),
    ("`{0}` were False everywhere", "Nothing is left of it: look where it is used.", np.zeros_like),
)
OF_INTEGERS: tuple[Change, ...] = (
    ("`{0}` were one more", "Perhaps it is one too many somewhere.", lambda n: n + 1),
    ("`{0}` were one less", "Perhaps it is one too few somewhere.", lambda n: n - 1),
    (
        "`{0}` were twice as large",
        "Perhaps a factor of 2 stands there: leave it out.",
        lambda n: 2 * n,
    ),
    ("`{0}` were squared", "Perhaps it is used twice.", lambda n: n * n),
    ("`{0}` were 0, whatever it is", OF_MY_OWN, lambda n: 0),
    ("`{0}` were 1, whatever it is", OF_MY_OWN, lambda n: 1),
    ("`{0}` were 2, whatever it is", OF_MY_OWN, lambda n: 2),
)
OF_NUMBERS: tuple[Change, ...] = (
    ("`{0}` were 1, whatever it is", UNUSED, lambda x: 1.0),
    (
        "`{0}` were one divided by it",
        "Perhaps you multiply by it where you should divide, or the other way round.",
        lambda x: 1 / x,
    ),
    ("`{0}` were squared", "Perhaps it is used twice.", lambda x: x * x),
    ("`{0}` were its square root", "Use it as it is.", lambda x: x**0.5),
    ("`{0}` were one more", "Perhaps something is added to it.", lambda x: x + 1),
)


def changes(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """(sentence, what stands in its place) of every change of one argument."""
    for what, cure, change in _of(value):
        if change is np.negative and (value >= 0).all():
            continue  # probabilities have no sign to look at
        with np.errstate(all="ignore"):
            yield RIGHT_IF.format(what.format(name), cure), change(value)


def _of(value: Any) -> tuple[Change, ...]:
    if type(value) is int:
        return OF_INTEGERS
    if type(value) is float:
        return OF_NUMBERS
    if not isinstance(value, np.ndarray) or not value.ndim or not value.size:
        return ()
    is_square = value.ndim > 1 and value.shape[-1] == value.shape[-2]
    of_kind = {"b": OF_MASKS, "f": OF_FLOATS}.get(value.dtype.kind, ())
    of_rows = OF_ROWS if value.dtype.kind == "f" and value.ndim > 1 else ()
    return *of_kind, *OF_ANY, *of_rows, *(OF_SQUARES if is_square else ())
