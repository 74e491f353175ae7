"""What goes wrong in `Translator`: each class exchanges one step of a right one."""

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.grading.tasks import Mistake


def mistakes(right: type) -> tuple[Mistake, ...]:
    """The known mistakes, made from the right class."""

    def mistake(name: str, sentence: str, **steps) -> Mistake:
        return Mistake(name, sentence, type("Translator", (right,), steps))

    def after(change):
        return lambda self, *args: change(*right.forward(self, *args))

    def softmax(dim):
        return lambda self, scores, mask: torch.softmax(scores.masked_fill(~mask, -1e9), dim)

    def unpacked(self, source, mask):
        memory, last = self.encoder(self.source_words(source))
        return memory, torch.cat(list(last), dim=-1)

    def both_ways(self, *sizes):
        right.__init__(self, *sizes)
        embedding_dim, hidden_dim = sizes[2:]
        half = hidden_dim // 2
        self.decoder = nn.GRU(embedding_dim, half, batch_first=True, bidirectional=True)

    def walk_both_ways(self, inputs, first):
        first = torch.stack(first.chunk(2, dim=-1))
        return self.decoder(self.target_words(inputs), first)[0]

    def large(self, *sizes):
        right.__init__(self, *sizes)
        nn.init.normal_(self.W_o.weight)
        nn.init.normal_(self.W_o.bias, std=3)

    def asked_once(self, states, memory):
        return right.scores(self, states[:, :1].expand_as(states), memory)

    def one_memory(self, source, mask):
        memory, last = right.read(self, source, mask)
        return memory, last.mean(0, keepdim=True).expand_as(last)

    return (
        mistake(
            "padding-attended",
            "Padding gets weight. Mask the scores with -inf where `source` is PAD, before the "
            "softmax; the mask needs an axis for the steps: `mask[:, None]`.",
            weigh=lambda self, scores, mask: torch.softmax(scores, -1),
        ),
        mistake(
            "masked-after",
            "You mask after the softmax, so what is left no longer sums to one. Mask the scores.",
            weigh=lambda self, scores, mask: torch.softmax(scores, -1) * mask,
        ),
        mistake(
            "mask-inverted",
            "You use the mask the wrong way round: words get no weight, padding gets all.",
            weigh=lambda self, scores, mask: right.weigh(self, scores, ~mask),
        ),
        mistake(
            "padding-read",
            "The weights are right, and yet padding matters: the encoder reads it. Backwards it "
            "even reads it first, and forwards its last state stands behind it. Pack the "
            "sentences, or take each state where its own sentence ends.",
            read=unpacked,
        ),
        mistake(
            "softmax-over-steps",
            "Your weights sum to one over the target's steps. They sum to one over the source: "
            "dim=-1.",
            weigh=softmax(1),
        ),
        mistake(
            "softmax-over-batch",
            "Your weights sum to one over the batch, so sentences take weight from each other. "
            "They sum to one over the source: dim=-1.",
            weigh=softmax(0),
        ),
        mistake(
            "scores-as-weights",
            "Your weights are no shares: some are negative. Put the scores through a softmax.",
            weigh=lambda self, scores, mask: scores * mask,
        ),
        mistake(
            "later-words-read",
            "The decoder reads in both directions, so it sees the word that it must say. Training "
            "then looks wonderful, and it cannot write. A decoder reads forwards only.",
            __init__=both_ways,
            walk=walk_both_ways,
        ),
        mistake(
            "asked-once",
            "Every step looks at the same words: the same state asks each time. Let each of the "
            "decoder's states ask.",
            scores=asked_once,
        ),
        mistake(
            "cut-off",
            "Some of your parameters can never learn: nothing leads from them to the logits. "
            "Does the context go into the logits? Is something detached, or a layer left over?",
            say=lambda self, context, states: right.say(self, states, states),
        ),
        mistake(
            "probabilities",
            "Your logits are probabilities already. The loss takes the softmax itself, and a "
            "second one leaves it nearly no slope: return the scores.",
            say=lambda self, *parts: torch.softmax(right.say(self, *parts), -1),
        ),
        mistake(
            "large-logits",
            "The first loss is far above log V: an untrained model should be unsure, and yours is "
            "sure of wrong words. Let the last layer begin with small numbers, as nn.Linear does.",
            __init__=large,
        ),
        mistake(
            "dropout-always-on",
            "Two calls in evaluation give two results. Dropout belongs to training: nn.Dropout as "
            "a layer, or F.dropout(…, training=self.training).",
            walk=lambda self, *args: F.dropout(right.walk(self, *args), 0.3),
        ),
        mistake(
            "sentences-mixed",
            "A sentence gets other logits in a batch than alone: something is taken over the "
            "batch. Look at each axis that you sum, reshape or normalise.",
            read=one_memory,
        ),
        mistake(
            "swapped",
            "You return the weights first. The order is `logits, weights`.",
            forward=after(lambda logits, weights: (weights, logits)),
        ),
        mistake(
            "logits-alone",
            "You return the logits alone. Return both: `logits, weights`.",
            forward=after(lambda logits, weights: logits),
        ),
        mistake(
            "time-first",
            "The batch is not the first axis of your logits. nn.GRU wants batch_first=True, and "
            "what is stacked step by step wants dim=1.",
            forward=after(lambda logits, weights: (logits.transpose(0, 1), weights)),
        ),
        mistake(
            "weights-transposed",
            "The weights have a row for each source word. They have one for each step: (B, T, S).",
            forward=after(lambda logits, weights: (logits, weights.mT)),
        ),
        mistake(
            "last-step-alone",
            "You return the logits of the last step alone. All steps are asked for: (B, T, V).",
            forward=after(lambda logits, weights: (logits[:, -1], weights)),
        ),
    )
