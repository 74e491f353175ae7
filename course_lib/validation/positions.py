"""Positions: integers for places, and the angles by which they turn."""

from typing import Any, SupportsIndex

import torch
from torch import Tensor

from course_lib.validation.arguments import integer
from course_lib.validation.tensors import check_floating


def check_places(positions: Tensor, x: Tensor) -> None:
    """Refuse positions that are not one number for each vector of x (..., T, d)."""
    check_not_rounded(positions=positions)
    if positions.is_complex() or positions.dtype == torch.bool:
        raise TypeError(f"positions must be numbers, got {positions.dtype}.")
    aligned = zip(reversed(positions.shape), reversed(x.shape[:-1]), strict=False)
    if positions.ndim >= x.ndim or any(p not in (1, n) for p, n in aligned):
        raise ValueError(
            f"positions of shape {tuple(positions.shape)} do not fit x of shape "
            f"{tuple(x.shape)}: they need one number per vector."
        )


def check_frequencies(frequencies: Tensor, x: Tensor) -> None:
    """Refuse what is not one angle for each pair of features of x (..., d)."""
    check_floating(frequencies=frequencies)
    check_not_rounded(frequencies=frequencies)
    check_angles(frequencies, x)


def check_angles(frequencies: Tensor, x: Tensor) -> None:
    """Refuse frequencies of another number than the pairs of features of x (..., d)."""
    d = x.shape[-1]
    if frequencies.shape != (d // 2,):
        found = f"for x of shape {tuple(x.shape)}, got {tuple(frequencies.shape)}"
        raise ValueError(f"frequencies must be (d/2,) = ({d // 2},) {found}.")


def check_positions(given: Tensor | int, shape: tuple[int, ...]) -> Tensor | int:
    """Refuse what are not integers (T,) or (B, T), or the first of T in a row, for (B, T) places.

    Raises:
        TypeError: for one number that is no integer, and for a list.
        ValueError: for a tensor of another dtype or shape.
    """
    if not isinstance(given, Tensor):
        return first_position(given)
    integers = not (given.is_floating_point() or given.is_complex() or given.dtype == torch.bool)
    if not integers or given.shape not in (shape, shape[1:]):
        raise ValueError(
            f"positions must be integers (T,) or (B, T) beside {tuple(shape)} places, got "
            f"{given.dtype} of shape {tuple(given.shape)}."
        )
    return given


def check_not_rounded(**numbers: Tensor) -> None:
    """Refuse half precision: in bfloat16, 257 is 256, and an angle grows with the position."""
    for name, tensor in numbers.items():
        if tensor.is_floating_point() and torch.finfo(tensor.dtype).bits < 32:
            raise TypeError(
                f"{name} of {tensor.dtype} are rounded already: make them integers, or floats of "
                "32 bits, from the start."
            )


def first_position(given: Any) -> int:
    """The first of positions in a row."""
    if type(given) is not int and not isinstance(given, SupportsIndex):
        kind = type(given).__name__
        raise TypeError(f"positions must be a tensor or the first of them, got {kind}.")
    return integer("positions", given)


def query_key_positions(
    given: Tensor | int | None, past: int, query: Tensor, key: Tensor, rotary: bool
) -> tuple[Tensor | int, Tensor | int]:
    """Where queries (B, T, ·) and new keys (B, S, ·) stand: as it was given, or behind the past.

    Raises:
        ValueError: for positions that nothing is turned by, or not one for each query and key.
    """
    if given is None:
        first = past + key.shape[1] - query.shape[1]  # the last query is at the last key
        return int(first) if isinstance(first, Tensor) else first, past  # a trace counts in tensors
    if not rotary or key.shape[1] != query.shape[1]:
        raise ValueError(
            "positions turn queries and equally many new keys, by rotary angles: got "
            f"{query.shape[1]} queries, {key.shape[1]} keys and "
            f"{'' if rotary else 'no '}rotary angles."
        )
    given = check_positions(given, query.shape[:2])
    return given, given
