"""Luong's decoder: the state after the step asks where to look."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.token_table import TokenTable
from course_lib.translation.attentions import look
from course_lib.translation.encoder import Encoded
from course_lib.translation.state import DecoderState
from course_lib.translation.training_aids import progress_feature
from course_lib.translation.vocabulary import PAD


class LuongDecoder(nn.Module):
    """A decoder that first takes its step, then looks.

    Luong, Pham & Manning (2015), "Effective approaches to attention-based neural machine
    translation", https://arxiv.org/abs/1508.04025. The numbers in the code are the paper's
    equations; its h_t is our `hidden`, its h̄_s our `memory`.

    Without input feeding no step needs what another step saw: `all_steps` runs the recurrence over
    the whole target, then attention and output for all steps at once. The recurrence itself stays
    one step after the other.

    Ours: one GRU in place of four layers of LSTM; an encoder that may read in both directions; a
    bias in the output layer; any attention in the place of the paper's own.
    """

    def __init__(
        self,
        target_size: int,
        attention: nn.Module,
        *,
        embedding_dim: int,
        hidden_dim: int,
        input_feeding: bool = False,
        dropout: float = 0.0,
        progress: bool = False,
    ) -> None:
        super().__init__()
        self.attention, self.input_feeding, self.progress = attention, input_feeding, progress
        self.embedding = TokenTable(target_size, embedding_dim, padding_idx=PAD)
        reads = embedding_dim + input_feeding * hidden_dim + progress
        self.rnn = nn.GRU(reads, hidden_dim, batch_first=True)
        self.W_s = nn.Linear(hidden_dim, hidden_dim)
        self.W_c = nn.Linear(2 * hidden_dim, hidden_dim, bias=False)
        self.W_o = nn.Linear(hidden_dim, target_size)
        self.dropout = nn.Dropout(dropout)

    @property
    def parallel(self) -> bool:
        """Whether attention and output can be computed for all steps at once."""
        return not self.input_feeding

    def start(self, encoded: Encoded, source_mask: Tensor) -> DecoderState:
        """The state before the first word."""
        hidden = torch.tanh(self.W_s(encoded.summary))  # ours: a layer; the paper copies the state
        feed = torch.zeros_like(hidden) if self.input_feeding else None
        U_a = getattr(self.attention, "U_a", None)
        key_proj = None if U_a is None else U_a(encoded.memory)
        return DecoderState(hidden, encoded.memory, encoded.mask, source_mask, key_proj, feed)

    def step(
        self, tokens: Int[Tensor, " B"], state: DecoderState, need_weights: bool = True
    ) -> tuple[Float[Tensor, "B V"], DecoderState, Float[Tensor, "B S"] | None]:
        """The last word → logits of the next, the new state, and where the step looked."""
        logits, state, weights = self.all_steps(tokens[:, None], state, need_weights)
        return logits[:, 0], state, None if weights is None else weights[:, 0]

    def all_steps(
        self, inputs: Int[Tensor, "B T"], state: DecoderState, need_weights: bool = True
    ) -> tuple[Float[Tensor, "B T V"], DecoderState, Float[Tensor, "B T S"] | None]:
        """Every step of a known target in one call; with input feeding, of one word."""
        states = self.states(inputs, state)  # (B, T, d)
        context, weights = look(self.attention, states, state, need_weights)  # (7); local (9), (10)
        vector = self.attentional(context, states)  # (B, T, d)
        feed = vector[:, -1] if self.input_feeding else None
        return self.W_o(self.dropout(vector)), state.next(states[:, -1], feed), weights  # (6)

    def states(self, inputs: Int[Tensor, "B T"], state: DecoderState) -> Float[Tensor, "B T d"]:
        """h_t of every step: the recurrence, which has not looked yet."""
        x = self.dropout(self.embedding(inputs))  # (B, T, e)
        if state.input_feed is not None:  # section 3.3: the last h̃ is an input of the next step
            x = torch.cat([x, state.input_feed[:, None]], dim=-1)
        if self.progress:
            far = progress_feature(state.position, inputs.shape[1], state.lengths, x)
            x = torch.cat([x, far], dim=-1)
        return self.rnn(x, state.hidden[None])[0]  # (3)

    def attentional(self, context: Tensor, states: Tensor) -> Float[Tensor, "B T d"]:
        """h̃_t, what the output layer reads."""
        return torch.tanh(self.W_c(torch.cat([context, states], dim=-1)))  # (5)
