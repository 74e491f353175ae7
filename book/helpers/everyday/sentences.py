"""All that the corpus draws from: kinds of sentences and how often, fragments, clauses joined."""

import random
from collections.abc import Callable
from pathlib import Path

from book.helpers.everyday import questions, statements
from book.helpers.everyday import words as w
from book.helpers.everyday.nouns import noun_phrase, owned, pronoun
from book.helpers.everyday.pieces import Piece, aligned, piece
from book.helpers.everyday.places import company, place
from book.helpers.everyday.predicates import thing, unknown
from book.helpers.everyday.verbs import VERBS

# What people say as a whole, a phrase a line: "I miss you = tu:2 me:0 manques:1".
PHRASES = (Path(__file__).parent / "phrases.txt").read_text(encoding="utf-8").splitlines()
ASKED = [line for line in PHRASES if len(line.partition("=")[0].split()) in (3, 4)]
GREETINGS = ("hello = bonjour", "hi = salut", "good morning = bonjour", "good evening = bonsoir",
             "yes = oui", "yes = oui", "no = non", "no = non", "sorry = désolé",
             "thank you = merci", "please = s' il te plaît", "ok = d' accord")  # fmt: skip
LINKS = {"and": "et", "but": "mais", "because": "parce que", "or": "ou", "so": "alors",
         "when": "quand", "while": "pendant que", "if": "si"}  # fmt: skip
OFTEN = ("and", "and", "and", "but", "but", "because", "because", "while", "when", "so", "or", "if")


def greeted(rng: random.Random) -> Piece:
    """A greeting and a sentence: "good morning how are you", "yes I like cats"."""
    first = aligned(rng.choice(GREETINGS))
    if rng.random() < 0.4:
        return first + aligned(rng.choice(ASKED))
    kinds = (statements.says, questions.asks, statements.this_is, statements.needed)
    return first + rng.choice(kinds)(rng)


def fragment(rng: random.Random) -> Piece:
    """Less than a sentence: "the black cat", "in the garden", "my cat and a dog", "to eat"."""
    kind = rng.random()
    if kind < 0.62:
        pools = (w.LIVING, w.LIVING, w.OBJECTS, w.FOOD, w.PLACES, w.WORLD, w.TREES, w.PARTS)
        return noun_phrase(rng, rng.choice(pools), odds=0.45).piece
    if kind < 0.72:
        return place(rng)
    if kind < 0.78:
        return noun_phrase(rng, w.LIVING).piece + company(rng)
    if kind < 0.86:
        first = noun_phrase(rng, w.LIVING + w.THINGS).piece + piece("and", "et")
        return first + noun_phrase(rng, w.LIVING + w.THINGS).piece
    if kind < 0.9:
        owner = noun_phrase(rng, w.LIVING, odds=0.1)
        return owned(rng, owner, rng.choice(w.THINGS + w.FAMILY)).piece
    if kind < 0.94:
        verb = rng.choice(VERBS)
        rest = thing(rng, verb, pronoun("you"), False) if verb.objects else Piece()
        return piece(f"to {verb.base}", verb.infinitive) + rest
    return unknown(rng)


def several(rng: random.Random) -> Piece:
    """Two to five clauses with a word between them."""
    says = statements.says
    made = says(rng)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 4))):
        english = rng.choice(OFTEN)
        clause = rng.choice((says, says, says, says, statements.this_is, statements.there_is))
        made = made + piece(english, LINKS[english]) + clause(rng)
    return made


KINDS: tuple[tuple[Callable[[random.Random], Piece], int], ...] = (
    (statements.says, 30), (questions.asks, 10), (questions.what, 4), (questions.where_is, 5),
    (questions.costs, 2), (statements.there_is, 4), (statements.this_is, 5), (statements.named, 2),
    (statements.favorite, 1), (statements.missed, 2), (statements.given, 3), (statements.needed, 3),
    (questions.wishes, 4), (statements.glad, 2), (questions.spoken, 2), (statements.relative, 5),
    (statements.which, 2), (questions.orders, 5), (questions.goes, 4), (greeted, 4), (fragment, 16),
    (several, 26),
)  # fmt: skip


def sentence(rng: random.Random) -> Piece:
    (make,) = rng.choices([kind for kind, _ in KINDS], [often for _, often in KINDS])
    return make(rng)


def alone() -> list[Piece]:
    """Every phrase, and every noun, verb, adjective and number by itself."""
    found = [aligned(line) for line in PHRASES]
    things = w.OBJECTS + w.STUFF + w.DRINKS + w.OTHER_STUFF + w.PLACES + w.TREES + w.WORLD + w.PARTS
    found += [piece(noun.english, noun.french) for noun in w.LIVING + things]
    found += [piece(verb.base, verb.infinitive) for verb in VERBS]
    found += [piece(shade.adjective.english, shade.adjective.masculine) for shade in w.ADJECTIVES]
    found += [piece(e, f) for table in (w.NUMBERS, w.LANGUAGES) for e, f in table.items()]
    return found
