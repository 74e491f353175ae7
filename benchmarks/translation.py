"""The translator: quality by length, alignment error and training time, for each attention.

    python -m benchmarks.translation                             # all, 3 seeds, and the speeds
    python -m benchmarks.translation general local-p --seeds 0   # some; rows are replaced

The bottleneck chapter draws its band from the two files this writes, `translation.csv` (one row
per attention, seed and number of clauses) and `translation_by_length.csv` (one per length bin).
"""

import argparse
import csv
import time

import torch

from benchmarks.measure import RESULTS, versions
from course_lib.translation import (
    ParallelCorpus,
    Translator,
    alignment_error_rate,
    bleu,
    bleu_by_length,
    hard_links,
    make_batches,
    train,
)

NAMES = ("none", "additive", "dot", "general", "concat", "local-p")
TRAIN_PAIRS, TEST_PAIRS = 8000, 300
# All else is the default of `train`. concat computes a tanh for every pair of words; the paper's
# window of 10 words on each side would hold more than a clause.
SETTINGS = {"concat": {"epochs": 8}, "local-p": {"window": 6}}
CLAUSES = (1, 2, 3, 4, 5, 6, 7, 8)  # 1 to 3 were trained; 6 is twice the longest


def measure(attention: str, seed: int) -> tuple[list[dict], list[dict]]:
    """Train once and judge on every number of clauses."""
    corpus = ParallelCorpus()
    pairs = corpus.pairs(TRAIN_PAIRS)
    start, cpu = time.perf_counter(), time.process_time()
    translator = train(pairs, attention, seed=seed, progress=False, **SETTINGS.get(attention, {}))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    scores, bins, everything = [], [], ([], [])
    for clauses in CLAUSES:
        test = corpus.pairs(TEST_PAIRS, (clauses, clauses), "test")
        translations = translator.translate([p.source for p in test])
        everything[0].extend(test)
        everything[1].extend(translations)
        scores.append({
            "attention": attention, "seed": seed, "clauses": clauses,
            "source_words": round(sum(len(p.source) for p in test) / len(test), 1),
            "bleu": round(bleu(translations, [p.target for p in test]), 1),
            "aer": aer(translator, test),
            "train_seconds": round(seconds, 1), "train_cpu_seconds": round(cpu, 1),
            **versions(),
        })  # fmt: skip
    for score in bleu_by_length(*everything, width=5):
        bins.append({"attention": attention, "seed": seed, **score._asdict()})
        bins[-1]["bleu"] = round(score.bleu, 1)
    return scores, bins


def aer(translator: Translator, test: list) -> float | str:
    if translator.model.attention is None:
        return ""
    links = [hard_links(weights) for weights in translator.align(test)]
    return round(alignment_error_rate(links, [p.links for p in test]), 3)


def speed() -> None:
    """All target steps at once against the loop, one epoch each; greedy on 1,000 sentences."""
    pairs = ParallelCorpus().pairs(2000)
    translator = train(pairs, "general", epochs=1, progress=False)
    model = translator.model.train()
    batches = make_batches(pairs, translator.source, translator.target, 64)
    taken = {False: 0.0, True: 0.0}
    for batch in batches:
        for loop in taken:  # in turns, so that a slow moment hits both
            start = time.perf_counter()
            logits, _ = model(batch.source, batch.lengths, batch.inputs, loop=loop)
            torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), batch.labels.flatten()
            ).backward()
            taken[loop] += time.perf_counter() - start
    print(f"loop / all at once, forward and backward: {taken[True] / taken[False]:.2f}")
    test = ParallelCorpus().pairs(1000, split="test")
    start = time.perf_counter()
    translator.translate([p.source for p in test])
    print(f"greedy decoding of 1,000 sentences: {time.perf_counter() - start:.1f} s")


def merge(name: str, rows: list[dict]) -> None:
    """Write the rows, keeping those of other attentions and seeds already in the file."""
    path = RESULTS / f"{name}.csv"
    fresh = {(row["attention"], str(row["seed"])) for row in rows}
    old = list(csv.DictReader(path.open())) if path.exists() else []
    rows = [row for row in old if (row["attention"], row["seed"]) not in fresh] + rows
    rows.sort(key=lambda row: (NAMES.index(row["attention"]), int(row["seed"])))
    with path.open("w", newline="") as file:
        # Rows that were measured earlier may have fewer columns.
        columns = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("attentions", nargs="*", help=f"default: {' '.join(NAMES)}")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    arguments = parser.parse_args()
    if not arguments.attentions:
        speed()
    for seed in arguments.seeds:
        for attention in arguments.attentions or NAMES:
            scores, bins = measure(attention, seed)
            merge("translation", scores)
            merge("translation_by_length", bins)
            summary = [(s["clauses"], s["bleu"], s["aer"]) for s in scores]
            print(attention, seed, summary, scores[0]["train_seconds"], flush=True)


if __name__ == "__main__":
    main()
