"""A parallel English–French corpus that knows which word translates which."""

import copy
import hashlib
import random
from dataclasses import dataclass
from typing import NamedTuple

from course_lib.translation.lexicon import (
    ADJECTIVES,
    BEFORE_VOWEL,
    CONJUNCTIONS,
    DETERMINERS,
    INTRANSITIVE,
    LIVING,
    MOODS,
    NEVER_MINE,
    PLACES,
    PREPOSITIONS,
    THINGS,
    TRANSITIVE,
    VOWELS,
    Noun,
    Verb,
)
from course_lib.validation.arguments import integer, integers, one_of

SPLITS = ("train", "valid", "test")


class Pair(NamedTuple):
    """A sentence, its translation, and the set of (target index, source index) links.

    `links` is None where nobody knows them.
    """

    source: list[str]
    target: list[str]
    links: set[tuple[int, int]] | None = None


@dataclass(frozen=True)
class Phrase:
    """A piece of a pair: English words, and French words each with the English ones it renders."""

    english: list[str]
    french: list[tuple[str, set[int]]]

    def __add__(self, other: "Phrase") -> "Phrase":
        shift = len(self.english)
        moved = [(word, {i + shift for i in links}) for word, links in other.french]
        return Phrase(self.english + other.english, self.french + moved)


def word(english: str, french: str) -> Phrase:
    """One English word and the French word or words that render it."""
    return Phrase([english], [(w, {0}) for w in french.split()])


