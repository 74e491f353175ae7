"""What a page holds as evidence of an item of coverage.yml, and what is left when it is gutted.

`fault` says what is wrong with an item, and `gutted` puts the item's bare word in the place of the
part that it names. Both work on what is stored; nothing is run.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from tests.book.cells import Part, depends, labels, parts

TOKEN = re.compile(r"[\w.,]*\w")  # a word or a number, without what stands around it
KINDS = ("output", "text", "figure")
SENTENCE = 8  # so many words beside its own make a line of prose that says something
ALIKE = 2  # in more parts than these a word names none


def gutted(page: tuple[Part, ...], item: dict) -> Iterator[tuple[Part, ...]]:
    """The page with the item's part emptied, and with its bare word as prose and as a print."""
    word = evidence(item)[1]
    for part in page:
        if not named(part, item):
            continue
        bare = Part(part.name)
        printing = f"print({word!r})"
        for left in (
            bare,
            replace(bare, prose=word),
            replace(bare, code=printing, output=word, caption=part.caption),
        ):
            yield tuple(left if other.name == part.name else other for other in page)


def evidence(item: dict) -> tuple[str, str]:
    """The kind and the word that an item names."""
    return next((kind, str(item[kind])) for kind in KINDS if kind in item)


def named(part: Part, item: dict) -> bool:
    """Whether the item names this part; of a text page's heading it gives the beginning."""
    cell = item["cell"]
    if item["page"].endswith(".md") and cell:
        return part.name.startswith(cell)
    return part.name == cell


def fault(item: dict, page: tuple[Part, ...] | None = None) -> str:
    """What is wrong with an item on its page, as a sentence; empty when the page shows it."""
    who = f"coverage.yml, {item['id']} ({item['item']})"
    if "left_out" in item:
        given = str(item["left_out"])
        return "" if len(given.split()) >= 8 else f"{who}: `left_out` needs its reason in words."
    if lacking := [key for key in ("page", "cell") if key not in item]:
        return f"{who}: it has no {' and no '.join(lacking)}; say where the book shows it."
    if len(kinds := [kind for kind in KINDS if kind in item]) != 1:
        return (
            f"{who}: it names {len(kinds)} of output, text and figure; name the one that shows it."
        )
    name, cell, (kind, word) = item["page"], item["cell"], evidence(item)
    page = parts(name) if page is None else page
    if not page:
        return f"{who}: there is no page book/{name}; say which page shows it now."
    if not (found := [part for part in page if named(part, item)]):
        return f"{who}: {name} has no cell {cell!r}; put it back, or say which cell shows it now."
    here = [part for part in found if word in part.holds(kind)]
    if not here:
        return f"{who}: the {kind} of cell {cell!r} of {name} does not hold {word!r}."
    if cell and sum(word in part.holds(kind) for part in page if part.name) > ALIKE:
        return f"{who}: more than {ALIKE} cells of {name} hold {word!r}; name this one's own."
    held = "claim" in item or "check" in item
    if held and (wrong := unheld(page, here[0].name, item)):
        return f"{who}: {name} {wrong}"
    if not (held and kind == "output") and not any(shows(part, kind, word) for part in here):
        return f"{who}: cell {cell!r} of {name} holds {word!r} and no more. {NEEDED[kind]}"
    if kind == "output" and not held and any("≈" in line for line in lines(here[0].output, word)):
        return f"{who}: no test compares what stands after ≈; name the claim that holds it."
    return ""


NEEDED = {
    "output": "The line needs a word or number that the code made and does not spell.",
    "text": f"The line needs {SENTENCE} more words, or it says nothing.",
    "figure": "The code has to draw: its stored output is what it spells, or nothing.",
}


def lines(text: str, word: str) -> list[str]:
    """The lines that hold the word."""
    return [line for line in text.splitlines() if word in line]


def shows(part: Part, kind: str, word: str) -> bool:
    """Whether the part shows more than the bare word.

    Prose says a sentence around it; a printed line holds something that the code does not spell;
    a figure was drawn, so that what it left in the notebook is not spelled by the code.
    """
    if kind == "text":
        around = (line.replace(word, "") for line in lines(part.prose, word))
        return any(len(TOKEN.findall(line)) >= SENTENCE for line in around)
    spelled = set(TOKEN.findall(part.code))
    shown = lines(part.output, word) if kind == "output" else [part.output]
    return any(set(TOKEN.findall(line)) - spelled for line in shown)


def unheld(page: tuple[Part, ...], cell: str, item: dict) -> str:
    """Why no claim of the item's label, and no check cell, holds what the cell made; or empty."""
    if "claim" in item:
        what = f"claim {str(item['claim'])!r}"
        held = [part for part in page if str(item["claim"]) in labels(part.code)]
    else:
        what = f"check {str(item['check'])!r}"
        held = [part for part in page if part.name == item["check"] and "assert " in part.code]
    if not held:
        return f"has no {what}; put it back, or name the one that holds this."
    place = {part.name: i for i, part in enumerate(page)}
    if not any(depends(page, place[part.name], place[cell]) for part in held):
        return f"makes the {what} of nothing that cell {cell!r} made."
    return ""
