"""What goes wrong in `Translator`, in the order in which it is looked for."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family
from course_lib.exercises.your_translator import examiners
from course_lib.exercises.your_translator.model.task import (
    ALONE,
    IDLE,
    NO_PADDING,
    PADDED,
    USED,
    Translator,
    idle,
)


def _softmax(scores, mask, dim):
    return torch.softmax(scores.masked_fill(~mask[:, None], -1e9), dim)


def _cut(mask, memory):
    return mask[:, None, : memory.shape[1]]


def _large(layer):
    nn.init.normal_(layer.weight)
    nn.init.normal_(layer.bias, std=3)
    return layer


MISTAKES = Mistakes(Translator, globals())
MISTAKES.change(
    "padding-attended", "weigh(scores, mask[:, None])", "torch.softmax(scores, -1)"
).says("""
    Padding gets weight. Where `source` is PAD, and nowhere else, the scores become -inf before the
    softmax.
""")
MISTAKES.change(
    "padding-nearly-masked",
    "weigh(scores, mask[:, None])",
    "torch.softmax(scores - 10.0 * ~mask[:, None], -1)",
).says("""
    Padding keeps a little weight. Perhaps a finite number is taken from its scores, or put in their
    place. Fill them with -inf before the softmax: padding must weigh exactly 0.
""")
MISTAKES.change("unknown-is-padding", "mask = source != PAD", "mask = source > 1").says(NO_PADDING)
MISTAKES.change("memory-cut-off", ", total_length=source.shape[1]", "").says("""
    The memory is shorter than `source` where all rows end in padding. Give `pad_packed_sequence`
    `total_length=source.shape[1]`.
""")
MISTAKES.change(
    "weights-cut-off", ", total_length=source.shape[1]", "", "mask[:, None]", "_cut(mask, memory)"
).says("""
    Your weights have fewer columns than `source` where all rows end in padding. They are (B, T, S):
    give `pad_packed_sequence` `total_length=source.shape[1]`.
""")
MISTAKES.change(
    "masked-after", "weigh(scores, mask[:, None])", "torch.softmax(scores, -1) * mask[:, None]"
).says("""
    You mask after the softmax, so what is left no longer sums to one. Mask the scores.
""")
family(
    MISTAKES,
    """You use the mask the wrong way round: words get no weight, padding gets all.""",
    mask_inverted=("mask[:, None]", "~mask[:, None]"),
    words_filled=(
        "weigh(scores, mask[:, None])",
        "scores.masked_fill(mask[:, None], -torch.inf).softmax(-1)",
    ),
)
MISTAKES.change(
    "padding-read",
    "self.encoder(packed)",
    "self.encoder(words)",
    "pad_packed_sequence(memory, batch_first=True, total_length=source.shape[1])",
    "memory, None",
).says("""
    Padding has no weight, and yet it changes the logits, so something else reads it. Perhaps
    the encoder, unless sentences are packed: backwards it meets padding first. Perhaps a state
    that is taken from the last column, `memory[:, -1]`, which is padding in a shorter sentence:
    take the encoder's own last states. Perhaps a mean or a sum over all columns.
