"""The reference, the cases and the hints of `train_step`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from course_lib.checker.tasks import Case, Inputs, Sampler
from course_lib.exercises.translator.loss.divisors import divided
from course_lib.exercises.translator.loss.task import sequence_loss
from course_lib.exercises.translator.teacher_forcing.task import teacher_forcing_pair
from course_lib.exercises.your_translator.examiners import END, PAD, START, examiner
from course_lib.exercises.your_translator.model.task import FIRST_WORD, ids


def train_step(model, optimizer, source, target, clip):
    model.train()
    inputs, labels = teacher_forcing_pair(target, START, END, PAD)
    logits, _weights = model(source, inputs)
    loss = sequence_loss(logits, labels, PAD)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()


class Toy(torch.nn.Module):
    """A model of two tables: one row of logits for each word that was read, one for each source."""

    def __init__(self, heard, seen):
        super().__init__()
        # Copies: an optimizer that writes in place writes into parameters, not into what was drawn.
        self.heard, self.seen = (torch.nn.Parameter(one.clone()) for one in (heard, seen))
        self.read, self.modes = [], []
        self.eval()

    def forward(self, source, inputs):
        self.read.append(inputs)
        self.modes.append("training" if self.training else "evaluation")
        logits = self.heard[inputs] + self.seen[source].mean(1)[:, None]
        return logits, torch.ones(*inputs.shape, source.shape[1]) / source.shape[1]


class Downhill:
    """The plainest optimizer: each parameter a little against its gradient."""

    def __init__(self, parameters):
        self.parameters = list(parameters)

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters:
            parameter.grad = None

    def step(self):
        for parameter in self.parameters:
            if parameter.grad is not None:
                parameter.data = parameter.data - 0.5 * parameter.grad


def three_steps(train_step, source, target, clip, heard, seen):
    model = Toy(heard, seen)
    optimizer = Downhill(model.parameters())
    losses = [train_step(model, optimizer, source, target, clip) for _ in range(3)]
    return losses, model.heard.detach()


def what_is_read(train_step, source, target, clip, heard, seen):
    model = Toy(heard, seen)
    train_step(model, Downhill(model.parameters()), source, target, clip)
    return model.read[0]


def in_which_mode(train_step, source, target, clip, heard, seen):
    model = Toy(heard, seen)
    train_step(model, Downhill(model.parameters()), source, target, clip)
    return model.modes[0]


STEPS = {
    f"[0][{i}]": f"The loss of your {n} step" for i, n in enumerate(("first", "second", "third"))
}
PARTS = {
    three_steps: STEPS | {"[1]": "A parameter after three steps"},
    what_is_read: {},
    in_which_mode: {},
}


def draw(s: Sampler, function, lengths: list[int] | None = None, clip: float = 1e3) -> Inputs:
    """A ragged batch, and the numbers of the toy."""
    size = FIRST_WORD + 3 + s.size
    rows = s.rng.permutation(lengths or [2, 3, 3 + s.size]).tolist()
    words = {"source": ids(s, rows[::-1], size), "target": ids(s, rows, size)}
    tables = {"heard": s.floats(size, size), "seen": s.floats(size, size)}
    code = replace(examiner(function, Toy, Downhill), hands_on=function is three_steps)
    return Inputs(kwargs={**words, "clip": clip, **tables}, examiner=code)


def case(name: str, function, hidden: bool = False, perhaps: str = "", **how) -> Case:
    draws = lambda s: draw(s, function, **how)  # noqa: E731
    # clip_grad_norm_ adds 1e-6 to the length that it divides by: exact shortening is right, too
    few = {"sizes": (1, 3), "dtypes": ("float64",), "atol": 1e-6}
    return Case(name, draws, hidden, parts=PARTS[function], perhaps=perhaps, **few)


SHORTENED = (
    "Three steps with gradients below `clip` are right, and with one above it they are not. "
    "Perhaps nothing shortens it, or something does after the step, to a number in the place of "
    "`clip`, or by another length than that of the whole, the root of the sum of all squares. "
    "`nn.utils.clip_grad_norm_(model.parameters(), clip)` belongs between `backward` and `step`."
)


def of_first_loss(pair: Any) -> Iterator[tuple[str, str]]:
    """(key, sentence) of what relates the loss of the first step to the mean over the words."""
    if type(pair.want) is not list or pair.arrays is None or 0 in pair.have[:1]:
        return
    target = pair.given["target"]
    rows, columns = target.shape
    sizes = (target != PAD).sum() + rows, rows, columns + 1, len(pair.given["heard"])
    yield from divided(pair.have[0] / pair.want[0], *sizes)


WITHOUT = {
    "example": "A step of training is no sum for a pencil.",
    "dtype: float64 and float32": "The model is the checker's, and a Python float comes out.",
}
