"""Task `sequence_loss`: how surprised the model is by each true word, padding left out."""

import numpy as np

from course_lib.checker.tasks import Cases, Inputs, Sampler, task
from course_lib.exercises.translator.loss_mistakes import MISTAKES


def draw(s: Sampler, lengths, vocabulary: int, pad: int = 0, grads: bool = False) -> Inputs:
    """Labels of the given lengths, padded to the right to at least two columns."""
    lengths = np.asarray(lengths)
    width = max(2, int(lengths.max()))
    labels = s.integers(0, vocabulary - 1, len(lengths), width)
    labels[labels >= pad] += 1  # any word but PAD
    labels[np.arange(width) >= lengths[:, None]] = pad
    logits = s.floats(len(lengths), width, vocabulary, scale=2.0)
    upstream = (np.asarray(s.rng.uniform(1, 2), s.dtype),) if grads else None
    return Inputs((logits, labels, pad), upstream=upstream)


def lengths(s: Sampler) -> list[int]:
    """No two alike, so that a mean of means shows."""
    return [1, s.size + 3, *range(2, s.size + 1)]


def ragged(s: Sampler, grads: bool = False) -> Inputs:
    return draw(s, s.rng.permutation(lengths(s)), s.size + 4, grads=grads)


case = Cases()
case("the mean over all words, padding left out", ragged)
case("sentences without padding", lambda s: draw(s, [s.size + 1] * 3, s.size + 4))
case("the gradient reaches the logits", lambda s: ragged(s, grads=True))


@case("very unlikely words have a finite loss")
def unlikely(s):
    """The true words are so unlikely that their probability is zero in floating point."""
    logits, labels, pad = ragged(s).args
    np.put_along_axis(logits, labels[..., None], s.dtype.type(-1000), axis=-1)
    return logits, labels, pad


case.hidden(
    "padding may have any number",
    lambda s: draw(s, lengths(s), s.size + 4, pad=int(s.integers(1, s.size + 4))),
)


@case.hidden("large logits")
def large(s):
    logits, labels, pad = ragged(s).args
    return logits + (1000 if s.dtype == np.float64 else 120), labels, pad


case.hidden("a row of padding only", lambda s: draw(s, [*lengths(s), 0], s.size + 4))
case.hidden("a single word", lambda s: draw(s, [1], s.size + 2))


HINTS = (
    "For one word the loss is −log p(true word). Which words count, and by what do you divide?",
    "F.cross_entropy gives −log p when classes are axis 1, or when logits are (N, V) and labels "
    '(N,). reduction="none" keeps one loss for each word.',
    "Flatten: logits.reshape(-1, V) and labels.reshape(-1); keep the places where labels != "
    "pad_id, and take their mean. cross_entropy has `ignore_index` for it.",
)
SEQUENCE_LOSS = task(MISTAKES, 1, case.all, HINTS)
