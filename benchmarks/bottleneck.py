"""With and without attention, by clauses and by place: the page on the bottleneck, five seeds.

    python -m benchmarks bottleneck          # two processes

The two kinds share everything but attention: pairs, an encoder in one direction, sizes, dropout and
learning rate; no training aids. Without attention a run reads the pairs 40 times, with it three
times: their last training losses are then about the same.
`bottleneck.csv` has BLEU, a row per kind, seed and number of clauses. `bottleneck_places.csv` has
the share of right words at each place of new sentences, the words before it given, as the page
computes it; "another vector" gives the decoder the vector of another sentence.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import torch

from benchmarks.measure import write
from benchmarks.seeds import program
from benchmarks.training import judged, trained
from course_lib.translation import ParallelCorpus, make_batch

PAIRS, TRAINED = 4000, (1, 2)  # clauses
CLAUSES, TEST_PAIRS = (1, 2, 3, 4), 100
SETTINGS = {
    "bidirectional": False, "hidden_dim": 128, "embedding_dim": 32, "order": "luong",
    "batch_size": 32, "learning_rate": 0.005,
}  # fmt: skip
EPOCHS = {"none": 40, "additive": 3}  # of each kind of attention
SEEDS = range(5)


def measure(attention: str, seed: int) -> tuple[list[dict], list[dict]]:
    """Train once and judge: rows for each number of clauses, and for each place."""
    torch.set_num_threads(1)
    corpus, epochs = ParallelCorpus(), EPOCHS[attention]
    pairs = corpus.pairs(PAIRS, TRAINED)
    translator, run = trained(pairs, attention, epochs=epochs, seed=seed, **SETTINGS)
    run = {"attention": attention, "epochs": epochs, "seed": seed} | run
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
    return rows, places


def main() -> None:
    runs = [(attention, seed) for attention in EPOCHS for seed in SEEDS]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(measure, *zip(*runs, strict=True)))
    write("bottleneck", [row for rows, _ in found for row in rows])
    write("bottleneck_places", [row for _, places in found for row in places])
