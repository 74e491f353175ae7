"""A decoder without attention: one vector is all that it knows of the source."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.token_table import TokenTable
from course_lib.translation.encoder import Encoded
from course_lib.translation.state import DecoderState
from course_lib.translation.training_aids import progress_feature
from course_lib.translation.vocabulary import PAD


class PlainDecoder(nn.Module):
    """A recurrent decoder that begins with the encoder's summary and never looks back.

        s_0 = tanh(W_s summary)
        s_t = GRU(s_{t-1}, E y_{t-1})
        s̃_t = tanh(W_c s_t)                  ours: so that it has the readout of the other two
        p(y_t | y_<t, x) = softmax(W_o s̃_t + b_o)

    Sutskever, Vinyals & Le (2014), "Sequence to sequence learning with neural networks",
    https://arxiv.org/abs/1409.3215, section 2. Ours: one GRU in place of four layers of LSTM.
    """

    parallel = True  # all steps of a known target at once

    def __init__(
        self,
        target_size: int,
        *,
        embedding_dim: int,
        hidden_dim: int,
        dropout: float = 0.0,
        progress: bool = False,
    ) -> None:
        super().__init__()
        self.attention, self.progress = None, progress
        self.embedding = TokenTable(target_size, embedding_dim, padding_idx=PAD)
        self.rnn = nn.GRU(embedding_dim + progress, hidden_dim, batch_first=True)
        self.W_s = nn.Linear(hidden_dim, hidden_dim)
        self.W_c = nn.Linear(hidden_dim, hidden_dim, bias=False)
        self.W_o = nn.Linear(hidden_dim, target_size)
        self.dropout = nn.Dropout(dropout)

    def start(self, encoded: Encoded, source_mask: Tensor) -> DecoderState:
        """The state before the first word."""
        hidden = torch.tanh(self.W_s(encoded.summary))  # (B, d)
        return DecoderState(hidden, encoded.memory, encoded.mask, source_mask)

    def step(
        self, tokens: Int[Tensor, " B"], state: DecoderState, need_weights: bool = True
    ) -> tuple[Float[Tensor, "B V"], DecoderState, None]:
        """The last word → logits of the next, the new state, and no weights."""
        logits, last, _ = self.all_steps(tokens[:, None], state)
        return logits[:, 0], last, None

    def all_steps(
        self, inputs: Int[Tensor, "B T"], state: DecoderState, need_weights: bool = True
    ) -> tuple[Float[Tensor, "B T V"], DecoderState, None]:
        """Every step of a known target in one call."""
        words = self.dropout(self.embedding(inputs))  # (B, T, e)
        if self.progress:
            far = progress_feature(state.position, inputs.shape[1], state.lengths, words)
            words = torch.cat([words, far], dim=-1)
        states, last = self.rnn(words, state.hidden[None])  # (B, T, d), (1, B, d)
        vector = self.dropout(torch.tanh(self.W_c(states)))  # (B, T, d)
        return self.W_o(vector), state.next(last[0]), None
