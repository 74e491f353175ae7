"""What keeps a translator from counting words where it should read them.

A recurrent state can count its steps. An encoder that counts, and a decoder that counts, align
short sentences without reading them; past the trained lengths they have no number to agree on.
These three take the count away.
"""

import torch
from torch import Tensor, nn

from course_lib.translation.vocabulary import END


def random_start(encoder: nn.GRU | nn.LSTM, B: int) -> Tensor | tuple[Tensor, Tensor]:
    """States to begin reading from, uniform in (−1, 1): a count that starts anywhere says nothing.

    For training only; a trained encoder begins with zeros, the middle of what it has seen.
    Returns h_0 (directions, B, d) for a GRU, and (h_0, zeros) for an LSTM.
    """
    h = encoder.weight_ih_l0.new_empty(1 + encoder.bidirectional, B, encoder.hidden_size)
    h.uniform_(-1, 1)
    return h if isinstance(encoder, nn.GRU) else (h, torch.zeros_like(h))


def with_end(source: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The sentences with an <end> behind the last word, (B, S + 1), and their lengths.

    So the end is a word to look at. Bahdanau, Cho & Bengio (2015), appendix A, read one too.
    """
    longer = nn.functional.pad(source, (0, 1))
    return longer.scatter(1, lengths.to(source.device)[:, None], END), lengths + 1


def with_distractor(memory: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """The annotations of each sentence, and behind them those of its neighbour in the batch.

    (B, S, d) → (B, 2S, d), mask (B, 1, S) → (B, 1, 2S). Both have a third word, a fourth, and so
    on: the place does not tell which is meant, the words do.
    """
    return torch.cat([memory, memory.roll(1, 0)], 1), torch.cat([mask, mask.roll(1, 0)], 2)
