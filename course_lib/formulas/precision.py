"""Half precision: products that decide something are computed in float32, under autocast too."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

HALF = (torch.float16, torch.bfloat16)


def wide(x: Tensor) -> Tensor:
    """Half precision as float32; what is wider as it is."""
    return x.float() if x.dtype in HALF else x


def exact_dtype(device: torch.device) -> torch.dtype:
    """The widest that a device has: Apple's GPUs have no float64."""
    return torch.float32 if device.type == "mps" else torch.float64


def autocasts(tensor: Tensor) -> bool:
    """Whether autocast is on where this tensor lies."""
    device = tensor.device.type
    return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)


def no_autocast(x: Tensor) -> AbstractContextManager:
    """Within it, autocast narrows nothing on the device of x."""
    return torch.autocast(x.device.type, enabled=False) if autocasts(x) else nullcontext()


def product(a: Tensor, b: Tensor) -> Tensor:
    """a @ b, in float32 at least; a may have more heads, (..., H, T, n) beside (..., G, n, m).

    Heads as rows: all rows of a group's heads are multiplied at once by what the group shares,
    (..., G, H/G · T, n) @ (..., G, n, m), so that nothing is copied once per head.
    """
    with no_autocast(a):
        a, b = wide(a), wide(b)
        if min(a.ndim, b.ndim) < 3 or a.shape[-3] == b.shape[-3] or a.shape[-3] % b.shape[-3]:
            return a @ b
        group = a.shape[-3] // b.shape[-3], a.shape[-2]
        rows = a.unflatten(-3, (b.shape[-3], group[0])).flatten(-3, -2)
        return (rows @ b).unflatten(-2, group).flatten(-4, -3)  # (..., H, T, m)


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """weights @ values, summed in float32 at least and then rounded to the dtype `@` would give."""
    narrows = autocasts(values) and values.dtype != torch.float64
    dtype = torch.get_autocast_dtype(values.device.type) if narrows else values.dtype
    return product(weights, values).to(dtype)
