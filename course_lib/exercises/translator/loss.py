"""Task `sequence_loss`: how surprised the model is by each true word, padding left out."""

import numpy as np
from torch.nn import functional as F

from course_lib.checker.tasks import Cases, Inputs, Mistakes, Sampler, task
from course_lib.exercises.common import always_float64, changes_input


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


LOSSES = 'F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")'


def _picked(numbers, labels):
    """Minus what stands at the true words."""
    return -numbers.gather(-1, labels[..., None])[..., 0]


def _without_last(counted):
    last = counted.sum(1, keepdim=True).clamp(min=1) - 1
    return counted.scatter(1, last, False)


MISTAKES = Mistakes(sequence_loss)
MISTAKES("""You count padding as words, and the loss falls as the model learns to say PAD. Leave out
    the places where the label is pad_id.""").change("padding-counted", "losses[counted]", "losses")
MISTAKES("""You leave padding out of the sum but divide by all B·T places. Divide by the number of
    words that count.""").change("divided-by-all-places", ".mean()", ".sum() / losses.numel()")
MISTAKES("""You average each sentence first, so a word of a short sentence counts more. Take one
    mean over all words of the batch.""").change(
    "mean-of-means",
    "losses[counted].mean()",
    "((losses * counted).sum(1) / counted.sum(1).clamp(min=1)).mean()",
)
MISTAKES("""You return the sum. Divide by the number of words that
    count.""").change("sum", ".mean()", ".sum()")
MISTAKES("""You divide by the number of sentences. Divide by the number of words that
    count.""").change("divided-by-sentences", ".mean()", ".sum() / len(losses)")
MISTAKES("""You leave out the last word of each sentence, its END. END is a label like any other:
    the model must learn to
    stop.""").change("end-not-counted", "labels != pad_id", "_without_last(labels != pad_id)")
MISTAKES("""You take 0 for padding. Compare with
    pad_id.""").change("zero-is-padding", "!= pad_id", "!= 0")
MISTAKES("""You pick the logits of the true words. Turn logits into log-probabilities first:
    log_softmax over the vocabulary.""").change("no-log-softmax", LOSSES, "_picked(logits, labels)")
MISTAKES("""You average the probabilities of the true words. The loss is minus their
    logarithm.""").change("no-logarithm", LOSSES, "_picked(logits.softmax(-1), labels)")
MISTAKES("""You put probabilities into a loss that expects logits, so softmax is taken twice. Give
    it the logits.""").change(
    "softmax-twice", LOSSES, "_picked(logits.softmax(-1).log_softmax(-1), labels)"
)
MISTAKES("""exp overflows for large logits. Use log_softmax or cross_entropy on the logits
    themselves.""").change(
    "no-maximum", LOSSES, "_picked((logits.exp() / logits.exp().sum(-1, True)).log(), labels)"
)
MISTAKES("""A very unlikely word has a probability of 0 in floating point, and its logarithm is
    -inf. Use log_softmax or cross_entropy, which never compute the
    probability.""").change("log-of-softmax", LOSSES, "_picked(logits.softmax(-1).log(), labels)")
MISTAKES("""You normalise over the places of the sentence. The probabilities of one place sum to one
    over the vocabulary,
    dim=-1.""").change("softmax-over-time", LOSSES, "_picked(logits.log_softmax(1), labels)")
MISTAKES("""The sign is wrong: a loss falls as the true words become likelier. Take minus the
    log-probability.""").change("sign", "return losses", "return -losses")
MISTAKES("""You use the logarithm to base 2. The loss is in nats: use
    torch.log.""").change("bits", ".mean()", ".mean() / float(np.log(2))")
MISTAKES("""You return exp of the loss, the perplexity. Return the loss
    itself.""").change("perplexity", ".mean()", ".mean().exp()")
MISTAKES("""You return one loss for each place. Take the mean, of shape
    ().""").change("one-loss-a-place", "losses[counted].mean()", "losses * counted")
MISTAKES("""You return a Python number, so nothing can be learned from it. Leave out .item() and
    return the tensor.""").change("python-number", ".mean()", ".mean().item()")
MISTAKES("""The loss has an axis of length one. Its shape is
    ().""").change("one-axis", ".mean()", ".mean()[None]")
MISTAKES("""No gradient flows back, so nothing could be learned. Avoid detach, .data and
    no_grad.""").change("detached", ".mean()", ".mean().detach()")
MISTAKES("""You forbid PAD among the words, so the others share its probability. Leave out the
    *places* whose label is padding; the logits stay as they are.""").change(
    "pad-forbidden",
    "logits.transpose",
    'logits.index_fill(-1, labels.new_tensor(pad_id), -float("inf")).transpose',
)
always_float64(MISTAKES)
changes_input(MISTAKES, "logits", "labels")


HINTS = (
    "For one word the loss is −log p(true word). Which words count, and by what do you divide?",
    "F.cross_entropy gives −log p when classes are axis 1, or when logits are (N, V) and labels "
    '(N,). reduction="none" keeps one loss for each word.',
    "Flatten: logits.reshape(-1, V) and labels.reshape(-1); keep the places where labels != "
    "pad_id, and take their mean. cross_entropy has `ignore_index` for it.",
)
SEQUENCE_LOSS = task(MISTAKES, 2, case.all, HINTS)
