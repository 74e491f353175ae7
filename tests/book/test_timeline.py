"""book/timeline.yml is what *Since 2023* shows, and no page states another number than it."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from tests.book.test_aids import BOOK, text
from tools.timeline import PAGE, replaced, rows, timeline

ROWS = rows()
IDS = [row["what"] for row in ROWS]
LINK = re.compile(r"^\{(doc|ref)\}`([\w-]+)`$")
ARXIV = re.compile(r"arXiv:(\d\d)\d\d\.\d+")
YEAR = re.compile(r"\byear\s*=\s*\{(\d{4})\}")
ASIDE = re.compile(r"\$[^$]+\$|`[^`]*`|\{[\w:]+\}`[^`]*`")
NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*\.?\d*(?![\w])")
# Numbers of the table that no other page states of the same thing.
HERE_ALONE = {
    "a larger base and YaRN": {"10,000", "1,000,000"},
    "entries for groups of tokens": {"128"},
}


@cache
def prose() -> dict[str, str]:
    """The words of each page, as one line."""
    pages = [*BOOK.glob("*.ipynb"), *BOOK.glob("*.md")]
    return {path.stem: " ".join(text(path).split()) for path in sorted(pages)}


@cache
def entries() -> dict[str, str]:
    found = (BOOK / "references.bib").read_text(encoding="utf-8").split("\n@")
    return {name: one for one in found for name in re.findall(r"^@?\w+\{(\w+),", one)}


def stated(pattern: str) -> dict[str, set[str]]:
    """What a pattern finds, page by page."""
    found = {}
    for page, words in prose().items():
        for groups in re.findall(pattern, words):
            value = next(g for g in (groups if isinstance(groups, tuple) else (groups,)) if g)
            found.setdefault(page, set()).add(value)
    return found


def test_the_page_has_the_picture_and_the_table_of_the_file():
    page = PAGE.read_text(encoding="utf-8")
    assert replaced(page) == page, "run `python -m tools.timeline`"


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_each_row_links_to_a_page_of_the_book(row):
    ((kind, name),) = LINK.findall(row["run"])
    if kind == "doc":
        assert (BOOK / f"{name}.ipynb").exists()
    else:
        assert any(f"({name})=" in words for words in prose().values())


@pytest.mark.parametrize("row", [r for r in ROWS if "cite" in r], ids=lambda row: row["what"])
def test_the_year_is_that_of_the_first_paper(row):
    entry = entries()[row["cite"][0]]
    first = [2000 + int(year) for year in ARXIV.findall(entry)] + list(
        map(int, YEAR.findall(entry))
    )
    assert row["year"] == first[0]


@pytest.mark.parametrize("row", [r for r in ROWS if "class" in r], ids=lambda row: row["what"])
def test_a_class_that_is_named_is_in_the_library(row):
    library = importlib.util.find_spec("transformers")
    if library is None or library.origin is None:
        pytest.skip("transformers is not installed")
    models = Path(library.origin).parent / "models"
    assert [name for name in row["class"] if not (models / name).is_dir()] == []


NUMBERS = [
    pytest.param(value, pattern, id=f"{row['what']} {value}")
    for row in ROWS
    for value, pattern in row.get("numbers", {}).items()
]


@pytest.mark.parametrize(("value", "pattern"), NUMBERS)
def test_no_page_states_another_number(value, pattern):
    found = stated(pattern)
    assert found.pop("since_2023", None) == {value}, "its row does not say so"
    assert found, "no other page states it: list it under HERE_ALONE"
    assert set().union(*found.values()) == {value}, found


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_every_number_of_a_row_is_held_or_stands_here_alone(row):
    told = set(NUMBER.findall(ASIDE.sub(" ", row["changes"])))
    told = {n for n in told if len(n) > 1 and not re.fullmatch(r"20[12]\d", n)}
    held = {n for value in row.get("numbers", {}) for n in NUMBER.findall(value)}
    assert told <= held | HERE_ALONE.get(row["what"], set())


def test_a_row_of_the_picture_lies_right_of_those_that_it_follows():
    for group in timeline():
        years = {row["picture"]: row["year"] for row in group["rows"] if "picture" in row}
        for row in group["rows"]:
            assert all(years[word] <= row["year"] for word in row.get("after", []))


def test_another_number_on_a_page_is_found(monkeypatch):
    wrong = prose() | {"choosing_what_to_read": "In DeepSeek-V3.2 attention reads the best 4,096."}
    monkeypatch.setitem(globals(), "prose", lambda: wrong)
    pattern = next(row["numbers"]["2,048"] for row in ROWS if row["what"] == "an indexer")
    with pytest.raises(AssertionError, match="4,096"):
        test_no_page_states_another_number("2,048", pattern)
