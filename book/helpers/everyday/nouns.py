"""Who and what a sentence is about: pronouns, and nouns with their determiners and adjectives."""

import random
from typing import NamedTuple

from book.helpers.everyday import words as w
from book.helpers.everyday.pieces import French, Piece, Token, piece
from course_lib.translation.lexicon import Noun

SINGULAR = {
    "the": ("le", "la"), "a": ("un", "une"), "this": ("ce", "cette"), "that": ("ce", "cette"),
    "my": ("mon", "ma"), "your": ("ton", "ta"), "his": ("son", "sa"), "her": ("son", "sa"),
    "our": ("notre", "notre"), "their": ("leur", "leur"),
}  # fmt: skip
PLURAL = {"the": "les", "these": "ces", "my": "mes", "your": "tes", "his": "ses", "her": "ses",
          "our": "nos", "their": "leurs",
          "many": "beaucoup de", "some": "des", **w.NUMBERS}  # fmt: skip
OFTEN = ("the",) * 10 + ("a",) * 6 + ("my",) * 5 + ("this",) * 2
OBJECTS = {
    "me": "me",
    "you": "te",
    "him": "le",
    "her": "la",
    "it": "le",
    "us": "nous",
    "them": "les",
}
STRESSED = {"me": "moi", "you": "toi", "him": "lui", "her": "elle", "us": "nous", "them": "eux"}


class Subject(NamedTuple):
    """A subject: its words, its person ("je", "tu", "il", "nous", "ils"), and what agrees."""

    piece: Piece
    person: str
    feminine: bool = False
    noun: Noun | None = None

    @property
    def third(self) -> bool:
        return self.person == "il"

    @property
    def several(self) -> bool:
        return self.person in ("nous", "ils")


PRONOUNS = {
    "i": ("je", "je"), "you": ("tu", "tu"), "he": ("il", "il"), "she": ("il", "elle"),
    "it": ("il", "il"), "we": ("nous", "nous"), "they": ("ils", "ils"),
}  # fmt: skip


def pronoun(english: str) -> Subject:
    person, french = PRONOUNS[english]
    return Subject(piece(english, french), person, english == "she")


def plural(noun: Noun) -> tuple[str, str]:
    """The plural of a noun in both languages."""
    english, french = noun.english, noun.french
    y = english.endswith("y") and english[-2] not in "aeiou"
    es = english.endswith(("s", "x", "ch", "sh"))
    many = english[:-1] + "ies" if y else english + ("es" if es else "s")
    return w.ENGLISH_PLURALS.get(english, many), w.FRENCH_PLURALS.get(french, french + "s")


def agreed(shade: w.Shade, feminine: bool, several: bool = False) -> str:
    """The French adjective; "vieux" in the plural is not "vieil" before a vowel."""
    form = shade.adjective.feminine if feminine else shade.adjective.masculine
    if not several or form.endswith(("s", "x")) or form == "marron":
        return form
    return {"beau": "beaux", "nouveau": "nouveaux"}.get(form, form + "s")


def described(rng: random.Random, noun: Noun, several: bool, odds: float, own: bool) -> Piece:
    """The noun, perhaps with an adjective on its French side."""
    english, french = plural(noun) if several else (noun.english, noun.french)
    kinds = {noun.kind, "own"} if own else {noun.kind}
    fitting = [s for s in w.ADJECTIVES if kinds & s.adjective.suits]
    if noun.english == "friend" and own and not several:
        fitting = [s for s in w.ADJECTIVES if s.adjective.english in ("best", "old", "new")]
    feminine = noun.gender == "f"
    if rng.random() >= odds or not fitting or (several and feminine):
        return piece(english, french)
    shade = rng.choice(fitting)
    adjective, thing = Token(shade.adjective.english), Token(english)
    said = French(agreed(shade, feminine, several), (adjective,), not several)
    named = [French(text, (thing,)) for text in french.split()]
    if not shade.adjective.before:
        return Piece([adjective, thing], [*named, said])
    colors = [s for s in fitting if s.adjective.english in w.COLORS]
    if colors and rng.random() < 0.15:  # "the big black dog"
        shade = rng.choice(colors)
        color = Token(shade.adjective.english)
        named += [French(agreed(shade, feminine, several), (color,), not several)]
        return Piece([adjective, color, thing], [said, *named])
    return Piece([adjective, thing], [said, *named])


