"""Softmax of what users have: NumPy in, NumPy out; tensor in, tensor out."""

from course_lib.formulas import softmax as formulas
from course_lib.gate.documented import documented_by
from course_lib.validation.arguments import flag, integer
from course_lib.validation.arrays import Array, as_mask, as_scores, check_defined, like


@documented_by(formulas.softmax)
def softmax(scores: Array, dim: int = -1) -> Array:
    """The scores may be a NumPy array, and so are the weights then. Integers become floating point.

    Raises:
        TypeError: for booleans and complex numbers.
        ValueError: for an empty `dim`, and for scores that have no softmax: NaN, +inf, or nothing
            but −inf along `dim`. On a GPU, under `torch.compile` and under `torch.func.vmap`
            nobody looks: there the weights are NaN.
    """
    return masked_softmax(scores, None, dim)


@documented_by(formulas.masked_softmax)
def masked_softmax(scores: Array, mask: Array | None, dim: int = -1) -> Array:
    """
    Raises:
        TypeError: for a mask that is not boolean.
        ValueError: for a mask whose shape does not fit, and all that `softmax` refuses.
    """
    tensor = as_scores(scores, dim)
    weights = formulas.masked_softmax(tensor, as_mask(mask, tensor), dim)
    return like(check_defined(weights), scores)


@documented_by(formulas.online_softmax)
def online_softmax(
    scores: Array, block_size: int = 64, dim: int = -1, *, return_running: bool = False
) -> Array | tuple[Array, Array, Array]:
    """With return_running=False, the default, the weights alone.

    Raises:
        TypeError, ValueError: as `softmax`, and for a block_size below 1.
    """
    block_size = integer("block_size", block_size, 1)
    return_running = flag("return_running", return_running)
    weights, maxima, sums = formulas.online_softmax(as_scores(scores, dim), block_size, dim)
    weights = like(check_defined(weights), scores)
    return (weights, like(maxima, scores), like(sums, scores)) if return_running else weights
