"""Questions and wishes: who, where, why, how much; "do you want some tea?"; orders."""

import random

from book.helpers.everyday import words as w
from book.helpers.everyday.being import SAT, being
from book.helpers.everyday.groups import Said, group, question, statement
from book.helpers.everyday.nouns import (
    OBJECTS,
    Subject,
    in_general,
    noun_phrase,
    pronoun,
    some,
    subject,
)
from book.helpers.everyday.pieces import French, Piece, Token, aligned, piece
from book.helpers.everyday.places import company, place, to_place
from book.helpers.everyday.predicates import others, predicate, thing
from book.helpers.everyday.verbs import BE, BY_NAME, WOULD_LIKE

BEGIN = (("why", "pourquoi"), ("why", "pourquoi"), ("when", "quand"), ("where", "où"),
         ("how", "comment"))  # fmt: skip
ASKED_FOR = ("want", "see", "eat", "do", "like", "drink", "read", "write", "have", "know", "buy",
             "make", "find", "hear")  # fmt: skip
BEING_DONE = ("eat", "do", "drink", "read", "write", "make", "buy")
VESSELS = (("glass", "un verre"), ("cup", "une tasse"), ("bottle", "une bouteille"), None, None)
ORDERED = ("eat", "drink", "read", "write", "open", "close", "take", "find", "watch", "follow",
           "help", "wait", "sing", "work", "run", "play", "buy", "go", "come", "talk", "learn",
           "cook")  # fmt: skip
PLEASE = "please = s' il te plaît"


def asks(rng: random.Random) -> Piece:
    """ "Do you", "is she", "can we", "why", "when", "where", "how"."""
    who = subject(rng)
    if rng.random() < 0.3:
        said = being(rng, who)
        while said.group.english[0].text in SAT:
            said = being(rng, who)
    else:
        said, _ = predicate(rng, who, support=True)
    begin = None
    if rng.random() < 0.3:
        english, french = rng.choice(BEGIN)
        is_ = said.group.english[0].text in ("am", "is", "are", "was", "were")
        begin = piece(english, french) if english == "why" or not is_ else None
    return question(who, said, begin)


def what(rng: random.Random) -> Piece:
    """ "What do you want?": "qu'est-ce que tu veux"."""
    who = subject(rng)
    verb = BY_NAME[rng.choice(ASKED_FOR)]
    tense = rng.choice(
        ("present", "present", "present", "past", "progressive", "want", "will", "can")
    )
    if tense == "progressive" and verb.base not in BEING_DONE:
        tense = "present"
    ask = question(who, Said(group(who, verb, tense, True), None, Piece()))
    return piece("what", "qu'", spelled=False) + ask


def where_is(rng: random.Random) -> Piece:
    """ "Where is the station?", "how is your mother?", "who is that man?"."""
    english, french = rng.choice((("where", "où"),) * 6 + (("how", "comment"), ("who", "qui")))
    pool = {
        "where": w.LIVING + w.OBJECTS + w.PLACES * 2,
        "how": w.FAMILY + w.PEOPLE[:3],
        "who": w.PEOPLE + w.FAMILY + w.CHILDREN,
    }[english]
    who = noun_phrase(rng, pool, odds=0.12)
    is_, are = ("va", "vont") if english == "how" else ("est", "sont")
    verb = piece("are", are) if who.several else piece("is", is_)
    return piece(english, french) + verb + who.piece


def costs(rng: random.Random) -> Piece:
    """ "How much is the car?": "combien coûte la voiture"; "how many cats do you have?"."""
    if rng.random() < 0.5:
        who = noun_phrase(rng, w.THINGS + w.FOOD, odds=0.15, one=True)
        return piece("how much", "combien") + piece("is", "coûte") + who.piece
    who = pronoun(rng.choice(("you", "you", "they", "we", "he")))
    verb = BY_NAME[rng.choice(("have", "have", "want", "see"))]
    counted = in_general(rng.choice([n for n in w.OBJECTS + w.LIVING if n.english in w.SEVERAL]))
    many = piece("how many", "combien de")
    cats = Piece(counted.english, [French(counted.french[-1].text, tuple(counted.english))])
    return many + cats + question(who, Said(group(who, verb, "present", True), None, Piece()))


