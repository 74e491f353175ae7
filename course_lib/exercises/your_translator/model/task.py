"""The reference, the cases and the hints of `Translator`."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.checker.tasks import Case, Inputs, Sampler
from course_lib.exercises.attention_parts import weigh
from course_lib.exercises.your_translator import examiners
from course_lib.exercises.your_translator.examiners import (
    FIRST_WORD,
    PAD,
    examiner,
    same,
    untrained,
)


class Translator(nn.Module):
    def __init__(self, source_size, target_size, embedding_dim, hidden_dim):
        super().__init__()
        self.source_words = nn.Embedding(source_size, embedding_dim)
        self.target_words = nn.Embedding(target_size, embedding_dim)
        half = hidden_dim // 2
        self.encoder = nn.GRU(embedding_dim, half, batch_first=True, bidirectional=True)
        self.decoder = nn.GRU(embedding_dim, hidden_dim, batch_first=True)
        self.W_s = nn.Linear(hidden_dim, hidden_dim)
        self.W_a = nn.Linear(hidden_dim, hidden_dim, bias=False)
        self.W_c = nn.Linear(2 * hidden_dim, hidden_dim, bias=False)
        self.W_o = nn.Linear(hidden_dim, target_size)

    def forward(self, source, inputs):
        mask = source != PAD  # (B, S)
        words = self.source_words(source)
        packed = pack_padded_sequence(words, mask.sum(1), batch_first=True, enforce_sorted=False)
        memory, last = self.encoder(packed)
        memory, _ = pad_packed_sequence(memory, batch_first=True, total_length=source.shape[1])
        first = torch.tanh(self.W_s(torch.cat(list(last), dim=-1)))  # (B, d)
        states, _ = self.decoder(self.target_words(inputs), first[None])  # (B, T, d)
        scores = states @ self.W_a(memory).mT  # (B, T, S)
        weights = weigh(scores, mask[:, None])
        said = torch.tanh(self.W_c(torch.cat([weights @ memory, states], dim=-1)))
        logits = self.W_o(said)  # (B, T, V)
        return logits, weights


IDLE = (
    "Nothing leads from {} to the logits, so there it can never learn. Is a layer made and never "
    "called? Does what it gives go on, and the context into the logits, with no `detach` between?"
)

PADDED = "more padding changes nothing"
ALONE = "a sentence alone gets the logits that it gets in a batch"
PARTS = "every parameter has a part in the logits"
USED = "the weights returned are those that were used"
NAMES = re.compile(rf"{examiners.NO_PART}: ([\w.]+(?:, [\w.]+)*)")


def ids(s: Sampler, lengths: list[int], size: int) -> np.ndarray:
    """Sentences of these lengths, padded to the right, no two alike."""
    while True:
        words = s.integers(FIRST_WORD, size, len(lengths), max(lengths))
        words[np.arange(words.shape[1]) >= np.array(lengths)[:, None]] = PAD
        if len(np.unique(words, axis=0)) == len(words):
            return words


def batch(s: Sampler, function: Callable) -> Inputs:
    """Three sentences of different lengths, source and target ragged in different ways."""
    sizes = (FIRST_WORD + 5 + s.size, FIRST_WORD + 7 + s.size, 12, 16)
    source = ids(s, s.rng.permutation([2, 4, 5 + s.size]).tolist(), sizes[0])
    target = ids(s, s.rng.permutation([2, 3, 3 + s.size]).tolist(), sizes[1])
    used = (examiners.rows_of, examiners.looks, examiners.found_in, examiners.again)
    needs = examiner(function, untrained, same, examiners.mixed, *used)
    return Inputs(kwargs={"source": source, "target": target, "sizes": sizes}, examiner=needs)


def padded(s: Sampler) -> Inputs:
    """Two columns of padding alone on the right: a longer batch may have been cut into two."""
    inputs = batch(s, examiners.shapes)
    inputs.kwargs["source"] = np.pad(inputs.kwargs["source"], ((0, 0), (0, 2)))
    return inputs


def unknown(s: Sampler) -> Inputs:
    """A sentence is one word that nobody knows, which is a word all the same."""
    inputs = batch(s, examiners.row_sums)
    source = inputs.kwargs["source"]
    source[0] = [1] + [PAD] * (source.shape[1] - 1)
    source[-1][0] = 1
    return inputs


NO_PADDING = (
    "Word 1 stands for each word that nobody knows, and is no padding: ask for `source != PAD`, "
    "where PAD is 0."
)


def ten(s: Sampler) -> Inputs:
    sizes = (FIRST_WORD + 8, FIRST_WORD + 9, 12, 24)
    lengths = s.rng.permutation([2, 3, 4] * 3 + [5])
    source = ids(s, lengths.tolist(), sizes[0])
    target = ids(s, np.maximum(2, lengths - 1 + s.integers(0, 2, 10)).tolist(), sizes[1])
    needs = examiner(examiners.ten_pairs, untrained, examiners.knows_them)
    return Inputs(kwargs={"source": source, "target": target, "sizes": sizes}, examiner=needs)


def idle(wrong: Mapping[str, Any]) -> str | None:
    """The parameters that have no part in the logits, by their names."""
    found = NAMES.fullmatch(str(wrong.get(PARTS)))
    if not found:
        return None
    names = [f"`{one[-60:]}`" for one in found[1].split(", ")]
    return IDLE.format(" and ".join(names[:3]) + " and others" * (len(names) > 3))


def case(name: str, function: Callable, hidden: bool = False, required: bool = False) -> Case:
    draw = lambda s: batch(s, function)  # noqa: E731
    return Case(name, draw, hidden, sizes=(1, 2), dtypes=("float32",), required=required)


WITHOUT = {
    "modules: a later call that is longer": "Its examiners call it with several batches.",
    "example": "What a translator says before training is no number to print.",
    "lengths: one": "The case of a sentence alone calls it with each sentence.",
    "modules: training mode": "A dropout is allowed; a sentence alone is asked in both modes.",
}
