"""Encoder, attention, decoder: one recurrent model for Bahdanau's order and for Luong's."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.additive import AdditiveAttention
from course_lib.luong import LuongAttention
from course_lib.masks import padding_mask
from course_lib.translation.placeless import random_start, with_distractor, with_end
from course_lib.translation.vocabulary import PAD

ATTENTIONS: dict[str, Callable[[int, int], nn.Module | None]] = {
    "none": lambda d, window: None,
    "additive": lambda d, window: AdditiveAttention(d, d, d),
    "dot": lambda d, window: LuongAttention(d, d, score="dot"),
    "general": lambda d, window: LuongAttention(d, d, score="general"),
    "concat": lambda d, window: LuongAttention(d, d, score="concat"),
    "local-m": lambda d, window: LuongAttention(
        d, d, score="general", scope="local-m", window=window
    ),
    "local-p": lambda d, window: LuongAttention(
        d + 1, d, score="general", scope="local-p", window=window
    ),
}
ORDERS = ("bahdanau", "luong")
CELLS = {"gru": nn.GRU, "lstm": nn.LSTM}


class Encoded(NamedTuple):
    """A batch of source sentences after the encoder."""

    memory: Tensor  # (B, S, d)
    mask: Tensor  # (B, 1, S)
    words: Tensor  # (B, 1, S): the mask of the sentence's own words, without <end>
    lengths: Tensor  # (B,)
    key_proj: Tensor | None  # (B, S, d): U_a h, for additive attention


class State(NamedTuple):
    """What the decoder carries from one step to the next."""

    carry: Tensor  # (1, B, d) for a GRU; (2, B, d) for an LSTM: h and c
    fed: Tensor | None  # (B, d): the last attentional vector, with input feeding
    step: int


class Seq2Seq(nn.Module):
    """A recurrent encoder and decoder, with or without attention between them.

        encoder    h_j = [→h_j; ←h_j],  s_0 = tanh(W_s [→h_S; ←h_1])
        Bahdanau   c_i = attention(s_{i-1}, h),  s_i = RNN(s_{i-1}, [y_{i-1}; c_i])
        Luong      s_i = RNN(s_{i-1}, y_{i-1} or [y_{i-1}; s̃_{i-1}]),  c_i = attention(s_i, h)
        both       s̃_i = tanh(W_c [c_i; s_i]),  logits = W_o s̃_i + b_o

    `hidden_dim` is the size of h_j (both directions together) and of s_i. With Luong's order and
    no input feeding no step needs the attention of the one before it, so training runs all target
    steps at once (`parallel`); the other forms run a loop over the steps.
    local-p predicts a place in the sentence, so its query is [s_i; 2i/S − 1]: it also knows how
    far it has come.
    With `placeless` (the default) an attention model cannot align by counting (see placeless.py):
    in training global attention also sees another sentence, and in Luong's order the encoder
    starts from random states and reads an <end>, whose weight is not returned.
    Bahdanau, Cho & Bengio (2015), appendix A; Luong, Pham & Manning (2015), section 3.
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        *,
        attention: str = "general",
        order: str = "luong",
        input_feeding: bool = False,
        cell: str = "gru",
        bidirectional: bool = True,
        embedding_dim: int = 64,
        hidden_dim: int = 128,
        window: int = 10,
        dropout: float = 0.1,
        placeless: bool = True,
    ) -> None:
        super().__init__()
        _check_choice("attention", attention, ATTENTIONS)
        _check_choice("order", order, ORDERS)
        _check_choice("cell", cell, CELLS)
        if hidden_dim % 2 and bidirectional:
            raise ValueError(f"two directions need an even hidden_dim, got {hidden_dim}.")
        if input_feeding and order == "bahdanau":
            raise ValueError("input feeding belongs to order='luong'; Bahdanau feeds the context.")
        self.shape = {
            "attention": attention, "order": order, "input_feeding": input_feeding, "cell": cell,
            "bidirectional": bidirectional, "embedding_dim": embedding_dim,
            "hidden_dim": hidden_dim, "window": window, "dropout": dropout, "placeless": placeless,
        }  # fmt: skip
        self.attention = ATTENTIONS[attention](hidden_dim, window)
        self.order, self.input_feeding, self.cell = order, input_feeding, cell
        self.clock = attention == "local-p"
        self.placeless = placeless and self.attention is not None
        self.distracted = self.placeless and not attention.startswith("local")
        self.source_embedding = nn.Embedding(source_size, embedding_dim, padding_idx=PAD)
        self.target_embedding = nn.Embedding(target_size, embedding_dim, padding_idx=PAD)
        half = hidden_dim // 2 if bidirectional else hidden_dim
        both = {"bidirectional": bidirectional, "batch_first": True}
        self.encoder = CELLS[cell](embedding_dim, half, **both)
        reads_vector = input_feeding or (order == "bahdanau" and self.attention is not None)
        self.decoder = CELLS[cell](
            embedding_dim + reads_vector * hidden_dim, hidden_dim, batch_first=True
        )
        self.W_s = nn.Linear(hidden_dim, hidden_dim)
        joined = hidden_dim if self.attention is None else 2 * hidden_dim
        self.W_c = nn.Linear(joined, hidden_dim, bias=False)
        self.W_o = nn.Linear(hidden_dim, target_size)
        self.dropout = nn.Dropout(dropout)

    @property
    def parallel(self) -> bool:
        """Whether all target steps can be computed at once when the target is known."""
        return not self.input_feeding and (self.order == "luong" or self.attention is None)

    def encode(
        self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]
    ) -> tuple[Encoded, State]:
        """Read the source sentences; `lengths` without padding. Returns (encoded, first state)."""
        words = padding_mask(lengths.to(source.device), source.shape[1])
        uncounted = self.placeless and self.order == "luong"  # Bahdanau's would lose alignment
        if uncounted:
            source, lengths = with_end(source, lengths)
        embedded = self.dropout(self.source_embedding(source))  # (B, S, e)
        packed = nn.utils.rnn.pack_padded_sequence(
            embedded, lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        first = random_start(self.encoder, len(source)) if uncounted and self.training else None
        packed, last = self.encoder(packed, first)
        memory, _ = nn.utils.rnn.pad_packed_sequence(
            packed, batch_first=True, total_length=source.shape[1]
        )  # (B, S, d)
        last = last[0] if self.cell == "lstm" else last  # (directions, B, ·)
        start = torch.tanh(self.W_s(torch.cat(list(last), dim=-1)))  # (B, d)
        carry = start[None] if self.cell == "gru" else torch.stack([start, torch.zeros_like(start)])
        additive = isinstance(self.attention, AdditiveAttention)
        mask = padding_mask(lengths.to(source.device), source.shape[1])
        if self.distracted and self.training:
            memory, mask = with_distractor(memory, mask)
        key_proj = self.attention.U_a(memory) if additive else None
        encoded = Encoded(memory, mask, words, lengths.to(source.device), key_proj)
        return encoded, State(carry, torch.zeros_like(start) if self.input_feeding else None, 0)

    def forward(
        self,
        source: Int[Tensor, "B S"],
        lengths: Int[Tensor, " B"],
        inputs: Int[Tensor, "B T"],
        *,
        sampling: float = 0.0,
        loop: bool = False,
        need_weights: bool = True,
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B T S"] | None]:
        """Teacher forcing: the logits of every target step, and the attention weights.

        sampling: scheduled sampling, the share of steps that read the model's own last word
            instead of `inputs`; above 0 it needs the loop.  loop: run step by step all the same.
        need_weights: False returns None for them; all steps at once then take the fast kernels.
        Bengio et al. (2015), "Scheduled sampling for sequence prediction".
        """
        encoded, state = self.encode(source, lengths)
        if self.parallel and sampling == 0 and not loop:
            embedded = self.dropout(self.target_embedding(inputs))  # (B, T, e)
            carry = state.carry if self.cell == "gru" else tuple(state.carry[:, None])
            states, _ = self.decoder(embedded, carry)  # (B, T, d)
            context, weights = self._attend(states, encoded, need_weights=need_weights)
            return self.W_o(self._combine(context, states)), weights
        vectors, rows, tokens = [], [], inputs[:, 0]
        for t in range(inputs.shape[1]):
            vector, state, row = self._advance(tokens, state, encoded)
            vectors.append(vector)
            rows.append(row)
            if t + 1 < inputs.shape[1]:
                tokens = inputs[:, t + 1]
                if sampling > 0:
                    own = self.W_o(vector.detach()).argmax(-1)
                    coin = torch.rand(tokens.shape, device=tokens.device) < sampling
                    tokens = torch.where(coin & (tokens != PAD), own, tokens)
        held = need_weights and self.attention is not None
        weights = torch.stack(rows, dim=1) if held else None
        return self.W_o(torch.stack(vectors, dim=1)), weights

    def step(
        self, tokens: Int[Tensor, " B"], state: State, encoded: Encoded
    ) -> tuple[Float[Tensor, "B V"], State, Float[Tensor, "B S"] | None]:
        """One decoding step: the last words → logits of the next, new state, weights."""
        vector, state, weights = self._advance(tokens, state, encoded)
        return self.W_o(vector), state, weights

    def _advance(
        self, tokens: Tensor, state: State, encoded: Encoded
    ) -> tuple[Tensor, State, Tensor | None]:
        """One step up to the attentional vector s̃ (B, d)."""
        parts = [self.dropout(self.target_embedding(tokens))]  # (B, e)
        if self.order == "bahdanau":  # look with the state before the step
            context, weights = self._attend(state.carry[0], encoded, state.step)
            parts += [] if context is None else [context]
        elif self.input_feeding:
            parts.append(state.fed)
        carry = self._recur(torch.cat(parts, dim=-1), state.carry)
        if self.order == "luong":  # look with the state after it
            context, weights = self._attend(carry[0], encoded, state.step)
        vector = self._combine(context, carry[0])
        return vector, State(carry, vector if self.input_feeding else None, state.step + 1), weights

    def _recur(self, x: Tensor, carry: Tensor) -> Tensor:
        """One step of the decoder's cell, with the weights that `self.decoder` uses on many."""
        rnn = self.decoder
        weights = (rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0, rnn.bias_hh_l0)
        if self.cell == "gru":
            return torch.gru_cell(x, carry[0], *weights)[None]
        return torch.stack(torch.lstm_cell(x, tuple(carry), *weights))

    def _attend(
        self, query: Tensor, encoded: Encoded, step: int = 0, need_weights: bool = True
    ) -> tuple[Tensor | None, Tensor | None]:
        if self.attention is None:
            return None, None
        if self.clock:
            steps = step + torch.arange(query.shape[1] if query.ndim == 3 else 1)
            # From −1 to 1, not 0 to 1: W_p has no bias, and sigmoid(0) is the sentence's middle.
            ticks = 2 * steps.to(query) / encoded.lengths[:, None] - 1  # (B, T)
            ticks = ticks[..., None] if query.ndim == 3 else ticks
            query = torch.cat([query, ticks], dim=-1)
        known = {"first_position": step}
        if encoded.key_proj is not None:
            known = {"key_proj": encoded.key_proj}  # U_a h, once for the whole translation
        known |= {"mask": encoded.mask, "need_weights": need_weights}
        context, weights = self.attention(query, encoded.memory, **known)
        if weights is None:
            return context, None
        words = encoded.words if query.ndim == 3 else encoded.words[:, 0]
        return context, weights[..., : words.shape[-1]] * words

    def _combine(self, context: Tensor | None, states: Tensor) -> Tensor:
        joined = states if context is None else torch.cat([context, states], dim=-1)
        return self.dropout(torch.tanh(self.W_c(joined)))


def _check_choice(name: str, given: str, known: object) -> None:
    if given not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {given!r}.")
