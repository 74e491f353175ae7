"""Task `sequence_loss`: how surprised the model is by each true word, padding left out."""

import numpy as np
import torch
from torch.nn import functional as F

from course_lib.exercises.common import always_float64, changes_input
from course_lib.grading.tasks import Cases, Inputs, Sampler, task


def losses(logits, labels):
    """One loss for each token, padding included: (B, T)."""
    return F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")


def sequence_loss(logits, labels, pad_id):
    """The loss is the mean surprise of the true words, −log p. `log_softmax` computes the logarithm
    directly; the log of a softmax would be log(0) = -inf for a word that is unlikely enough. The
    mean runs over all words of the batch that are not padding, so each word counts the same, in a
    long sentence or in a short one.

    Cost: O(B·T·V): logarithms for all V words, of which one is read."""
    return losses(logits, labels)[labels != pad_id].mean()


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


def _times_mask(divide, logits, labels, pad_id):
    mask = labels != pad_id
    return (losses(logits, labels) * mask).sum() / divide(mask)


def _picked(of, logits, labels, pad_id):
    """Minus the mean of what `of(logits)` holds at the true words."""
    picked = of(logits).gather(-1, labels[..., None])[..., 0]
    return -picked[labels != pad_id].mean()


class Mistakes:
    def padding_counted(logits, labels, pad_id):
        """You count padding as words, and the loss falls as the model learns to say PAD. Leave out
        the places where the label is pad_id."""
        return losses(logits, labels).mean()

    def divided_by_all_places(*args):
        """You leave padding out of the sum but divide by all B·T places. Divide by the number of
        words that count."""
        return _times_mask(lambda mask: mask.numel(), *args)

    def mean_of_means(logits, labels, pad_id):
        """You average each sentence first, so a word of a short sentence counts more. Take one mean
        over all words of the batch."""
        mask = labels != pad_id
        return ((losses(logits, labels) * mask).sum(1) / mask.sum(1).clamp(min=1)).mean()

    def sum(*args):
        """You return the sum. Divide by the number of words that count."""
        return _times_mask(lambda mask: 1, *args)

    def divided_by_sentences(*args):
        """You divide by the number of sentences. Divide by the number of words that count."""
        return _times_mask(lambda mask: len(mask), *args)

    def end_not_counted(logits, labels, pad_id):
        """You leave out the last word of each sentence, its END. END is a label like any other: the
        model must learn to stop."""
        last = (labels != pad_id).sum(1, keepdim=True).clamp(min=1) - 1
        kept = (labels != pad_id).scatter(1, last, False)
        return losses(logits, labels)[kept].sum() / kept.sum()

    def zero_is_padding(logits, labels, pad_id):
        """You take 0 for padding. Compare with pad_id."""
        return (losses(logits, labels) * (labels != 0)).sum() / (labels != 0).sum()

    def no_log_softmax(*args):
        """You pick the logits of the true words. Turn logits into log-probabilities first:
        log_softmax over the vocabulary."""
        return _picked(lambda logits: logits, *args)

    def no_logarithm(*args):
        """You average the probabilities of the true words. The loss is minus their logarithm."""
        return _picked(lambda logits: logits.softmax(-1), *args)

    def softmax_twice(*args):
        """You put probabilities into a loss that expects logits, so softmax is taken twice. Give it
        the logits."""
        return _picked(lambda logits: logits.softmax(-1).log_softmax(-1), *args)

    def no_maximum(*args):
        """exp overflows for large logits. Use log_softmax or cross_entropy on the logits
        themselves."""
        return _picked(lambda logits: (logits.exp() / logits.exp().sum(-1, True)).log(), *args)

    def log_of_softmax(*args):
        """A very unlikely word has a probability of 0 in floating point, and its logarithm is -inf.
        Use log_softmax or cross_entropy, which never compute the probability."""
        return _picked(lambda logits: logits.softmax(-1).log(), *args)

    def softmax_over_time(*args):
        """You normalise over the places of the sentence. The probabilities of one place sum to one
        over the vocabulary, dim=-1."""
        return _picked(lambda logits: logits.log_softmax(1), *args)

    def sign(*args):
        """The sign is wrong: a loss falls as the true words become likelier. Take minus the
        log-probability."""
        return -sequence_loss(*args)

    def bits(*args):
        """You use the logarithm to base 2. The loss is in nats: use torch.log."""
        loss = sequence_loss(*args)
        return loss / torch.log(torch.tensor(2.0, dtype=loss.dtype))

    def perplexity(*args):
        """You return exp of the loss, the perplexity. Return the loss itself."""
        return torch.exp(sequence_loss(*args))

    def one_loss_a_place(logits, labels, pad_id):
        """You return one loss for each place. Take the mean: a tensor without axes."""
        return losses(logits, labels) * (labels != pad_id)

    def python_number(*args):
        """You return a Python number, so nothing can be learned from it. Leave out .item() and
        return the tensor."""
        return sequence_loss(*args).item()

    def one_axis(*args):
        """The loss has an axis of length one. It is a tensor without axes."""
        return sequence_loss(*args)[None]

    def detached(*args):
        """No gradient flows back, so nothing could be learned. Avoid detach, .data and no_grad."""
        return sequence_loss(*args).detach()

    float64 = always_float64(sequence_loss)
    changes_logits = changes_input(sequence_loss, 0, "logits")
    changes_labels = changes_input(sequence_loss, 1, "labels")


HINTS = (
    "For one word the loss is −log p(true word). Which words count, and by what do you divide?",
    "F.cross_entropy gives −log p when classes are axis 1, or when logits are (N, V) and labels "
    '(N,). reduction="none" keeps one loss for each word.',
    "Flatten: logits.reshape(-1, V) and labels.reshape(-1); keep the places where labels != "
    "pad_id, and take their mean. cross_entropy has `ignore_index` for it.",
)
SEQUENCE_LOSS = task(sequence_loss, 2, case.all, Mistakes, HINTS)
