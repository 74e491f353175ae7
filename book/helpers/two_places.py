"""A task for which each place must look at two others: the digit before, and that of its twin.

Twelve places hold a letter and a digit each; six letters occur twice. Every place reports the digit
of the previous place (the first one that of the last) and the digit of its *twin*, the other place
with the same letter. The first is found by position, the second by content, so one row of weights
is not enough.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LENGTH, LETTERS, DIGITS = 12, 6, 10


def make_batch(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Letters, digits (B, 12); answers (B, 12, 2): previous, twin; the twin's place (B, 12)."""
    order = torch.rand(size, LENGTH, generator=generator).argsort(-1)
    letters = order % LETTERS  # each letter twice
    digits = torch.randint(DIGITS, (size, LENGTH), generator=generator)
    same = (letters[:, :, None] == letters[:, None, :]) & ~torch.eye(LENGTH, dtype=torch.bool)
    twin = same.int().argmax(-1)
    previous = (torch.arange(LENGTH) - 1) % LENGTH
    answers = torch.stack([digits[:, previous], digits.gather(1, twin)], dim=-1)
    return letters, digits, answers, twin


class Reader(nn.Module):
    """Embeddings, one attention, and a linear layer that reads both answers from its output.

    `attention(x, need_weights=...)` returns the output (B, 12, d) and its weights first.
    """

    def __init__(self, attention: nn.Module, d: int) -> None:
        super().__init__()
        self.letter, self.digit = nn.Embedding(LETTERS, d), nn.Embedding(DIGITS, d)
        self.position = nn.Parameter(torch.randn(LENGTH, d))
        self.attention = attention
        self.read = nn.Linear(d, 2 * DIGITS)

    def forward(self, letters: Tensor, digits: Tensor, need_weights: bool = False):
        x = self.letter(letters) + self.digit(digits) + self.position  # (B, 12, d)
        x, weights, *_ = self.attention(x, need_weights=need_weights)
        return self.read(x).unflatten(-1, (2, DIGITS)), weights  # (B, 12, 2, 10)


def train(
    make_attention: Callable[[], nn.Module],
    steps: int,
    learning_rate: float,
    d: int = 32,
    seed: int = 0,
) -> Reader:
    """A reader after so many steps of 64 new sequences; the learning rate rises and falls."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Reader(make_attention(), d)
    optimizer = torch.optim.Adam(model.parameters(), learning_rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, steps, pct_start=0.2)
    for _ in range(steps):
        letters, digits, answers, _ = make_batch(64, generator)
        logits, _ = model(letters, digits)
        loss = F.cross_entropy(logits.flatten(0, 2), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model


held_out = make_batch(500, torch.Generator().manual_seed(99))


@torch.no_grad()
def accuracy(model: nn.Module) -> list[float]:
    """Shares of right answers on held-out sequences: previous, twin."""
    letters, digits, answers, _ = held_out
    right = (model(letters, digits)[0].argmax(-1) == answers).float()
    return right.mean((0, 1)).tolist()
