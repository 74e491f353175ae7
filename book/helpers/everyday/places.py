"""Where, where to, with whom and when."""

import random

from book.helpers.everyday import words as w
from book.helpers.everyday.nouns import STRESSED, noun_phrase
from book.helpers.everyday.pieces import Piece, piece
from course_lib.translation.lexicon import Noun


def _named(nouns: tuple[Noun, ...], names: str) -> tuple[Noun, ...]:
    wanted = names.split()
    return tuple(noun for noun in nouns if noun.english in wanted)


# English preposition → French, and what it goes with.
PREPOSITIONS = {
    "in": ("dans", w.PLACES[:1] + w.PLACES[3:] + _named(w.THINGS, "house car box train bed boat")),
    "at": ("à", _named(w.PLACES, "school station hotel hospital beach park restaurant office "
                       "church")),
    "on": ("sur", _named(w.THINGS, "table chair bed box mat") + _named(w.PLACES, "beach bridge")),
    "under": ("sous", w.TREES + _named(w.THINGS, "table chair bed")),
    "behind": ("derrière", w.TREES + _named(w.PLACES, "church school")
               + _named(w.THINGS, "house door")),
    "near": ("près de", w.TREES + w.PLACES + _named(w.THINGS, "house window")),
}  # fmt: skip
NO_AIM = _named(w.PLACES, "forest kitchen room river garden street city mountain")
TO = tuple(noun for noun in w.PLACES if noun not in NO_AIM)
WHERE = {"here": "ici", "there": "là", "at home": "à la maison", "outside": "dehors",
         "at work": "au travail"}  # fmt: skip
WHEN = {"today": "aujourd'hui", "now": "maintenant", "every day": "tous les jours",
        "tonight": "ce soir", "this morning": "ce matin"}  # fmt: skip
SOON = {"tomorrow": "demain", "tonight": "ce soir"}
TIMES = {"past": {"yesterday": "hier", "today": "aujourd'hui"},
         "perfect": {"today": "aujourd'hui"}, "will": SOON, "going": SOON}  # fmt: skip
STAND_IN = ("in", "in", "in", "at", "on", "on", "under", "behind", "near")


def one_of(rng: random.Random, table: dict[str, str]) -> Piece:
    return piece(*rng.choice(list(table.items())), spelled=False)


def country(rng: random.Random, preposition: str) -> Piece:
    """ "In France" and "to France", "en France"; "from France", "de France"."""
    name = rng.choice(list(w.COUNTRIES))
    french = w.COUNTRIES[name][preposition == "from"]
    return piece(f"{preposition} {name}", french, spelled=False)


def place(rng: random.Random) -> Piece:
    if rng.random() < 0.25:
        return one_of(rng, WHERE)
    if rng.random() < 0.1:
        return country(rng, "in")
    if rng.random() < 0.05:
        return piece("in", "à") + piece("<unk>", "<unk>")
    english = rng.choice(STAND_IN)
    french, nouns = PREPOSITIONS[english]
    return piece(english, french) + noun_phrase(rng, nouns, odds=0.15).piece


def to_place(rng: random.Random) -> Piece:
    if rng.random() < 0.25:
        return piece("home", "à la maison")
    if rng.random() < 0.1:
        return country(rng, "to")
    return piece("to", "à") + noun_phrase(rng, TO, odds=0.1).piece


def company(rng: random.Random) -> Piece:
    if rng.random() < 0.25:
        return piece("with", "avec") + noun_phrase(rng, w.THINGS).piece
    with_ = piece(*rng.choice((("with", "avec"), ("for", "pour"), ("without", "sans"))))
    if rng.random() < 0.5:
        return with_ + one_of(rng, STRESSED)
    return with_ + noun_phrase(rng, w.LIVING).piece
