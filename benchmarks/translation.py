"""The translator: quality by length and alignment error for each attention, with aids and without.

    python -m benchmarks.translation               # those of MEASURED; two processes
    python -m benchmarks.translation uniform       # others; rows of the same run are replaced

Every run has the same pairs, encoder, sizes and number of epochs; what differs is the attention,
the training aids (course_lib/translation/training_aids.py) and the seed. The learning rate is
chosen once for all, on held-out pairs of the split `valid`, without aids and with seed 0. Quality
is measured on `test`, up to twice the trained length. Two files are written:
`translation_aids.csv`, a row per attention, aids, seed and number of clauses, and
`translation_choice.csv`, with what the learning rate was chosen by.
"""

import argparse
import csv
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import torch

from benchmarks.measure import RESULTS, versions
from course_lib.translation import (
    ParallelCorpus,
    Translator,
    alignment_error_rate,
    bleu,
    hard_links,
    train,
)

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


def trained(attention: str, aids: str, seed: int, learning_rate: float) -> tuple[Translator, dict]:
    """One run, and what it was."""
    torch.set_num_threads(1)
    pairs = ParallelCorpus().pairs(TRAIN_PAIRS, TRAINED)
    start = time.process_time()
    translator = train(
        pairs, attention, seed=seed, learning_rate=learning_rate, progress=False,
        aids=aids.split("+") if aids else (), **SETTINGS,
    )  # fmt: skip
    run = {
        "attention": attention, "aids": aids, "seed": seed, "learning_rate": learning_rate,
        "epochs": SETTINGS["epochs"], "pairs": TRAIN_PAIRS,
        "loss": round(translator.history["epoch_loss"][-1], 3),
        "cpu_seconds": round(time.process_time() - start, 1),
    }  # fmt: skip
    return translator, run


def choose(attention: str, learning_rate: float) -> list[dict]:
    """One learning rate for one kind, judged on `valid`."""
    translator, run = trained(attention, "", 0, learning_rate)
    valid = ParallelCorpus().pairs(VALID_PAIRS, TRAINED, "valid")
    score = bleu(translator.translate([p.source for p in valid]), [p.target for p in valid])
    return [run | {"valid_bleu": round(score, 1)} | versions()]


def measure(attention: str, aids: str, seed: int, learning_rate: float) -> list[dict]:
    """Train once and judge on every number of clauses."""
    translator, run = trained(attention, aids, seed, learning_rate)
    rows = []
    for clauses in CLAUSES:
        test = ParallelCorpus().pairs(TEST_PAIRS, (clauses, clauses), "test")
        gold = [p.links for p in test]
        translations = translator.translate([p.source for p in test])
        score = {
            "clauses": clauses,
            "source_words": round(sum(len(p.source) for p in test) / len(test), 1),
            "bleu": round(bleu(translations, [p.target for p in test]), 1),
            "aer": "",
        }
        if attention not in ("none", "uniform"):
            links = [hard_links(weights) for weights in translator.align(test)]
            score["aer"] = round(alignment_error_rate(links, gold), 3)
        rows.append(run | score | versions())
    return rows


def merge(name: str, rows: list[dict]) -> None:
    """Write the rows, keeping those of other runs already in the file."""
    path = RESULTS / f"{name}.csv"
    keys = ("attention", "aids", "seed")
    fresh = {tuple(str(row[k]) for k in keys) for row in rows}
    old = (
        list(csv.DictReader(path.open())) if path.exists() and name != "translation_choice" else []
    )
    rows = [row for row in old if tuple(row[k] for k in keys) not in fresh] + rows
    rows.sort(key=lambda r: (AIDS.index(r["aids"]), NAMES.index(r["attention"]),
                             int(r["seed"])))  # fmt: skip
    with path.open("w", newline="") as file:
        # Rows that were measured earlier may have fewer columns.
        columns = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


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
            rows = [row for found in pool.map(choose, *zip(*jobs, strict=True)) for row in found]
            merge("translation_choice", rows)
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
            rows = run.result()
            merge("translation_aids", rows)
            row = rows[0]
            print(row["attention"], row["aids"], row["seed"], row["cpu_seconds"], "s",
                  [(r["clauses"], r["bleu"], r["aer"]) for r in rows], flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
