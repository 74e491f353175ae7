"""A Transformer and the recurrent translators, each trained in the same way.

    python -m benchmarks translators         # one process
    python -m benchmarks translators runs    # with the learning rates that were chosen before

All kinds see the same pairs in the same batches for the same number of epochs, with the same
optimizer and schedule, without dropout and without training aids, and have about as many
parameters. Two of them are trained for twelve epochs, too, to see who had not finished after six.
For each kind and number of epochs the learning rate is chosen on the split `valid`, with seed 0.
What differs is the kind, its learning rate and the seed. Two files are written: `translators.csv`,
BLEU on `test` by the number of clauses and the loss per word on the pairs of the training and on
`test` (one to three clauses), and `translators_choice.csv`.
"""

import csv
import sys
import time
from collections.abc import Callable
from itertools import product

import torch
from torch import nn

from benchmarks.measure import merge
from benchmarks.tables import RESULTS
from benchmarks.training import loss_of, translate
from course_lib.transformer import EncoderDecoder
from course_lib.translation import Pair, ParallelCorpus, Vocabulary, bleu, make_batches
from course_lib.translation.model import Seq2Seq
from course_lib.translation.vocabulary import PAD

TRAIN_PAIRS, VALID_PAIRS, TEST_PAIRS = 3000, 100, 100
TRAINED, CLAUSES = (1, 3), (1, 2, 3, 4, 6)
EPOCHS, LONGER, BATCH = 6, 12, 32
LEARNING_RATES, SEEDS = (0.001, 0.002, 0.004, 0.008, 0.016), (0, 1, 2)
TRIED = {EPOCHS: LEARNING_RATES, LONGER: LEARNING_RATES[1:3]}
RECURRENT = {  # sizes that give each kind about 175,000 parameters
    "none": {"order": "luong", "embedding_dim": 64, "hidden_dim": 128},
    "additive": {"order": "bahdanau", "embedding_dim": 64, "hidden_dim": 96},
    "general": {"order": "luong", "embedding_dim": 64, "hidden_dim": 112},
}
TRANSFORMER = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_hidden": 128, "dropout": 0.0}
KINDS = (*RECURRENT, "Transformer")
RUNS = [(EPOCHS, kind) for kind in KINDS] + [(LONGER, "general"), (LONGER, "Transformer")]


def make_model(kind: str, source: Vocabulary, target: Vocabulary) -> nn.Module:
    """An untrained model of one kind."""
    sizes = len(source), len(target)
    if kind in RECURRENT:
        return Seq2Seq(*sizes, attention=kind, dropout=0.0, **RECURRENT[kind])
    return EncoderDecoder(*sizes, **TRANSFORMER)


def trained(
    kind: str,
    learning_rate: float,
    seed: int,
    change: Callable[[nn.Module], None] | None = None,
    epochs: int = EPOCHS,
) -> tuple[nn.Module, dict[str, object]]:
    """One run, and what it was; `change` is made to the untrained model."""
    pairs = ParallelCorpus().pairs(TRAIN_PAIRS, TRAINED)
    source = Vocabulary(pair.source for pair in pairs)
    target = Vocabulary(pair.target for pair in pairs)
    torch.manual_seed(seed)
    model = make_model(kind, source, target)
    if change is not None:
        change(model)
    order = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(model.parameters(), learning_rate)
    steps = epochs * -(-len(pairs) // BATCH)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, learning_rate, steps, pct_start=0.1)
    start = time.process_time()
    for _ in range(epochs):
        for batch in make_batches(pairs, source, target, BATCH, order):
            loss = loss_of(model, batch)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            rate.step()
    model.source, model.target = source, target
    return model.eval(), {
        "kind": kind, "epochs": epochs, "learning_rate": learning_rate, "seed": seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        "cpu_seconds": round(time.process_time() - start, 1),
    }  # fmt: skip


def quality(model: nn.Module, clauses: tuple[int, ...], split: str, count: int) -> float:
    """BLEU of greedy translations."""
    pairs = ParallelCorpus().pairs(count, clauses, split)
    written = translate(model, [pair.source for pair in pairs])
    return round(bleu(written, [pair.target for pair in pairs]), 1)


@torch.no_grad()
def word_loss(model: nn.Module, pairs: list[Pair]) -> float:
    """The loss per target word of a trained model."""
    total = words = 0.0
    for batch in make_batches(pairs, model.source, model.target, 250):
        total += loss_of(model, batch, "sum").item()
        words += (batch.labels != PAD).sum().item()
    return round(total / words, 3)


def choose(kind: str, epochs: int) -> list[dict[str, object]]:
    """A row for each learning rate, judged on `valid`."""
    rows = []
    for learning_rate in TRIED[epochs]:
        model, run = trained(kind, learning_rate, 0, epochs=epochs)
        rows.append(run | {"valid_bleu": quality(model, TRAINED, "valid", VALID_PAIRS)})
    return rows


def chosen(kind: str, epochs: int) -> float:
    """The learning rate with the best BLEU on `valid`."""
    with open(RESULTS / "translators_choice.csv", newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if (r["kind"], r["epochs"]) == (kind, str(epochs))]
    return float(max(rows, key=lambda row: float(row["valid_bleu"]))["learning_rate"])


def measure(kind: str, learning_rate: float, seed: int, epochs: int) -> list[dict[str, object]]:
    """Train once and judge on every number of clauses."""
    model, run = trained(kind, learning_rate, seed, epochs=epochs)
    run["train_loss"] = word_loss(model, ParallelCorpus().pairs(TRAIN_PAIRS, TRAINED))
    run["test_loss"] = word_loss(model, ParallelCorpus().pairs(TEST_PAIRS, TRAINED, "test"))
    scores = [(c, quality(model, (c, c), "test", TEST_PAIRS)) for c in CLAUSES]
    return [run | {"clauses": clauses, "bleu": score} for clauses, score in scores]


def main() -> None:
    about, key = {"pairs": str(TRAIN_PAIRS)}, ("kind", "epochs")
    if "runs" not in sys.argv[1:]:
        for epochs, kind in RUNS:
            merge("translators_choice", choose(kind, epochs), (*key, "learning_rate"), **about)
    for seed, (epochs, kind) in product(SEEDS, RUNS):
        rows = measure(kind, chosen(kind, epochs), seed, epochs)
        merge("translators", rows, (*key, "seed", "clauses"), **about)
