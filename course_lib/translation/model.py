"""A translator's two halves put together: an encoder, and one of three decoders."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.token_table import sentence_mask
from course_lib.translation.attentions import make_attention
from course_lib.translation.bahdanau_decoder import BahdanauDecoder
from course_lib.translation.encoder import Encoder
from course_lib.translation.luong_decoder import LuongDecoder
from course_lib.translation.plain_decoder import PlainDecoder
from course_lib.translation.state import DecoderState
from course_lib.translation.training_aids import (
    add_distractor,
    append_end,
    check_aids,
    random_start,
)
from course_lib.translation.vocabulary import PAD
from course_lib.validation.arguments import flag, integer, number, one_of
from course_lib.validation.tensors import may_look

ORDERS = ("bahdanau", "luong")


class Seq2Seq(nn.Module):
    """A recurrent encoder and decoder, with or without attention between them.

        Encoder          always            h_j, a vector for each source word
        PlainDecoder     attention="none"  s_0 is all that the decoder knows
        BahdanauDecoder  order="bahdanau"  s_{t-1} asks, then the step
        LuongDecoder     order="luong"     the step, then s_t asks

    Args:
        attention: "none", "uniform", "additive", "dot", "general", "concat", "local-m" or
            "local-p".
        order: who asks; without attention it changes nothing.
        input_feeding: Luong's order only.
        bidirectional: whether the encoder reads in both directions, as Bahdanau's does, or in one.
        hidden_dim: the size of h_j (of both directions together) and of s_t.
        attention_dim: the size inside the additive score; None is hidden_dim.
        num_layers: of the encoder; a decoder has one.
        window: D of the local.
        aids: which of `training_aids.AIDS` to train with; neither paper has them, so none by
            default.

    Every other setting means the same for every attention, so two models that differ in
    `attention` alone can be compared.
    """

    decoder: Any  # one of the three; Bahdanau's has no all_steps, as `parallel` says

    def __init__(
        self,
        source_size: int,
        target_size: int,
        *,
        attention: str = "general",
        order: str = "luong",
        input_feeding: bool = False,
        bidirectional: bool = True,
        embedding_dim: int = 64,
        hidden_dim: int = 128,
        attention_dim: int | None = None,
        num_layers: int = 1,
        window: int = 10,
        dropout: float = 0.1,
        aids: Sequence[str] = (),
    ) -> None:
        super().__init__()
        source_size, target_size = (
            integer(name, size, 1)
            for name, size in (("source_size", source_size), ("target_size", target_size))
        )
        embedding_dim, hidden_dim = (
            integer(name, size, 1)
            for name, size in (("embedding_dim", embedding_dim), ("hidden_dim", hidden_dim))
        )
        num_layers, window = integer("num_layers", num_layers, 1), integer("window", window, 1)
        if attention_dim is not None:
            attention_dim = integer("attention_dim", attention_dim, 1)
        dropout = number("dropout", dropout, least=0, below=1)
        bidirectional = flag("bidirectional", bidirectional)
        input_feeding = flag("input_feeding", input_feeding)
        one_of("order", order, ORDERS)
        if input_feeding and (order == "bahdanau" or attention == "none"):
            raise ValueError(
                "input feeding belongs to attention in order='luong': Bahdanau's decoder feeds the "
                "context, and without attention there is nothing to feed."
            )
        self.aids = check_aids(aids)
        self.config = {
            "attention": str(attention), "order": str(order), "input_feeding": input_feeding,
            "bidirectional": bidirectional, "embedding_dim": embedding_dim,
            "hidden_dim": hidden_dim, "attention_dim": attention_dim, "num_layers": num_layers,
            "window": window, "dropout": dropout, "aids": self.aids,
        }  # fmt: skip
        sizes = {"embedding_dim": embedding_dim, "hidden_dim": hidden_dim, "dropout": dropout}
        self.encoder = Encoder(
            source_size, bidirectional=bidirectional, num_layers=num_layers, **sizes
        )
        module = make_attention(attention, hidden_dim, window, attention_dim)
        sizes["progress"] = "progress" in self.aids
        if module is None:
            self.decoder = PlainDecoder(target_size, **sizes)
        elif order == "bahdanau":
            self.decoder = BahdanauDecoder(target_size, module, **sizes)
        else:
            sizes["input_feeding"] = input_feeding
            self.decoder = LuongDecoder(target_size, module, **sizes)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.encoder.embedding.weight.device

    @property
    def parallel(self) -> bool:
        """Whether attention and output of all target steps can be computed at once."""
        return self.decoder.parallel

    def encode(self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]) -> DecoderState:
        """Read the source sentences, of `lengths` words without padding: the decoder's first state.

        With the aids "source_end" and, in training, "distractor" the memory is longer than S.
        """
        source_mask = sentence_mask(source, lengths)[:, 0]  # (B, S)
        if may_look(source_mask) and not source_mask.any(-1).all():
            raise ValueError("lengths must be at least 1: a sentence without words has no state.")
        lengths = source_mask.sum(-1)
        first = None
        if "source_end" in self.aids:
            source, lengths = append_end(source, lengths)
        if "random_start" in self.aids and self.training:
            first = random_start(self.encoder.rnn, len(source))
        encoded = self.encoder(source, lengths, first)
        if "distractor" in self.aids and self.training and self._looks_everywhere():
            encoded = add_distractor(encoded)
        return self.decoder.start(encoded, source_mask)

    def step(
        self, tokens: Int[Tensor, " B"], state: DecoderState
    ) -> tuple[Float[Tensor, "B V"], DecoderState, Float[Tensor, "B S"] | None]:
        """One decoding step: the last words → logits of the next, new state, weights or None."""
        logits, state, weights = self.decoder.step(tokens, state)
        return logits, state, None if weights is None else _own(weights, state)

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

        Args:
            sampling: scheduled sampling, the share of steps that read the model's own last word
                instead of `inputs`; above 0 it needs the loop.
            loop: run step by step all the same.
            need_weights: False returns None for them; all steps at once then take the fast kernels.

        Bengio et al. (2015), "Scheduled sampling for sequence prediction with recurrent neural
        networks", https://arxiv.org/abs/1506.03099.
        """
        sampling, loop = number("sampling", sampling, least=0, most=1), flag("loop", loop)
        need_weights = flag("need_weights", need_weights)
        state = self.encode(source, lengths)
        if self.parallel and sampling == 0 and not loop:
            logits, state, weights = self.decoder.all_steps(inputs, state, need_weights)
            return logits, None if weights is None else _own(weights, state)
        steps, rows, tokens = [], [], inputs[:, 0]
        for t in range(inputs.shape[1]):
            logits, state, row = self.decoder.step(tokens, state, need_weights)
            steps.append(logits)
            rows.append(row)
            if t + 1 < inputs.shape[1]:
                tokens = inputs[:, t + 1]
                if sampling > 0:
                    coin = torch.rand(tokens.shape, device=tokens.device) < sampling
                    tokens = torch.where(coin & (tokens != PAD), logits.argmax(-1), tokens)
        weights = None if rows[0] is None else _own(torch.stack(rows, dim=1), state)
        return torch.stack(steps, dim=1), weights

    def _looks_everywhere(self) -> bool:
        name = self.config["attention"]
        return name != "none" and not name.startswith("local")


def _own(weights: Tensor, state: DecoderState) -> Tensor:
    """The weights (…, S) of the sentence's own words, without an <end> and without a distractor."""
    words = state.source_mask if weights.ndim == 2 else state.source_mask[:, None]
    return weights[..., : words.shape[-1]] * words
