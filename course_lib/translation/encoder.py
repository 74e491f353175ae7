"""The encoder: it reads the source once and leaves a vector for each word."""

from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor, nn

from course_lib.gate.masks import padding_mask
from course_lib.token_table import TokenTable
from course_lib.translation.vocabulary import PAD


class Encoded(NamedTuple):
    """A batch of source sentences after the encoder."""

    memory: Tensor  # (B, S, d): the encoder's states h_1 … h_S
    mask: Tensor  # (B, S): True where a word stands, False at padding
    summary: Tensor  # (B, d): the last state of each direction


class Encoder(nn.Module):
    """A recurrent network (GRU) over the source words, in one direction or in both.

        one     →h_j = GRU(→h_{j-1}, E x_j)     h_j = →h_j            summary = →h_S
        both    ←h_j = GRU(←h_{j+1}, E x_j)     h_j = [→h_j; ←h_j]    summary = [→h_S; ←h_1]

    `hidden_dim` is the size of h_j, so each of two directions has half of it. Above the first of
    `num_layers` each reads the states of the one below; memory and summary are those of the last.
    In one direction h_j knows the words up to j alone; in both it also knows those after. Bahdanau,
    Cho & Bengio (2015), "Neural machine translation by jointly learning to align and translate",
    https://arxiv.org/abs/1409.0473, section 3.2, read in both. Sutskever, Vinyals & Le (2014),
    "Sequence to sequence learning with neural networks", https://arxiv.org/abs/1409.3215, read in
    one.
    """

    def __init__(
        self,
        source_size: int,
        *,
        embedding_dim: int,
        hidden_dim: int,
        bidirectional: bool,
        num_layers: int = 1,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if hidden_dim % 2 and bidirectional:
            raise ValueError(f"two directions need an even hidden_dim, got {hidden_dim}.")
        self.embedding = TokenTable(source_size, embedding_dim, padding_idx=PAD)
        self.rnn = nn.GRU(
            embedding_dim,
            hidden_dim // 2 if bidirectional else hidden_dim,
            num_layers,
            bidirectional=bidirectional,
            batch_first=True,
        )
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        source: Int[Tensor, "B S"],
        lengths: Int[Tensor, " B"],
        first: Tensor | None = None,
    ) -> Encoded:
        """Read the sentences; `lengths` counts their words without padding.

        first: the states to begin with, (layers · directions, B, size of one direction); None is
            zeros.
        """
        embedded = self.dropout(self.embedding(source))  # (B, S, e)
        packed = nn.utils.rnn.pack_padded_sequence(
            embedded, lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        packed, last = self.rnn(packed, first)  # last (layers · directions, B, ·)
        memory, _ = nn.utils.rnn.pad_packed_sequence(
            packed, batch_first=True, total_length=source.shape[1]
        )  # (B, S, d)
        mask = padding_mask(lengths.to(source.device), source.shape[1])[:, 0]  # (B, S)
        directions = 1 + self.rnn.bidirectional
        return Encoded(memory, mask, torch.cat(list(last[-directions:]), dim=-1))
