"""Trainings of the pages from ten seeds: what their strips of seeds show.

    python -m benchmarks seeds [PAGE...]

Where a page writes its own program, the program is read from the page; where it calls `train`, the
settings are repeated here. `seeds.csv` has a row for each page, run and seed with what the page
prints: BLEU, also by clauses, the share of heaviest weights that are on a right word, the share
that is *late* (one word to the right of a right one, and on none), the alignment error rate, the
share of wrong words, how many translations are *wrong*, which share of the next words of a kind
(*nouns* and so on) is right after an epoch, of those that are wrong which share *looked* at its own
English word and which is right if *turned* to it, at how many words other weights changed the
answer (*shuffled*) or left it (*searched*), how often a word stays the likeliest if its step looks
at its own English word, at the one before it or after it, at another one, at all alike or at none
(*own* to *none*), what a date of two meanings is read as, how often the class token's heaviest
patch lies on the shape that it names, and what two heads answer that exchange their matrices.
"""

import itertools
import sys

import numpy as np
import torch

from benchmarks.judged import judged, looked, written
from benchmarks.measure import merge
from benchmarks.page_programs import program
from benchmarks.small_tasks import (
    beyond_text,
    how_a_model_copies,
    many_heads,
    reading_dates,
    spelling_into_sound,
    what_one_head_does,
)
from book.helpers.exchange import ExchangeWeights
from course_lib.translation import (
    Pair,
    ParallelCorpus,
    Translator,
    Vocabulary,
    make_batch,
    make_batches,
    train,
)

SEEDS = range(10)
SMALL = {"batch_size": 32, "learning_rate": 8e-3, "hidden_dim": 64, "embedding_dim": 32}
RATES, CHOSEN = (0.004, 0.008, 0.016), {"GRU": 0.008, "LSTM": 0.008}  # on valid
KINDS = ("additive", "general", "uniform")


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
    """Three scores in both orders, at three learning rates; BLEU of three seeds at one rate."""
    corpus, found = ParallelCorpus(), {}
    pairs, test = corpus.pairs(2000, (1, 1)), corpus.pairs(200, (1, 1), "test")
    for kind, order, rate in itertools.product(
        ("dot", "general", "additive"), ("bahdanau", "luong"), (0.004, 0.008, 0.016)
    ):
        settings = SMALL | {"learning_rate": rate, "epochs": 5, "dropout": 0.0, "seed": seed}
        run = train(pairs, kind, order=order, progress=False, **settings)
        measures = ("right", "bleu") if rate == 0.008 and seed < 3 else ("right",)
        values = judged(run, test)
        found[f"{kind}, {order}, {rate}"] = {name: values[name] for name in measures}
    return found


def a_translator_that_looks(seed: int) -> dict[str, dict]:
    page, found = program("a_translator_that_looks"), {}
    corpus, test, english, french = (page[x] for x in ("corpus", "test", "english", "french"))
    for name in ("one direction", "both directions"):
        torch.manual_seed(seed)
        model = page["Translator"](len(english), len(french))
        if name == "both directions":
            model.reader = both_sides(page["Reader"])(len(english), 32, 64)
        kinds, of_wrong = [], []  # after each epoch

        def note_down(loss: float, m=model, kinds=kinds, of_wrong=of_wrong) -> None:
            kinds.append(page["shares_right"](m))
            right, weights = page["next_words"](m)
            looks = page["own"].gather(-1, weights.argmax(-1, keepdim=True))[..., 0].numpy() > 0
            helped = (page["made_to_look"](m) == page["held_out"].labels).numpy()
            of_wrong.append((~right, looks, helped))

        page["fit"](model, 6, note_down)
        batch, maps = make_batch(test, english, french), []
        with torch.no_grad():
            _, _, weights = model(batch.source, batch.lengths, batch.inputs)
        for row, pair in zip(weights, test, strict=True):
            maps.append(row[: len(pair.target), : len(pair.source)].numpy())
        said = page["translate"](model, batch.source, batch.lengths)
        found[name] = written(said, test) | looked(maps, test)
        differ = sum(words != pair.target for words, pair in zip(said, test, strict=True))
        found[name]["wrong"] = differ  # of 150
        if name == "one direction":
            found[name] |= {f"{kind}, epoch 2": share for kind, share in kinds[1].items()}
            for kind in ("nouns", "adjectives"):
                wrong, looks, helped = of_wrong[1]
                its = wrong & (page["of_kind"] == kind)
                found[name] |= {
                    f"{kind}, looked": looks[its].mean(), f"{kind}, turned": helped[its].mean()
                }  # fmt: skip
        for clauses in (1, 2, 3, 4):
            longer = corpus.pairs(60, (clauses, clauses), "test")
            batch = make_batch(longer, english, french)
            said = page["translate"](model, batch.source, batch.lengths, limit=60)
            found[name][f"bleu of {clauses}"] = written(said, longer)["bleu"]
    return found


