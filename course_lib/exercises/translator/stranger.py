"""Task `break_sequence_loss`: a stranger's loss."""

import numpy as np
import torch

from course_lib.exercises.allowed import floats, integers, whole
from course_lib.exercises.strangers import Strangers, stranger_task
from course_lib.exercises.translator.loss import SEQUENCE_LOSS


def break_sequence_loss():
    """One sentence cannot show whether each word or each sentence weighs the same, and a PAD of 0
    not whether `pad_id` is used at all. So two sentences of different length, a PAD of 2 and a word
    0; and logits of which the true one lies far below the others."""
    logits = torch.tensor(
        [
            [[1000.0, 0.0, 0.0], [0.0, 1.0, 3.0], [2.0, 0.0, 1.0]],
            [[0.0, 1000.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        ]
    )
    labels = torch.tensor([[1, 0, 0], [0, 2, 2]])
    return "anybody", (logits, labels, 2)


def also(logits, labels, pad_id):
    if not 0 <= labels.min() <= labels.max() < logits.shape[-1]:
        return f"`labels` must be words from 0 to V − 1 = {logits.shape[-1] - 1}."
    if pad_id >= logits.shape[-1]:
        return f"`pad_id` must be a word from 0 to V − 1 = {logits.shape[-1] - 1}."
    return "" if (labels != pad_id).any() else "at least one label must be a word and not `pad_id`."


STRANGERS = Strangers(
    SEQUENCE_LOSS,
    ("mean-of-means", "zero-is-padding", "no-maximum", "log-of-softmax"),
    {"logits": floats("B T V"), "labels": integers("B T", 0, 999), "pad_id": whole(0, 999)},
    example=(np.log([[[1.0, 1.0, 2.0]] * 3]), np.array([[2, 1, 0]]), 0),
    also=also,
)
STRANGER = stranger_task(
    STRANGERS,
    break_sequence_loss,
    (
        "The example has one sentence, PAD = 0, and logits that lie close together.",
        "Try one thing at a time beside your own function: two sentences of different length, "
        "another `pad_id` with a word 0, logits that lie 1000 apart.",
        "V = 3, `pad_id=2`, the labels `[[1, 0, 0], [0, 2, 2]]`, and a logit of 1000 at a wrong "
        "word of each sentence.",
    ),
    "One call of either function.",
)
