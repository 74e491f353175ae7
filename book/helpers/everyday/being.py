"""What somebody is: happy, hungry, a student, in the garden, from France, older than me."""

import random
from collections.abc import Callable

from book.helpers.everyday import words as w
from book.helpers.everyday.groups import HAVE, Group, Said
from book.helpers.everyday.nouns import STRESSED, Subject, agreed, noun_phrase
from book.helpers.everyday.pieces import French, Piece, Token, piece
from book.helpers.everyday.places import WHEN, country, one_of, place
from book.helpers.everyday.verbs import BE, PERSONS, WAS

HAD = dict(zip(PERSONS, ("avais", "avais", "avait", "avions", "avaient"), strict=True))
COMES = dict(zip(PERSONS, ("viens", "viens", "vient", "venons", "viennent"), strict=True))
DEGREES = {"very": "très", "too": "trop", "so": "si"}
KINDS = ("how", "how", "how", "how", "where", "what", "having", "from", "more", "sits")
SAT = ("sat", "stood")


def shades(names: tuple[str, ...]) -> list[w.Shade]:
    return [shade for shade in w.ADJECTIVES if shade.adjective.english in names]


def being(rng: random.Random, who: Subject, kind: str = "") -> Said:
    """What is said of someone with "be"; also "sat" and "stood", which are "était assis"."""
    past = rng.random() < 0.2
    english, french = (WAS if past else BE)[who.person]
    verb = Token(english)
    kind = kind or rng.choice(KINDS)
    if who.several and who.feminine and kind in ("how", "more"):
        kind = "where"
    if kind == "sits" and past and rng.random() < 0.6:
        return _sat(rng, who, french)
    if kind == "having":
        return _having(rng, (HAD if past else HAVE)[who.person], verb)
    if kind == "from":
        verb = Token(BE[who.person][0])
        known = rng.random() < 0.75
        origin = country(rng, "from") if known else piece("from", "de") + piece("<unk>", "<unk>")
        return Said(Group([verb], French(COMES[who.person], (verb,)), [], False), None, origin)
    made: dict[str, Callable] = {"how": _how, "more": _more, "sits": _sitting}
    if kind == "where" and rng.random() < 0.06:
        rest = piece("on fire", "en feu", spelled=False)
    elif kind == "what" and not who.several:
        rest = _what(rng, who, past)
    else:
        rest = made[kind](rng, who) if kind in made else place(rng)
    return Said(Group([verb], French(french, (verb,)), [], False), None, rest)


def _sat(rng: random.Random, who: Subject, french: str) -> Said:
    sat = Token(rng.choice(("sat", "sat", "stood")))
    how = _assis(who) if sat.text == "sat" else "debout"
    where = place(rng) if rng.random() < 0.6 else Piece()
    return Said(Group([sat], French(french, (sat,)), [French(how, (sat,))], False), None, where)


def _assis(who: Subject) -> str:
    return "assis" + "e" * who.feminine + "s" * (who.several and who.feminine)


def _sitting(rng: random.Random, who: Subject) -> Piece:
    sits = rng.random() < 0.6
    how = ("sitting", _assis(who)) if sits else ("standing", "debout")
    return piece(*how, spelled=False) + (place(rng) if rng.random() < 0.6 else Piece())


def _having(rng: random.Random, has: str, verb: Token) -> Said:
    """ "I am hungry" is "j'ai faim"."""
    named = Token(rng.choice(list(w.HAVING)))
    very = [Token("very")] if rng.random() < 0.15 else []
    french = [*(French("très", (t,)) for t in very), French(w.HAVING[named.text], (named,))]
    group = Group([verb], French(has, (verb,)), [], False)
    return Said(group, None, Piece([*very, named], french))


def _how(rng: random.Random, who: Subject) -> Piece:
    """An adjective that agrees, perhaps with "very", "too" or "so"."""
    kind = who.noun.kind if who.noun else ""
    if who.noun:
        feels = kind in ("adult", "child", "animal")
        fitting = [
            s
            for s in w.ADJECTIVES
            if kind in s.adjective.suits or (feels and s.adjective.english in w.FEELINGS)
        ]
    else:
        fitting = shades(w.FEELINGS)
    shade = rng.choice(fitting or shades(("beautiful", "good", "big")))
    degree = rng.choice(("", "", "", "", "very", "too", "so"))
    rest = piece(degree, DEGREES[degree]) if degree else Piece()
    how = agreed(shade, who.feminine, who.several)
    rest += piece(shade.adjective.english, how, spelled=False)
    return rest + (one_of(rng, WHEN) if rng.random() < 0.1 else Piece())


def _more(rng: random.Random, who: Subject) -> Piece:
    """ "Older than me" is "plus vieux que moi", "better than me" "meilleur que moi"."""
    fitting = [
        s
        for s in w.ADJECTIVES
        if s.more
        and (s.adjective.english in w.FEELINGS or s.more in ("smaller", "bigger", "better"))
    ]
    shade = rng.choice(fitting)
    more, than = Token(shade.more), Token("than")
    if shade.more == "better":
        ending = "e" * who.feminine + "s" * who.several
        french = [French("meilleur" + ending, (more,), False)]
    else:
        how = agreed(shade, who.feminine, who.several)
        french = [French("plus", (more,)), French(how, (more,), False)]
    rest = Piece([more, than], [*french, French("que", (than,))])
    if rng.random() < 0.6:
        return rest + one_of(rng, STRESSED)
    return rest + noun_phrase(rng, w.LIVING, odds=0.1).piece


def _what(rng: random.Random, who: Subject, past: bool) -> Piece:
    """A noun; a trade has no article in French: "je suis médecin"."""
    if rng.random() < 0.12 and not past:
        return piece("<unk>", "<unk>")
    if rng.random() < 0.3 and who.noun is None:
        trades = [n for n in w.PEOPLE if n.english in ("teacher", "doctor", "student")]
        job = rng.choice(trades)
        article, named = Token("a"), Token(job.english)
        ending = "e" if who.feminine and job.english == "student" else ""
        return Piece([article, named], [French(job.french + ending, (article, named))])
    people = w.PEOPLE + w.CHILDREN + w.FAMILY
    fitting = tuple(n for n in people if (n.gender == "f") == who.feminine)
    if not who.feminine:
        fitting += tuple(n for n in w.THINGS if n.english == "robot")
    return noun_phrase(rng, fitting, one=True).piece