def wishes(rng: random.Random) -> Piece:
    """ "I would like a glass of wine", "do you want some tea?", "I would like a coffee"."""
    vessel = rng.choice(VESSELS)
    drink = rng.choice(w.DRINKS)
    if vessel:
        article, name = vessel[1].split()
        glass = piece("a", article) + piece(vessel[0], name) + piece("of", "de")
        rest = glass + piece(drink.english, drink.french)
    elif rng.random() < 0.5:
        served = [n for n in w.DRINKS if n.english in ("coffee", "tea", "beer")]
        one = rng.choice(served + list(w.FOOD))
        rest = piece("a", "une" if one.gender == "f" else "un") + piece(one.english, one.french)
    else:
        rest = some(rng, drink)
    who = pronoun(rng.choice(("i", "i", "i", "you", "he", "she", "we")))
    if rng.random() < 0.4:
        who = pronoun("you") if rng.random() < 0.7 else who
        if rng.random() < 0.5:
            return _would_like(who, rest)
        return question(who, Said(group(who, BY_NAME["want"], "present", True), None, rest))
    if rng.random() < 0.6:
        return who.piece + piece("would like", WOULD_LIKE[who.person]) + rest
    verb = rng.choice((BY_NAME["want"], BY_NAME["drink"]))
    return statement(who, Said(group(who, verb, "present", False), None, rest))


def _would_like(who: Subject, rest: Piece) -> Piece:
    would, like = Token("would"), Token("like")
    ask = [French("est-ce", (would,)), French("que", (would,))]
    verb = French(WOULD_LIKE[who.person], (would, like))
    return Piece([would, *who.piece.english, like], [*ask, *who.piece.french, verb]) + rest


def spoken(rng: random.Random) -> Piece:
    """ "Do you speak English?": "est-ce que tu parles anglais"."""
    if rng.random() < 0.85:
        who = pronoun(rng.choice(("i", "i", "you", "you", "he", "she", "we", "they")))
    else:
        who = subject(rng)
    english = rng.choice(list(w.LANGUAGES))
    language = piece(english, w.LANGUAGES[english])
    verb = BY_NAME["talk"]._replace(base="speak", third="speaks", ing="speaking", simple="spoke")
    if rng.random() < 0.35:
        verb = BY_NAME[rng.choice(("learn", "understand"))]
        article = French("le", tuple(language.english))
        language = Piece(language.english, [article, *language.french])
    tense = rng.choice(("present", "present", "present", "can", "want"))
    kind = rng.random()
    if kind < 0.4:
        return question(who, Said(group(who, verb, tense, True), None, language))
    no = kind > 0.75
    return statement(who, Said(group(who, verb, tense, no), None, language), "not" if no else None)


def goes(rng: random.Random) -> Piece:
    """ "I am going to the beach", "can you help me please"."""
    if rng.random() < 0.45:
        who = subject(rng)
        verb = piece(f"{BE[who.person][0]} going", BY_NAME["go"].present[who.person])
        return who.piece + verb + to_place(rng)
    who = pronoun(rng.choice(("you", "you", "i", "we")))
    verb = BY_NAME[
        rng.choice(("help", "see", "hear", "call", "follow", "understand", "love", "like"))
    ]
    whom = rng.choice(others(who))
    tense = rng.choice(("can", "can", "present", "will"))
    said = Said(group(who, verb, tense, True), piece(whom, OBJECTS[whom]), Piece())
    ask = question(who, said)
    return ask + aligned(PLEASE) if rng.random() < 0.3 else ask


def orders(rng: random.Random) -> Piece:
    """ "Eat your bread", "do not close the door", "look at the bird"."""
    if rng.random() < 0.15:
        return piece("look at", "regarde") + noun_phrase(rng, w.LIVING + w.THINGS).piece
    verb = BY_NAME[rng.choice(ORDERED)]
    french = verb.present["tu"]
    if verb.infinitive.endswith("er") or verb.base == "open":
        french = french.removesuffix("s") if verb.base != "go" else "va"
    no = rng.random() < 0.25
    if verb.base in ("go", "come", "run"):
        rest = to_place(rng)
    elif verb.objects:
        rest = thing(rng, verb, pronoun("you"), no)
    elif rng.random() < 0.3:
        rest = company(rng)
    else:
        rest = place(rng) if verb.base != "talk" else Piece()
    if no:
        do, not_, base = Token("do"), Token("not"), Token(verb.base)
        words = [French("ne", (not_,)), French(french, (do, base)), French("pas", (not_,))]
        made = Piece([do, not_, base], words) + rest
    else:
        made = piece(verb.base, french) + rest
    if rng.random() < 0.15:
        please = aligned(PLEASE)
        return please + made if rng.random() < 0.4 else made + please
    return made
