"""The trainings of *Learning to align* from ten seeds: what the strips of seeds on its pages show.

    python -m benchmarks seeds [PAGE...]

Where a page writes its own program, the program is read from the page; where it calls `train`, the
settings are repeated here. `seeds.csv` has a row for each page, run and seed with what the page
prints: BLEU, the share of heaviest weights that are on a right word, the share that is *late* (one
word to the right of a right one, and on none), the alignment error rate, the share of wrong words.
"""

import random
import sys
from pathlib import Path

import numpy as np
import torch

from benchmarks.measure import merge
from book.helpers.pronunciations import load_pronunciations, pairs_of, score, words_of
from course_lib.translation import (
    Pair,
    ParallelCorpus,
    Translator,
    Vocabulary,
    alignment_error_rate,
    bleu,
    hard_links,
    make_batch,
    make_batches,
    train,
)
from tools.notebooks import read

BOOK = Path(__file__).parents[1] / "book"
SEEDS = range(10)
SMALL = {"batch_size": 32, "learning_rate": 8e-3, "hidden_dim": 64, "embedding_dim": 32}
KINDS = ("additive", "general", "uniform")
PROGRAMS = {  # the cells that hold a page's own program
    "learning_to_translate": ("imports", "plain", "loop", "write"),
    "a_translator_that_looks": ("program-1", "program-2", "program-3", "fit", "program-both"),
}


def program(page: str, names: dict | None = None) -> dict:
    """The names that these cells of the page define."""
    cells = {cell.id: cell.source for cell in read(BOOK / f"{page}.ipynb").cells}
    held = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional} | (names or {})
    for name in PROGRAMS[page]:
        exec(cells[name], held)
    return held


def looked(maps: list, pairs: list[Pair]) -> dict[str, float]:
    """Where the heaviest weights lie, and the alignment error rate."""
    links = [hard_links(weights) for weights in maps]
    count = sum(map(len, links))
    right = sum(len(found & p.links) for found, p in zip(links, pairs, strict=True))
    late = sum(
        (t, s - 1) in p.links and (t, s) not in p.links
        for found, p in zip(links, pairs, strict=True)
        for t, s in found
    )
    aer = alignment_error_rate(links, [p.links for p in pairs])
    return {"right": right / count, "late": late / count, "aer": aer}


def written(found: list, pairs: list[Pair]) -> dict[str, float]:
    return {"bleu": bleu(found, [pair.target for pair in pairs])}


def judged(translator: Translator, pairs: list[Pair], looks: bool = True) -> dict[str, float]:
    found = written(translator.translate([pair.source for pair in pairs]), pairs)
    return found | (looked(translator.align(pairs), pairs) if looks else {})


def learning_to_translate(seed: int) -> dict[str, dict]:
    page = program("learning_to_translate")
    test = page["corpus"].pairs(400, clauses=(1, 1), split="test")
    torch.manual_seed(seed)
    sizes = len(page["english"]), len(page["french"])
    untrained, model = page["Plain"](*sizes), page["Plain"](*sizes)
    losses = page["fit"](model, epochs=8, learning_rate=0.005)
    found = [page["write"](model, pair.source) for pair in test]
    shown = [
        {"seed": seed, "english": " ".join(pair.source), "right": " ".join(pair.target),
         "before": " ".join(page["write"](untrained, pair.source)), "after": " ".join(words)}
        for pair, words in zip(test[:10], found, strict=False)
    ]  # fmt: skip
    merge("first_translations", shown, ("seed", "english"))
    return {"plain": written(found, test) | {"loss": sum(losses[-125:]) / 125}}


def additive_attention(seed: int, kind: str = "additive") -> dict[str, dict]:
    corpus = ParallelCorpus()
    pairs, test = corpus.pairs(2000, (1, 1)), corpus.pairs(200, (1, 1), "test")
    run = train(pairs, kind, epochs=5, dropout=0.0, seed=seed, progress=False, **SMALL)
    return {kind: judged(run, test)}


def luong(seed: int) -> dict[str, dict]:
    return additive_attention(seed, "general")


def a_translator_that_looks(seed: int) -> dict[str, dict]:
    corpus = ParallelCorpus()
    pairs, test = corpus.pairs(2000, (1, 2)), corpus.pairs(150, (1, 2), "test")
    english = Vocabulary(pair.source for pair in pairs)
    french = Vocabulary(pair.target for pair in pairs)
    words = {"pairs": pairs, "english": english, "french": french, "make_batches": make_batches}
    special = {"PAD": 0, "START": 2, "np": np}
    page, found = program("a_translator_that_looks", words | special), {}
    for name in ("one direction", "both directions"):
        torch.manual_seed(seed)
        model = page["Translator"](len(english), len(french))
        if name == "both directions":
            model.reader = page["BothSides"](len(english), 32, 64)
        page["fit"](model, epochs=6, look=lambda loss: None)
        batch, maps = make_batch(test, english, french), []
        with torch.no_grad():
            _, _, weights = model(batch.source, batch.lengths, batch.inputs)
        for row, pair in zip(weights, test, strict=True):
            maps.append(row[: len(pair.target), : len(pair.source)].numpy())
        said = page["translate"](model, batch.source, batch.lengths)
        found[name] = written(said, test) | looked(maps, test)
    return found


def reading_alignments(seed: int) -> dict[str, dict]:
    corpus, found = ParallelCorpus(), {}
    pairs, test = corpus.pairs(2000, (1, 2)), corpus.pairs(200, (1, 2), "test")
    for kind in KINDS:
        run = train(pairs, kind, epochs=6, seed=seed, progress=False, **SMALL)
        found[kind] = judged(run, test, looks=kind != "uniform")
    run = train(pairs, "general", epochs=6, seed=seed, progress=False, bidirectional=False, **SMALL)
    return found | {"general, one direction": judged(run, test)}


def spelling_into_sound(seed: int) -> dict[str, dict]:
    dictionary = load_pronunciations()
    short = [p for p in pairs_of(dictionary, "train") if len(p.source) <= 5]
    random.Random(0).shuffle(short)
    easy = [word for word in words_of(dictionary, "test") if len(word) <= 5][:400]
    settings = {"hidden_dim": 96, "embedding_dim": 32, "learning_rate": 8e-3}
    run = train(short[:6000], "general", epochs=5, seed=seed, progress=False, **settings)
    answers = [found.words for found in run.translate([list(word) for word in easy])]
    result = score(dictionary, easy, answers)
    return {"general": {"words wrong": result.word_error, "sounds wrong": result.phoneme_error}}


PAGES = {page.__name__: page for page in (
    learning_to_translate, additive_attention, luong, a_translator_that_looks,
    reading_alignments, spelling_into_sound,
)}  # fmt: skip


def main() -> None:
    for name in sys.argv[1:] or PAGES:
        for seed in SEEDS:
            rows = [
                {"page": name, "run": run, "seed": seed, "measure": measure, "value": round(x, 4)}
                for run, values in PAGES[name](seed).items()
                for measure, x in values.items()
            ]
            merge("seeds", rows, ("page", "run", "seed", "measure"))
