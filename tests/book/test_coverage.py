"""What the course promises stands in book/coverage.yml, and each item is shown where it says.

The gut test asks whether this test can be fooled: of every item the named cell is left with the
bare word, and the item has to fail.
"""

import pytest
import yaml

from tests.book.cells import BOOK, Part, parts
from tests.book.evidence import fault, gutted

ITEMS = yaml.safe_load((BOOK / "coverage.yml").read_text("utf-8"))
SHOWN = [item for item in ITEMS if "left_out" not in item]
PARTS = yaml.safe_load((BOOK.parent / "_toc.yml").read_text("utf-8"))["parts"]
LISTS = {"api", "references"}  # made by the build, or an index: they teach nothing
PAGES = sorted(
    name
    for part in PARTS
    for folder, name in (chapter["file"].split("/") for chapter in part["chapters"])
    if folder == "book" and name not in LISTS
)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_the_book_shows(item):
    assert not (found := fault(item)), found


@pytest.mark.parametrize("item", SHOWN, ids=lambda item: item["id"])
def test_a_gutted_cell_shows_nothing(item):
    left = list(gutted(parts(item["page"]), item))
    assert left
    for page in left:
        assert fault(item, page), f"{item['id']} holds on a page that says the bare word alone."


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_vanishes_is_missed(page):
    items = [item for item in SHOWN if item["page"].removesuffix(".md") == page]
    assert items, f"No item of coverage.yml names {page}; say what it shows."
    empty = tuple(Part(part.name) for part in parts(items[0]["page"]))
    assert all(fault(item, empty) for item in items)


def test_each_item_has_its_own_name_and_none_is_lost():
    names = [item["id"] for item in ITEMS]
    assert len(names) == len(set(names))
    counts = {letter: sum(name.startswith(f"{letter}-") for name in names) for letter in "abcdep"}
    assert counts == {"a": 86, "b": 16, "c": 65, "d": 33, "e": 18, "p": counts["p"]}
    assert counts["p"] >= 77


GOOD = {"id": "x-1", "item": "weights", "page": "softmax", "cell": "weights"}
GOOD["output"] = "cats      0.632"
TOLD = {"page": "softmax", "cell": "picture-text", "text": "no weight is exactly zero"}
TRAINED = {"page": "additive_attention", "cell": "train", "output": "on a right word, trained"}
LABEL = "additive: share of heaviest weights right, trained"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"page": "hardmax"}, "no page book/hardmax"),
        ({"cell": "heavies"}, "softmax has no cell 'heavies'"),
        ({"output": "0.683"}, "the output of cell 'weights' of softmax does not hold '0.683'"),
        ({"output": "exponentials"}, "does not hold 'exponentials'"),  # it stands in the code
        ({"output": "cats"}, "more than 2 cells of softmax hold 'cats'"),
        ({"text": "weights"}, "names 2 of output, text and figure"),
        ({"output": "word     weight"}, "and no more"),  # a heading that the code spells
        ({"left_out": "too long"}, "needs its reason"),
        ({}, ""),
    ],
)
def test_what_is_gone_is_named_with_page_cell_and_item(changed, words):
    found = fault(GOOD | changed)
    assert (words in found and "x-1 (weights)" in found) if words else not found


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (TOLD, ""),
        (TOLD | {"text": "in no cell"}, "does not hold"),
        (TRAINED, "name the claim that holds it"),
        (TRAINED | {"claim": LABEL}, ""),
        (TRAINED | {"claim": "BLEU"}, "has no claim 'BLEU'"),
        (TRAINED | {"cell": "tanh", "output": "-2   -0.964", "claim": LABEL}, "of nothing that"),
        (TRAINED | {"check": "train"}, "has no check 'train'"),
    ],
)
def test_evidence_is_asked_for_by_its_kind(item, words):
    found = fault({"id": "x-2", "item": "y"} | item)
    assert words in found if words else not found


def test_an_item_without_a_cell_is_refused():
    assert "it has no page and no cell" in fault({"id": "x-2", "item": "y", "output": "z"})
