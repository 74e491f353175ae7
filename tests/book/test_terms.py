"""In the order of the book, no term is used before the page that explains it."""

import re
from pathlib import Path

import pytest

from tests.book.test_study import entries
from tools.contents import chapters, left_out
from tools.notebooks import read

ROOT = Path(__file__).parents[2]
FIRST = "book/what_attention_is"  # shows what is to come, and explains no term
# What a reader passes over or opens at will: the box at the head, asides, code, formulas, pointers.
ASIDE = r":::\{(?:dropdown\}[^\n]*\n:level:|admonition\} Before you start).*?^:::$"
LEFT_OUT = (ASIDE, r"^```.*?^```$", r"\$\$.*?\$\$", r"\$[^$\n]*\$", r"\{(?!term)[\w:]+\}`[^`]*`")
TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")


def glossary() -> list[str]:
    """The terms, as they stand in the glossary; but for those that a page explains, it may be,
    which this copy of the course leaves out."""
    terms = list(entries())
    elsewhere = explained_by(terms, {p: paragraphs(ROOT / f"{p}.ipynb") for p in left_out()})
    return [term for term in terms if term not in elsewhere]


def paragraphs(path: Path) -> list[str]:
    """The running text: no quiz, no list of key terms."""
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    text = "\n\n".join(c for c in cells if ":class: attn-quiz" not in c and "## Key terms" not in c)
    return re.sub(ASIDE, "", text, flags=re.DOTALL | re.MULTILINE).split("\n\n")


def running(paragraph: str) -> str:
    for pattern in LEFT_OUT:
        paragraph = re.sub(pattern, "", paragraph, flags=re.DOTALL | re.MULTILINE)
    return paragraph


def explained_by(terms: list[str], pages: dict[str, list[str]]) -> dict[str, str]:
    """The page that explains a term is the first one in whose running text the term is a link."""
    found = {}
    for page, texts in pages.items():
        linked = {name.strip().lower() for name in TERM.findall("\n\n".join(map(running, texts)))}
        found |= {t: page for t in terms if t.lower() in linked and t not in found}
    return found


def too_early(terms: list[str], pages: dict[str, list[str]]) -> list[str]:
    """Uses before the page that explains, unless the paragraph points to that page."""
    explained, faults = explained_by(terms, pages), []
    for term in terms:
        words = r"\s+".join(map(re.escape, term.split()))
        use = re.compile(rf"\b{words}(?:s|es)?\b", re.IGNORECASE)
        for page, texts in pages.items():
            if page == explained.get(term):
                break
            for text in texts:
                plain = re.sub(r"\{term\}`[^`]*`|`[^`]*`", "", running(text))
                points = f"{{doc}}`{explained.get(term)}`" in text
                if (found := use.search(plain)) and not points:
                    around = " ".join(plain[max(0, found.start() - 40) : found.end() + 20].split())
                    faults.append(f"{page} uses {term!r} before it is explained: … {around} …")
    return faults


@pytest.fixture(scope="module")
def book() -> dict[str, list[str]]:
    paths = [ROOT / f"{page}.ipynb" for page in chapters() if page != FIRST]
    return {path.stem: paragraphs(path) for path in paths}


def test_every_term_that_a_page_links_is_in_the_glossary():
    """The build warns of it too, after a quarter of an hour."""
    known = {term.lower() for term in entries()}
    pages = [*(ROOT / "book").glob("*.ipynb"), *(ROOT / "book").glob("*.md"), ROOT / "index.md"]
    linked = {(t, page.stem) for page in pages for t in TERM.findall(page.read_text("utf-8"))}
    unknown = sorted((term, page) for term, page in linked if term.lower() not in known)
    assert not unknown, f"No entries: {unknown}. Link a term that the glossary has."


def test_every_term_is_explained_by_a_page(book):
    unused = sorted(set(glossary()) - set(explained_by(glossary(), book)))
    assert not unused, f"Link {unused} where a page explains it, or take it out of the glossary."


def test_no_term_is_used_before_the_page_that_explains_it(book):
    found = too_early(glossary(), book)
    assert not found, "\n".join(found)
