"""What bad input gets: one sentence that names what was given and what is needed."""

import torch
from torch import Tensor


def check_mask(mask: Tensor, scores_shape: tuple[int, ...], device: torch.device) -> None:
    """Refuse a mask that is not boolean, not broadcastable to the scores, or elsewhere."""
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a boolean tensor, got {type(mask).__name__}.")
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask must be boolean with True = may attend, got {mask.dtype}. "
            "Write mask.bool() for a mask of ones and zeros, mask == 0 for one of zeros and -inf."
        )
    check_same_device(mask=mask.device, scores=device)
    _check_fits("mask", mask, scores_shape)


def check_bias(bias: Tensor, scores_shape: tuple[int, ...], query: Tensor) -> None:
    """Refuse a bias that is not floating point, not broadcastable to the scores, or elsewhere."""
    check_floating(score_bias=bias)
    check_same_device(score_bias=bias, query=query)
    _check_fits("score_bias", bias, scores_shape)


def _check_fits(name: str, tensor: Tensor, scores_shape: tuple[int, ...]) -> None:
    shape = tuple(scores_shape)
    aligned = zip(reversed(tensor.shape), reversed(shape), strict=False)
    if tensor.ndim > len(shape) or any(m not in (1, s) for m, s in aligned):
        raise ValueError(
            f"{name} of shape {tuple(tensor.shape)} does not fit scores of shape {shape}. "
            "Each of its sizes, read from the right, must be 1 or equal to that of the scores."
        )


def check_same_device(**devices: Tensor | torch.device) -> None:
    """Refuse tensors that lie on different devices."""
    found = [getattr(d, "device", d) for d in devices.values()]
    if any(device != found[0] for device in found):
        where = ", ".join(f"{n} on {d}" for n, d in zip(devices, found, strict=True))
        raise ValueError(f"all inputs must be on one device, got {where}. Move them with .to().")


def check_floating(**tensors: Tensor) -> None:
    """Refuse what is not a floating-point tensor."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, got {type(tensor).__name__}.")
        if not tensor.is_floating_point():
            raise TypeError(f"{name} must hold floating-point numbers, got {tensor.dtype}.")


def check_last_dim(name: str, tensor: Tensor, size: int, wanted_by: str) -> None:
    """Refuse a tensor whose last dimension is not `size`."""
    if tensor.ndim == 0 or tensor.shape[-1] != size:
        raise ValueError(
            f"{name} has shape {tuple(tensor.shape)}, but {wanted_by} needs its last dimension "
            f"to be {size}."
        )


def check_attention_inputs(
    query: Tensor, keys: Tensor, values: Tensor, *, grouped: bool = False
) -> None:
    """Refuse queries, keys and values (..., length, d) that cannot attend to one another.

    grouped: keys and values may have fewer heads, (..., H_kv, S, d), if H_kv divides H.
    The last dimensions of query and keys are compared by the score, which knows its own rule.
    """
    check_floating(query=query, keys=keys, values=values)
    check_same_device(query=query, keys=keys, values=values)
    one_dtype = query.dtype == keys.dtype == values.dtype
    if not one_dtype and not torch.is_autocast_enabled(query.device.type):
        raise TypeError(
            "query, keys and values must have one dtype, "
            f"got {query.dtype}, {keys.dtype} and {values.dtype}."
        )
    if min(query.ndim, keys.ndim, values.ndim) < 2:
        fault = "query, keys and values need at least two dimensions, (length, d)"
    elif keys.shape[-2] != values.shape[-2]:
        fault = "each key needs one value, but their lengths differ"
    elif keys.shape[-2] == 0:
        fault = "there are no keys to attend to"
    elif grouped and _grouped(query, keys) and keys.shape[:-2] == values.shape[:-2]:
        return
    elif not query.shape[:-2] == keys.shape[:-2] == values.shape[:-2]:
        fault = "query, keys and values need equal batch dimensions"
    else:
        return
    raise ValueError(
        f"{fault}: got query {tuple(query.shape)}, keys {tuple(keys.shape)}, "
        f"values {tuple(values.shape)}."
    )


def _grouped(query: Tensor, keys: Tensor) -> bool:
    """Whether each head of the keys serves a whole number of heads of the queries."""
    if query.ndim < 3 or query.ndim != keys.ndim or query.shape[:-3] != keys.shape[:-3]:
        return False
    return keys.shape[-3] > 0 and query.shape[-3] % keys.shape[-3] == 0
