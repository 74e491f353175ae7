"""With and without attention, by number of clauses: the runs of the bottleneck's page, three seeds.

    python -m benchmarks bottleneck          # two processes

The two kinds share everything but attention: pairs, an encoder in one direction, sizes, dropout and
learning rate; no training aids. They are compared at equal epochs, and the kind without attention
also after four times as many, when its training loss has come near that of the other.
Writes `bottleneck.csv`, a row per kind, number of epochs, seed and number of clauses.
"""

from concurrent.futures import ProcessPoolExecutor

import torch

from benchmarks.measure import write
from benchmarks.training import judged, trained
from course_lib.translation import ParallelCorpus

PAIRS, TRAINED = 4000, (1, 2)  # clauses
CLAUSES, TEST_PAIRS = (1, 2, 3, 4), 100
SETTINGS = {
    "bidirectional": False, "hidden_dim": 128, "embedding_dim": 32,
    "batch_size": 32, "learning_rate": 0.005,
}  # fmt: skip
RUNS = (("none", 10), ("none", 40), ("general", 10))  # attention, epochs
SEEDS = (0, 1, 2)


def measure(attention: str, epochs: int, seed: int) -> list[dict[str, object]]:
    """Train once and judge on every number of clauses."""
    torch.set_num_threads(1)
    corpus = ParallelCorpus()
    pairs = corpus.pairs(PAIRS, TRAINED)
    translator, run = trained(pairs, attention, epochs=epochs, seed=seed, **SETTINGS)
    run = {"attention": attention, "epochs": epochs, "seed": seed, **run}
    rows = []
    for clauses in CLAUSES:
        test = corpus.pairs(TEST_PAIRS, (clauses, clauses), "test")
        rows.append(run | {"clauses": clauses} | judged(translator, test))
    print(*rows, sep="\n", flush=True)
    return rows


def main() -> None:
    runs = [(attention, epochs, seed) for attention, epochs in RUNS for seed in SEEDS]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(measure, *zip(*runs, strict=True)))
    write("bottleneck", [row for rows in found for row in rows])
