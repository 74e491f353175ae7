"""The translator: quality by length and alignment error for each attention, with aids and without.

    python -m benchmarks translation               # those of MEASURED; two processes
    python -m benchmarks translation uniform       # others; rows of the same run are replaced

Every run has the same pairs, encoder, sizes and number of epochs; what differs is the attention,
the training aids (course_lib/translation/training_aids.py) and the seed. The learning rate is
chosen once for all, on held-out pairs of the split `valid`, without aids and with seed 0. Quality
is measured on `test`, up to twice the trained length. Two files are written:
`translation_aids.csv`, a row per attention, aids, seed and number of clauses, and
`translation_choice.csv`, with what the learning rate was chosen by.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor, as_completed

import torch

from benchmarks.measure import merge, write
from benchmarks.training import judged, trained
from course_lib.translation import ParallelCorpus, Translator, alignment_error_rate, hard_links

NAMES = ("none", "uniform", "additive", "dot", "general", "concat", "local-p")
MEASURED = ("none", "additive", "dot", "general", "concat", "local-p")
NO_COUNT = ("random_start", "distractor", "source_end")  # the three that make counting useless
AIDS = ("", "+".join(NO_COUNT))
SEEDS = (0, 1, 2)
TRAIN_PAIRS, VALID_PAIRS, TEST_PAIRS = 2000, 100, 60
TRAINED = (1, 2)  # clauses
CLAUSES = (1, 2, 3, 4)  # of the test sentences
SETTINGS = {
    "epochs": 8, "batch_size": 32, "hidden_dim": 64, "embedding_dim": 32, "window": 6,
}  # fmt: skip
LEARNING_RATES, CHOSEN_WITH = (0.003, 0.008), ("none", "general")


def one_run(attention: str, aids: str, seed: int, learning_rate: float) -> tuple[Translator, dict]:
    """Train once; the translator, and what the run was."""
    torch.set_num_threads(1)
    translator, run = trained(
        ParallelCorpus().pairs(TRAIN_PAIRS, TRAINED), attention, seed=seed,
        learning_rate=learning_rate, aids=aids.split("+") if aids else (), **SETTINGS,
    )  # fmt: skip
    return translator, {
        "attention": attention, "aids": aids, "seed": seed, "learning_rate": learning_rate,
        "epochs": SETTINGS["epochs"], "pairs": TRAIN_PAIRS, **run,
    }  # fmt: skip


def choose(attention: str, learning_rate: float) -> dict:
    """One learning rate for one kind, judged on `valid`."""
    translator, run = one_run(attention, "", 0, learning_rate)
    valid = ParallelCorpus().pairs(VALID_PAIRS, TRAINED, "valid")
    return run | {"valid_bleu": judged(translator, valid)["bleu"]}


def measure(attention: str, aids: str, seed: int, learning_rate: float) -> list[dict]:
    """Train once and judge on every number of clauses."""
    translator, run = one_run(attention, aids, seed, learning_rate)
    rows = []
    for clauses in CLAUSES:
        test = ParallelCorpus().pairs(TEST_PAIRS, (clauses, clauses), "test")
        error = ""
        if attention not in ("none", "uniform"):
            links = [hard_links(weights) for weights in translator.align(test)]
            error = round(alignment_error_rate(links, [p.links for p in test]), 3)
        rows.append(run | {"clauses": clauses} | judged(translator, test) | {"aer": error})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "attentions", nargs="*", help=f"out of {' '.join(NAMES)}; default: {' '.join(MEASURED)}"
    )
    parser.add_argument("--learning-rate", type=float, help="default: chosen on valid")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(2) as pool:
        rate = arguments.learning_rate
        if rate is None:
            jobs = [(name, r) for r in LEARNING_RATES for name in CHOSEN_WITH]
            rows = list(pool.map(choose, *zip(*jobs, strict=True)))
            write("translation_choice", rows)
            total = {r: sum(x["valid_bleu"] for x in rows if x["learning_rate"] == r)
                     for r in LEARNING_RATES}  # fmt: skip
            rate = max(total, key=total.get)
            print("valid BLEU summed over", *CHOSEN_WITH, total, "chosen:", rate, flush=True)
        runs = [
            pool.submit(measure, name, aids, seed, rate)
            for seed in SEEDS
            for aids in AIDS
            for name in arguments.attentions or MEASURED
        ]
        for run in as_completed(runs):
            merge("translation_aids", run.result(), ("attention", "aids", "seed", "clauses"))
