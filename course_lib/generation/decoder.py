"""What greedy decoding, sampling and beam search need of a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn


@runtime_checkable
class State(Protocol):
    """What a decoder carries from one token to the next.

    `step` may change it in place; a search therefore works on `copy.copy(state)`, which must share
    nothing that a step changes, and leaves the state that it was given as it was.
    """

    def reorder(self, index: Tensor) -> "State":
        """The state of the rows `index` (N,) of the batch, in place of this one or beside it."""
        ...


@runtime_checkable
class Decoder(Protocol):
    """A model that reads one token and says what may come next."""

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        """Read one token per row: logits (B, V), the new state, weights (B, S) or None."""
        ...


@runtime_checkable
class Writer(Decoder, Protocol):
    """What `generate` needs: a model that also reads a whole prompt at once."""

    def prefill(self, prompt: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Any]:
        """Read a prompt (B, T): the logits of the next token (B, V), and the state."""
        ...


@runtime_checkable
class Croppable(Protocol):
    """What a model carries whose last tokens may be forgotten again."""

    length: int  # how many tokens have been read

    def crop(self, length: int) -> None:
        """Forget every token from `length` on, in place."""
        ...


@runtime_checkable
class Reader(Protocol):
    """What `speculative_decode` needs: a model that reads several tokens, and may forget some."""

    def start(self) -> Any:
        """The state before the first token, a `Croppable`."""
        ...

    def read(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        """Read several tokens (1, T): the logits after each (1, T, V), and the new state."""
        ...


def check_prompt(prompt: Tensor) -> None:
    """Refuse what is not (B, T) integers with T ≥ 1."""
    if not isinstance(prompt, Tensor):
        raise TypeError(f"a prompt is a tensor of tokens (B, T), got {type(prompt).__name__}.")
    if prompt.is_floating_point() or prompt.is_complex() or prompt.dtype == torch.bool:
        raise TypeError(f"the tokens of a prompt are integers, got {prompt.dtype}.")
    if prompt.ndim != 2 or prompt.shape[1] == 0:
        raise ValueError(
            f"a prompt must be (B, T) with T at least 1, got shape {tuple(prompt.shape)}. Write "
            "prompt[None] for a single one."
        )


def check_left_padding(mask: Tensor, prompt: Tensor) -> None:
    """Refuse a mask that is not (B, 1, T), True at each prompt's tokens, padding on the left."""
    check_prompt(prompt)
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        kind = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
        raise TypeError(f"mask must be a boolean tensor with True at real tokens, got {kind}.")
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
def evaluating(model: object) -> Iterator[None]:
    """Evaluation mode, without dropout, inside; afterwards every module is as it was.

    A model that is no `nn.Module` has no modes.
    """
    modules = model.modules() if isinstance(model, nn.Module) else ()
    modes = [(module, module.training) for module in modules]
    for module, _ in modes:
        module.training = False
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
