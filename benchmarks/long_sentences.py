"""Sentences of 50 words that are no longer than those trained on: with attention and without.

    python -m benchmarks long_sentences

Both kinds are trained on sentences of one to eight clauses, with every number of clauses equally
often, and tested on each number: no test sentence is longer than the training's. The same pairs,
encoder and sizes; each kind has its own learning rate, chosen on `valid` with seed 0. Without
attention ten epochs are far too few, so one run of that kind is eight times as long.
`long_sentences.csv` has BLEU by the number of clauses, with the mean number of English words.
"""

from benchmarks.measure import merge
from benchmarks.training import judged, trained
from course_lib.translation import ParallelCorpus, Translator

LEARNING_RATES = (4e-3, 8e-3)
TRAINED, CLAUSES = (1, 8), (1, 2, 4, 6, 8)
TRAIN_PAIRS, VALID_PAIRS, TEST_PAIRS = 4000, 100, 100
EPOCHS, KINDS = 10, ("general", "none")
RUNS = [(kind, EPOCHS, seed) for kind in KINDS for seed in (0, 1, 2)] + [("none", 80, 0)]
SIZES = {"general": {"hidden_dim": 96, "embedding_dim": 48},
         "none": {"hidden_dim": 112, "embedding_dim": 48}}  # fmt: skip


def one_run(kind: str, learning_rate: float, seed: int, epochs: int) -> tuple[Translator, dict]:
    """Train once; the translator, and what the run was."""
    settings = {"learning_rate": learning_rate, "seed": seed, "epochs": epochs}
    pairs = ParallelCorpus().pairs(TRAIN_PAIRS, TRAINED)
    translator, run = trained(pairs, kind, batch_size=32, **settings, **SIZES[kind])
    return translator, {"kind": kind} | settings | run


def main() -> None:
    best = {}
    for kind in KINDS:
        tried = {}
        for rate in LEARNING_RATES:
            translator, _ = one_run(kind, rate, 0, EPOCHS)
            valid = ParallelCorpus().pairs(VALID_PAIRS, TRAINED, "valid")
            tried[rate] = judged(translator, valid)["bleu"]
        best[kind] = max(tried, key=tried.get)
        print(kind, "BLEU on valid:", tried, flush=True)
    for kind, epochs, seed in RUNS:
        translator, run = one_run(kind, best[kind], seed, epochs)
        rows = []
        for clauses in CLAUSES:
            test = ParallelCorpus().pairs(TEST_PAIRS, (clauses, clauses), "test")
            rows.append(run | {"clauses": clauses} | judged(translator, test))
        merge("long_sentences", rows, ("kind", "epochs", "seed", "clauses"))
