"""Three tasks on which a setting of attention shows its price.

Each token is a key with a value of eight numbers (0 to 15); a question has no value, and the model
names the eight. Two layers, trained in seconds from three seeds; all settings of a seed see the
same batches, so two of them are compared seed by seed. Chance is 1/16.

Each setting learns each task with a step size of its own: of `RATES` the smallest that comes within
a hundredth of the best, tried from a seed and on held-out rows that the table does not use.

- recall: 12 pairs of a key and a value, then 12 questions with a key each. *once*: all keys differ;
  *again*: three keys are written four times each, and the newest value counts.
- echo: 20 values, then 20 questions: what stood 20 places before?
- needle: 32 values, one of them marked, then 8 questions for it, farther than two windows reach.
  *first*: it is among the first four tokens; *within*: it comes later.

    python -m benchmarks thread_tasks [NAME]...     all settings, or those named; their old rows go
"""

import sys
import time

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from benchmarks.measure import merge
from benchmarks.thread_settings import LAYERS, WIDTH, kept, stack

KEYS, NUMBERS, PARTS, PAIRS = 16, 16, 8, 12
STEPS, BATCH, SEEDS, HELD_OUT = 240, 16, (0, 1, 2), 256
RATES, CHOSEN_WITH = (5e-3, 1e-2, 2e-2, 4e-2), 10  # the largest steps; a seed
ROWS_TO_CHOOSE, ROWS_TO_REPORT = 98, 99  # seeds of the rows that no run trains on
Batch = tuple[Tensor, Tensor, Tensor, dict[str, Tensor]]  # keys, values, wanted, places by score


class Answers(nn.Module):
    """Key and value in, eight numbers out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.keys = nn.Embedding(KEYS + 1, WIDTH // 2)  # the last one marks the needle
        self.values = nn.ModuleList(
            nn.Embedding(NUMBERS + 1, WIDTH // 2 // PARTS) for _ in range(PARTS)
        )
        self.stack = stack(name)
        self.out = nn.Linear(WIDTH, PARTS * NUMBERS)

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Scores (number of questions, 8, 16), where `asked` (B, T) is True."""
        parts = [part(values[..., i]) for i, part in enumerate(self.values)]
        x, _, _ = self.stack(torch.cat([self.keys(keys), *parts], -1), is_causal=True)
        return self.out(x[asked]).unflatten(-1, (PARTS, NUMBERS))  # (questions, 8, 16)


def random_keys(n: int, count: int, draw: torch.Generator) -> Tensor:
    """(n, count), different within a row."""
    return torch.rand(n, KEYS, generator=draw).argsort(1)[:, :count]


def recall(n: int, draw: torch.Generator) -> Batch:
    """Half of the rows write each key once, the others write three keys four times."""
    once, again = random_keys(n // 2, PAIRS, draw), random_keys(n - n // 2, PAIRS // 4, draw)
    order = torch.rand(len(again), PAIRS, generator=draw).argsort(1) % again.shape[1]
    written = torch.cat([once, again.gather(1, order)])  # (n, PAIRS)
    asked = torch.cat([once[:, torch.randperm(PAIRS, generator=draw)], again.repeat(1, 4)])
    values = torch.randint(NUMBERS, (n, PAIRS, PARTS), generator=draw)
    same = asked[:, :, None] == written[:, None, :]  # (n, question, place)
    newest = (same * torch.arange(1, PAIRS + 1)).argmax(2)
    wanted = values.gather(1, newest[..., None].expand(-1, -1, PARTS))
    blank = torch.full_like(values, NUMBERS)
    rows, half = torch.arange(n)[:, None], torch.arange(2 * PAIRS)[None] >= PAIRS
    scores = {"once": half & (rows < n // 2), "again": half & (rows >= n // 2)}
    return (
        torch.cat([written, asked], 1),
        torch.cat([values, blank], 1),
        torch.cat([values, wanted], 1),
        scores,
    )


def echo(n: int, draw: torch.Generator, back: int = 20) -> Batch:
    """So many values, then as many questions: what stood so many places before?"""
    values = torch.randint(NUMBERS, (n, 2 * back, PARTS), generator=draw)
    keys = torch.randint(KEYS, (n, 2 * back), generator=draw)
    wanted = values.roll(back, 1)
    values[:, back:] = NUMBERS
    return keys, values, wanted, {"echo": (torch.arange(2 * back) >= back).expand(n, -1)}


def needle(n: int, draw: torch.Generator, length: int = 40, asked: int = 8) -> Batch:
    """The marked value, asked in the last places: half of the needles come first."""
    values = torch.randint(NUMBERS, (n, length, PARTS), generator=draw)
    keys = torch.randint(KEYS, (n, length), generator=draw)
    rows, first = torch.arange(n), torch.arange(n) < n // 2
    late = torch.randint(4, 13, (n,), generator=draw)
    place = torch.where(first, torch.randint(4, (n,), generator=draw), late)
    keys[rows, place] = KEYS
    wanted = values[rows, place][:, None].repeat(1, length, 1)
    values[:, -asked:] = NUMBERS
    last = torch.arange(length) >= length - asked
    return keys, values, wanted, {"first": last & first[:, None], "within": last & ~first[:, None]}


TASKS = {"recall": recall, "echo": echo, "needle": needle}


def train(model: Answers, task: str, rate: float, draw: torch.Generator) -> None:
    """It names what is asked, and (for a third of the loss) also each value that it is shown."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=STEPS)
    for _ in range(STEPS):
        keys, values, wanted, places = TASKS[task](BATCH, draw)
        shown = values[..., 0] < NUMBERS
        asked = torch.stack(list(places.values())).any(0)
        wanted[shown] = values[shown]
        found = model(keys, values, asked | shown).flatten(0, 1)
        losses = cross_entropy(found, wanted[asked | shown].flatten(), reduction="none")
        of_asked = asked[asked | shown].repeat_interleave(PARTS)
        loss = losses[of_asked].mean() + losses[~of_asked].mean() / 3
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def scores(name: str, task: str, rate: float, seed: int, rows: int) -> dict[str, float]:
    """Train on one task; the share of right numbers on rows that were not trained on."""
    torch.manual_seed(seed)
    model = Answers(name)
    train(model, task, rate, torch.Generator().manual_seed(seed))
    with torch.no_grad():
        keys, values, wanted, places = TASKS[task](HELD_OUT, torch.Generator().manual_seed(rows))
        right = {
            score: model(keys, values, at).argmax(-1) == wanted[at] for score, at in places.items()
        }
    return {score: round(x.double().mean().item(), 3) for score, x in right.items()}


def best_rate(name: str, task: str) -> float:
    """The smallest step size with which this setting learns this task nearly as well as any."""
    found = {rate: scores(name, task, rate, CHOSEN_WITH, ROWS_TO_CHOOSE) for rate in RATES}
    mean = {rate: sum(right.values()) / len(right) for rate, right in found.items()}
    return next(rate for rate in RATES if mean[rate] > max(mean.values()) - 0.01)


def main() -> None:
    for name in sys.argv[1:] or LAYERS:
        for task in TASKS:
            start = time.process_time()
            rate = best_rate(name, task)
            about = {"setting": name, "bytes_1024": kept(name, 1024), "rate": rate}
            rows = [
                about | {"seed": seed, "score": score, "right": right}
                for seed in SEEDS
                for score, right in scores(name, task, rate, seed, ROWS_TO_REPORT).items()
            ]
            merge("thread_tasks", rows, ("setting", "score", "seed"), steps=str(STEPS))
            print(f"{name}, {task}: {time.process_time() - start:.0f} s", flush=True)