def an_lstm_in_its_place(seed: int) -> dict[str, dict]:
    """Both units with as many parameters: three rates, three seeds; the chosen rate, ten."""
    corpus = ParallelCorpus()
    pairs = corpus.pairs(500, (1, 2))
    english = Vocabulary(pair.source for pair in pairs)
    french = Vocabulary(pair.target for pair in pairs)
    words = {"pairs": pairs, "english": english, "french": french, "make_batches": make_batches}
    page, found = program("an_lstm_in_its_place", words | {"np": np}), {}
    for (unit, width), rate in itertools.product({"GRU": 71, "LSTM": 64}.items(), RATES):
        if seed > 2 and rate != CHOSEN[unit]:
            continue
        torch.manual_seed(seed)
        model, losses = page["Translator"](len(english), len(french), d=width), []
        if unit == "LSTM":
            model.reader = page["LongReader"](len(english), 32, width)
            model.writer = page["LongReader"](len(french), 32, width)
        page["fit"](model, epochs=12, note_down=losses.append, learning_rate=rate)
        found[f"{unit}, {rate}"] = {"loss": losses[-1]}
        for split in ("valid", "test"):
            some = corpus.pairs(150, (1, 2), split)
            batch = make_batch(some, english, french)
            said = page["translate"](model, batch.source, batch.lengths)
            found[f"{unit}, {rate}"][f"bleu, {split}"] = written(said, some)["bleu"]
    return found


