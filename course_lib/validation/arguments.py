"""Numbers and switches from outside: each is what its argument means, or a sentence says what is
needed. What is returned is Python's own, which can be saved, and does not overflow.

Nothing here imports torch or NumPy: an integer is what `operator.index` takes (of Python, of NumPy,
a tensor of one integer), a number what compares as one, a switch what calls its type a bool.
"""

import operator
from collections.abc import Iterable
from typing import Any

INFINITY = float("inf")


def integer(name: str, value: Any, least: int | None = None) -> int:
    """The value as an integer of Python's, or an error.

    Raises:
        TypeError: for what is not one; True and 2.0 are none.
        ValueError: for one below `least`.
    """
    if type(value) is int and (least is None or value >= least):
        return value  # what a compiled graph passes, which traces no more than this
    try:
        if isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool"):
            raise TypeError
        found = operator.index(value)
    except (TypeError, RuntimeError):  # torch's own for a tensor of several
        raise TypeError(f"{name} must be an integer, got {value!r}.") from None
    if least is not None and found < least:
        needed = "must not be negative" if least == 0 else f"must be at least {least}"
        raise ValueError(f"{name} {needed}, got {found}.")
    return found


def number(
    name: str,
    value: Any,
    *,
    above: float | int | None = None,
    least: float | int = -INFINITY,
    most: float | int = INFINITY,
    below: float | int = INFINITY,
) -> float | int:
    """The value as a number of Python's, or an error for what is not a finite one between bounds.

    above, below: bounds that the number must not reach.

    Raises:
        TypeError: for what is no number, a tensor included.
        ValueError: for NaN, an infinity and what lies outside.
    """
    kind = type(value)
    plain = kind in (int, float) and least <= value <= most and -INFINITY < value < below
    if plain and (above is None or value > above):
        return value  # what a compiled graph passes, which traces no more than this
    if kind.__module__.partition(".")[0] == "torch" and kind.__name__ == "Tensor":
        raise TypeError(f"{name} must be a number, got a tensor of shape {tuple(value.shape)}.")
    try:
        if isinstance(value, bool | str | bytes) or getattr(value, "ndim", 0):
            raise TypeError  # an array of one number compares as one, and multiplies as an array
        inside = least <= value <= most and -INFINITY < value < below
        inside = bool(inside and (above is None or value > above))
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}.") from None
    if not inside:
        raise ValueError(f"{name} must be {_range(above, least, most, below)}, got {value}.")
    return value if kind in (int, float) else float(value)


def flag(name: str, value: Any) -> bool:
    """The value as True or False, or a TypeError: every word is true, "False" too, and a mask in
    the place of a switch has no truth."""
    if type(value) is bool:
        return value  # what a compiled graph passes, which traces no more than this
    boolean = str(getattr(value, "dtype", "")).rpartition(".")[2] == "bool"
    if not boolean or getattr(value, "ndim", 0):
        found = (
            f"{type(value).__name__} {value!r}"
            if not hasattr(value, "shape")
            else (f"{value.dtype} of shape {tuple(value.shape)}")
        )
        raise TypeError(f"{name} must be True or False, got {found}.")
    return bool(value)


def integers(name: str, values: Any, least: int | None = None) -> list[int]:
    """Several of them, such as tokens or lengths."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of integers, got {values!r}.")
    return [integer(f"{name}[{i}]", value, least) for i, value in enumerate(values)]


def one_of(name: str, value: Any, known: Iterable[str]) -> None:
    """Refuse a name that is not known, or is none, with a ValueError."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}.")


def _range(above: Any, least: Any, most: Any, below: Any) -> str:
    bounds = []
    if above is not None:
        bounds.append(f"above {above}")
    elif least > -INFINITY:
        bounds.append(f"at least {least}")
    if most < INFINITY:
        bounds.append(f"at most {most}")
    elif below < INFINITY:
        bounds.append(f"below {below}")
    return "a finite number" + (", " if bounds else "") + " and ".join(bounds)
