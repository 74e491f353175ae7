"""With and without attention, by clauses and by place: the page on the bottleneck, five seeds.

    python -m benchmarks bottleneck          # two processes; or: bottleneck none 0

The two kinds share everything but attention: pairs, an encoder in one direction, sizes, dropout and
learning rate; no training aids. Without attention a run reads the pairs 40 times, with it three
times: their last training losses are then about the same.
`bottleneck.csv` has BLEU, a row per kind, seed and number of clauses. `bottleneck_places.csv` has
the share of right words at each place of new sentences, the words before it given, as the page
computes it; "another vector" gives the decoder the vector of another sentence.
Of the runs without attention, the one in the middle by BLEU at two clauses is written into
`book/helpers/models/one_vector.npz`; all of them are measured as that file has them, in float16.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import torch

from benchmarks.measure import merge
from benchmarks.page_programs import program
from benchmarks.training import judged, trained
from book.helpers.one_vector import save_one_vector
from course_lib.figures.results import benchmark_rows
from course_lib.translation import ParallelCorpus, Translator, make_batch

PAIRS, TRAINED = 4000, (1, 2)  # clauses
CLAUSES, TEST_PAIRS = (1, 2, 3, 4), 100
SETTINGS = {
    "bidirectional": False, "hidden_dim": 128, "embedding_dim": 32, "order": "luong",
    "batch_size": 32, "learning_rate": 0.005,
}  # fmt: skip
EPOCHS = {"none": 40, "additive": 3}  # of each kind of attention
SEEDS = range(5)


def measure(attention: str, seed: int) -> tuple[list[dict], list[dict], Translator]:
    """Train once and judge: rows for each number of clauses, and for each place."""
    torch.set_num_threads(1)
    corpus, epochs = ParallelCorpus(), EPOCHS[attention]
    pairs = corpus.pairs(PAIRS, TRAINED)
    translator, run = trained(pairs, attention, epochs=epochs, seed=seed, **SETTINGS)
    run = {"attention": attention, "epochs": epochs, "seed": seed} | run
    if attention == "none":
        translator.model.half().float()
    tests = {n: corpus.pairs(TEST_PAIRS, (n, n), "test") for n in CLAUSES}
    rows = [run | {"clauses": n} | judged(translator, test) for n, test in tests.items()]
    page = program("bottleneck", {"make_batch": make_batch, "replace": replace, "corpus": corpus})
    shares = {attention: page["right_words"](translator, page["twelve"])}
    if attention == "none":
        shares["another vector"] = page["right_words"](translator, page["twelve"], 1)
    places = [
        {"run": name, "seed": seed, "place": place, "right": round(share, 3)}
        for name, found in shares.items()
        for place, share in enumerate(found.tolist(), 1)
    ]
    print(*rows, sep="\n", flush=True)
    return rows, places, translator


def keep_middle(made: dict[int, Translator]) -> None:
    """Save the middle one of all runs without attention, if it is one of these."""
    rows = [r for r in benchmark_rows("bottleneck") if r["attention"] == "none"]
    ranked = sorted((float(r["bleu"]), int(r["seed"])) for r in rows if r["clauses"] == "2")
    if (seed := ranked[len(ranked) // 2][1]) in made:
        save_one_vector(made[seed])


def main() -> None:
    runs = [(attention, seed) for attention in EPOCHS for seed in SEEDS]
    if len(sys.argv) > 1:
        runs = [(sys.argv[1], int(seed)) for seed in sys.argv[2:]]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(measure, *zip(*runs, strict=True)))
    keep(runs, found)


def keep(runs: list[tuple[str, int]], found: list) -> None:
    """Write the rows of these runs beside those of the others."""
    every = [row for rows, _, _ in found for row in rows]
    merge("bottleneck", every, ("attention", "seed", "clauses"))
    places = [row for _, places, _ in found for row in places]
    merge("bottleneck_places", places, ("run", "seed", "place"))
    kinds = zip(runs, found, strict=True)
    keep_middle({seed: one for (kind, seed), (_, _, one) in kinds if kind == "none"})
