"""One setting of the translator at a time: pairs, sizes, layers, sampling; three seeds each.

    python -m benchmarks knobs               # all; or with names of KNOBS: their rows are replaced

Every run has all settings of BASE but one and takes as many steps: with fewer pairs it goes through
them more often. The attention is `general`; `attention_dim` belongs to `additive`. `knobs.csv` has
BLEU and alignment error on held-out sentences of one and two clauses, and the loss on the training
pairs and on held-out ones.
"""

import sys

from benchmarks.measure import merge
from benchmarks.training import judged, trained
from course_lib.translation import (
    ParallelCorpus,
    alignment_error_rate,
    hard_links,
    make_batches,
)
from course_lib.translation.training import mean_loss

CLAUSES, SEEDS, TEST_PAIRS, STEPS = (1, 2), (0, 1, 2), 150, 500
BASE = {"pairs": 2000, "embedding_dim": 32, "hidden_dim": 64, "num_layers": 1, "sampling": 0.0}
KNOBS = {
    "pairs": (125, 250, 500, 1000, 2000, 4000),
    "embedding_dim": (4, 8, 16, 32, 64, 128),
    "hidden_dim": (16, 32, 64, 128),
    "attention_dim": (2, 8, 32, 128),
    "num_layers": (1, 2, 3),
    "sampling": (0.0, 0.25, 0.5),
}
BATCH, LEARNING_RATE = 32, 8e-3


def measure(seed: int, **changed: float) -> dict[str, object]:
    """Train once with BASE but for what is `changed`, and judge on held-out sentences."""
    settings = BASE | changed
    count = int(settings.pop("pairs"))
    kind = "additive" if "attention_dim" in changed else "general"
    pairs = ParallelCorpus().pairs(count, CLAUSES)
    test = ParallelCorpus().pairs(TEST_PAIRS, CLAUSES, "test")
    translator, run = trained(
        pairs, kind, seed=seed, epochs=round(STEPS * BATCH / count), batch_size=BATCH,
        learning_rate=LEARNING_RATE, **settings,
    )  # fmt: skip
    held_out = make_batches(test, translator.source, translator.target, 256)
    links = [hard_links(weights) for weights in translator.align(test)]
    return {
        "bleu": judged(translator, test)["bleu"],
        "aer": round(alignment_error_rate(links, [p.links for p in test]), 3),
        "train_loss": run["loss"],
        "test_loss": round(mean_loss(translator.model, held_out), 3),
        "cpu_seconds": run["cpu_seconds"],
    }


def main() -> None:
    known: dict[int, dict[str, object]] = {}  # BASE itself is a value of every knob
    for knob in sys.argv[1:] or KNOBS:
        for value in KNOBS[knob]:
            for seed in SEEDS:
                base = value == BASE.get(knob)
                found = known.get(seed) if base else None
                found = found or measure(seed, **{knob: value})
                if base:
                    known[seed] = found
                row = {"knob": knob, "value": value, "seed": seed, **found}
                merge("knobs", [row], ("knob", "value", "seed"))
