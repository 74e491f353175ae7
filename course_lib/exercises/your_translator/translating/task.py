"""The reference, the cases and the hints of `translate`."""

from dataclasses import replace

import numpy as np
import torch

from course_lib.checker.tasks import Case, Inputs, Sampler
from course_lib.exercises.your_translator.examiners import (
    END,
    FIRST_WORD,
    PAD,
    START,
    examiner,
)


def translate(model, source, max_length):
    model.eval()
    said = torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    with torch.no_grad():
        for _ in range(max_length):
            logits, _weights = model(source, said)
            words = logits[:, -1].argmax(-1).masked_fill(ended, END)
            said = torch.cat([said, words[:, None]], dim=1)
            ended = ended | (words == END)
            if ended.all():
                break
    return said[:, 1:]


class Table(torch.nn.Module):
    """The logits after each word that was heard, by the place where it stands. The first word of
    the source says where to begin, and all of its words which French word is which."""

    def __init__(self, table, most):
        super().__init__()
        self.table = torch.nn.Parameter(table)
        self.calls, self.most, self.seen = 0, most, set()
        self.train()

    def forward(self, source, inputs):
        self.calls += 1
        if self.calls > self.most:
            raise RuntimeError(f"the model was called more than max_length = {self.most} times")
        self.seen.add("training" if self.training else "evaluation")
        self.seen.add("with gradients" if torch.is_grad_enabled() else "without gradients")
        place = source[:, :1] + torch.arange(inputs.shape[1])
        logits = self.table[place % len(self.table), inputs]
        ordinary = torch.arange(logits.shape[-1] - FIRST_WORD) + source.sum(1, keepdim=True)
        order = FIRST_WORD + ordinary % (logits.shape[-1] - FIRST_WORD)  # (B, V − 4)
        order = order[:, None].expand(-1, inputs.shape[1], -1)
        logits = torch.cat([logits[:, :, :FIRST_WORD], logits.gather(-1, order)], -1)
        return logits, torch.ones(*inputs.shape, source.shape[1]) / source.shape[1]


def what_is_written(translate, source, max_length, table):
    return translate(Table(table, max_length), source, max_length)


def how_it_is_called(translate, source, max_length, table):
    model = Table(table, max_length)
    translate(model, source, max_length)
    return ", ".join(sorted(model.seen))


def how_often_it_is_called(translate, source, max_length, table):
    model = Table(table, max_length)
    translate(model, source, max_length)
    return model.calls


def draw(s: Sampler, function, lengths, max_length: int) -> Inputs:
    """Sentence b says END as its word number `lengths[b]`: only the table's last place favours
    END, and the sentence begins so many places before it."""
    size, places = FIRST_WORD + 4 + s.size, FIRST_WORD + 2 + int(max(*lengths, max_length))
    table = s.floats(places, size, size, scale=2.0)
    table[:, :, [PAD, START]] -= 50
    table[:, :, END] -= 50
    table[-1, :, END] += 150
    source = s.integers(FIRST_WORD, size, len(lengths), 3)
    source[:, 0] = places - np.asarray(lengths)
    source[[0, -1], -1] = PAD  # the first sentence and the last one are shorter than the others
    code = replace(examiner(function, Table), hands_on=function is what_is_written)
    given = {"source": source, "max_length": int(max_length), "table": table}
    return Inputs(kwargs=given, examiner=code)


def ragged(s: Sampler, function) -> Inputs:
    """The longest sentence is neither the first nor the last, the shortest is the last."""
    first, *others = s.rng.permutation(range(3, s.size + 4)).tolist()
    return draw(s, function, [first, s.size + 5, *others, 2], s.size + 7)


def cut_off(s: Sampler) -> Inputs:
    return draw(s, what_is_written, [2, s.size + 7, s.size + 5], s.size + 3)


def not_only_words(s: Sampler) -> Inputs:
    """Before its END each sentence says PAD and START, which a poor model may find likeliest."""
    drawn = draw(s, what_is_written, [3, s.size + 5, 4], s.size + 7)
    table = drawn.kwargs["table"]
    table[-3, :, PAD] += 150
    table[-2, :, START] += 150
    return drawn


NO_WORD = (
    "Perhaps PAD or START is kept from being said. The largest of all logits is asked for: what a "
    "model has learned wrongly must show."
)


AT_ONCE = (
    "Perhaps END is kept from being the first word. A model may say it at once: then it is all "
    "that is written."
)


def case(name: str, draws, hidden: bool = False, perhaps: str = "") -> Case:
    return Case(name, draws, hidden, sizes=(1, 3), dtypes=("float32",), perhaps=perhaps)


WITHOUT = {
    "lengths: beyond any limit of one's own": "greedy_decode is asked for one.",
    "example": "The text names task 3 of exercise 06, which has one.",
    "dtype: float64 and float32": "The model is the checker's, and words come out.",
}
