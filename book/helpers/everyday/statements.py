"""Statements: who does or is something, what there is, what somebody gives, needs or misses."""

import random

from book.helpers.everyday import words as w
from book.helpers.everyday.being import SAT, being, shades
from book.helpers.everyday.groups import HAVE, Said, does, form, group, statement
from book.helpers.everyday.nouns import (
    OBJECTS,
    SINGULAR,
    STRESSED,
    agreed,
    noun_phrase,
    pronoun,
    some,
    subject,
)
from book.helpers.everyday.pieces import French, Piece, Token, aligned, piece
from book.helpers.everyday.places import one_of, place
from book.helpers.everyday.predicates import SAME, predicate
from book.helpers.everyday.verbs import BE, BY_NAME, PERSONS

JUDGED = ("good", "bad", "beautiful", "easy", "difficult", "important", "interesting", "funny",
          "sad", "new", "crazy", "big", "small", "expensive", "old")  # fmt: skip
DATIVE = {"me": "me", "you": "te", "him": "lui", "her": "lui", "us": "nous", "them": "leur"}
GIVE = dict(zip(PERSONS, ("donne", "donnes", "donne", "donnons", "donnent"), strict=True))
MISSES = {"you": ("tu", "manques"), "him": ("il", "manque"), "her": ("elle", "manque"),
          "them": ("ils", "manquent"), "me": ("je", "manque")}  # fmt: skip
CALLED = (("my", "je m'"), ("my", "je m'"), ("his", "il s'"), ("her", "elle s'"))


def says(rng: random.Random) -> Piece:
    """A statement, negated one time in five."""
    who = subject(rng)
    no = "not" if rng.random() < 0.2 else None
    if rng.random() < 0.28:
        if rng.random() < 0.35:
            who = noun_phrase(rng, w.OBJECTS + w.WORLD + w.PLACES + w.DRINKS, odds=0.1)
            return statement(who, being(rng, who, rng.choice(("how", "how", "where"))), no)
        said = being(rng, who)
        return statement(who, said, None if said.group.english[0].text in SAT else no)
    said, tense = predicate(rng, who, no is not None, no is not None)
    if no and tense in ("present", "past", "perfect") and rng.random() < 0.3:
        first, *rest = said.group.english
        if first.text in ("do", "does", "did") and len(rest) == 1:  # "never saw", not "did never"
            no = "never"
            said = said._replace(group=group(who, BY_NAME[rest[0].text], tense, False))
    return statement(who, said, no)


def there_is(rng: random.Random) -> Piece:
    who = noun_phrase(rng, w.LIVING + w.OBJECTS, counted=True)
    verb = piece("there", "il y") + piece("are" if who.several else "is", "a")
    return verb + who.piece + (place(rng) if rng.random() < 0.75 else Piece())


def this_is(rng: random.Random) -> Piece:
    """ "This is my house": "c'est ma maison"."""
    first = Token(rng.choice(("this", "it", "it", "that")))
    no = rng.random() < 0.2
    if rng.random() < 0.65:
        rest = noun_phrase(rng, w.LIVING + w.OBJECTS + w.FOOD, one=True).piece
    else:
        shade = rng.choice(shades(JUDGED))
        degree = rng.choice((("", ""), ("", ""), ("very", "très"), ("too", "trop"), ("so", "si")))
        rest = piece(*degree) + piece(shade.adjective.english, agreed(shade, False), spelled=False)
    if no:
        verb = aligned(f"{first.text} is not = ce:0 n':2 est:1 pas:2")
    else:
        verb = aligned(f"{first.text} is = c':0 est:1")
    return verb + rest


def named(rng: random.Random) -> Piece:
    """ "My name is Ann": "je m'appelle Ann", a name that the translator has never read."""
    whose, french = rng.choice(CALLED)
    person, clitic = french.split()
    hello = Piece()
    if rng.random() < 0.25:
        hello = aligned(rng.choice(("hello = bonjour", "hi = salut")))
    name = aligned(f"{whose} name is <unk> = {person}:0 {clitic}:0 appelle:1,2 <unk>:3")
    return hello + name


def favorite(rng: random.Random) -> Piece:
    """ "My favorite color is green": "ma couleur préférée est le vert"."""
    whose = rng.choice(("my", "my", "your", "his", "her"))
    (shade,) = shades((rng.choice(w.COLORS),))
    color = (
        f"{shade.adjective.english} = couleur:1 préférée:0 est:2 le:3 {shade.adjective.masculine}:3"
    )
    return piece(whose, SINGULAR[whose][1]) + aligned(f"favorite color is {color}")


def missed(rng: random.Random) -> Piece:
    """ "I miss you": "tu me manques". Who is missed is the subject in French."""
    who = rng.choice(("i", "i", "i", "he", "she", "we"))
    if who in ("i", "we"):
        whom = rng.choice(("you", "you", "him", "her", "them"))
    else:
        whom = rng.choice(("you", "you", "him", "her", "them", "me"))
    french, verb = MISSES[whom]
    dative = {"i": "me", "he": "lui", "she": "lui", "we": "nous"}[who]
    misses = "misses" if who in ("he", "she") else "miss"
    return aligned(f"{who} {misses} {whom} = {french}:2 {dative}:0 {verb}:1")


