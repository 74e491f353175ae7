"""Sentences of 50 words that are no longer than those trained on: with attention and without.

    python -m benchmarks.long_sentences

Both kinds are trained on sentences of one to eight clauses, with every number of clauses equally
often, and tested on each number: no test sentence is longer than the training's. The same pairs,
encoder and sizes; each kind has its own learning rate, chosen on `valid` with seed 0. Without
attention ten epochs are far too few, so one run of that kind is eight times as long.
`long_sentences.csv` has BLEU by the number of clauses, with the mean number of English words.
"""

import time

import torch

from benchmarks.measure import merge
from course_lib.translation import ParallelCorpus, Translator, bleu, train

LEARNING_RATES = (4e-3, 8e-3)
TRAINED, CLAUSES = (1, 8), (1, 2, 4, 6, 8)
TRAIN_PAIRS, VALID_PAIRS, TEST_PAIRS = 4000, 100, 100
EPOCHS, KINDS = 10, ("general", "none")
RUNS = [(kind, EPOCHS, seed) for kind in KINDS for seed in (0, 1, 2)] + [("none", 80, 0)]
SIZES = {"general": {"hidden_dim": 96, "embedding_dim": 48},
         "none": {"hidden_dim": 112, "embedding_dim": 48}}  # fmt: skip


def trained(
    kind: str, learning_rate: float, seed: int, epochs: int
) -> tuple[Translator, dict[str, object]]:
    """One run, and what it was."""
    start = time.process_time()
    translator = train(
        ParallelCorpus().pairs(TRAIN_PAIRS, TRAINED), kind, seed=seed, epochs=epochs,
        batch_size=32, learning_rate=learning_rate, progress=False, **SIZES[kind],
    )  # fmt: skip
    return translator, {
        "kind": kind, "epochs": epochs, "seed": seed, "learning_rate": learning_rate,
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "loss": round(translator.history["epoch_loss"][-1], 3),
        "cpu_seconds": round(time.process_time() - start),
    }  # fmt: skip


def quality(translator: Translator, clauses: tuple[int, int], split: str, count: int) -> tuple:
    """The mean length of the sentences, and BLEU of their translations."""
    pairs = ParallelCorpus().pairs(count, clauses, split)
    found = translator.translate([p.source for p in pairs])
    words = sum(len(p.source) for p in pairs) / len(pairs)
    return round(words, 1), round(bleu(found, [p.target for p in pairs]), 1)


def main() -> None:
    torch.set_num_threads(1)
    best = {}
    for kind in KINDS:
        tried = {}
        for rate in LEARNING_RATES:
            translator, _ = trained(kind, rate, 0, EPOCHS)
            tried[rate] = quality(translator, TRAINED, "valid", VALID_PAIRS)[1]
        best[kind] = max(tried, key=tried.get)
        print(kind, "BLEU on valid:", tried, flush=True)
    for kind, epochs, seed in RUNS:
        translator, run = trained(kind, best[kind], seed, epochs)
        rows = []
        for clauses in CLAUSES:
            words, score = quality(translator, (clauses, clauses), "test", TEST_PAIRS)
            rows.append(run | {"clauses": clauses, "source_words": words, "bleu": score})
        merge("long_sentences", rows, ("kind", "epochs", "seed", "clauses"))


if __name__ == "__main__":
    main()