def noun_phrase(
    rng: random.Random,
    nouns: tuple[Noun, ...],
    *,
    odds: float = 0.25,
    denied: bool = False,
    one: bool = False,
    counted: bool = False,
) -> Subject:
    """A determiner, perhaps an adjective, a noun, in the singular or the plural.

    denied: the object of a negated verb, which takes "de" for "un". one: no plural.
    counted: with a, two, some, many, as after "there is".
    """
    noun = rng.choice(nouns)
    feminine = noun.gender == "f"
    if noun.english in w.SEVERAL and not one and rng.random() < 0.22:
        english = rng.choice(("the", "the", "my", *PLURAL))
        if counted:
            english = rng.choice(("some", "many", *w.NUMBERS))
        while denied and english in ("some", "many"):
            english = rng.choice(tuple(PLURAL))
        determiner = piece(english, PLURAL[english])
        thing = determiner + described(rng, noun, True, odds, english == "my")
        return Subject(thing, "ils", feminine, noun)
    english = rng.choice(OFTEN) if rng.random() < 0.7 else rng.choice(tuple(SINGULAR))
    if counted:
        english = "a"
    if noun.english in ("man", "woman") and english not in ("the", "a", "this", "that"):
        english = "the"
    if noun in w.FAMILY and english in ("a", "this", "that") and not counted:
        english = "my"
    if noun.kind == "world" and noun.english not in ("life", "love", "night", "day", "city"):
        english = "the"
    if (
        english == "a"
        and noun in w.STUFF + w.DRINKS
        and noun.english not in ("coffee", "tea", "beer")
    ):
        english = "the"
    french = "de" if denied and english == "a" else SINGULAR[english][feminine]
    own = english in ("my", "your", "his", "her")
    return Subject(
        piece(english, french) + described(rng, noun, False, odds, own), "il", feminine, noun
    )


def some(rng: random.Random, noun: Noun, denied: bool = False) -> Piece:
    """Some of what is not counted: "bread" and "some bread" are "du pain"."""
    article = "de" if denied else "de la" if noun.gender == "f" else "de le"
    if rng.random() < 0.35 and not denied:
        first = Token("some")
        return Piece([first], [French(text, (first,)) for text in article.split()]) + piece(
            noun.english, noun.french
        )
    thing = Token(noun.english)
    return Piece([thing], [French(text, (thing,)) for text in f"{article} {noun.french}".split()])


def in_general(noun: Noun) -> Piece:
    """All of a kind: "I like cats" is "j'aime les chats", "I like bread" is "j'aime le pain"."""
    if noun.english in w.SEVERAL:
        english, french = plural(noun)
        article = "les"
    else:
        english, french, article = noun.english, noun.french, "la" if noun.gender == "f" else "le"
    thing = Token(english)
    return Piece([thing], [French(text, (thing,)) for text in (article, *french.split())])


def owned(rng: random.Random, owner: Subject, noun: Noun) -> Subject:
    """ "My brother's car" and "the car of my brother": "la voiture de mon frère"."""
    thing = piece(noun.english, noun.french)
    feminine = noun.gender == "f"
    article = "la" if feminine else "le"
    if rng.random() < 0.6:
        mark = Token("'s")
        french = [
            French(article, (mark,)),
            *thing.french,
            French("de", (mark,)),
            *owner.piece.french,
        ]
        return Subject(Piece([*owner.piece.english, mark, *thing.english], french), "il", feminine)
    return Subject(piece("the", article) + thing + piece("of", "de") + owner.piece, "il", feminine)


def subject(rng: random.Random) -> Subject:
    """Who does something: a pronoun as often as a noun."""
    if rng.random() < 0.5:
        return pronoun(
            rng.choice(
                (
                    "i",
                    "i",
                    "i",
                    "i",
                    "you",
                    "you",
                    "you",
                    "he",
                    "he",
                    "she",
                    "she",
                    "we",
                    "we",
                    "they",
                    "they",
                    "it",
                )
            )
        )
    if rng.random() < 0.03:
        return Subject(piece("everyone", "tout le monde", spelled=False), "il")
    if rng.random() < 0.03:
        return Subject(piece("people", "les gens", spelled=False), "ils")
    if rng.random() < 0.08:
        return Subject(Piece([token := Token("<unk>")], [French("<unk>", (token,))]), "il")
    who = noun_phrase(rng, w.LIVING)
    if rng.random() < 0.08 and who.person == "il":
        who = owned(rng, who, rng.choice(w.FAMILY + w.ANIMALS))
    return who
