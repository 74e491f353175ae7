"""What goes wrong in `sequence_loss`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import always_float64, changes_input, family
from course_lib.exercises.translator.loss.task import sequence_loss

LOSSES = 'F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")'


def _picked(numbers, labels):
    """Minus what stands at the true words."""
    return -numbers.gather(-1, labels[..., None])[..., 0]


def _without_last(counted):
    last = counted.sum(1, keepdim=True).clamp(min=1) - 1
    return counted.scatter(1, last, False)


def _without_padding(logits, pad_id):
    place = torch.zeros(logits.shape[-1], dtype=torch.bool)
    place[pad_id] = True
    return logits.masked_fill(place, float("-inf"))


MISTAKES = Mistakes(sequence_loss, globals())
MISTAKES.by(
    "wrong-words-counted",
    lambda logits, labels, pad_id: (logits.argmax(-1) != labels).to(logits.dtype).mean(),
).says("""
    You count words that are wrong, which has no gradient to learn by. The loss is the mean of −log
    p of the true words.
""")
MISTAKES.change("padding-counted", "losses[counted]", "losses").says("""
    You count padding as words, and the loss falls as the model learns to say PAD. Leave out the
    places where the label is pad_id.
""")
family(
    MISTAKES,
    """You average each sentence, or each place, first, so not every word counts the same. Take one
    mean over all words of the batch.""",
    mean_of_means=(
        "losses[counted].mean()",
        "((losses * counted).sum(1) / counted.sum(1).clamp(min=1)).mean()",
    ),
    mean_of_places=(
        "losses[counted].mean()",
        "((losses * counted).sum(0) / counted.sum(0).clamp(min=1)).mean()",
    ),
    mean_of_places_with_words=(
        "losses[counted].mean()",
        "((losses * counted).sum(0) / counted.sum(0))[counted.any(0)].mean()",
    ),
)
MISTAKES.change("end-not-counted", "labels != pad_id", "_without_last(labels != pad_id)").says("""
    You leave out the last word of each sentence, its END. END is a label like any other: the model
    must learn to stop.
""")
MISTAKES.change("zero-is-padding", "!= pad_id", "!= 0").says(
    "You take 0 for padding. Compare with pad_id."
)
MISTAKES.change("no-log-softmax", LOSSES, "_picked(logits, labels)").says("""
    You pick the logits of the true words. Turn logits into log-probabilities first: log_softmax
    over the vocabulary.
""")
MISTAKES.change("no-logarithm", LOSSES, "_picked(logits.softmax(-1), labels)").says("""
    You average the probabilities of the true words. The loss is minus their logarithm.
""")
MISTAKES.change(
    "softmax-twice", LOSSES, "_picked(logits.softmax(-1).log_softmax(-1), labels)"
).says("""
    You put probabilities into a loss that expects logits, so softmax is taken twice. Give it the
    logits.
""")
MISTAKES.change(
    "no-maximum", LOSSES, "_picked((logits.exp() / logits.exp().sum(-1, True)).log(), labels)"
).says("""
    exp overflows for large logits. Use log_softmax or cross_entropy on the logits themselves.
""")
MISTAKES.change("log-of-softmax", LOSSES, "_picked(logits.softmax(-1).log(), labels)").says("""
    A very unlikely word has a probability of 0 in floating point, and its logarithm is -inf. Use
    log_softmax or cross_entropy, which never compute the probability.
""")
family(
    MISTAKES,
    """Somewhere the logarithm of a probability that is 0, −inf, meets a product: −inf times the 0
    of a mask is nan. Use log_softmax or cross_entropy on the logits as they are, where no logarithm
    is −inf.""",
    log_of_softmax_times_mask=(
        LOSSES,
        "_picked(logits.softmax(-1).log(), labels)",
        "losses[counted].mean()",
        "(losses * counted).sum() / counted.sum()",
    ),
    impossible_padding_times_mask=(
        LOSSES,
        "_picked(_without_padding(logits, pad_id).log_softmax(-1), labels)",
        "losses[counted].mean()",
        "(losses * counted).sum() / counted.sum()",
    ),
)
sentence = """
    A small number stands inside the logarithm, added to the probabilities or as the least that they
    may be, so the loss of a very unlikely word is far too small. log_softmax, or cross_entropy on
    the logits, needs no such number.
