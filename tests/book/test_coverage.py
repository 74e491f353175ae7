"""What the course promises stands in book/coverage.yml, and each item is shown where it says."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from tools.notebooks import printed, read

ROOT = Path(__file__).parents[2]
ITEMS = yaml.safe_load((ROOT / "book" / "coverage.yml").read_text("utf-8"))
TO_COME = (
    45  # items that may still be `missing`; lower it with each that is written, never raise it
)
HEADING = re.compile(r"^(?:#+ |:{3,}\{dropdown\} (?:\d+\. )?)(.+)$", re.M)


@cache
def cells(page: str) -> dict[str, str]:
    """The text of each cell of a notebook with what it prints; of each section of a text page."""
    path = ROOT / "book" / (page if page.endswith(".md") else f"{page}.ipynb")
    if not path.exists():
        return {}
    if path.suffix == ".md":
        text = path.read_text("utf-8")
        starts = [(found[1], found.start()) for found in HEADING.finditer(text)]
        ends = [start for _, start in starts[1:]] + [len(text)]
        parts = zip(starts, ends, strict=True)
        return {"": text} | {name: text[start:end] for (name, start), end in parts}
    found = {}
    for cell in read(path).cells:
        shown = list(printed(cell)) if cell.cell_type == "code" else []
        found[cell.id] = "\n".join([cell.source, *shown])
    return found


def fault(item: dict) -> str:
    """What is wrong with an item, as a sentence; empty when the book shows it."""
    who = f"coverage.yml, {item['id']} ({item['item']})"
    if "left_out" in item:
        given = str(item["left_out"])
        return "" if len(given.split()) >= 8 else f"{who}: `left_out` needs its reason in words."
    if lacking := [key for key in ("page", "cell", "word") if key not in item]:
        return f"{who}: it has no {' and no '.join(lacking)}; say where the book shows it."
    page, cell, word = item["page"], item["cell"], str(item["word"])
    held = cells(page)
    if not held:
        return f"{who}: there is no page book/{page}; say which page shows it now."
    begins = page.endswith(".md") and cell  # there the beginning of a heading names a section
    texts = [t for name, t in held.items() if name == cell or (begins and name.startswith(cell))]
    if not texts:
        return f"{who}: {page} has no cell {cell!r}; put it back, or say which cell shows it now."
    if not any(word in text for text in texts):
        return f"{who}: cell {cell!r} of {page} no longer holds {word!r}."
    return ""


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_the_book_shows(item):
    assert not (found := fault(item)), found


def test_each_item_has_its_own_name_and_none_is_lost():
    names = [item["id"] for item in ITEMS]
    assert len(names) == len(set(names))
    counts = {letter: sum(name.startswith(f"{letter}-") for name in names) for letter in "abcdep"}
    assert counts == {"a": 86, "b": 16, "c": 65, "d": 33, "e": 18, "p": counts["p"]}
    assert counts["p"] >= 54


GOOD = {"id": "x-1", "item": "weights", "page": "softmax", "cell": "weights", "word": "0.632"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"page": "hardmax"}, "no page book/hardmax"),
        ({"cell": "heavies"}, "softmax has no cell 'heavies'"),
        ({"word": "0.683"}, "cell 'weights' of softmax no longer holds '0.683'"),
        ({"left_out": "too long"}, "needs its reason"),
        ({}, ""),
    ],
)
def test_what_is_gone_is_named_with_page_cell_and_item(changed, words):
    found = fault(GOOD | changed)
    assert (words in found and "x-1 (weights)" in found) if words else not found


def test_an_item_without_a_cell_is_refused():
    assert "it has no page and no cell" in fault({"id": "x-2", "item": "y", "word": "z"})
