"""NumPy in, NumPy out; tensor in, tensor out: what softmax is given, and what it gives back."""

import numpy as np
import torch
from torch import Tensor

from course_lib.attention.checks import (
    check_floating,
    check_mask_and_bias,
    check_one_dtype,
    check_same_device,
    is_wrapped,
)

Array = np.ndarray | Tensor
ARRAYS = (np.ndarray, Tensor)


def as_scores(scores: Array, dim: int) -> Tensor:
    """The scores as a floating-point tensor, or an error that says what they should be."""
    if isinstance(scores, np.ndarray):
        if scores.dtype.kind in "iu":
            scores = scores.astype(np.float64)
        if scores.dtype.kind != "f":
            raise TypeError(f"scores must be real numbers, got an array of {scores.dtype}.")
        tensor = torch.from_numpy(np.array(scores))  # a copy: torch refuses some strides
    elif isinstance(scores, Tensor):
        if scores.dtype == torch.bool or scores.is_complex():
            raise TypeError(f"scores must be real numbers, got a tensor of {scores.dtype}.")
        is_float = scores.is_floating_point()
        tensor = scores if is_float else scores.to(torch.get_default_dtype())
    else:
        raise TypeError(
            f"scores must be a NumPy array or a tensor, got {type(scores).__name__}. "
            "Wrap a list with np.array(...) or torch.tensor(...)."
        )
    if tensor.ndim == 0 or not -tensor.ndim <= dim < tensor.ndim:
        raise ValueError(f"scores of shape {tuple(tensor.shape)} have no dimension {dim}.")
    if tensor.shape[dim] == 0:
        raise ValueError(
            f"scores of shape {tuple(tensor.shape)} are empty along dimension {dim}: "
            "there is nothing to spread the weight over (no keys to attend to)."
        )
    return tensor


def as_mask(mask: Array | None, scores: Tensor) -> Tensor | None:
    """The mask as a tensor that fits the scores, or an error."""
    if isinstance(mask, np.ndarray):
        mask = torch.from_numpy(np.array(mask))
    check_mask_and_bias(mask, None, scores.shape, scores.device)
    return mask


def like(result: Tensor, given: Array) -> Array:
    """A NumPy array for a NumPy array, a tensor for a tensor."""
    return result.numpy() if isinstance(given, np.ndarray) else result


def check_defined(weights: Tensor) -> Tensor:
    """Refuse NaN on a CPU. A compiled graph, a transform or a GPU is not stopped to look."""
    if torch.compiler.is_compiling() or weights.device.type != "cpu" or is_wrapped(weights):
        return weights
    if weights.isnan().any():
        raise ValueError(
            "these scores have no softmax: they hold NaN, +inf, or nothing but -inf in some row. "
            "To hide places, pass a boolean mask to masked_softmax."
        )
    return weights


def check_scores_and_values(scores: Array, values: Array) -> None:
    """Refuse values that are not one per score, and arrays mixed with tensors."""
    if not any(isinstance(scores, kind) and isinstance(values, kind) for kind in ARRAYS):
        raise TypeError(
            "scores and values must both be NumPy arrays or both be tensors, "
            f"got {type(scores).__name__} and {type(values).__name__}."
        )
    if isinstance(scores, Tensor) and isinstance(values, Tensor):
        check_floating(scores=scores, values=values)
        check_same_device(scores=scores, values=values)
        check_one_dtype(scores=scores, values=values)
    if min(scores.ndim, values.ndim) < 2 or scores.shape[-1] != values.shape[-2]:
        raise ValueError(
            f"scores of shape {tuple(scores.shape)} need one value per key, (..., S, d_v), "
            f"got values of shape {tuple(values.shape)}."
        )
