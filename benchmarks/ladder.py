"""Luong's ladder on our sentences: from no attention to input feeding, one addition a rung.

    python -m benchmarks ladder

The rungs of Luong, Pham & Manning (2015), https://arxiv.org/abs/1508.04025, Table 1: an encoder of
one direction, its source reversed, dropout, attention over all words, input feeding, and local
attention in place of the global. Each rung keeps what the one before it has; *local-m*, which
looks at the place with the decoder's own number, reads the source as it stands. The same pairs,
sizes, epochs and learning rate for all. `ladder.csv` has BLEU on held-out sentences of the
lengths that were trained, and the training loss.
"""

from benchmarks.measure import merge
from benchmarks.training import judged, trained
from course_lib.translation import Pair, ParallelCorpus

PAIRS, CLAUSES, TEST_PAIRS, SEEDS = 2000, (1, 2), 200, (0, 1, 2)
SETTINGS = {"epochs": 20, "batch_size": 32, "hidden_dim": 64, "embedding_dim": 32,
            "learning_rate": 5e-3, "bidirectional": False, "window": 6}  # fmt: skip
RUNGS = {  # attention, whether the source is reversed, dropout, input feeding
    "no attention": ("none", False, 0.0, False),
    "+ source reversed": ("none", True, 0.0, False),
    "+ dropout": ("none", True, 0.2, False),
    "+ attention": ("general", True, 0.2, False),
    "+ input feeding": ("general", True, 0.2, True),
    "local-m in its place": ("local-m", False, 0.2, True),
    "local-p in its place": ("local-p", True, 0.2, True),
}


def pairs_of(split: str, count: int, backwards: bool) -> list[Pair]:
    """Sentence pairs; backwards: the last English word comes first."""
    pairs = ParallelCorpus().pairs(count, CLAUSES, split)
    return [p._replace(source=p.source[::-1]) for p in pairs] if backwards else pairs


def measure(rung: str, seed: int) -> dict[str, object]:
    """Train one rung, and judge it on sentences it has not seen."""
    attention, backwards, dropout, feeding = RUNGS[rung]
    translator, run = trained(
        pairs_of("train", PAIRS, backwards), attention, seed=seed, dropout=dropout,
        input_feeding=feeding, **SETTINGS,
    )  # fmt: skip
    test = pairs_of("test", TEST_PAIRS, backwards)
    return {"rung": rung, "seed": seed} | run | judged(translator, test)


def main() -> None:
    for rung in RUNGS:
        merge("ladder", [measure(rung, seed) for seed in SEEDS], ("rung", "seed"))
