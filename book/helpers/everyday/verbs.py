"""The verbs of the everyday corpus, conjugated: English forms, French forms, what may follow."""

from pathlib import Path
from typing import NamedTuple

PERSONS = ("je", "tu", "il", "nous", "ils")


class Verb(NamedTuple):
    """A verb and its forms.

    past: French of the English past: None is the perfect ("a vu"), else the imperfect of il, which
        is then the past of he, she and a noun alone. `mover`: the perfect is made with être.
    objects: kinds of nouns that may follow; empty for a verb without an object.
    """

    base: str
    third: str
    ing: str
    simple: str
    participle: str
    infinitive: str
    present: dict[str, str]
    perfect: str
    past: str | None
    objects: frozenset[str]
    mover: bool


def _english(base: str, past: str, participle: str) -> tuple[str, ...]:
    es = base.endswith(("s", "sh", "ch", "o"))
    y = base.endswith("y") and base[-2] not in "aeiou"
    third = base[:-1] + "ies" if y else base + ("es" if es else "s")
    stem = base[:-1] if base.endswith("e") and base != "see" else base
    double = base in ("run", "swim", "sit")
    ing = (base + base[-1] if double else stem) + "ing"
    third = {"have": "has"}.get(base, third)
    if not past:
        past = base[:-1] + "ied" if y else base + ("d" if base.endswith("e") else "ed")
    return base, third, ing, past, participle or past


def _french(forms: str) -> tuple[str, dict[str, str], str]:
    """Infinitive, present by person, participle: "aimer", or all of them where they are irregular.

    Two in brackets are the stem of je, tu, il, ils and that of nous: "appeler (appell)".
    """
    infinitive, *rest = forms.split()
    if len(rest) == 6:
        *present, perfect = rest
    else:
        stem = infinitive[:-2]
        strong = rest[0] if rest else stem
        ge = "e" if stem.endswith("g") else ""
        present = [strong + "e", strong + "es", strong + "e", stem + ge + "ons", strong + "ent"]
        perfect = stem + "é"
    return infinitive, dict(zip(PERSONS, present, strict=True)), perfect


def _verbs(lines: str) -> tuple[Verb, ...]:
    """A line: English past and participle | French | a past of il, or "être" | kinds of objects."""
    found = []
    for line in lines.strip().split("\n"):
        english, french, past, objects = (part.strip() for part in line.split("|"))
        base, simple, participle, *_ = [*english.split("/"), "", ""]
        mover = past == "être"
        found.append(
            Verb(*_english(base, simple, participle), *_french(french),
                 None if mover or not past else past, frozenset(objects.split()), mover)
        )  # fmt: skip
    return tuple(found)


VERBS = _verbs((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8"))
BY_NAME = {verb.base: verb for verb in VERBS}
MOVES = ("run", "walk", "go", "come", "swim")  # also with a place, "to the park"
STAYS = (
    "sleep",
    "wait",
    "work",
    "sing",
    "play",
    "dance",
    "walk",
    "swim",
    "cry",
    "live",
    "eat",
    "read",
)
ALONE = tuple(v for v in VERBS if not v.objects)
WITH_OBJECT = tuple(v for v in VERBS if v.objects)
# Objects that only some verbs have: kind → English nouns.
SPECIAL = {
    "read": "book letter story sentence word", "write": "letter book story song word sentence",
    "made": "cake pizza coffee tea", "done": "work", "crossed": "street bridge river",
    "opened": "door window box", "word": "word song", "story": "story song",
}  # fmt: skip

BE = {"je": ("am", "suis"), "tu": ("are", "es"), "il": ("is", "est"),
      "nous": ("are", "sommes"), "ils": ("are", "sont")}  # fmt: skip
WAS = {"je": ("was", "étais"), "tu": ("were", "étais"), "il": ("was", "était"),
       "nous": ("were", "étions"), "ils": ("were", "étaient")}  # fmt: skip
CAN = dict(zip(PERSONS, ["peux", "peux", "peut", "pouvons", "peuvent"], strict=True))
MUST = dict(zip(PERSONS, ["dois", "dois", "doit", "devons", "doivent"], strict=True))
WOULD_LIKE = dict(
    zip(PERSONS, ["voudrais", "voudrais", "voudrait", "voudrions", "voudraient"], strict=True)
)
