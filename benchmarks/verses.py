"""Verses, English to French, in pieces: a translator with attention beside one without, by length.

    python -m benchmarks verses --choose --verses 4000 --epochs 1  # learning rates
    python -m benchmarks verses general --seeds 0 1  # kinds; rows of the same runs are replaced

Both read from both sides and see the same batches of the same 10,795 verses of 3 to 80 words
twelve times, with the learning rate that was better for each on `valid` after 4,000. `verses.csv`
has by the number of English words the loss for a piece of new verses and BLEU of greedy
translations, scored by sacreBLEU on text (its own tokens, with case) with the signature in each
row, and for attention how often the heaviest word is the right one where a name stands once on
either side.
`verses_shown.csv` quotes four verses as seed 0 translated them, with the weights in percent when
the reference is fed: a row for each word of it, mean of its pieces, a column for each English word.
"""

import argparse
import csv
import time
from functools import cache
from itertools import product

import numpy as np
import torch
from sacrebleu.metrics import BLEU
from tokenizers import Tokenizer

from benchmarks.measure import merge
from benchmarks.tables import RESULTS
from book.helpers.verses import in_pieces, learn_pieces, load_verses, text_of, words
from course_lib.translation import Pair, Translator, train
from course_lib.translation.training import mean_loss
from course_lib.translation.vocabulary import START, make_batches, pad

KINDS = ("general", "none")
PIECES, EPOCHS, BATCH, PER_LENGTH = 1000, 12, 16, 60
SIZES = {"hidden_dim": 96, "embedding_dim": 64, "dropout": 0.2}
RATES = (3e-3, 6e-3)
LENGTHS = {"3–10": (3, 10), "11–20": (11, 20), "21–30": (21, 30), "31–40": (31, 40),
           "41–80": (41, 80)}  # fmt: skip
NAMES = {"Moses": "Moïse", "Israel": "Israël", "David": "David", "Jacob": "Jacob",
         "Joseph": "Joseph", "Aaron": "Aaron", "Judah": "Juda", "Egypt": "Égypte",
         "Jerusalem": "Jérusalem", "Solomon": "Salomon", "Saul": "Saül", "Abraham": "Abraham",
         "Joab": "Joab", "Hezekiah": "Ézéchias", "Benjamin": "Benjamin", "Absalom": "Absalom",
         "Joshua": "Josué", "Samuel": "Samuel", "Isaac": "Isaac", "Pharaoh": "Pharaon"}  # fmt: skip
SHOWN = (4, 61, 131, 182)  # one of each of four lengths, chosen before anything was trained


class Data:
    """The verses of a split in words and in pieces; pieces are learned from what is trained on."""

    def __init__(self, trained: int | None = None, pieces: int = PIECES) -> None:
        self.train = load_verses("train")[:trained]
        sides = zip(*self.train, strict=True)
        self.english, self.french = (learn_pieces(side, pieces) for side in sides)
        self.valid = load_verses("valid")[:400]
        rest = load_verses("test")
        self.test = [
            pair for least, most in LENGTHS.values()
            for pair in [p for p in rest if least <= len(words(p[0])) <= most][:PER_LENGTH]
        ]  # fmt: skip

    @cache  # noqa: B019  one of them lives as long as the program
    def pairs(self, split: str) -> list[Pair]:
        return in_pieces(getattr(self, split), self.english, self.french)


def trained(kind: str, rate: float, seed: int, data: Data, epochs: int) -> tuple[Translator, dict]:
    """One run, and what it was."""
    start = time.process_time()
    translator = train(
        data.pairs("train"), kind, order="luong", seed=seed, valid=data.pairs("valid"),
        epochs=epochs, patience=epochs, batch_size=BATCH, learning_rate=rate, progress=False,
        **SIZES,
    )  # fmt: skip
    seen = translator.history
    sample = make_batches(data.pairs("train")[:400], translator.source, translator.target, 256)
    run = {
        "kind": kind, "seed": seed, "learning_rate": rate, "epochs": epochs,
        "best_epoch": int(np.argmin(seen["valid_loss"])) + 1,
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "train_loss": round(mean_loss(translator.model, sample), 3),
        "valid_loss": round(min(seen["valid_loss"]), 3),
        "cpu_seconds": round(time.process_time() - start),
    }  # fmt: skip
    print(run, flush=True)
    return translator, run


def best_rate(kind: str) -> float:
    """The learning rate with the lowest loss on `valid` in `verses_choice.csv`."""
    with open(RESULTS / "verses_choice.csv", newline="", encoding="utf-8") as file:
        tried = [row for row in csv.DictReader(file) if row["kind"] == kind]
    return float(min(tried, key=lambda row: float(row["valid_loss"]))["learning_rate"])


