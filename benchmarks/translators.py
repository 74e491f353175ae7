"""A Transformer and the recurrent translators, each trained in the same way.

    python -m benchmarks translators        # one process

All kinds see the same pairs in the same batches for the same number of epochs, with the same
optimizer and schedule, without dropout and without training aids, and have about as many
parameters. For each kind the learning rate is chosen on the split `valid`, with seed 0. What
differs is the kind, its learning rate and the seed. Two files are written: `translators.csv`, BLEU
on `test` by the number of clauses, and `translators_choice.csv`.
"""

import time
from collections.abc import Callable
from itertools import product

import torch
from torch import nn

from benchmarks.measure import write
from benchmarks.training import loss_of, translate
from course_lib.transformer import EncoderDecoder
from course_lib.translation import ParallelCorpus, Vocabulary, bleu, make_batches
from course_lib.translation.model import Seq2Seq

TRAIN_PAIRS, VALID_PAIRS, TEST_PAIRS = 3000, 100, 100
TRAINED, CLAUSES = (1, 3), (1, 2, 3, 4, 6)
EPOCHS, BATCH = 6, 32
LEARNING_RATES, SEEDS = (0.001, 0.002, 0.004, 0.008, 0.016), (0, 1, 2)
RECURRENT = {  # sizes that give each kind about 175,000 parameters
    "none": {"order": "luong", "embedding_dim": 64, "hidden_dim": 128},
    "additive": {"order": "bahdanau", "embedding_dim": 64, "hidden_dim": 96},
    "general": {"order": "luong", "embedding_dim": 64, "hidden_dim": 112},
}
TRANSFORMER = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_hidden": 128, "dropout": 0.0}
KINDS = (*RECURRENT, "Transformer")


def make_model(kind: str, source: Vocabulary, target: Vocabulary) -> nn.Module:
    """An untrained model of one kind."""
    sizes = len(source), len(target)
    if kind in RECURRENT:
        return Seq2Seq(*sizes, attention=kind, dropout=0.0, **RECURRENT[kind])
    return EncoderDecoder(*sizes, **TRANSFORMER)


def trained(
    kind: str, learning_rate: float, seed: int, change: Callable[[nn.Module], None] | None = None
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
    steps = EPOCHS * -(-len(pairs) // BATCH)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, learning_rate, steps, pct_start=0.1)
    start = time.process_time()
    for _ in range(EPOCHS):
        for batch in make_batches(pairs, source, target, BATCH, order):
            loss = loss_of(model, batch)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            rate.step()
    model.source, model.target = source, target
    return model.eval(), {
        "kind": kind, "epochs": EPOCHS, "learning_rate": learning_rate, "seed": seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        "cpu_seconds": round(time.process_time() - start, 1),
    }  # fmt: skip


def quality(model: nn.Module, clauses: tuple[int, ...], split: str, count: int) -> float:
    """BLEU of greedy translations."""
    pairs = ParallelCorpus().pairs(count, clauses, split)
    written = translate(model, [pair.source for pair in pairs])
    return round(bleu(written, [pair.target for pair in pairs]), 1)


def choose(kind: str) -> list[dict[str, object]]:
    """A row for each learning rate, judged on `valid`."""
    rows = []
    for learning_rate in LEARNING_RATES:
        model, run = trained(kind, learning_rate, 0)
        rows.append(run | {"valid_bleu": quality(model, TRAINED, "valid", VALID_PAIRS)})
        print(rows[-1], flush=True)
    return rows


def measure(kind: str, learning_rate: float, seed: int) -> list[dict[str, object]]:
    """Train once and judge on every number of clauses."""
    model, run = trained(kind, learning_rate, seed)
    scores = [(c, quality(model, (c, c), "test", TEST_PAIRS)) for c in CLAUSES]
    print(run, scores, flush=True)
    return [run | {"clauses": clauses, "bleu": score} for clauses, score in scores]


def main() -> None:
    choice = [row for kind in KINDS for row in choose(kind)]
    write("translators_choice", choice, pairs=str(TRAIN_PAIRS))
    best = {
        kind: max((r for r in choice if r["kind"] == kind), key=lambda r: r["valid_bleu"])
        for kind in KINDS
    }
    rows = []
    for seed, kind in product(SEEDS, KINDS):
        rows += measure(kind, best[kind]["learning_rate"], seed)
    write("translators", rows, pairs=str(TRAIN_PAIRS))
