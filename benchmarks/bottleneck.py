"""With and without attention, by number of clauses: the runs of the bottleneck's page, three seeds.

    python -m benchmarks.bottleneck

The two kinds share everything but attention: pairs, an encoder in one direction, sizes, dropout,
epochs and learning rate; no training aids. Writes `bottleneck.csv`, a row per kind, seed and number
of clauses.
"""

import time

import torch

from benchmarks.measure import write
from course_lib.translation import ParallelCorpus, bleu, train

PAIRS, TRAINED = 4000, (1, 2)  # clauses
CLAUSES, TEST_PAIRS = (1, 2, 3, 4), 100
SETTINGS = {
    "bidirectional": False, "hidden_dim": 128, "embedding_dim": 32,
    "epochs": 10, "batch_size": 32, "learning_rate": 0.005,
}  # fmt: skip


def measure(attention: str, seed: int) -> list[dict[str, object]]:
    """Train once and judge on every number of clauses."""
    corpus = ParallelCorpus()
    start = time.process_time()
    pairs = corpus.pairs(PAIRS, TRAINED)
    translator = train(pairs, attention, seed=seed, progress=False, **SETTINGS)
    seconds = time.process_time() - start
    rows = []
    for clauses in CLAUSES:
        test = corpus.pairs(TEST_PAIRS, (clauses, clauses), "test")
        translations = translator.translate([pair.source for pair in test])
        score = bleu(translations, [pair.target for pair in test])
        words = sum(len(pair.source) for pair in test) / len(test)
        rows.append({
            "attention": attention, "seed": seed, "clauses": clauses,
            "source_words": round(words, 1), "bleu": round(score, 1),
            "train_cpu_seconds": round(seconds, 1),
        })  # fmt: skip
    print(*rows, sep="\n", flush=True)
    return rows


def main() -> None:
    torch.set_num_threads(1)
    runs = [measure(name, seed) for seed in range(3) for name in ("none", "general")]
    write("bottleneck", [row for rows in runs for row in rows])


if __name__ == "__main__":
    main()
