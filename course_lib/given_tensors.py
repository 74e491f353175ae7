"""Tensors from outside: scores, weights, rewards and positions, or a sentence on what is needed."""

from typing import Any, SupportsIndex

import torch
from torch import Tensor

from course_lib.arguments import integer
from course_lib.checks import check_floating, check_one_dtype, check_same_device, is_wrapped


def check_scored(**tensors: Tensor) -> None:
    """Refuse what no product takes: queries and keys first, then W_a and v_a."""
    check_floating(**tensors)
    check_same_device(**tensors)
    if len({torch.promote_types(x.dtype, torch.float32) for x in tensors.values()}) > 1:
        check_one_dtype(**tensors)  # half precision beside float32 is widened anyway
    (_, query), (_, keys), *_ = tensors.items()
    single = "v_a" not in tensors  # a product takes one query (d,) as it is, a sum does not
    for name, tensor in tensors.items():
        least = 1 if name == "v_a" or (tensor is query and single) else 2
        exactly = name in ("W_a", "v_a")
        if tensor.ndim < least or (exactly and tensor.ndim > least):
            raise ValueError(
                f"{name} must have {'' if exactly else 'at least '}{least} dimension(s), "
                f"got shape {tuple(tensor.shape)}."
            )
    aligned = zip(reversed(query.shape[:-2]), reversed(keys.shape[:-2]), strict=False)
    for i, (q, k) in enumerate(aligned):
        heads = i == 0 and k > 0 and q % k == 0  # several of queries share one of keys
        if q != k and 1 not in (q, k) and not heads:
            names, shapes = list(tensors)[:2], (tuple(query.shape), tuple(keys.shape))
            raise ValueError(
                f"the batch dimensions of {names[0]} {shapes[0]} and {names[1]} {shapes[1]} "
                "must be equal or 1."
            )


def check_generator(generator: torch.Generator | None) -> None:
    """Refuse a seed in the place of a generator."""
    if generator is not None and not isinstance(generator, torch.Generator):
        raise TypeError(
            f"generator must be a torch.Generator, got {generator!r}. From a seed it is "
            "torch.Generator().manual_seed(seed)."
        )


def check_weights(weights: Tensor) -> None:
    """Refuse what no softmax leaves. A compiled graph, a transform or a GPU is not stopped."""
    check_floating(weights=weights)
    if weights.ndim == 0 or weights.shape[-1] == 0:
        raise ValueError(f"weights must be (..., S) with S ≥ 1, got {tuple(weights.shape)}.")
    if weights.device.type != "cpu" or torch.compiler.is_compiling() or is_wrapped(weights):
        return
    if not (weights.isfinite() & (weights >= 0)).all():
        raise ValueError("weights must be finite and not negative, as a softmax leaves them.")


def check_rewards(log_prob: Tensor, reward: Tensor) -> None:
    """Refuse what is no number for each choice."""
    check_floating(log_prob=log_prob)
    if not isinstance(reward, Tensor) or reward.dtype == torch.bool or reward.is_complex():
        kind = reward.dtype if isinstance(reward, Tensor) else type(reward).__name__
        raise TypeError(f"reward must be a tensor of numbers, got {kind}. Write reward.float().")


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