""")
family(
    MISTAKES,
    """Your weights sum to one over the target's steps. They sum to one over the source: dim=-1.""",
    softmax_over_steps=("weigh(scores, mask[:, None])", "_softmax(scores, mask, 1)"),
    over_steps_and_masked=(
        "weigh(scores, mask[:, None])",
        "_softmax(scores, mask, 1) * mask[:, None]",
    ),
)
MISTAKES.change(
    "nan",
    "weigh(scores, mask[:, None])",
    "scores.masked_fill(~mask[:, None], -torch.inf).softmax(1)",
).says("""
    Your logits are nan. Perhaps a softmax runs over nothing but -inf, as over the steps or the
    batch at a padded place: over the source, dim=-1, each row has a word.
""")
MISTAKES.change(
    "softmax-over-batch", "weigh(scores, mask[:, None])", "_softmax(scores, mask, 0)"
).says("""
    Your weights sum to one over the batch, so sentences take weight from each other. They sum to
    one over the source: dim=-1.
""")
MISTAKES.change(
    "scores-as-weights", "weigh(scores, mask[:, None])", "scores * mask[:, None]"
).says("""
    Your weights are no shares: rows do not sum to one, and scores may be negative. Put the scores
    through a softmax, and leave what it gives as it is.
""")
MISTAKES.change(
    "later-words-read",
    "nn.GRU(embedding_dim, hidden_dim, batch_first=True)",
    "nn.GRU(embedding_dim, half, batch_first=True, bidirectional=True)",
    "first[None]",
    "torch.stack(first.chunk(2, dim=-1))",
).says("""
    A step's logits change with words that come later, so the decoder sees the word that it must
    say. Training then looks wonderful, and it cannot write. Does something read backwards, or run
    over all steps at once?
""")
MISTAKES.change("asked-once", "states @", "states[:, :1].expand_as(states) @").says("""
    Every step looks at the same words: the same state asks each time. Let each of the decoder's
    states ask.
""")
MISTAKES.change("cut-off", "[weights @ memory, states]", "[states, states]").says(
    IDLE.format("`W_a.weight`")
)
MISTAKES.change(
    "probabilities", "logits = self.W_o(said)", "logits = self.W_o(said).softmax(-1)"
).says("""
    Your logits are probabilities already. The loss takes the softmax itself, and a second one
    leaves it nearly no slope: return the scores.
""")
MISTAKES.change(
    "large-logits",
    "self.W_o = nn.Linear(hidden_dim, target_size)",
    "self.W_o = _large(nn.Linear(hidden_dim, target_size))",
).says("""
    The first loss is far above log V: an untrained model should be unsure, and yours is sure of
    wrong words. Let the last layer begin with small numbers, as nn.Linear does.
""")
MISTAKES.change(
    "dropout-always-on",
    "scores = states",
    "states = nn.functional.dropout(states, 0.03)\n        scores = states",
).says("""
    Two calls in evaluation give two results, for something is drawn at random. Dropout belongs to
    training: nn.Dropout as a layer, or F.dropout(…, training=self.training).
""")
MISTAKES.change(
    "kept-from-before",
    "first = torch.tanh(",
    "first = self.__dict__.setdefault('sum', [torch.zeros(1)])[0] + torch.tanh(",
    "scores = states",
    "self.sum[0] = states.detach().mean()\n        scores = states",
).says("""
    A second call with the same sentences gives other logits, and torch draws nothing that differs.
    Perhaps your module keeps something of an earlier call: make it anew in each.
""")
MISTAKES.change(
    "states-reshaped", "torch.cat(list(last), dim=-1)", "last.reshape(len(source), -1)"
).says("""
    You put the encoder's last states together with a `reshape` or `view`: they are (2, B, d/2), so
    a row gets states of two sentences. Join both directions of each sentence:
    `torch.cat([last[0], last[1]], dim=-1)`.
""")
MISTAKES.change(
    "along-the-batch",
    "nn.GRU(embedding_dim, hidden_dim, batch_first=True)",
    "nn.GRU(embedding_dim, hidden_dim)",
    "states, _ = self.decoder(self.target_words(inputs), first[None])",
    "states = self.decoder(self.target_words(inputs))[0] + first[:, None]",
).says("""
    Your decoder walks along the batch: a sentence's logits change with the target sentences above
    it. Give the decoder's nn.GRU or nn.LSTM `batch_first=True`.
""")
MISTAKES.change(
    "sentences-mixed", "list(last)", "list(last.mean(1, keepdim=True).expand_as(last))"
).says("""
    A sentence gets other logits in a batch than alone: something is taken over the batch. Look at
    each axis that you sum, reshape or normalise.
""")
MISTAKES.change(
    "batch-norm",
    "self.W_o = nn.Linear(hidden_dim, target_size)",
    "self.W_o = nn.Linear(hidden_dim, target_size)\n        self.norm = nn.BatchNorm1d(hidden_dim)",
    "self.W_o(said)",
    "self.W_o(self.norm(said.mT).mT)",
).says("""
    In training a sentence gets other logits in a batch than alone. Perhaps a BatchNorm takes its
    means over the batch, padding included: nn.LayerNorm looks at one place alone.
""")
MISTAKES.change(
    "other-weights",
    "return logits, weights",
    "return logits, nn.functional.one_hot(weights.argmax(-1), source.shape[1]).to(weights.dtype)",
).says("""
    You return other weights than those with which you mixed the memory, so a map of them would show
    what the model does not do. Return the very tensor that goes into the product.
""")
MISTAKES.change("swapped", "return logits, weights", "return weights, logits").says("""
    You return the weights first. The order is `logits, weights`.
""")
MISTAKES.change("logits-alone", "return logits, weights", "return logits").says("""
    You return the logits alone. Return both: `logits, weights`.
""")
MISTAKES.change(
    "time-first", "return logits, weights", "return logits.transpose(0, 1), weights"
).says("""
    The batch is not the first axis of your logits. nn.GRU wants batch_first=True, and what is
    stacked step by step wants dim=1.
""")
MISTAKES.change(
    "weights-transposed", "return logits, weights", "return logits, weights.mT"
).says("""
    The weights have a row for each source word. They have one for each step: (B, T, S).
""")
MISTAKES.change(
    "last-step-alone", "return logits, weights", "return logits[:, -1], weights"
).says("""
    You return the logits of the last step alone. All steps are asked for: (B, T, V).
""")
MISTAKES.change("word-ids", "return logits, weights", "return logits.argmax(-1), weights").says("""
    Your first result has no number for each word: it holds one a place. Return the logits of all
    words, (B, T, V); which is the likeliest, only greedy decoding asks (`argmax`).
""")
MISTAKES.change(
    "words-before-places", "return logits, weights", "return logits.mT, weights"
).says("""
    Your logits have the words in the middle axis. They are (B, T, V): whoever needs them turned
    for a loss turns them there.
""")
WEIGHTS = {
    "each step's weights sum to one", "padding gets no weight",
    "no logit knows a later word", "each step looks for itself",
}  # fmt: skip
RETURNED = WEIGHTS - {"no logit knows a later word"}  # of the weights that are returned alone


def at_once(wrong: Mapping[str, Any], _first: Any) -> str | None:
    """What needs no search: two calls that differ, and layers that take no part."""
    names = {
        "other logits each time": "dropout-always-on",
        "other logits in a later call": "kept-from-before",
    }
    for said in (wrong.get(PADDED), wrong.get(ALONE)):
        if said in names:
            return next(one.sentence for one in MISTAKES.all if one.name == names[said])
    return idle(wrong) if len(wrong) == 1 else None


def seen(wrong: Mapping[str, Any]) -> str | None:
    """What was seen says which mistake it is, whether or not ten pairs were learned with it."""
    alone, name = str(wrong.get(ALONE)), ""
    if alone.endswith(examiners.AS_IF_RESHAPED):
        name = "states-reshaped"
    elif alone.endswith(examiners.FROM_ABOVE):
        name = "along-the-batch"
    elif USED in wrong and {*wrong} <= {USED, *RETURNED}:
        name = "other-weights"
    elif wrong.get(PADDED) == "other logits" and not WEIGHTS & wrong.keys():
        name = "padding-read"
    return next((one.sentence for one in MISTAKES.all if one.name == name), None)
