"""What would the model have said, had it looked elsewhere? Other weights in a trained model."""

from collections.abc import Sequence

import torch
from torch import Tensor

from course_lib.translation.corpus import Pair
from course_lib.translation.luong_decoder import LuongDecoder
from course_lib.translation.translator import Translator
from course_lib.translation.vocabulary import END, PAD, make_batch


class ExchangeWeights:
    """A trained model under teacher forcing, whose attention weights can be exchanged.

        exchange = ExchangeWeights(translator, pairs)
        before = exchange(exchange.weights)          # (B, T, V), what the model says
        after = exchange(other_weights)              # … with these weights, all else being equal

    weights (B, T, S): as trained.  mask (B, 1, S): True at the words of the source.
    is_word (B, T): True at target words, False at <end> and padding.
    Only the context changes, so the decoder's states must not depend on earlier contexts: Luong's
    order without input feeding. A call is differentiable by the weights, not by the model.
    Jain & Wallace (2019), "Attention is not explanation", https://aclanthology.org/N19-1357.

    Raises ValueError for another kind of model.
    """

    def __init__(self, translator: Translator, pairs: Sequence[Pair]) -> None:
        self.decoder = translator.model.decoder
        if not isinstance(self.decoder, LuongDecoder) or self.decoder.input_feeding:
            raise ValueError(
                "weights can be exchanged in Luong's order without input feeding; here "
                f"attention={translator.model.config['attention']!r}, "
                f"order={translator.model.config['order']!r} and input_feeding="
                f"{translator.model.config['input_feeding']}, where a step's state depends on what "
                "the steps before it saw, or nothing is looked at."
            )
        batch = make_batch(pairs, translator.source, translator.target).to(translator.model.device)
        translator.model.eval()
        with torch.no_grad():
            state = translator.model.encode(batch.source, batch.lengths)
            _, _, self.weights = self.decoder.all_steps(batch.inputs, state)  # (B, T, S)
            self.states = self.decoder.states(batch.inputs, state)  # (B, T, d)
        self.memory, self.mask = state.memory, state.mask[:, None]  # (B, S, d), (B, 1, S)
        self.is_word = (batch.labels != PAD) & (batch.labels != END)

    def __call__(self, weights: Tensor) -> Tensor:
        """p(y_t | the true words before it, x) with these weights (B, T, S) → (B, T, V)."""
        if weights.shape != self.weights.shape:
            raise ValueError(
                f"the weights have shape {tuple(weights.shape)}, the model's own "
                f"{tuple(self.weights.shape)}."
            )
        d = self.decoder
        W_o = d.W_o.weight.detach(), d.W_o.bias.detach()
        joined = torch.cat([weights @ self.memory, self.states], dim=-1)  # (B, T, 2d)
        attentional = torch.tanh(joined @ d.W_c.weight.detach().mT)
        return torch.softmax(attentional @ W_o[0].mT + W_o[1], dim=-1)
