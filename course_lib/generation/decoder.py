"""What greedy decoding, sampling and beam search need of a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

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