def given(rng: random.Random) -> Piece:
    """ "She gave him a book": "elle lui a donné un livre"; "give me your hand"."""
    who = subject(rng)
    whom = Token(rng.choice([o for o in DATIVE if o not in SAME[who.person]]))
    if rng.random() < 0.85:
        thing = noun_phrase(rng, w.THINGS + w.FOOD).piece
    else:
        thing = some(rng, w.OTHER_STUFF[0])
    dative = French(DATIVE[whom.text], (whom,))
    kind = rng.choice(("past", "past", "present", "want", "order", "can"))
    if kind == "order":
        whom = rng.choice(("me", "me", "us", "him"))
        french = {"me": "-moi", "us": "-nous", "him": "-lui"}[whom]
        return aligned(f"give {whom} = donne:0 {french}:1") + thing
    if kind == "past":
        verb = [Token("gave")]
        gave = [French(HAVE[who.person], tuple(verb)), French("donné", tuple(verb))]
        french = [dative, *gave]
    elif kind == "present":
        verb = [Token(form("give", who))]
        french = [dative, French(GIVE[who.person], tuple(verb))]
    else:
        want = group(who, BY_NAME["buy"], kind, False)
        verb = [*want.english[:-1], Token("give")]
        french = [want.finite, dative, French("donner", (verb[-1],))]
    return who.piece + Piece([*verb, whom], french) + thing


def needed(rng: random.Random) -> Piece:
    """ "I need help": "j'ai besoin d'aide"."""
    who = subject(rng)
    no = rng.random() < 0.2
    kind = rng.random()
    if kind < 0.3:
        rest = piece("help", "aide")
    elif kind < 0.5:
        rest = one_of(rng, STRESSED)
    elif kind < 0.7:
        noun = rng.choice(w.STUFF + w.DRINKS + w.OTHER_STUFF)
        rest = piece(noun.english, noun.french)
    else:
        rest = noun_phrase(rng, w.LIVING + w.THINGS).piece
    need, not_ = Token("need" if no else form("need", who)), Token("not")
    have = French(HAVE[who.person], (need,))
    french = [French("ne", (not_,)), have, French("pas", (not_,))] if no else [have]
    verb = Piece(
        [Token(does(who)), not_, need] if no else [need],
        [*french, French("besoin", (need,)), French("de", (need,))],
    )
    return who.piece + verb + rest


def glad(rng: random.Random) -> Piece:
    """ "I am so happy to see you": "je suis si heureux de te voir"."""
    who = pronoun(rng.choice(("i", "i", "we", "she", "he", "they")))
    (shade,) = shades((rng.choice(("happy", "happy", "sad", "ready")),))
    degree = piece(*rng.choice((("very", "très"), ("so", "si")))) if rng.random() < 0.4 else Piece()
    how = piece(shade.adjective.english, agreed(shade, who.feminine, who.several), spelled=False)
    to_whom = ("see", "help", "meet", "hear")
    verb = BY_NAME[rng.choice((*to_whom, "leave", "eat", "work", "go", "play"))]
    clitic = Piece()
    if verb.base in to_whom:
        whom = rng.choice(("you", "you", "him", "her", "them"))
        clitic = piece(whom, OBJECTS[whom])
    to, done = Token("to"), Token(verb.base)
    of = French("à" if shade.adjective.english == "ready" else "de", (to,))
    infinitive = Piece(
        [to, done, *clitic.english], [of, *clitic.french, French(verb.infinitive, (done,))]
    )
    return who.piece + piece(*BE[who.person]) + degree + how + infinitive


def relative(rng: random.Random) -> Piece:
    """ "The man who saw me is my brother", or "the man who saw me" alone."""
    who = noun_phrase(rng, w.LIVING, odds=0.15)
    said, _ = predicate(rng, who)
    that = "that" if who.noun in w.ANIMALS else rng.choice(("who", "who", "that"))
    inside = statement(who._replace(piece=piece(that, "qui", spelled=False)), said)
    whole = who._replace(piece=who.piece + inside)
    if rng.random() < 0.25:
        return whole.piece
    return statement(whole, being(rng, whole) if rng.random() < 0.6 else predicate(rng, whole)[0])


def which(rng: random.Random) -> Piece:
    """ "The book that I am reading": what someone does something to."""
    verb = BY_NAME[
        rng.choice(("see", "love", "read", "eat", "want", "buy", "write", "hear", "like"))
    ]
    names = {"read": ("book", "letter", "story"), "write": ("book", "letter", "story"),
             "eat": ("apple", "cake", "pizza")}.get(verb.base)  # fmt: skip
    pool = tuple(n for n in w.OBJECTS + w.FOOD if n.english in names) if names else (
        w.THINGS + w.FOOD)  # fmt: skip
    what = noun_phrase(rng, pool, odds=0.1)
    who = pronoun(rng.choice(("i", "i", "you", "he", "she", "we")))
    tense = rng.choice(("present", "present", "want"))
    inside = statement(who, Said(group(who, verb, tense, False), None, Piece()))
    whole = what._replace(piece=what.piece + piece("that", "que") + inside)
    return whole.piece if rng.random() < 0.4 else statement(whole, being(rng, whole, "how"))
