"""Tokens from outside: a table of their vectors, and the mask of their padding."""

import torch
from jaxtyping import Int
from torch import Tensor, nn

from course_lib.gate.masks import padding_mask


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


def sentence_mask(tokens: Int[Tensor, "B S"], lengths: Tensor | list[int]) -> Tensor:
    """The `padding_mask` (B, 1, S) of a batch of tokens, padded on the right.

    Raises:
        ValueError: for tokens that are not (B, S), and for not one length a row.
    """
    if not isinstance(tokens, Tensor) or tokens.ndim != 2:
        found = tuple(tokens.shape) if isinstance(tokens, Tensor) else type(tokens).__name__
        raise ValueError(f"source must be a tensor of tokens (B, S), got {found}.")
    if isinstance(lengths, Tensor):
        lengths = lengths.to(tokens.device)
    mask = padding_mask(lengths, tokens.shape[1]).to(tokens.device)
    if len(mask) != len(tokens):
        raise ValueError(f"lengths must be one for each of {len(tokens)} rows, got {len(mask)}.")
    return mask
