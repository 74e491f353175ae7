"""Letters into phonemes: the CMU Pronouncing Dictionary, with attention and without.

    python -m benchmarks spelling general none           # kinds; --seeds 0 1 2 for more seeds
    python -m benchmarks spelling general --keep FOLDER  # checkpoints there, to go on from
    python -m benchmarks spelling g2p-en                 # measures that package's model

Both kinds see the same words in the same batches for as many epochs, with the same optimizer and
schedule, and have about as many parameters. `spelling.csv` has a row per kind, seed, beam and
length of the word: the errors on the tenth of the words that no run has seen
(`book.helpers.pronunciations` says how they are held out). Seed 0 of "general" is measured as
float16, the form in which `book/helpers/models/spelling.npz` keeps it, and is written there.
"""

import argparse
import time
from pathlib import Path

from benchmarks.measure import merge
from book.helpers.pronouncers import (
    HERE,
    PublishedPronouncer,
    load_pronouncer,
    save_pronouncer,
)
from book.helpers.pronunciations import (
    Dictionary,
    load_pronunciations,
    pairs_of,
    score,
    words_of,
)
from course_lib.translation import Translator, train

SIZES = {"general": 304, "none": 344}  # hidden_dim: 924,000 and 925,000 parameters
SETTINGS = {
    "epochs": 14, "batch_size": 128, "learning_rate": 3e-3, "embedding_dim": 64, "dropout": 0.2,
    "patience": 3,
}  # fmt: skip
LETTERS = {"all": (1, 99), "1–5": (1, 5), "6–8": (6, 8), "9–11": (9, 11), "12–14": (12, 14),
           "15 and more": (15, 99)}  # fmt: skip
BEAMS = (1, 4)


def trained(kind: str, seed: int, dictionary: Dictionary, keep: Path | None) -> Translator:
    """One run on the training words; it goes on from its checkpoint in `keep` if there is one."""
    start = time.process_time()

    def report(translator: Translator) -> None:
        history = translator.history
        print(
            time.strftime("%H:%M:%S"),
            f"{kind}, seed {seed}, epoch {len(history['epoch_loss'])}: "
            f"loss {history['epoch_loss'][-1]:.4f}, valid {history['valid_loss'][-1]:.4f}, "
            f"{time.process_time() - start:.0f} processor seconds",
            flush=True,
        )

    return train(
        pairs_of(dictionary, "train"), kind, seed=seed, valid=pairs_of(dictionary, "valid"),
        hidden_dim=SIZES[kind], progress=False, on_epoch=report,
        checkpoint=None if keep is None else keep / f"spelling_{kind}_{seed}.pt", **SETTINGS,
    )  # fmt: skip


def rows(dictionary: Dictionary, written: dict[str, list[str]], **run: object) -> list[dict]:
    """A row per length: what was `written` for each word against the dictionary."""
    found = []
    for letters, (least, most) in LETTERS.items():
        words = [word for word in written if least <= len(word) <= most]
        result = score(dictionary, words, [written[word] for word in words])
        found.append(run | {
            "letters": letters, "words": result.words,
            "word_error": round(result.word_error, 2),
            "phoneme_error": round(result.phoneme_error, 2),
        })  # fmt: skip
    return found


def measured(kind: str, seed: int, dictionary: Dictionary, translator: Translator) -> list[dict]:
    """What a translator writes for the held-out words, greedily and with a beam."""
    words, found = words_of(dictionary, "test"), []
    run = {
        "kind": kind, "seed": seed, "epochs": len(translator.history["epoch_loss"]),
        "parameters": sum(p.numel() for p in translator.model.parameters()),
    }  # fmt: skip
    for beam in BEAMS:
        translations = translator.translate([list(word) for word in words], beam)
        written = {w: t.words for w, t in zip(words, translations, strict=True)}
        found += rows(dictionary, written, **run, beam=beam)
    return found


def published(dictionary: Dictionary) -> list[dict]:
    """The same words by the model of g2p-en, most of which it has seen in its training."""
    model = PublishedPronouncer()
    written = {word: model.pronounce(word) for word in words_of(dictionary, "test")}
    size = sum(p.numel() for part in (model.encoder, model.decoder) for p in part.parameters())
    size += sum(p.numel() for p in (model.letters, model.phonemes, *model.output))
    return rows(dictionary, written, kind="g2p-en", seed="", epochs="", parameters=size, beam=1)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="+", choices=[*SIZES, "g2p-en"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    dictionary = load_pronunciations()
    for kind in arguments.kinds:
        for seed in arguments.seeds if kind in SIZES else [""]:
            if kind == "g2p-en":
                found = published(dictionary)
            else:
                translator = trained(kind, seed, dictionary, arguments.keep)
                if (kind, seed) == ("general", 0):
                    history = translator.history
                    save_pronouncer(translator)
                    translator = load_pronouncer(HERE)
                    translator.history = history
                found = measured(kind, seed, dictionary, translator)
            merge("spelling", found, ("kind", "seed", "beam", "letters"))
