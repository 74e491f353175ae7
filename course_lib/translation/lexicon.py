"""The words of the synthetic corpus: English, French, and what agrees with what."""

from typing import NamedTuple


class Noun(NamedTuple):
    """An English noun, its French noun, its gender ("m" or "f") and its kind."""

    english: str
    french: str
    gender: str
    kind: str


class Adjective(NamedTuple):
    """An adjective, its two French forms, its side of the noun, and the nouns it suits."""

    english: str
    masculine: str
    feminine: str
    before: bool
    suits: frozenset[str]


class Verb(NamedTuple):
    """A verb: English past and base form, French imperfect; participles where it has them.

    An imperfect of two words ("était assis") is a one-to-many link; with `agrees` its second word
    takes the gender of the subject.
    """

    past: str
    base: str
    imperfect: str
    participle: str = ""
    french_participle: str = ""
    agrees: bool = False
    objects: tuple[str, ...] = ()


# "old" never meets a boy or a girl: vieux garçon is a bachelor, vieille fille a spinster.
ADULTS = (
    Noun("man", "homme", "m", "adult"),
    Noun("woman", "femme", "f", "adult"),
    Noun("queen", "reine", "f", "adult"),
)
CHILDREN = (Noun("boy", "garçon", "m", "child"), Noun("girl", "fille", "f", "child"))
ANIMALS = (
    Noun("cat", "chat", "m", "animal"),
    Noun("dog", "chien", "m", "animal"),
    Noun("bird", "oiseau", "m", "animal"),
    Noun("mouse", "souris", "f", "animal"),
)
THINGS = (
    Noun("book", "livre", "m", "thing"),
    Noun("letter", "lettre", "f", "thing"),
    Noun("apple", "pomme", "f", "thing"),
    Noun("hat", "chapeau", "m", "thing"),
)
PLACES = (
    Noun("house", "maison", "f", "place"),
    Noun("garden", "jardin", "m", "place"),
    Noun("church", "église", "f", "place"),
    Noun("tree", "arbre", "m", "place"),
    Noun("bridge", "pont", "m", "place"),
)
LIVING = ADULTS + CHILDREN + ANIMALS

# English determiner → French masculine, feminine.
DETERMINERS = {
    "the": ("le", "la"),
    "a": ("un", "une"),
    "this": ("ce", "cette"),
    "my": ("mon", "ma"),
}
NEVER_MINE = ("man", "woman")  # ma femme is my wife

ADJECTIVES = tuple(
    Adjective(english, masculine, feminine, before, frozenset(suits.split()))
    for english, masculine, feminine, before, suits in (
        ("small", "petit", "petite", True, "adult child animal thing place"),
        ("old", "vieux", "vieille", True, "adult animal thing place"),
        ("young", "jeune", "jeune", True, "adult child animal"),
        ("big", "grand", "grande", True, "place"),  # un grand homme is a great man
        ("beautiful", "beau", "belle", True, "animal thing place"),
        ("black", "noir", "noire", False, "animal thing"),
        ("white", "blanc", "blanche", False, "animal thing"),
        ("red", "rouge", "rouge", False, "thing"),
        ("tired", "fatigué", "fatiguée", False, "adult child animal"),
        ("happy", "heureux", "heureuse", False, "adult child animal"),
    )
)
MOODS = tuple(a for a in ADJECTIVES if a.english in ("tired", "happy"))

INTRANSITIVE = (
    Verb("sat", "sit", "était assis", agrees=True),
    Verb("stood", "stand", "était debout"),
    Verb("slept", "sleep", "dormait"),
    Verb("waited", "wait", "attendait"),
)
TRANSITIVE = tuple(
    Verb(past, base, imperfect, participle, french, objects=tuple(objects.split()))
    for past, base, imperfect, participle, french, objects in (
        ("saw", "see", "voyait", "seen", "vu", "adult child animal thing place"),
        ("watched", "watch", "regardait", "watched", "regardé", "adult child animal thing place"),
        ("loved", "love", "aimait", "loved", "aimé", "adult child animal thing place"),
        ("followed", "follow", "suivait", "followed", "suivi", "adult child animal"),
        ("carried", "carry", "portait", "carried", "porté", "animal thing"),
    )
)

# Preposition → French, and the places it goes with.
PREPOSITIONS = {
    "in": ("dans", "house garden church tree"),
    "under": ("sous", "tree bridge"),
    "behind": ("derrière", "house garden church tree bridge"),
    "near": ("près de", "house garden church tree bridge"),
}
CONJUNCTIONS = {"and": "et", "but": "mais", "while": "pendant que", "because": "parce que"}

# What a French word becomes before a vowel or a mute h. (No word here has an aspirated h.)
BEFORE_VOWEL = {
    "le": "l'",
    "la": "l'",
    "ne": "n'",
    "que": "qu'",
    "de": "d'",
    "ce": "cet",
    "ma": "mon",
    "vieux": "vieil",
    "beau": "bel",
}
VOWELS = "aeiouhéè"
