"""Tensors: what does not fit gets a sentence with what was given and what is needed."""

from typing import Any, cast

import torch
from torch import Tensor

from course_lib.formulas.precision import autocasts
from course_lib.kernels.choose import is_wrapped
from course_lib.validation.arguments import flag, integer, number


def may_look(*tensors: Tensor) -> bool:
    """Whether a check may read these numbers: a compiled graph or a transform is not stopped."""
    return not (torch.compiler.is_compiling() or is_wrapped(*tensors) or tensors[0].is_meta)


def check_mask_and_bias(
    mask: Tensor | None, bias: Tensor | None, scores_shape: tuple[int, ...], device: torch.device
) -> None:
    """Refuse a mask that is not boolean, a bias that is not finite floats, and either of them
    where it does not broadcast to the scores or lies elsewhere.

    A compiled graph, a transform or a GPU is not stopped to look for NaN and infinities.
    """
    if mask is not None and not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a boolean tensor, got {type(mask).__name__}.")
    if mask is not None and mask.dtype != torch.bool:
        raise TypeError(
            f"mask must be boolean with True = may attend, got {mask.dtype}. "
            "Write mask.bool() for a mask of ones and zeros, mask == 0 for one of zeros and -inf."
        )
    if bias is not None:
        check_floating(score_bias=bias)
    given = {"mask": mask, "score_bias": bias}
    for name, tensor in ((name, x) for name, x in given.items() if x is not None):
        check_same_device(**{name: tensor, "scores": device})
        aligned = zip(reversed(tensor.shape), reversed(scores_shape), strict=False)
        if tensor.ndim > len(scores_shape) or any(m not in (1, s) for m, s in aligned):
            raise ValueError(
                f"{name} of shape {tuple(tensor.shape)} does not fit scores of shape "
                f"{tuple(scores_shape)}. Each of its sizes, read from the right, must be 1 or "
                "equal to that of the scores."
            )
    if bias is None or torch.compiler.is_compiling() or bias.device.type != "cpu":
        return
    if not is_wrapped(bias) and not bias.isfinite().all():
        raise ValueError(
            "score_bias must be finite, got NaN or an infinity. To hide keys pass a boolean mask, "
            "score_bias != -inf, beside a bias that is 0 there."
        )


def check_same_device(**devices: Tensor | torch.device) -> None:
    """Refuse tensors that lie on different devices."""
    found = [getattr(d, "device", d) for d in devices.values()]
    if len(set(found)) > 1:
        where = ", ".join(f"{n} on {d}" for n, d in zip(devices, found, strict=True))
        raise ValueError(f"all inputs must be on one device, got {where}. Move them with .to().")


def check_floating(**tensors: Tensor) -> None:
    """Refuse what is not a floating-point tensor."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, got {type(tensor).__name__}.")
        if not tensor.is_floating_point():
            raise TypeError(
                f"{name} must hold floating-point numbers, got {tensor.dtype}. Convert it with "
                ".float()."
            )


def check_one_dtype(**tensors: Tensor) -> None:
    """Refuse different dtypes, unless autocast will make them one."""
    dtypes = {x.dtype for x in tensors.values()}
    if len(dtypes) > 1 and not autocasts(next(iter(tensors.values()))):
        found = ", ".join(f"{name} {x.dtype}" for name, x in tensors.items())
        raise TypeError(f"all inputs must have one dtype, got {found}. Convert them with .to().")


def check_last_dim(
    name: str, tensor: Tensor, size: int, owner: str, other: Tensor | None = None
) -> None:
    """Refuse a tensor whose last dimension is not the `size` that its owner needs, or is empty.

    other: a tensor that is the owner; the message then tells its shape.
    """
    if tensor.ndim == 0 or tensor.shape[-1] != size:
        owner += "" if other is None else f" of shape {tuple(other.shape)}"
        raise ValueError(
            f"{name} has shape {tuple(tensor.shape)}, but {owner} needs its last dimension "
            f"to be {size}."
        )
    if size == 0:
        raise ValueError(f"{name} of shape {tuple(tensor.shape)} has no features to compare.")


def flags(**given: bool) -> tuple[bool, ...]:
    """Each as `flag` has it. What is plainly True or False passes here: who follows a query through
    both its paths then opens one file less."""
    return tuple(v if type(v) is bool else flag(name, v) for name, v in given.items())


def check_scale(scale: float | Tensor | None) -> None:
    """Refuse a factor of the scores that is no finite number; a tensor may be learned."""
    if not (scale is None or isinstance(scale, Tensor)):
        number("scale", scale)


def check_attention_inputs(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
    *,
    names: tuple[str, str, str] = ("query", "keys", "values"),
    may_be_empty: bool = False,
    dot: bool = False,
    grouped: int | None = None,
    **others: Tensor,
) -> tuple[int, ...]:
    """Do these fit? Refuse what cannot attend to one another; the shape of the scores, (..., T, S).

    Args:
        names: what the caller calls the first three.
        may_be_empty: no keys are no fault, as there are others, or no query that looks.
        dot: query and keys are multiplied as they are, and need equally many features.
        grouped: keys and values may have fewer heads, (..., H_kv, S, d), if H_kv divides H, for
            inputs of at least so many axes.
        others: further tensors that must have their dtype and device.
    """
    tensors = dict(zip(names, (query, keys, values), strict=True)) | others
    check_floating(**tensors)
    check_same_device(**tensors)
    check_one_dtype(**tensors)
    q, k, v = query.shape, keys.shape, values.shape
    fault, three = None, "{}, {} and {}".format(*names)
    if min(len(q), len(k), len(v)) < 2:
        fault = f"{three} need at least two dimensions, (length, d)"
    elif k[-2] != v[-2]:
        fault = "each key needs one value, but their lengths differ"
    elif k[-2] == 0 and not may_be_empty:
        fault = "there are no keys to attend to"
    elif k[:-2] != v[:-2] or q[:-2] != k[:-2]:
        heads = grouped is not None and len(q) == len(k) >= grouped and k[:-2] == v[:-2]
        if not (heads and q[:-3] == k[:-3] and k[-3] > 0 and q[-3] % k[-3] == 0):
            fault = f"{three} need equal batch dimensions"
            if heads:
                fault += f", or heads of {names[1]} and {names[2]} that divide those of {names[0]}"
    if fault is not None:
        shapes = zip(names, (q, k, v), strict=True)
        got = ", ".join(f"{name} {tuple(shape)}" for name, shape in shapes)
        raise ValueError(f"{fault}: got {got}.")
    if dot:
        check_last_dim(names[1], keys, q[-1], names[0], query)
    shape = (*q[:-1], k[-2])
    check_mask_and_bias(mask, score_bias, shape, query.device)
    return shape


def length(name: str, value: Any) -> int:
    """The value as a length: an integer of Python, of NumPy, or of a graph being compiled."""
    if isinstance(value, torch.SymInt) or (type(value) is int and value >= 0):
        return cast(int, value)  # a symbol calculates as an integer does
    return integer(name, value, 0)
