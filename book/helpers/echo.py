"""A language of sixteen letters in which a head has nothing to do most of the time.

After most letters the next one is drawn from a table. After *a*, *b* or *c* it is the letter that
stood before: only there must a head look back. Every text begins with the sign `^`.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int
from torch import Tensor, nn

from course_lib.gate.masks import causal_mask

LETTERS, ECHO, T = 16, 3, 32
START = LETTERS  # the sign ^


def echo_texts(*sizes: int) -> list[Int[Tensor, "N T1"]]:
    """Texts of 32 letters and the sign before them, in as many sets as there are sizes."""
    draw = torch.Generator().manual_seed(7)
    chain = (1.5 * torch.randn(LETTERS, LETTERS, generator=draw)).softmax(-1)
    found = []
    for rows in sizes:
        x = torch.full((rows, T + 1), START)
        x[:, 1] = torch.randint(ECHO, LETTERS, (rows,), generator=draw)
        for t in range(2, T + 1):
            before, last = x[:, t - 2], x[:, t - 1]
            drawn = torch.multinomial(chain[last], 1, generator=draw)[:, 0]
            x[:, t] = torch.where(last < ECHO, before, drawn)
        found.append(x)
    return found


def spell(row: list[int]) -> str:
    """The letters of a row of numbers."""
    return " ".join("abcdefghijklmnop^"[i] for i in row)


def train(model: nn.Module, corpus: Int[Tensor, "N T1"], seed: int, steps: int = 500) -> nn.Module:
    """Fit a model to the texts: 32 at a time, with a step that grows first and then falls."""
    draw = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-2, steps, pct_start=0.1)
    for _ in range(steps):
        batch = corpus[torch.randint(len(corpus), (32,), generator=draw)]
        logits, _ = model(batch[:, :-1], causal_mask(T))
        loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model.eval().requires_grad_(False)


def losses(
    model: nn.Module, texts: Int[Tensor, "N T1"], mask: Bool[Tensor, "T T"]
) -> tuple[Tensor, Tensor]:
    """The loss at each place of each text under a mask, and the weights of the head."""
    logits, weights = model(texts[:, :-1], mask)
    targets = texts[:, 1:]
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return loss.view(targets.shape), weights
