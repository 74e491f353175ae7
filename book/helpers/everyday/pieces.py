"""Pieces of a sentence pair that know which word renders which, in whatever order they come."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from course_lib.translation import Pair

VOWELS = "aeiouhéèêœ"
BEFORE_VOWEL = {
    "le": "l'", "la": "l'", "je": "j'", "me": "m'", "te": "t'", "ne": "n'", "que": "qu'",
    "de": "d'", "ce": "cet", "ma": "mon", "ta": "ton", "sa": "son", "vieux": "vieil", "beau": "bel",
    "nouveau": "nouvel",
}  # fmt: skip
CONTRACTED = {
    ("de", "le"): "du",
    ("de", "les"): "des",
    ("de", "des"): "de",
    ("à", "le"): "au",
    ("à", "les"): "aux",
}


class Token:
    """An English word in its place: two of the same text are two."""

    def __init__(self, text: str) -> None:
        self.text = text


class French(NamedTuple):
    """A French word and the English ones that it renders. `spelled`: its neighbours change it."""

    text: str
    of: tuple[Token, ...]
    spelled: bool = True


@dataclass
class Piece:
    """Some English words and the French ones for them."""

    english: list[Token] = field(default_factory=list)
    french: list[French] = field(default_factory=list)

    def __add__(self, other: "Piece") -> "Piece":
        return Piece(self.english + other.english, self.french + other.french)


def piece(english: str, french: str, spelled: bool = True) -> Piece:
    """Words that belong together: each of these French words renders all of these English ones."""
    tokens = [Token(text) for text in english.split()]
    return Piece(tokens, [French(text, tuple(tokens), spelled) for text in french.split()])


def aligned(line: str) -> Piece:
    """A phrase with its links: "I miss you = tu:2 me:0 manques:1" counts English words from 0."""
    english, _, french = line.partition("=")
    tokens = [Token(text) for text in english.split()]
    made = []
    for text in french.split():
        word, _, places = text.partition(":")
        of = tuple(tokens[int(i)] for i in places.split(",")) if places else tuple(tokens)
        made.append(French(word, of, False))
    return Piece(tokens, made)


def joined(pieces: Iterable[Piece]) -> Piece:
    made = Piece()
    for one in pieces:
        made = made + one
    return made


def spelled(sentence: Piece) -> Pair:
    """The pair, spelled by its neighbours: "an apple", "l'homme", "vieil arbre", "au parc"."""
    words = [token.text for token in sentence.english]
    english = [
        "an" if word == "a" and after[0] in "aeiou" else word
        for word, after in zip(words, [*words[1:], "."], strict=True)
    ]
    at = {token: i for i, token in enumerate(sentence.english)}
    french: list[tuple[str, set[int], bool]] = []
    for word, after in zip(sentence.french, [*sentence.french[1:], French(".", ())], strict=True):
        text, links = word.text, {at[token] for token in word.of}
        if word.spelled and after.text[0] in VOWELS:
            text = BEFORE_VOWEL.get(text, text)
            text = "s'" if text == "si" and after.text in ("il", "ils") else text
        before = french[-1] if french else ("", set(), False)
        article = (
            word.spelled and before[2] and not {t.text for t in word.of} & {"him", "it", "them"}
        )
        short = CONTRACTED.get((before[0], text)) if article else None
        if short:
            french[-1] = (short, before[1] | links, True)
        else:
            french.append((text, links, word.spelled))
    links = {(t, s) for t, (_, sources, _) in enumerate(french) for s in sources}
    return Pair(english, [text for text, _, _ in french], links)
