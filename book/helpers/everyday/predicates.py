"""What somebody does: a verb in some tense, and its company."""

import random

from book.helpers.everyday import words as w
from book.helpers.everyday.groups import Said, group
from book.helpers.everyday.nouns import OBJECTS, Subject, in_general, noun_phrase, some
from book.helpers.everyday.pieces import French, Piece, Token, joined, piece
from book.helpers.everyday.places import TIMES, WHEN, company, one_of, place, to_place
from book.helpers.everyday.verbs import ALONE, MOVES, SPECIAL, STAYS, WITH_OBJECT, Verb

TENSES = ("present",) * 6 + ("progressive",) * 5 + ("past",) * 5 + (
    "perfect", "will", "going", "can", "can", "must", "would like", "want", "want", "like", "have",
    "need")  # fmt: skip
NO_PROGRESSIVE = ("like", "love", "want", "know", "have", "see", "understand", "hate", "hear")
SOME_OR_NONE = ("eat", "read", "drink", "write", "cook", "understand", "watch", "learn")
# Who is not the object of a verb whose subject is this one.
SAME = {"je": ("me", "us"), "tu": ("you",), "il": (), "nous": ("us", "me"), "ils": ()}
IN_GENERAL = w.ANIMALS[:4] + w.FOOD + w.STUFF + w.DRINKS + w.OTHER_STUFF[1:2] + w.THINGS[:4]
ANYTHING = w.LIVING + w.OBJECTS + w.DRINKS + w.PLACES + w.STUFF + w.OTHER_STUFF


def thing(rng: random.Random, verb: Verb, who: Subject, denied: bool) -> Piece:
    """The noun that a verb has as its object."""
    if verb.base in ("like", "love", "hate") and rng.random() < 0.6:
        return in_general(rng.choice(IN_GENERAL))
    if verb.base in ("eat", "cook", "drink", "want", "buy", "have") and rng.random() < 0.45:
        edible = w.STUFF if verb.base in ("eat", "cook") else w.STUFF + w.DRINKS + w.OTHER_STUFF[:1]
        return some(rng, rng.choice(w.DRINKS if verb.base == "drink" else edible), denied)
    named = " ".join(SPECIAL.get(kind, "") for kind in verb.objects).split()
    found = tuple(
        noun
        for noun in ANYTHING
        if (noun.english in named or noun.kind in verb.objects) and noun != who.noun
        if noun not in w.STUFF or verb.base not in ("eat", "cook")
    )
    if rng.random() < 0.05:
        return unknown(rng, denied)
    return noun_phrase(rng, found, denied=denied).piece


def unknown(rng: random.Random, denied: bool = False) -> Piece:
    """A word that nobody has read: the translator may copy it from where it looks."""
    name = piece("<unk>", "<unk>")
    english = rng.choice(("", "the", "a", "my"))
    french = {"": "", "the": "le", "a": "de" if denied else "un", "my": "mon"}[english]
    return piece(english, french) + name


def others(who: Subject, but: tuple[str, ...] = ()) -> list[str]:
    """The pronouns that may be the object of this subject's verb."""
    return [o for o in OBJECTS if o not in SAME[who.person] and o not in but]


def predicate(
    rng: random.Random, who: Subject, support: bool = False, denied: bool = False
) -> tuple[Said, str]:
    """A verb and its company, and its tense.

    support: with "do" and "did", for a question or "not". denied: "not" follows.
    """
    tense = rng.choice(TENSES)
    verb = rng.choice(ALONE) if rng.random() < 0.35 else rng.choice(WITH_OBJECT)
    tense = had_by(verb, who, tense)
    clitic, rest = None, []
    if verb.objects:
        people = verb.objects & {"adult", "thing"} and verb.base not in ("have", "want", "buy")
        kind = rng.random()
        if people and kind < 0.3:
            # The participle would have to agree with "la", "les" and "nous".
            agree = ("her", "them", "us") if tense in ("past", "perfect") else ()
            english = rng.choice(others(who, agree))
            clitic = piece(english, OBJECTS[english])
        elif verb.base not in SOME_OR_NONE or kind < 0.85:
            rest.append(thing(rng, verb, who, denied and tense != "want"))
    if verb.base == "jump" and rng.random() < 0.4:
        rest.append(piece("over", "par-dessus") + noun_phrase(rng, w.ANIMALS + w.THINGS).piece)
    elif verb.base == "go" or (verb.base in MOVES and rng.random() < 0.6):
        rest.append(to_place(rng))
    elif verb.base == "live" or (verb.base in STAYS and not clitic and rng.random() < 0.4):
        rest.append(place(rng))
    elif rng.random() < 0.06:
        rest.append(company(rng))
    if rng.random() < 0.12:
        rest.append(one_of(rng, TIMES.get(tense, WHEN)))
    elif verb.base in ("love", "like") and rng.random() < 0.15:
        rest.append(piece("very much", "beaucoup", spelled=False))
    said = group(who, verb, tense, support)
    if tense == "present" and not support and rng.random() < 0.07:
        often = Token(rng.choice(("always", "often")))
        french = {"always": "toujours", "often": "souvent"}[often.text]
        said = said._replace(english=[often, *said.english], after=[French(french, (often,))])
    return Said(said, clitic, joined(rest)), tense


def had_by(verb: Verb, who: Subject, tense: str) -> str:
    """The tense, or one that this verb has in its place."""
    if tense == "progressive" and verb.base in NO_PROGRESSIVE:
        tense = "present"
    if verb.base in ("want", "like", "love") and tense in ("want", "like", "need", "would like"):
        tense = "present"
    if tense == "perfect" and verb.participle != verb.simple and verb.base not in ("see", "eat"):
        tense = "past"
    if verb.base == "read" and tense == "past" and not who.third:
        tense = "present"  # "I read" is both; "he read" is not
    return tense
