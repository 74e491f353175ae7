"""Four aids for training that neither paper has. All are off unless they are asked for.

A recurrent state can count its steps. An encoder that counts and a decoder that counts can align
short sentences by number, without reading them; beyond the trained lengths the numbers no longer
agree. The first three aids make counting useless while the model trains; the fourth gives the
decoder the count that it would otherwise have to keep. What each of them does for every kind of
attention, and for none, is measured by `python -m benchmarks translation`.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from course_lib.translation.encoder import Encoded
from course_lib.translation.vocabulary import END

AIDS = ("random_start", "distractor", "source_end", "progress")


def check_aids(aids: Sequence[str]) -> tuple[str, ...]:
    """The aids in their order here; a ValueError names one that does not exist."""
    if isinstance(aids, str) or not isinstance(aids, Sequence) or any(a not in AIDS for a in aids):
        raise ValueError(f"aids must be a list out of {', '.join(AIDS)}, got {aids!r}.")
    return tuple(aid for aid in AIDS if aid in aids)


def random_start(rnn: nn.GRU, batch_size: int) -> Tensor:
    """Aid "random_start": the encoder begins with states uniform in (−1, 1), in training only.

    A count that begins anywhere tells nobody where it is. A trained encoder begins with zeros, the
    middle of what it has seen. Returns (layers · directions, B, size of one direction).
    """
    rows = rnn.num_layers * (1 + rnn.bidirectional)
    h = next(rnn.parameters()).new_empty(rows, batch_size, rnn.hidden_size)
    return h.uniform_(-1, 1)


def add_distractor(encoded: Encoded) -> Encoded:
    """Aid "distractor": behind each sentence's states those of its neighbour, in training only.

    (B, S, d) → (B, 2S, d). Both have a third word, a fourth, and so on: the number does not tell
    which is meant, the words do. For global attention; local attention never looks that far, and
    without attention nobody looks, so for them nothing changes.
    """
    memory = torch.cat([encoded.memory, encoded.memory.roll(1, 0)], dim=1)
    return encoded._replace(
        memory=memory, mask=torch.cat([encoded.mask, encoded.mask.roll(1, 0)], dim=1)
    )


def append_end(source: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Aid "source_end": an <end> behind the last source word, (B, S + 1), so the end can be seen.

    Bahdanau, Cho & Bengio (2015), "Neural machine translation by jointly learning to align and
    translate", https://arxiv.org/abs/1409.0473, appendix A, read one too.
    """
    longer = nn.functional.pad(source, (0, 1))
    return longer.scatter(1, lengths.to(source.device)[:, None], END), lengths + 1


def progress_feature(position: int, steps: int, lengths: Tensor, like: Tensor) -> Tensor:
    """Aid "progress": how far the translation has come, 2t/S − 1, an input of the decoder.

    −1 at the first word, about 1 at the last. Returns (B, steps, 1).
    """
    t = torch.arange(position, position + steps, device=like.device, dtype=like.dtype)
    return (2 * t / lengths.to(like)[:, None] - 1)[..., None]