"""
for power in (6, 7, 8, 9, 10, 12):
    added = f"_picked((logits.softmax(-1) + 1e-{power}).log(), labels)"
    MISTAKES.change(f"1e-{power}-added", LOSSES, added).says(sentence)
MISTAKES.change("losses-bounded", "losses[counted]", "losses[counted].clamp(max=100)").says("""
    You bound the losses. A word that is very unlikely has a loss as large as that says: leave the
    bound out.
""")
MISTAKES.change("softmax-over-time", LOSSES, "_picked(logits.log_softmax(1), labels)").says("""
    You normalise over the places of the sentence. The probabilities of one place sum to one over
    the vocabulary, dim=-1.
""")
MISTAKES.change("sign", "return losses", "return -losses").says("""
    The sign is wrong: a loss falls as the true words become likelier. Take minus the
    log-probability.
""")
MISTAKES.change("bits", ".mean()", ".mean() / 0.6931471805599453").says("""
    You use the logarithm to base 2. The loss is in nats: use torch.log.
""")
MISTAKES.change("perplexity", ".mean()", ".mean().exp()").says("""
    You return exp of the loss, the perplexity. Return the loss itself.
""")
MISTAKES.change("one-loss-a-place", "losses[counted].mean()", "losses * counted").says("""
    You return one loss for each place. Take the mean, of shape ().
""")
MISTAKES.change("python-number", ".mean()", ".mean().item()").says("""
    You return a Python number, so nothing can be learned from it. Leave out .item() and return the
    tensor.
""")
MISTAKES.change("one-axis", ".mean()", ".mean()[None]").says(
    "The loss has an axis of length one. Its shape is ()."
)
MISTAKES.change("detached", ".mean()", ".mean().detach()").says("""
    No gradient flows back, so nothing could be learned. Avoid .item(), detach, .data and no_grad.
""")
MISTAKES.change(
    "pad-forbidden",
    "logits.transpose",
    'logits.index_fill(-1, labels.new_tensor(pad_id), -float("inf")).transpose',
).says("""
    You forbid PAD among the words, so the others share its probability. Leave out the *places*
    whose label is padding; the logits stay as they are.
