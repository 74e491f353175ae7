"""Everyday sentences for the field that translates a reader's own."""

import hashlib
import random

from book.helpers.everyday.pieces import spelled
from book.helpers.everyday.sentences import alone, sentence
from course_lib.translation import Pair

LONGEST = 20  # English words


class EverydayCorpus:
    """English–French pairs of what people type first, with gold alignments.

    Greetings, fragments, pronouns, the present and the past, questions and orders, up to five
    clauses. "<unk>" stands for a word that nobody has read, on both sides.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def pairs(self, n: int, split: str = "train") -> list[Pair]:
        """`n` different pairs. A hash of the English says to which split they belong; each phrase
        and each word by itself is in "train"."""
        rng = random.Random(f"everyday {self.seed} {split}")
        found: dict[str, Pair] = {}
        whole = {" ".join(pair.source): pair for pair in self.whole()}
        if split == "train":
            found.update(whole)
        while len(found) < n:
            pair = spelled(sentence(rng))
            text = " ".join(pair.source)
            if (
                len(pair.source) <= LONGEST
                and text not in found
                and text not in whole
                and _split_of(text) == split
            ):
                found[text] = pair
        return list(found.values())[:n]

    def whole(self) -> list[Pair]:
        """Each phrase, and each word by itself: the first pairs of "train"."""
        return list({" ".join(p.source): p for p in map(spelled, reversed(alone()))}.values())


def _split_of(text: str) -> str:
    twentieth = hashlib.blake2b(text.encode(), digest_size=8).digest()[0] % 20
    return {0: "test", 1: "valid"}.get(twentieth, "train")
