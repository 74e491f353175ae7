"""The table that cells end in: the same values as text and as HTML, and ≈ that is not compared."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from book.helpers.tables import table
from tests.book.test_live import in_a_page
from tools import notebooks
from tools.minutes import FOLDED_CELLS

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / "tests" / "nbval.cfg").read_text(encoding="ascii")
SANITIZED = re.compile(re.search(r"regex: (.+)", CONFIG)[1])
REPLACED = re.search(r"replace: (.+)", CONFIG)[1]


class Cells(HTMLParser):
    """The rows of a table's texts, how each cell is aligned, and the caption."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows, self.sides, self.caption, self.inside = [], [], "", ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.sides.append(dict(attrs)["style"].removeprefix("text-align: "))

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside in ("td", "th"):
            self.rows[-1][-1] += data
        if self.inside == "caption":
            self.caption += data


WORDS = st.text("abcd&<>\"'é", min_size=1, max_size=12)
ROWS = st.lists(st.tuples(WORDS, st.integers(-999, 999), st.floats(-9, 9)), min_size=1, max_size=4)


@given(ROWS, WORDS)
def test_text_and_html_hold_the_same_cells(rows, caption):
    made = table(rows, {"word": "", "n": ",", "loss": ".2f"}, caption)
    expected = [["word", "n", "loss"], *([w, f"{n:,}", f"{x:.2f}"] for w, n, x in rows)]
    page = Cells(made._repr_html_())
    assert page.rows == expected and page.caption == caption
    assert page.sides == ["left", "right", "right"] * len(expected)
    first, *lines = repr(made).splitlines()
    assert first == caption and [line.split() for line in lines] == expected
    assert len({len(line) for line in lines}) == 1, "the last column ends at one place"


@given(st.lists(st.floats(0.001, 999), min_size=2, max_size=2))
def test_a_number_after_about_moves_nothing_that_is_compared(losses):
    rows = [("additive", losses[0], 3), ("none", None, 14)]
    other = [("additive", losses[1], 3), ("none", None, 14)]
    columns = {"attention": "", "loss": "≈ .2f", "epochs": ""}
    one, two = (SANITIZED.sub(REPLACED, repr(table(r, columns))) for r in (rows, other))
    assert one == two and "≈" not in one
    assert f"≈ {losses[0]:.2f}" in repr(table(rows, columns))


def test_a_range_is_not_broken_on_a_page_and_is_plain_in_a_terminal():
    made = table([("a–b", "0.08–0.14", "72–93 %")], ["", "loss", "right"])
    page = made._repr_html_()
    assert "a–b<" in page
    assert "0.08–\u20600.14<" in page
    assert "72–\u206093\u00a0%<" in page
    assert "0.08–0.14" in repr(made)


def test_text_with_about_moves_nothing_either():
    columns = ["words", "BLEU of three seeds", "epochs"]
    one, two = (
        SANITIZED.sub(REPLACED, repr(table([(4, f"≈ {low} to ≈ {high}", 6)], columns)))
        for low, high in ((9.5, 100), (63, 88.25))
    )
    assert one == two


def test_a_row_that_does_not_fit_is_a_sentence():
    with pytest.raises(ValueError, match=r"Row 2 has 1 values and the table 2 columns \(a, b\)"):
        table([(1, 2), (3,)], ["a", "b"])
    with pytest.raises(ValueError, match="needs at least one row"):
        table([], ["a"])


def test_a_page_shows_a_table_and_not_its_text(tmp_path):
    code = """
from book.helpers.tables import table
sent = []
source = "import book.helpers.tables as t\\nt.table([('a<b', 2)], ['w', 'n'], 'c')"
live_runner.run(1, source, lambda *one: sent.append(one))
print(*sent[0])
print(table([(1, 2)], ["a", "b"]))"""
    sent, *printed = in_a_page(tmp_path, code).splitlines()
    page, kind = sent.rsplit(" ", 1)
    assert kind == "table" and '"a<b"' in page and '"right": [false, true]' in page
    assert printed == ["a  b", "1  2"]


# A width in an f-string, padding, blanks between columns or in front of them.
WIDTH = re.compile(
    r"""\bf["'].*\{[^{}]*:(?:[^{}]?[<>^=])?[ +-]?(?:[1-9]\d*[,.]?[^\]\s:]*|\{\w+\}[^{}]*)\}"""
    r"""|\.(?:[lr]just|center)\(|(["']) {2,}\1\.join|"[^"]* {3,}[^"]*\""""
)
MOST_DRAWN = 20  # of about 4,700 lines that a reader sees


def drawn(source: str) -> list[str]:
    """The lines of a cell that draw columns with blanks."""
    return [line for line in source.splitlines() if WIDTH.search(line)]


def test_a_line_that_draws_columns_is_seen():
    for line in (
        'print(f"{H:5d}{work / 1e9:22.2f}")',
        "print(f\"{'name':12s} {word:<8}\")",
        'print("epoch      loss")',
        'line += "  ".join(shares)',
        "text.rjust(9)",
    ):
        assert drawn(line) == [line]
    for line in ('print(f"{loss:.2f}, {count:,d}")', 'table(rows, {"loss": "≈ .2f"})', "x[1:20]"):
        assert drawn(line) == []


def test_cells_end_in_tables_and_do_not_draw_them():
    found = {}
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        cells = [c for c in notebooks.read(path).cells if c.cell_type == "code"]
        seen = [c for c in cells if not FOLDED_CELLS & set(c.metadata.get("tags", []))]
        found[path.stem] = sum(len(drawn(c.source)) for c in seen)
    most = sorted(found, key=found.get, reverse=True)[:3]
    assert sum(found.values()) <= MOST_DRAWN, f"end cells in table(…); most are in {most}"
