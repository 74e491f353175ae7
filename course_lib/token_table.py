"""A table of token vectors that says what it was given."""

import torch
from torch import Tensor, nn


class TokenTable(nn.Embedding):
    """`nn.Embedding`, with a sentence for what is no token of its vocabulary."""

    def forward(self, input: Tensor) -> Tensor:
        """The vectors of the tokens.

        Raises:
            TypeError: for what is no tensor of int64 or int32.
            IndexError: for a token outside the vocabulary. A GPU is not stopped to look.
        """
        if not isinstance(input, Tensor) or input.dtype not in (torch.int64, torch.int32):
            kind = input.dtype if isinstance(input, Tensor) else type(input).__name__
            raise TypeError(f"tokens must be a tensor of integers, torch.int64, got {kind}.")
        try:
            return super().forward(input)
        except IndexError:
            raise IndexError(
                f"tokens must be numbers from 0 to {self.num_embeddings - 1}, got some from "
                f"{input.min()} to {input.max()}."
            ) from None
