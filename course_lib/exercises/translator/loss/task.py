"""The reference, the cases and the hints of `sequence_loss`."""

import numpy as np
from torch.nn import functional as F

from course_lib.checker.tasks import Cases, Inputs, Sampler
from course_lib.exercises.common import single


def sequence_loss(logits, labels, pad_id):
    """The loss is the mean surprise of the true words, −log p. `log_softmax` computes the logarithm
    directly; the log of a softmax would be log(0) = -inf for a word that is unlikely enough. The
    mean runs over all words of the batch that are not padding, so each word counts the same, in a
    long sentence or in a short one.

    Cost: O(B·T·V): logarithms for all V words, of which one is read."""
    losses = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")  # (B, T)
    counted = labels != pad_id
    return losses[counted].mean()


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


CERTAIN = (
    "Perhaps exp overflows: `log_softmax` takes the largest logit away first. Or words are counted "
    "by their losses, and one that is certain has a loss of exactly 0: count the labels that are "
    "not padding."
)
UNBOUNDED = (
    "Perhaps logits, probabilities or losses are bounded (`clamp`): a loss is as large as the word "
    "is unlikely."
)
case = Cases()
case.example(
    Inputs((np.log(single([[[1, 1, 2]] * 3])), np.array([[2, 1, 0]])), {"pad_id": 0}),
    dtype="float32",
)
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


@case.hidden("large logits", perhaps=CERTAIN)
def large(s):
    """One word is certain: its loss is exactly 0."""
    logits, labels, pad = ragged(s).args
    logits[0, 0, labels[0, 0]] += 2000
    return logits + (1000 if s.dtype == np.float64 else 120), labels, pad


case.hidden("a row of padding only", lambda s: draw(s, [*lengths(s), 0], s.size + 4))
case.hidden("a single word", lambda s: draw(s, [1], s.size + 2))


@case.hidden("a loss beyond any bound", sizes=(2,), perhaps=UNBOUNDED)
def beyond(s):
    """A word is out of the question for the model, which is certain of another."""
    logits, labels, pad = ragged(s).args
    np.put_along_axis(logits, labels[..., None], s.dtype.type(-30000), axis=-1)
    return logits, labels, pad


HINTS = (
    "For one word the loss is −log p(true word). Which words count, and by what do you divide?",
    "F.cross_entropy gives −log p when classes are axis 1, or when logits are (N, V) and labels "
    '(N,). reduction="none" keeps one loss for each word.',
    "Flatten: logits.reshape(-1, V) and labels.reshape(-1); keep the places where labels != "
    "pad_id, and take their mean. cross_entropy has `ignore_index` for it.",
)