def both_sides(reader: type) -> type:
    """The page's `Reader`, reading from both sides; half of each state comes from either."""

    class BothSides(reader):
        def __init__(self, vocabulary, e, d):
            super().__init__(vocabulary, e, d)
            self.gru = torch.nn.GRU(e, d // 2, batch_first=True, bidirectional=True)

        def forward(self, words, state=None):
            lengths = (words != 0).sum(1)  # or it would begin with padding
            packed = torch.nn.utils.rnn.pack_padded_sequence(
                self.embedding(words), lengths, batch_first=True, enforce_sorted=False
            )
            h, last = self.gru(packed)
            return torch.nn.utils.rnn.pad_packed_sequence(h, batch_first=True)[0], last

    return BothSides


def looking_one_word_late(seed: int) -> dict[str, dict]:
    corpus, found = ParallelCorpus(), {}
    pairs, test = corpus.pairs(2000, (1, 2)), corpus.pairs(150, (1, 2), "test")
    for name in ("from the left", "from both sides", "from the right"):
        settings = SMALL | {"epochs": 6, "dropout": 0.0, "seed": seed}
        settings |= {"order": "luong", "bidirectional": name == "from both sides"}
        given, asked, step = pairs, test, 1
        if name == "from the right":  # the encoder reads from the left; what it reads is turned
            given, asked = ([p._replace(source=p.source[::-1]) for p in x] for x in (pairs, test))
            step = -1
        run = train(given, "additive", progress=False, **settings)
        maps = [weights[:, ::step] for weights in run.align(asked)]
        said = run.translate([pair.source for pair in asked])
        found[name] = written(said, test) | looked(maps, test)
    return found


def reading_alignments(seed: int) -> dict[str, dict]:
    corpus, found = ParallelCorpus(), {}
    pairs, test = corpus.pairs(2000, (1, 2)), corpus.pairs(200, (1, 2), "test")
    settings = SMALL | {"epochs": 6, "order": "luong", "seed": seed, "progress": False}
    for kind in KINDS if seed < 5 else KINDS[1:]:  # five seeds of the additive score
        run = train(pairs, kind, **settings)
        found[kind] = judged(run, test, looks=kind != "uniform")
        if kind == "general":
            found[kind] |= exchanged(run, test)
        if kind != "uniform":
            run = train(pairs, kind, bidirectional=False, **settings)
            found[f"{kind}, one direction"] = judged(run, test)
    return found


def exchanged(run: Translator, test: list[Pair]) -> dict[str, float]:
    """Shares of words: a shuffle changes the answer, very different weights do not."""
    names = {"translators": {"general": run}, "test": test, "ExchangeWeights": ExchangeWeights}
    page = program("does_a_map_explain", names)
    moved, hidden = page["moved"], program("other_weights", page)["hidden"]
    return {
        "shuffled": (moved > 0.5).double().mean().item(),
        "searched": (hidden > 0.35).double().mean().item(),
    }


def bottleneck(seed: int) -> dict[str, dict]:
    """The translator without attention, stopped at four moments; one seed."""
    corpus, found = ParallelCorpus(), {}
    pairs = corpus.pairs(4000, (1, 2))
    tests = {c: corpus.pairs(100, (c, c), "test") for c in (1, 2)}
    settings = {"bidirectional": False, "hidden_dim": 128, "embedding_dim": 32, "order": "luong"}
    settings |= {"batch_size": 32, "learning_rate": 0.005, "seed": seed, "progress": False}
    for epochs in (10, 20, 40, 80) if seed == 0 else ():
        run = train(pairs, "none", epochs=epochs, **settings)
        found[f"none, {epochs} epochs"] = {"loss": run.history["epoch_loss"][-1]} | {
            f"bleu of {c}": judged(run, test, looks=False)["bleu"] for c, test in tests.items()
        }
    return found


def does_a_map_explain(seed: int) -> dict[str, dict]:
    """What other weights leave of a word; equal weights trained for long, three seeds."""
    corpus = ParallelCorpus()
    pairs, test = corpus.pairs(2000, (1, 2)), corpus.pairs(200, (1, 2), "test")
    run = train(pairs, "general", epochs=6, seed=seed, progress=False, **SMALL)
    names = {"test": test, "ExchangeWeights": ExchangeWeights, "np": np}
    page = program("does_a_map_explain", names, ("survives",))
    found = {name: page["survives"](run, words) for name, words in page["asked"].items()}
    for epochs in (6, 20, 40, 80) if seed < 3 else ():
        run = train(pairs, "uniform", epochs=epochs, seed=seed, progress=False, **SMALL)
        loss = run.history["epoch_loss"][-1]
        found[f"uniform, {epochs} epochs"] = judged(run, test, looks=False) | {"loss": loss}
    return found


def a_transformer_translates(seed: int) -> dict[str, dict]:
    """Trained without the source's positions: two more rates, and two more seeds."""
    page, found = program("a_transformer_translates"), {}
    test, sizes = page["test"], (len(page["source_words"]), len(page["target_words"]))
    for rate in {0: (0.002, 0.008), 1: (0.004,), 2: (0.004,)}.get(seed, ()):
        torch.manual_seed(seed)
        model = page["Transformer"](*sizes)
        model.source = page["WithoutPositions"](model.source)
        losses = page["train"](model, epochs=6, learning_rate=rate)
        said = page["translate"](model, [pair.source for pair in test])
        found[f"without positions, {rate}"] = written(said, test) | {"loss": losses[-1]}
    return found


PAGES = {page.__name__: page for page in (
    learning_to_translate, bottleneck, additive_attention, luong, a_translator_that_looks,
    an_lstm_in_its_place,
    looking_one_word_late, reading_alignments, does_a_map_explain, reading_dates,
    many_heads, how_a_model_copies, spelling_into_sound, beyond_text, what_one_head_does,
    a_transformer_translates,
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
