"""The book on paper: the rules that pages are rewritten by, and the finished PDF and EPUB."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from print import paper

from tools.contents import listed
from tools.epub import unused
from tools.print import PLACE

ROOT = Path(__file__).parents[2]
PDF, EPUB = PLACE / "attention.pdf", PLACE / "attention.epub"


def test_folds_are_open_on_paper_and_the_code_of_figures_is_gone():
    body = (
        '<details class="answer"><summary>Why?</summary>Because.</details>'
        '<details class="admonition hide above-input"><summary>Show</summary>code</details>'
        "<details open><summary>Seen</summary>seen</details>"
        '<details class="admonition hide below-input" open>\n<summary>'
        "<p>Show the result</p></summary>0.93"
        "<details><summary>more</summary>0.07</details></details>"
    )
    shown = paper.on_paper(body)
    assert shown.count("<details open") == shown.count("<summary") == 3
    assert "Because." in shown and "seen" in shown and "code" not in shown
    assert "<div>0.93<details open><summary>more</summary>0.07</details></div>" in shown
    assert "Show the result" not in shown


def test_a_moving_figure_is_its_still_picture_on_paper():
    body = '<attn-bars aria-label="x"><script type="x">{}</script><svg><path/></svg></attn-bars>'
    assert paper.on_paper(body) == "<svg><path/></svg>"


def test_what_no_page_names_is_left_out():
    files = {
        "a.xhtml": b"",
        "_static/used.css": b"url(seen.png)",
        "_static/seen.png": b"",
        "_static/other.css": b"url(lost.png)",
        "_static/lost.png": b"",
    }
    lost = {"_static/other.css", "_static/lost.png"}
    assert unused(files, {"a.xhtml": 'href="_static/used.css"'}) == lost


def title(name: str) -> str:
    """The first heading of a page, as letters and digits."""
    path = next(p for s in (".ipynb", ".md") if (p := ROOT / f"{name}{s}").exists())
    text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.S)
    found = re.search(r'^\s*"?# ([^"\\\n]+)', text, re.M)
    return bare(found[1])


def bare(heading: str) -> str:
    return re.sub(r"^\d+|\W", "", heading)


def headings(outline: list) -> set[str]:
    """Every entry of a PDF's outline."""
    found = set()
    for entry in outline:
        found |= headings(entry) if isinstance(entry, list) else {bare(entry.title)}
    return found


@pytest.mark.skipif(not PDF.exists(), reason="the PDF is not there: run `make print`")
def test_the_pdf_opens_and_holds_every_chapter():
    pypdf = pytest.importorskip("pypdf")
    book = pypdf.PdfReader(PDF)
    assert len(book.pages) >= 4 * len(listed())
    assert {title(name) for name in listed()} - headings(book.outline) == set()
    front = "".join(page.extract_text() for page in book.pages[:4])  # the landing page
    assert "Softmax" in front


@pytest.mark.skipif(not EPUB.exists(), reason="the EPUB is not there: run `make print`")
def test_the_epub_holds_every_chapter_and_nothing_that_runs():
    with zipfile.ZipFile(EPUB) as book:
        names = set(book.namelist())
        assert {f"{name}.xhtml" for name in listed()} <= names
        navigation = book.read("nav.xhtml").decode("utf-8")
        for name in listed():
            page = book.read(f"{name}.xhtml").decode("utf-8")
            assert f'href="{name}.xhtml"' in navigation
            assert "<script" not in page and "<attn-" not in page


@pytest.mark.skipif(not EPUB.exists(), reason="the EPUB is not there: run `make print`")
def test_epubcheck_finds_nothing():
    checker = shutil.which("epubcheck")
    if checker is None or shutil.which("java") is None:
        pytest.skip("no epubcheck: run `make env`")
    with open(checker, "rb") as start:  # Debian's is a jar that the kernel may not start itself
        command = ["java", "-jar", checker] if start.read(2) == b"PK" else [checker]
    done = subprocess.run([*command, EPUB], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No errors or warnings detected" in done.stdout + done.stderr


def test_a_release_carries_what_the_landing_page_links_to():
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    links = (ROOT / "book" / "_ext" / "machine" / "links.py").read_text(encoding="utf-8")
    linked = set(re.findall(r'"([\w-]+\.(?:zip|pdf|epub))"', links))
    zips = {f"attention-{name}.zip" for name in ("book", "slides", "exercises")}
    assert linked == {*zips, PDF.name, EPUB.name}
    assert "_build/release/*" in workflow and "make zip" in workflow
    for name in linked:
        assert f"release/{name}" in makefile or f"_build/print/{name}" in workflow
    assert "pip wheel" in makefile