def written(translator: Translator, data: Data) -> list[str]:
    """Greedy translations of the test; each length may take half as long again as its longest."""
    texts, sources = [], [pair.source for pair in data.pairs("test")]
    for least, most in LENGTHS.values():
        group = [
            source for source, (english, _) in zip(sources, data.test, strict=True)
            if least <= len(words(english)) <= most
        ]  # fmt: skip
        longest = max(map(len, group))
        found = translator.translate(group, max_length=longest + longest // 2)
        texts += [text_of(translation.words, data.french) for translation in found]
    return texts


def word_numbers(pieces: list[str]) -> np.ndarray:
    """Which word each piece belongs to, from 0: a blank or a sign begins another one."""
    starts = [piece.startswith("Ġ") or not piece[0].isalnum() for piece in pieces]
    return np.cumsum(starts) - starts[0]


def quoted(number: int, french: str, translator: Translator, data: Data) -> dict[str, object]:
    """One verse, what was written, and the weights of the words of the reference, if it has any."""
    english, reference = data.test[number]
    row: dict[str, object] = {
        "number": number, "english": english, "reference": reference, "french": french,
    }  # fmt: skip
    [pair] = in_pieces([(english, reference)], data.english, data.french)
    weights = forced(translator, pair)
    if weights is None:
        return row
    there, here = word_numbers(pair.target), word_numbers(pair.source)
    mean = np.stack([weights[there == t].mean(0) for t in range(there.max() + 1)])
    by_words = np.stack([np.bincount(here, one) for one in mean])
    return row | {
        "english_words": " ".join(joined(pair.source, here, data.english)),
        "french_words": " ".join(joined(pair.target, there, data.french)),
        "weights": ";".join(" ".join(f"{100 * w:.0f}" for w in one) for one in by_words),
    }


@torch.no_grad()
def forced(translator: Translator, pair: Pair) -> np.ndarray | None:
    """The weights (T, S) of the rows that write the reference, when it is fed."""
    source, lengths = pad([translator.source.encode(pair.source)])
    inputs = [START, *translator.target.encode(pair.target)][: len(pair.target)]
    _, weights = translator.model(source, lengths, torch.tensor([inputs]))
    return None if weights is None else weights[0, :, : len(pair.source)].numpy()


def joined(pieces: list[str], number: np.ndarray, tokenizer: Tokenizer) -> list[str]:
    """The words that the pieces make."""
    chosen = [np.flatnonzero(number == n) for n in range(number.max() + 1)]
    return [text_of([pieces[i] for i in word], tokenizer) or "␣" for word in chosen]


def by_length(texts: list[str], run: dict, translator: Translator, data: Data) -> list[dict]:
    """A row for each length of the English verse, and one for all."""
    pairs = data.pairs("test")
    rows = []
    for name, (least, most) in {"all": (1, 99), **LENGTHS}.items():
        chosen = [i for i, (e, _) in enumerate(data.test) if least <= len(words(e)) <= most]
        bleu = BLEU()
        score = bleu.corpus_score([texts[i] for i in chosen], [[data.test[i][1] for i in chosen]])
        ratio = score.sys_len / score.ref_len
        batches = make_batches([pairs[i] for i in chosen], translator.source, translator.target, 64)
        rows.append(run | {"length": name, "verses": len(chosen),
                           "loss": round(mean_loss(translator.model, batches), 3),
                           "bleu": round(score.score, 1),
                           "length_ratio": round(ratio, 2),
                           "signature": str(bleu.get_signature())})  # fmt: skip
    return rows


def places(pieces: list[str], name: str) -> range | None:
    """Where a name's pieces stand, if it is there once."""
    text, start, found = "", 0, []
    for i, piece in enumerate([*pieces, "Ġ"]):
        if piece.startswith("Ġ") or not piece[0].isalnum():
            if text == name:
                found.append(range(start, i))
            text, start = "", i
        text += piece.removeprefix("Ġ")
    return found[0] if len(found) == 1 else None


def names_found(translator: Translator, data: Data, most: int = 600) -> dict:
    """Of names that stand once on either side: how often the heaviest English word is the name.

    The reference is fed, and the rows of the name's pieces averaged, the columns of a word added.
    Chance: one in the number of words. Diagonal: the word as far into the verse as the name is.
    """
    right = diagonal = chance = count = 0
    for pair in in_pieces(load_verses("test"), data.english, data.french):
        for english, french in NAMES.items():
            here = places(pair.source, english)
            there = places(pair.target, as_written(french, data))
            if here is None or there is None or count >= most:
                continue
            word = word_numbers(pair.source)
            weights = forced(translator, pair)
            assert weights is not None
            by_word = np.bincount(word, weights[list(there)].mean(0))
            right += by_word.argmax() == word[here[0]]
            middle = there[0] / len(pair.target) * len(pair.source)
            diagonal += word[min(int(middle), len(word) - 1)] == word[here[0]]
            chance += 1 / len(by_word)
            count += 1
    return {"names": count, "names_right": round(float(right / count), 3),
            "names_diagonal": round(float(diagonal / count), 3),
            "names_chance": round(chance / count, 3)}  # fmt: skip


def as_written(name: str, data: Data) -> str:
    """A French name in the letters of byte-level pieces: é is Ã©."""
    return "".join(data.french.encode(name).tokens).removeprefix("Ġ")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], default=[])
    parser.add_argument("--choose", action="store_true", help="try the learning rates, seed 0")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--verses", type=int, help="train on so many; on all, unless given")
    given = parser.parse_args()
    data = Data(given.verses)
    kinds = given.kinds or KINDS
    if given.choose:
        for kind, rate in product(kinds, RATES):
            _, run = trained(kind, rate, 0, data, given.epochs)
            merge("verses_choice", [run], ("kind", "learning_rate"))
        return
    for seed, kind in product(given.seeds, kinds):
        translator, run = trained(kind, best_rate(kind), seed, data, given.epochs)
        texts = written(translator, data)
        if kind != "none":
            run |= names_found(translator, data)
        merge("verses", by_length(texts, run, translator, data), ("kind", "seed", "length"))
        if seed == 0:
            rows = [{"kind": kind} | quoted(i, texts[i], translator, data) for i in SHOWN]
            merge("verses_shown", rows, ("kind", "number"))
