"""Choices by chance: what they are drawn from, by which generator, and the rewards they earn."""

import torch
from torch import Tensor

from course_lib.kernels.choose import is_wrapped
from course_lib.validation.tensors import check_floating


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
