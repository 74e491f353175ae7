"""How a chapter teaches, as far as a machine can tell: its parts, its cells, what it prints."""

import importlib
import re
from pathlib import Path

import pytest

from tools.contents import chapters, listed
from tools.notebooks import read

ROOT = Path(__file__).parents[2]
CHAPTERS = [ROOT / f"{name}.ipynb" for name in chapters()]
FOLDERS = ("book", "exercises", "solutions")
NOTEBOOKS = [path for name in FOLDERS for path in sorted((ROOT / name).glob("*.ipynb"))]
FOLDED = {"remove-cell", "hide-cell", "hide-input", "remove-input"}
GONE = {"remove-cell", "remove-output", "hide-cell"}
LONGEST_CELL = 25  # lines
WIDEST_LINE = 76  # characters: what the column shows at 1280 px
VERDICT = re.compile(r"\b(True|False)\b")
HEAD = re.compile(r"^\|(.+)\|\n\|[-:| ]+\|$", re.M)
FORMULA = re.compile(r"\$[^$]+\$")


def tags(cell) -> set[str]:
    return set(cell.metadata.get("tags", []))


def code(path: Path, hidden: set[str]) -> list:
    return [c for c in read(path).cells if c.cell_type == "code" and not hidden & tags(c)]


def text(path: Path) -> str:
    return "\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")


def printed(path: Path) -> list[str]:
    """The lines of text that a reader sees below the cells of a page."""
    outputs = [output for cell in code(path, GONE) for output in cell.outputs]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return [line for text in texts for line in text.splitlines() if line.strip()]


def faults(path: Path) -> list[str]:
    """What a chapter lacks or has too much of, as sentences."""
    words = text(path)
    found = []
    if "attn-head" not in read(path).cells[0].source:
        found.append("the first cell has no box of the class attn-head")
    for name, least in (("attn-predict", 2), ("attn-turn", 2)):
        if (count := words.count(f":class: {name}")) < least:
            found.append(f"{count} boxes of the class {name}, at least {least} are needed")
    if "## What you can now do" not in words:
        found.append("no section '## What you can now do'")
    lines = printed(path)
    verdicts = [line for line in lines if VERDICT.search(line)]
    if len(verdicts) > max(1, 0.02 * len(lines)):
        found.append(f"{len(verdicts)} of {len(lines)} printed lines are verdicts: {verdicts[0]}")
    if left := re.findall(r"\[WRITE: ([^\]]*)", words):
        found.append(f"{len(left)} places are not written yet; the first is: {left[0]}")
    return found + quiz_faults(path)


def cell_faults(path: Path) -> list[str]:
    """Visible cells that do not fit a glance, and what is there for us alone."""
    seen = code(path, FOLDED)
    found = []
    asserts = sum(len(re.findall(r"^\s*assert\b", c.source, re.M)) for c in seen)
    if asserts > 2:
        found.append(f"{asserts} assertions in visible cells: put them into hidden ones")
    for cell in seen:
        lines = cell.source.splitlines()
        if len(lines) > LONGEST_CELL:
            found.append(f"a visible cell of {len(lines)} lines: {cell.id}")
        if "NBVAL_IGNORE_OUTPUT" in cell.source:
            found.append(f"a test's directive in sight of the reader: {cell.id}")
    return found


def wide_lines(path: Path) -> list[str]:
    """What a reader would have to scroll for."""
    lines = [line for cell in code(path, FOLDED) for line in cell.source.splitlines()]
    wide = [line for line in lines if len(line) > WIDEST_LINE]
    return [f"a visible line of {len(line)} characters: {line.strip()}" for line in wide]


def quiz_faults(path: Path) -> list[str]:
    cells = [cell for cell in read(path).cells if ":class: attn-quiz" in cell.source]
    if not cells:
        return ["no quiz"]
    lines = (
        cells[0]
        .source.partition(":::{div}\n:class: attn-quiz\n")[2]
        .partition("\n:::")[0]
        .splitlines()
    )
    questions = importlib.import_module("study.quiz").parse(lines)
    few = [q["question"] for q in questions if len(q["choices"]) != 4]
    found = [] if len(questions) >= 3 else [f"{len(questions)} questions; three are needed"]
    return found + [f"a question without four choices: {question}" for question in few]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_chapter_keeps_the_rules(path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    found = faults(path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", sorted(ROOT.glob("book/*.ipynb")), ids=lambda p: p.stem)
def test_the_cells_of_every_page_fit_a_glance(path):
    found = cell_faults(path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_lines_of_code_fit_their_column(path):
    found = wide_lines(path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_the_heads_of_tables_have_words(path):
    """A screen reader skips a formula there, and says nothing of the column."""
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    heads = [cell.strip() for row in HEAD.findall(text) for cell in row.split("|")]
    assert [cell for cell in heads if FORMULA.fullmatch(cell)] == []


def minutes_of(exercise: str) -> int:
    """What the head of an exercise says of its time."""
    head = text(ROOT / "exercises" / f"{exercise}.ipynb")
    return int(re.search(r"about (\d+) minutes", head)[1])


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_the_time_of_an_exercise_is_that_of_its_notebook(path):
    time = re.search(r"\*\*Time\*\*.*", text(path))
    assert time, "The head has no line **Time**, such as: **Time**: 35 minutes to read and run"
    stated = re.findall(r"(\d+) for \{exercise\}`(\w+)`([^{]*(?:\{exercise\}`(\w+)`)?)", time[0])
    for minutes, first, _, second in stated:
        assert int(minutes) == sum(minutes_of(name) for name in (first, second) if name)


def test_the_landing_page_says_the_same_minutes():
    rows = re.findall(
        r"\| \{exercise\}`(\w+)` \|.*\| (\d+) \|", (ROOT / "index.md").read_text("utf-8")
    )
    missing = {page for page in listed() if page.startswith("exercises/")}
    missing -= {f"exercises/{name}" for name, _ in rows}
    assert not missing, f"{sorted(missing)}: give each its row in the tables of index.md."
    assert {name: int(minutes) for name, minutes in rows} == {
        name: minutes_of(name) for name, _ in rows
    }
