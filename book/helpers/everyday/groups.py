"""A verb in its tense, and the statement or the question that is made of it."""

from typing import NamedTuple

from book.helpers.everyday.nouns import Subject
from book.helpers.everyday.pieces import French, Piece, Token
from book.helpers.everyday.verbs import BE, BY_NAME, CAN, MUST, WOULD_LIKE, Verb

HAVE = BY_NAME["have"].present
# The tenses that French makes of a finite verb and an infinitive: of which verb.
FINITE = {
    "will": BY_NAME["go"].present, "going": BY_NAME["go"].present, "can": CAN, "must": MUST,
    "have": MUST, "need": MUST, "would like": WOULD_LIKE, "want": BY_NAME["want"].present,
    "like": BY_NAME["like"].present,
}  # fmt: skip


class Group(NamedTuple):
    """A verb in its tense. English without "not"; a question begins with its first word.

    French: the finite verb, and behind it a participle or an infinitive.
    """

    english: list[Token]
    finite: French
    after: list[French]
    infinitive: bool


class Said(NamedTuple):
    """What is said of a subject: the verb, an object's pronoun, and what follows."""

    group: Group
    clitic: Piece | None
    rest: Piece


def does(who: Subject) -> str:
    return "does" if who.third else "do"


def form(verb: str, who: Subject) -> str:
    """The present of a regular English verb, and of "have"."""
    return {"have": "has"}.get(verb, verb + "s") if who.third else verb


def english_of(who: Subject, verb: Verb, tense: str, support: bool) -> list[str]:
    """The English words; with `support` the present and the past are "do see" and "did see"."""
    if tense == "present":
        return [does(who), verb.base] if support else [verb.third if who.third else verb.base]
    if tense == "past":
        return ["did", verb.base] if support else [verb.simple]
    if tense == "perfect":
        return ["has" if who.third else "have", verb.participle]
    am = BE[who.person][0]
    if tense == "progressive":
        return [am, verb.ing]
    if tense in ("will", "can", "must"):
        return [tense, verb.base]
    first = {"going": [am, "going"], "would like": ["would", "like"]}.get(tense)
    if first is None:
        first = [does(who), tense] if support else [form(tense, who)]
    return [*first, "to", verb.base]


def group(who: Subject, verb: Verb, tense: str, support: bool) -> Group:
    """The verb group: "progressive", "perfect", "going", "want" (to) and so on."""
    tokens = [Token(text) for text in english_of(who, verb, tense, support)]
    if tense in ("present", "progressive"):
        return Group(tokens, French(verb.present[who.person], tuple(tokens)), [], False)
    if tense == "past" and verb.past and who.third:
        return Group(tokens, French(verb.past, tuple(tokens)), [], False)
    if tense in ("past", "perfect"):
        auxiliary = BE[who.person][1] if verb.mover else HAVE[who.person]
        ending = "e" * who.feminine + "s" * who.several if verb.mover else ""
        done = French(verb.perfect + ending, (tokens[-1],))
        helping = tuple(tokens[:-1]) or (tokens[0],)
        return Group(tokens, French(auxiliary, helping), [done], False)
    finite = French(FINITE[tense][who.person], tuple(tokens[:-1]))
    return Group(tokens, finite, [French(verb.infinitive, (tokens[-1],))], True)


def statement(who: Subject, said: Said, negation: str | None = None) -> Piece:
    """Subject, verb, rest; in French "ne" and the pronoun stand before the verb."""
    verb, clitic, rest = said
    english, no = list(verb.english), None
    if negation:
        no = Token(negation)
        english.insert(1 if negation == "not" or len(english) > 1 else 0, no)
    behind = clitic.english if clitic else []
    return Piece(
        [*who.piece.english, *english, *behind, *rest.english],
        [*who.piece.french, *_french(said, no), *rest.french],
    )


def question(who: Subject, said: Said, begin: Piece | None = None) -> Piece:
    """ "Do you see me?": "est-ce que tu me vois"; `begin` is "where", "why" and their like."""
    verb, clitic, rest = said
    first, *others = verb.english
    head, behind = begin or Piece(), clitic.english if clitic else []
    ask = [French("est-ce", (first,)), French("que", (first,))]
    return Piece(
        [*head.english, first, *who.piece.english, *others, *behind, *rest.english],
        [*head.french, *ask, *who.piece.french, *_french(said, None), *rest.french],
    )


def _french(said: Said, no: Token | None) -> list[French]:
    verb, clitic, _ = said
    pronouns = clitic.french if clitic else []
    before = [] if verb.infinitive else pronouns
    after = [*(pronouns if verb.infinitive else []), *verb.after]
    if no is None:
        return [*before, verb.finite, *after]
    closing = {"not": "pas", "never": "jamais"}[no.text]
    return [French("ne", (no,)), *before, verb.finite, French(closing, (no,)), *after]
