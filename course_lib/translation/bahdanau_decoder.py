"""Bahdanau's decoder: the state before the step asks where to look."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.token_table import TokenTable
from course_lib.translation.attentions import look
from course_lib.translation.encoder import Encoded
from course_lib.translation.state import DecoderState
from course_lib.translation.training_aids import progress_feature
from course_lib.translation.vocabulary import PAD


class BahdanauDecoder(nn.Module):
    """A decoder that first looks, then takes its step.

    Bahdanau, Cho & Bengio (2015), "Neural machine translation by jointly learning to align and
    translate", https://arxiv.org/abs/1409.0473. The numbers in the code are the paper's equations.

    Ours, where the paper has something else: s_0 is made of both encoder directions (the paper:
    of ←h_1 alone), the readout is Luong's tanh(W_c [c; s]) (the paper, A.2.2: a maxout layer over
    s_{i-1}, y_{i-1} and c_i) so that the two decoders differ in who asks and in nothing else, and
    any attention may stand in the place of the additive one.
    """

    parallel = False  # c_i needs s_{i-1}, and s_{i-1} needs c_{i-1}

    def __init__(
        self,
        target_size: int,
        attention: nn.Module,
        *,
        embedding_dim: int,
        hidden_dim: int,
        dropout: float = 0.0,
        progress: bool = False,
    ) -> None:
        super().__init__()
        self.attention, self.progress = attention, progress
        self.embedding = TokenTable(target_size, embedding_dim, padding_idx=PAD)
        self.cell = nn.GRUCell(embedding_dim + hidden_dim + progress, hidden_dim)
        self.W_s = nn.Linear(hidden_dim, hidden_dim)
        self.W_c = nn.Linear(2 * hidden_dim, hidden_dim, bias=False)
        self.W_o = nn.Linear(hidden_dim, target_size)
        self.dropout = nn.Dropout(dropout)

    def start(self, encoded: Encoded, source_mask: Tensor) -> DecoderState:
        """The state before the first word."""
        hidden = torch.tanh(self.W_s(encoded.summary))  # A.2.2, ours: both directions  (B, d)
        U_a = getattr(self.attention, "U_a", None)
        key_proj = None if U_a is None else U_a(encoded.memory)  # A.1.2: once, it needs no s_i
        return DecoderState(hidden, encoded.memory, encoded.mask, source_mask, key_proj)

    def step(
        self, tokens: Int[Tensor, " B"], state: DecoderState, need_weights: bool = True
    ) -> tuple[Float[Tensor, "B V"], DecoderState, Float[Tensor, "B S"] | None]:
        """The last word → logits of the next, the new state, and where the step looked."""
        word = self.dropout(self.embedding(tokens))  # E y_{i-1}  (B, e)
        # (5), (6), with e_ij = a(s_{i-1}, h_j)
        context, weights = look(self.attention, state.hidden, state, need_weights)
        parts = [word, context]
        if self.progress:
            parts.append(progress_feature(state.position, 1, state.lengths, word)[:, 0])
        hidden = self.cell(torch.cat(parts, dim=-1), state.hidden)  # s_i = f(s_{i-1}, y_{i-1}, c_i)
        vector = torch.tanh(self.W_c(torch.cat([context, hidden], dim=-1)))  # ours: no maxout
        logits = self.W_o(self.dropout(vector))  # (4)
        return logits, state.next(hidden), weights
