"""NumPy in, NumPy out; tensor in, tensor out: what softmax is given, and what it gives back."""

import numpy as np
import torch
from torch import Tensor

from course_lib.formulas.precision import exact_dtype
from course_lib.kernels.choose import is_wrapped
from course_lib.validation.arguments import integer
from course_lib.validation.tensors import (
    check_floating,
    check_mask_and_bias,
    check_one_dtype,
    check_same_device,
)

Array = np.ndarray | Tensor
ARRAYS = (np.ndarray, Tensor)


def as_scores(scores: Array, dim: int) -> Tensor:
    """The scores as a floating-point tensor, or an error that says what they should be."""
    dim = integer("dim", dim)
    if isinstance(scores, np.ndarray):
        _refuse_masked(scores=scores)
        if scores.dtype.kind not in "fiu":
            raise TypeError(f"scores must be real numbers, got an array of {scores.dtype}.")
        if scores.dtype.itemsize > 8:
            raise TypeError(f"scores of {scores.dtype} are wider than float64: .astype(float).")
        # A copy, in this machine's order of bytes: torch refuses others, and some strides.
        wanted = np.float64 if scores.dtype.kind in "iu" else scores.dtype.newbyteorder("=")
        tensor = torch.from_numpy(np.array(scores, dtype=wanted))
    elif isinstance(scores, Tensor):
        if scores.dtype == torch.bool or scores.is_complex():
            raise TypeError(f"scores must be real numbers, got a tensor of {scores.dtype}.")
        # A float32 would round integers from 2^24 on.
        tensor = scores if scores.is_floating_point() else scores.to(exact_dtype(scores.device))
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
        _refuse_masked(mask=mask)
        mask = torch.from_numpy(np.array(mask))
    check_mask_and_bias(mask, None, scores.shape, scores.device)
    return mask


def like(result: Tensor, given: Array) -> Array:
    """A NumPy array for a NumPy array, a tensor for a tensor; of integers, the default floats."""
    if isinstance(given, np.ndarray):
        return result.numpy().astype(given.dtype if given.dtype.kind == "f" else float, copy=False)
    return result if given.is_floating_point() else result.to(torch.get_default_dtype())


def _refuse_masked(**arrays: np.ndarray) -> None:
    """A masked array's own mask would be dropped without a word."""
    for name, array in arrays.items():
        if isinstance(array, np.ma.MaskedArray):
            raise TypeError(
                f"{name} is a NumPy masked array: pass its numbers, .filled(0), and what may be "
                "attended to as a boolean mask, ~scores.mask."
            )


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
    if isinstance(values, np.ndarray):
        _refuse_masked(values=values)
    if isinstance(scores, Tensor) and isinstance(values, Tensor):
        check_floating(scores=scores, values=values)
        check_same_device(scores=scores, values=values)
        check_one_dtype(scores=scores, values=values)
    if min(scores.ndim, values.ndim) < 2 or scores.shape[-1] != values.shape[-2]:
        raise ValueError(
            f"scores of shape {tuple(scores.shape)} need one value per key, (..., S, d_v), "
            f"got values of shape {tuple(values.shape)}."
        )
    aligned = zip(reversed(scores.shape[:-2]), reversed(values.shape[:-2]), strict=False)
    if any(n != m and 1 not in (n, m) for n, m in aligned):
        raise ValueError(
            f"the batch dimensions of scores {tuple(scores.shape)} and values "
            f"{tuple(values.shape)} must be equal or 1."
        )