class ParallelCorpus:
    """English–French sentence pairs from a small grammar, with gold alignments.

    Past tense, singular: determiners and adjectives agree, adjectives stand on both sides of the
    noun, negation wraps the verb ("ne … pas", "ne … jamais"), one word may become two ("sat" →
    "était assis") and two one ("near the" → "du"). The text follows French spelling: elision,
    "cet", "vieil", "pas de". A word ending in an apostrophe is a word ("l'", "homme").

        ParallelCorpus(seed=0).pairs(8000)[0].target  →  ["le", "chat", "était", "assis"]
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = integer("seed", seed)

    def pairs(self, n: int, clauses: tuple[int, int] = (1, 3), split: str = "train") -> list[Pair]:
        """Draw `n` different pairs of `clauses[0]` to `clauses[1]` clauses (verbs) each.

        The splits share no sentence, whatever the seed: a hash of the English decides where it
        belongs (80 % train). The same arguments give the same list, and a longer list begins with
        the shorter one. The first training pair is the book's example, "the cat sat".
        Raises ValueError for an unknown split, a clause range that is empty or starts below 1,
        and more pairs than sentences can be found for.
        """
        n = integer("n", n, 0)
        bounds = integers("clauses", clauses)
        one_of("split", split, SPLITS)
        if len(bounds) != 2 or not 1 <= bounds[0] <= bounds[1]:
            raise ValueError(f"clauses must be (low, high) with 1 ≤ low ≤ high, got {clauses}.")
        low, high = bounds
        rng = random.Random(f"{self.seed} {split} {low} {high}")
        found: dict[str, Pair] = {}
        if split == "train" and low == 1:
            found["the cat sat"] = copy.deepcopy(_EXAMPLE)  # a caller may change what it gets
        misses = 0
        while len(found) < n:
            pair = _finish(_sentence(rng, rng.randint(low, high)))
            text = " ".join(pair.source)
            if text not in found and _split_of(text) == split:
                found[text], misses = pair, 0
                continue
            misses += 1
            if misses > 2000:
                raise ValueError(
                    f"the grammar ran out of new sentences after {len(found)} of {n} pairs with "
                    f"clauses={clauses}. Ask for fewer pairs or more clauses."
                )
        return list(found.values())[:n]


def _split_of(text: str) -> str:
    if text == "the cat sat":
        return "train"
    tenth = hashlib.blake2b(text.encode(), digest_size=8).digest()[0] % 10
    return {0: "test", 1: "valid"}.get(tenth, "train")


def _sentence(rng: random.Random, clauses: int) -> Phrase:
    sentence = Phrase([], [])
    while clauses:
        relative = clauses > 1 and rng.random() < 0.3
        clauses -= 2 if relative else 1
        clause = _clause(rng, relative)
        if sentence.english:
            sentence += word(*rng.choice(list(CONJUNCTIONS.items())))
        sentence += clause
    return sentence


def _clause(rng: random.Random, relative: bool) -> Phrase:
    subject = rng.choice(LIVING)
    phrase = _noun_phrase(rng, subject)
    if relative:
        phrase = phrase + _relative(rng, subject)
    return phrase + _predicate(rng, subject)


def _relative(rng: random.Random, head: Noun) -> Phrase:
    if rng.random() < 0.5:
        return word("that", "qui") + _predicate(rng, head)
    verb = rng.choice([v for v in TRANSITIVE if head.kind in v.objects])
    other = rng.choice([n for n in LIVING if n != head])
    # The imperfect: a past participle would have to agree with "que".
    return word("that", "que") + _noun_phrase(rng, other) + _verb(verb, other, _negation(rng))


def _predicate(rng: random.Random, subject: Noun) -> Phrase:
    """What the clause says of its subject: a verb and its company, or a mood."""
    negation = _negation(rng)
    kind = rng.random()
    if kind < 0.15:
        mood = rng.choice(MOODS)
        form = mood.feminine if subject.gender == "f" else mood.masculine
        return _negated(word("was", "était"), negation) + word(mood.english, form)
    if kind < 0.55:
        phrase = _verb(rng.choice(INTRANSITIVE), subject, negation)
        return phrase + _place(rng) if rng.random() < 0.5 else phrase
    verb = rng.choice(TRANSITIVE)
    things = [n for n in LIVING + THINGS + PLACES if n.kind in verb.objects and n != subject]
    thing = rng.choice(things)
    if rng.random() < 0.3:
        phrase = _negated(word("has", "a"), negation)
        phrase = phrase + word(verb.participle, verb.french_participle)
    else:
        phrase = _verb(verb, subject, negation)
    return phrase + _noun_phrase(rng, thing, denied=negation is not None)


def _negation(rng: random.Random) -> str | None:
    return rng.choice(["not", "never"]) if rng.random() < 0.3 else None


def _verb(verb: Verb, subject: Noun, negation: str | None) -> Phrase:
    """The verb in the simple past: "saw", "never saw", "did not see"."""
    imperfect = verb.imperfect + ("e" if verb.agrees and subject.gender == "f" else "")
    if negation is None:
        return word(verb.past, imperfect)
    finite, *rest = imperfect.split()
    first = [("ne", {0}), (finite, {1}), ("jamais", {0})] + [(w, {1}) for w in rest]
    if negation == "never":
        return Phrase(["never", verb.past], first)
    # "did" carries the tense, "see" the meaning: the finite verb renders both.
    second = [("ne", {1}), (finite, {0, 2}), ("pas", {1})] + [(w, {2}) for w in rest]
    return Phrase(["did", "not", verb.base], second)


def _negated(auxiliary: Phrase, negation: str | None) -> Phrase:
    """An auxiliary, negated on both sides in French: "has not" → "ne a pas"."""
    if negation is None:
        return auxiliary
    french = auxiliary.french[0][0]
    after = {"not": "pas", "never": "jamais"}[negation]
    return Phrase([*auxiliary.english, negation], [("ne", {1}), (french, {0}), (after, {1})])


def _place(rng: random.Random) -> Phrase:
    place = rng.choice(PLACES)
    fitting = [(e, f) for e, (f, places) in PREPOSITIONS.items() if place.english in places.split()]
    return word(*rng.choice(fitting)) + _noun_phrase(rng, place)


def _noun_phrase(rng: random.Random, noun: Noun, denied: bool = False) -> Phrase:
    """Determiner, perhaps an adjective, noun. `denied`: the object of a negated verb."""
    feminine = noun.gender == "f"
    determiners = [d for d in DETERMINERS if d != "my" or noun.english not in NEVER_MINE]
    english = rng.choice(determiners)
    french = DETERMINERS[english][feminine]
    if denied and english == "a":
        french = "de"  # il ne voyait pas de chat
    determiner = word(english, french)
    if rng.random() >= 0.3:
        return determiner + word(noun.english, noun.french)
    adjective = rng.choice([a for a in ADJECTIVES if noun.kind in a.suits])
    form = adjective.feminine if feminine else adjective.masculine
    if adjective.before:
        return determiner + word(adjective.english, form) + word(noun.english, noun.french)
    crossed = [(noun.french, {1}), (form, {0})]
    return determiner + Phrase([adjective.english, noun.english], crossed)


def _finish(phrase: Phrase) -> Pair:
    """Spell the words by their neighbours: "an apple", "l'homme", "vieil arbre", "du jardin"."""
    english = [
        "an" if w == "a" and after[0] in "aeiou" else w
        for w, after in zip(phrase.english, [*phrase.english[1:], "."], strict=True)
    ]
    french: list[tuple[str, set[int]]] = []
    for (w, links), (after, _) in zip(
        phrase.french, [*phrase.french[1:], (".", set())], strict=True
    ):
        w = BEFORE_VOWEL.get(w, w) if after[0] in VOWELS else w
        if w == "le" and french and french[-1][0] == "de":
            french[-1] = ("du", french[-1][1] | links)
        else:
            french.append((w, links))
    links = {(t, s) for t, (_, sources) in enumerate(french) for s in sources}
    return Pair(english, [w for w, _ in french], links)


_EXAMPLE = _finish(word("the", "le") + word("cat", "chat") + word("sat", "était assis"))
