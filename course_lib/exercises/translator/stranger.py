"""Task `predict_sequence_loss`: where a stranger's loss fails, and with which number."""

import math

import torch

from course_lib.exercises.allowed import floats, integers, whole
from course_lib.exercises.stranger_forms.predict import predict_task
from course_lib.exercises.stranger_forms.shown import ShownProgram, Wrong
from course_lib.exercises.translator.loss import SEQUENCE_LOSS

COUNTED, MEAN = "counted = labels != pad_id", "return losses[counted].mean()"
PROGRAM = ShownProgram(
    "sequence_loss",
    f"""
def sequence_loss(logits, labels, pad_id):
    log_p = logits.log_softmax(dim=-1)  # (B, T, V)
    losses = -log_p.gather(-1, labels[..., None])[..., 0]  # (B, T)
    {COUNTED}
    {MEAN}
""",
    {
        "mean-of-means": Wrong(
            MEAN,
            "return ((losses * counted).sum(1) / counted.sum(1)).mean()",
            "You average each sentence first, so a word of a short sentence counts more. Take one "
            "mean over all words of the batch.",
        ),
        "longest": Wrong(
            MEAN,
            "return losses[counted].sum() / counted.sum(1).max()",
            "You divide by the length of the longest sentence. Divide by the number of all words "
            "that count.",
        ),
        "zero-is-padding": Wrong(
            COUNTED, "counted = labels != 0", "You take 0 for padding. Compare with pad_id."
        ),
        "above-pad": Wrong(
            COUNTED,
            "counted = labels > pad_id",
            "You compare the sizes of ids. PAD may be any number: words are those with "
            "`!= pad_id`.",
        ),
        "first-sentence": Wrong(
            COUNTED,
            "counted = (labels[:1] != pad_id).expand_as(labels)",
            "You take the padding of the first sentence for that of all. Each has its own.",
        ),
        "clamped": Wrong(
            "log_p = logits.log_softmax(dim=-1)",
            "log_p = logits.log_softmax(dim=-1).clamp(min=-4)",
            "You let no loss be above 4, so a word that the model thinks impossible costs too "
            "little, and no gradient reaches it. Leave the log-probabilities as they are.",
        ),
    },
)


FLAT = math.log(4)  # the loss of any word where all four logits are equal
RIGHT = (2 * FLAT + 9) / 4
THEIRS = {  # on the reference's input, what each stranger's program gives
    "mean-of-means": (2 * FLAT + 9) / 6,
    "longest": (2 * FLAT + 9) / 3,
    "zero-is-padding": (3 * FLAT + 9) / 5,
    "above-pad": (FLAT + 9) / 3,
    "first-sentence": (4 * FLAT + 9) / 6,
    "clamped": (2 * FLAT + 4) / 4,
}


def predict_sequence_loss():
    """A loss can be known without a computer where every word has the same probability: with all
    logits equal it is log V, whatever the label. One logit that lies far above the others makes a
    loss of nearly 0 for its word, and of nearly the difference for another. Two sentences of
    different length, a PAD that is not 0 and a word that is 0 show the lines about padding."""
    equal, far = [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0]
    logits = torch.tensor([[equal, far, equal], [far, equal, equal]])
    labels = torch.tensor([[0, 3, 2], [2, 1, 1]])  # PAD is 1; the losses: log 4, 9, log 4 and 0
    return "anybody", (logits, labels, 1), RIGHT, THEIRS[PROGRAM.drawn("anybody")]


def also(logits, labels, pad_id):
    if not 0 <= labels.min() <= labels.max() < logits.shape[-1]:
        return f"`labels` must be words from 0 to V − 1 = {logits.shape[-1] - 1}."
    if pad_id >= logits.shape[-1]:
        return f"`pad_id` must be a word from 0 to V − 1 = {logits.shape[-1] - 1}."
    return "" if (labels != pad_id).any() else "at least one label must be a word and not `pad_id`."


PREDICT = predict_task(
    predict_sequence_loss,
    (
        "One line of the program is wrong. What should each line give, and for which labels or "
        "logits does it give something else?",
        "Choose logits whose losses you know: all equal, and the loss is log V; one of them 9 "
        "above the others, and the loss is nearly 0 for its word and nearly 9 for another. Then "
        "vary the labels: two lengths, another PAD than 0, a word 0.",
        "V = 4, `pad_id=1`, two sentences of three and one words, and losses log 4, 9, log 4 and "
        "0. What is the mean of the four, and which of them does the program take, or how often?",
    ),
    "Four losses by pencil, and a mean.",
    program=PROGRAM,
    task=SEQUENCE_LOSS,
    takes={"logits": floats("B T V"), "labels": integers("B T", 0, 999), "pad_id": whole(0, 999)},
    names={"torch": torch},
    also=also,
)
