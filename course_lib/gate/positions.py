"""Positions, of sizes and places that have been checked."""

from typing import SupportsIndex

from jaxtyping import Float
from torch import Tensor

from course_lib.formulas import positions as formulas
from course_lib.formulas.masks import Device
from course_lib.gate.documented import documented_by
from course_lib.validation.arguments import integer, number
from course_lib.validation.positions import check_frequencies, check_places, first_position
from course_lib.validation.tensors import check_floating, length


@documented_by(formulas.rotary_frequencies)
def rotary_frequencies(d: int, base: float = 10000.0) -> Float[Tensor, " half"]:
    """
    Raises:
        TypeError, ValueError: for a negative d, and a base that is not positive.
    """
    return formulas.rotary_frequencies(integer("d", d, 0), number("base", base, above=0))


@documented_by(formulas.sinusoidal_positions)
def sinusoidal_positions(
    length: int, d_model: int, *, start: int = 0, device: Device = None
) -> Float[Tensor, "T d_model"]:
    """
    Raises:
        ValueError: for a negative length or start, or a d_model below 1.
    """
    length, start = integer("length", length, 0), integer("start", start, 0)
    d_model = integer("d_model", d_model, 1)
    return formulas.sinusoidal_positions(length, d_model, start=start, device=device)


@documented_by(formulas.rotary_embedding)
def rotary_embedding(
    x: Float[Tensor, "... T d"],
    positions: Tensor | SupportsIndex | None = None,
    *,
    base: float = 10000.0,
    factor: float = 1.0,
    frequencies: Tensor | None = None,
) -> Float[Tensor, "... T d"]:
    """
    Raises:
        ValueError: for an odd d, positions or frequencies that do not fit, and a base or factor
            that is not positive.
        TypeError: for integers in the place of x, and for positions in half precision.
    """
    check_floating(x=x)
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x must be (..., T, d) with an even d, got shape {tuple(x.shape)}.")
    factor = number("factor", factor, above=0)
    if isinstance(positions, Tensor):
        check_places(positions, x)
    elif positions is not None:
        positions = first_position(positions)
    if frequencies is None:
        base = number("base", base, above=0)
    else:
        check_frequencies(frequencies, x)
    options = {"base": base, "factor": factor, "frequencies": frequencies}
    return formulas.rotary_embedding(x, positions, **options)


@documented_by(formulas.alibi_bias)
def alibi_bias(
    num_heads: int, n_queries: int, n_keys: int | None = None, *, device: Device = None
) -> Float[Tensor, "H T S"]:
    """
    Raises:
        ValueError: for fewer than one head or a negative length.
    """
    num_heads = integer("num_heads", num_heads, 1)
    n_queries = length("n_queries", n_queries)
    n_keys = None if n_keys is None else length("n_keys", n_keys)
    return formulas.alibi_bias(num_heads, n_queries, n_keys, device=device)