""")
family(
    MISTAKES,
    """You keep the padding and leave out the words: the comparison is the wrong way round. What
    counts is `labels != pad_id`.""",
    words_left_out=("labels != pad_id", "labels == pad_id"),
)
family(
    MISTAKES,
    """You compare the sizes of ids. PAD may be any number: words are those with `!=
    pad_id`.""",
    above_pad=("labels != pad_id", "labels > pad_id"),
)
family(
    MISTAKES,
    """You turn the axes round with `view` or `reshape`, which mixes the logits of different
    words. `transpose(1, 2)` exchanges two axes.""",
    reshaped=("logits.transpose(1, 2)", "logits.reshape(len(logits), logits.shape[2], -1)"),
)
family(
    MISTAKES,
    """You normalise over the sentences of the batch. The probabilities of one place sum to one
    over the vocabulary, dim=-1.""",
    softmax_over_batch=(LOSSES, "_picked(logits.log_softmax(0), labels)"),
)
family(
    MISTAKES,
    """You shift the labels once more. They are shifted already: the label of place t is the
    word that the logits of place t have to name.""",
    shifted_again=(
        "return losses[counted].mean()",
        "return (F.cross_entropy(logits[:, :-1].transpose(1, 2), labels[:, 1:], "
        'reduction="none"))[counted[:, 1:]].mean()',
    ),
    shifted_back=(
        "return losses[counted].mean()",
        "return (F.cross_entropy(logits[:, 1:].transpose(1, 2), labels[:, :-1], "
        'reduction="none"))[counted[:, :-1]].mean()',
    ),
)
family(
    MISTAKES,
    """You take the mean of the probabilities first and then the logarithm. Take the logarithm
    of each, then the mean.""",
    mean_before_logarithm=(
        "return losses[counted].mean()",
        "return -losses.neg().exp()[counted].mean().log()",
    ),
)
family(
    MISTAKES,
    """You compare probabilities with 0 and 1 (a difference, its square, or 1 − p). The loss is
    minus the logarithm of the true word's probability.""",
    one_minus=("return losses[counted].mean()", "return 1 - losses.neg().exp()[counted].mean()"),
    squared=(
        "return losses[counted].mean()",
        "return (logits.softmax(-1) - F.one_hot(labels, logits.shape[-1]))"
        "[counted].square().sum(-1).mean()",
    ),
    mean_square=(
        "return losses[counted].mean()",
        "return (logits.softmax(-1) - F.one_hot(labels, logits.shape[-1]))"
        "[counted].square().mean()",
    ),
)
family(
    MISTAKES,
    """The labels change nothing here: you sum over all words, weighted by their own
    probability, an entropy. Pick the true word of each place: `gather`, or
    `F.cross_entropy`.""",
    entropy=(LOSSES, "-(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1)"),
    mean_over_all_words=(LOSSES, "-logits.log_softmax(-1).mean(-1)"),
    sum_over_all_words=(LOSSES, "-logits.log_softmax(-1).sum(-1)"),
    largest_word=(LOSSES, "-logits.log_softmax(-1).amax(-1)"),
)
family(
    MISTAKES,
    """You pick the true words of every place at every place. Each place has its own label:
    `log_p.gather(-1, labels[..., None])`.""",
    every_label=(
        "return losses[counted].mean()",
        "return -logits.log_softmax(-1)[:, :, labels].mean()",
    ),
    every_label_that_counts=(
        "return losses[counted].mean()",
        "return -logits.log_softmax(-1)[..., labels[counted]].mean()",
    ),
)
family(
    MISTAKES,
    """The logits of padding still count: you set them to 0, and the softmax of zeros has a loss
    of its own, log V. Leave these places out of sum and number.""",
    logits_zeroed=(
        "return losses[counted].mean()",
        "return F.cross_entropy((logits * counted[..., None]).transpose(1, 2), labels)",
    ),
)
family(
    MISTAKES,
    """You count one sentence of the batch alone, the first or the last. Perhaps `logits[0]` stands
    there, or a loop overwrites the loss of the sentence before: take the mean over the words of
    all sentences.""",
    first_sentence=("losses[counted]", "losses[0][counted[0]]"),
    last_sentence=("losses[counted]", "losses[-1][counted[-1]]"),
)
MISTAKES.change(
    "cut-to-the-shortest", "losses[counted]", "losses[:, : counted.sum(1).min()].flatten()"
).says("""
    You count as many words of each sentence as the shortest one has. Count all words whose label is
    not `pad_id`.
""")
family(
    MISTAKES,
    """You bound the logits or the losses (`clamp`). A very unlikely word may cost 1000, and
    log_softmax needs no bound.""",
    loss_of_twenty=("losses[counted]", "losses[counted].clamp(max=20)"),
    logits_of_fifty=("logits.transpose", "logits.clamp(-50, 50).transpose"),
)
MISTAKES.change(
    "padding-that-is-said", "labels != pad_id", "(labels != pad_id) & (logits.argmax(-1) != pad_id)"
).says("""
    You also leave out the words at which the model says PAD. What is left out depends on the label
    alone.
""")
always_float64(MISTAKES)
changes_input(MISTAKES, "logits", "labels")
