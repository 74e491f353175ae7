"""What greedy decoding, sampling and beam search need of a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn


@runtime_checkable
class State(Protocol):
    """What a decoder carries from one token to the next."""

    def reorder(self, index: Tensor) -> "State":
        """The state of the rows `index` (N,) of the batch."""
        ...


@runtime_checkable
class Decoder(Protocol):
    """A model that reads one token and says what may come next."""

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        """Read one token per row: logits (B, V), the new state, weights (B, S) or None."""
        ...


def check_left_padding(mask: Tensor, prompt: Tensor) -> None:
    """Refuse a mask that is not (B, 1, T), True at each prompt's tokens, padding on the left."""
    if mask.dtype != torch.bool:
        raise TypeError(f"mask must be boolean with True at real tokens, got {mask.dtype}.")
    needed = (len(prompt), 1, prompt.shape[1])
    if mask.shape != needed:
        raise ValueError(
            f"mask must be (B, 1, T) = {needed} for a prompt of shape {tuple(prompt.shape)}, "
            f"got {tuple(mask.shape)}. Write (tokens != pad)[:, None]."
        )
    if not mask[..., -1].all() or (mask[..., :-1] & ~mask[..., 1:]).any():
        raise ValueError(
            "padding must stand on the left of each prompt, so that the last column holds its last "
            f"token, but the mask has False on the right of True: {mask[:, 0].tolist()}."
        )


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Evaluation mode, without dropout, inside; afterwards every module is as it was."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
