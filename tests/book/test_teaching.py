"""The rules that notebooks keep: how a chapter teaches, what fits a glance, minutes that add up."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from study import quiz

from book.helpers.configurations import released_models
from tools import notebooks
from tools.address import read as read_address
from tools.colab import snippet
from tools.contents import chapters, left_out, listed
from tools.minutes import (
    FIRST_HALF,
    FOLDED_CELLS,
    MOVES,
    WEEK,
    exact_minutes,
    exercise_minutes,
    minutes,
    pages,
    stated,
    week_minutes,
    words,
)
from tools.notebooks import canonical, dumps, problems, read

ROOT = Path(__file__).parents[2]
CHAPTERS = [ROOT / f"{name}.ipynb" for name in chapters()]
FOLDERS = ("book", "exercises", "solutions")
NOTEBOOKS = [path for name in FOLDERS for path in sorted((ROOT / name).glob("*.ipynb"))]
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
    texts = (text for cell in code(path, GONE) for text in notebooks.printed(cell))
    return [line for text in texts for line in text.splitlines() if line.strip()]


def faults(path: Path) -> list[str]:
    """What a chapter lacks or has too much of, as sentences."""
    whole = text(path)
    found = []
    if "attn-head" not in read(path).cells[0].source:
        found.append("the first cell has no box of the class attn-head")
    for name, least in (("attn-predict", 2), ("attn-turn", 2)):
        if (count := whole.count(f":class: {name}")) < least:
            found.append(f"{count} boxes of the class {name}, at least {least} are needed")
    if "## What you can now do" not in whole:
        found.append("no section '## What you can now do'")
    lines = printed(path)
    verdicts = [line for line in lines if VERDICT.search(line)]
    if len(verdicts) > max(1, 0.02 * len(lines)):
        found.append(f"{len(verdicts)} of {len(lines)} printed lines are verdicts: {verdicts[0]}")
    if left := re.findall(r"\[WRITE: ([^\]]*)", whole):
        found.append(f"{len(left)} places are not written yet; the first is: {left[0]}")
    return found + quiz_faults(path)


def answers_in_sight(path: Path) -> list[str]:
    """What a prediction's cells print waits behind *Show the result*; its reason is plain text.

    A figure that moves is an instrument to find the answer with, and stays in sight.
    """
    found, asked = [], None
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            asked = cell.id if ":class: attn-predict" in cell.source else None
            if "{dropdown} What happened" in cell.source:
                found.append(f"the reason is folded: {cell.id}")
        elif MOVES.search(cell.source):
            continue
        elif asked and cell.outputs and not tags(cell) & {*GONE, "hide-output"}:
            found.append(f"the answer to {asked} is in sight: give {cell.id} the tag hide-output")
    return found


def cell_faults(path: Path) -> list[str]:
    """Visible cells that do not fit a glance, and what is there for us alone."""
    seen = code(path, FOLDED_CELLS)
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


def table_makers(trees: list[ast.Module]) -> set[str]:
    """The names by which a page calls `table`: its import, and functions that return its value."""
    names: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.ImportFrom) and node.module == "book.helpers.tables":
            names |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.FunctionDef):
            calls = [n.value for n in ast.walk(node) if isinstance(n, ast.Return)]
            names |= {node.name} if any(called(call) in names for call in calls) else set()
    return names


def called(node: ast.AST | None) -> str:
    """The name that an expression calls; empty for what is no call of a name."""
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def lost_tables(path: Path) -> list[str]:
    """A table is shown as the value of its cell, so it must be the cell's last line."""
    sources = [cell.source for cell in code(path, set()) if "%pip" not in cell.source]
    trees = [ast.parse(source) for source in sources]
    names, found = table_makers(trees), []
    for source, tree in zip(sources, trees, strict=True):
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and called(node.value) in names:
                last = node.end_lineno == len(source.rstrip().splitlines())
                found += [] if last and node.col_offset == 0 else [node.lineno]
    return [f"a table in line {line} of a cell is never shown" for line in found]


def wide_lines(path: Path) -> list[str]:
    """What a reader would have to scroll for."""
    lines = [line for cell in code(path, FOLDED_CELLS) for line in cell.source.splitlines()]
    wide = [line for line in lines if len(line) > WIDEST_LINE]
    return [f"a visible line of {len(line)} characters: {line.strip()}" for line in wide]


def quiz_faults(path: Path) -> list[str]:
    cells = [cell for cell in read(path).cells if ":class: attn-quiz" in cell.source]
    if not cells:
        return ["no quiz"]
    body = cells[0].source.partition(":::{div}\n:class: attn-quiz\n")[2]
    questions = quiz.parse(body.partition("\n:::")[0].splitlines())
    few = [q["question"] for q in questions if len(q["choices"]) != 4]
    found = [] if len(questions) >= 3 else [f"{len(questions)} questions; three are needed"]
    return found + [f"a question without four choices: {question}" for question in few]


def formulas_as_heads(path: Path) -> list[str]:
    """A screen reader skips a formula at the head of a table, and says nothing of the column."""
    heads = [cell.strip() for row in HEAD.findall(text(path)) for cell in row.split("|")]
    return [f"a table's head is a formula: {cell}" for cell in heads if FORMULA.fullmatch(cell)]


def own_cell(path: Path) -> list[str]:
    cell, wanted = read(path).cells[1], snippet(read_address(ROOT).archive())
    good = cell.source == wanted and "remove-cell" in cell.metadata.get("tags", [])
    return [] if good else ["the second cell is not that of tools/colab.py: `make address`"]


def plots_without_words(path: Path) -> list[str]:
    found = []
    for cell in read(path).cells:
        if cell.cell_type == "code" and "plt.show()" in cell.source:
            shown = cell.metadata.get("mystnb", {})
            if not shown.get("image", {}).get("alt") or not shown.get("figure", {}).get("caption"):
                found.append(f"a plot without alt text or caption: {cell.id}")
        named = "figure" in cell.metadata.get("mystnb", {})
        shows = [out for out in cell.get("outputs", []) if out.output_type != "stream"]
        if named and len(shows) > 1:  # each would become a figure of that one name
            found.append(f"a figure's cell shows more than its picture: {cell.id}")
        # Paper drops a hidden cell, and what refers to its figure would lead nowhere.
        if named and "hide-cell" in tags(cell):
            found.append(f"a figure in a hidden cell; hide input and output instead: {cell.id}")
    return found


def boxes_twice(path: Path) -> list[str]:
    """Boxes and folds that stand twice on a page, as a cell that was moved may leave them."""
    boxes = re.findall(r"^:::\{.*?^:::$", text(path), re.DOTALL | re.MULTILINE)
    return [
        f"stands twice: {box[:90]!r}" for box in sorted({b for b in boxes if boxes.count(b) > 1})
    ]


def wrong_minutes(path: Path) -> list[str]:
    """Of the page's exercises, and where they are counted, of the page."""
    time = re.search(r"\*\*Time\*\*.*", text(path))
    if not time:
        return ["The head has no line **Time**, such as: **Time**: 35 minutes to read and run"]
    named = re.findall(r"(\d+) for \{exercise\}`(\w+)`([^{]*(?:\{exercise\}`(\w+)`)?)", time[0])
    found = [
        f"{number} minutes for {first} are not those of its notebook"
        for number, first, _, second in named
        if int(number) != sum(exercise_minutes(name) for name in (first, second) if name)
    ]
    if stated(path) != minutes(path):
        found.append(f"{minutes(path)} minutes are counted: python -m tools.minutes --write")
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_notebook_keeps_the_rules(path):
    rules = [problems, own_cell, wide_lines, formulas_as_heads]
    if path.parent.name == "book":
        rules += [cell_faults, plots_without_words, lost_tables]
    if path in CHAPTERS:
        rules += [faults, answers_in_sight, boxes_twice, wrong_minutes]
    found = [fault for rule in rules for fault in rule(path)]
    assert not found, "\n".join(found)


def test_the_landing_page_says_the_same_minutes():
    index = (ROOT / "index.md").read_text("utf-8")
    rows = re.findall(r"\| \{exercise\}`(\w+)` \|.*\| (\d+) \|", index)
    missing = {page for page in listed() if page.startswith("exercises/")}
    missing -= {f"exercises/{name}" for name, _ in rows}
    assert not missing, f"{sorted(missing)}: give each its row in the tables of index.md."
    assert {name: int(said) for name, said in rows} == {n: exercise_minutes(n) for n, _ in rows}
    if gone := [page for page in left_out() if page.startswith("book/")]:
        pytest.skip(f"_toc.yml leaves out {', '.join(gone)}: python -m tools.minutes counts anew")
    total = sum(stated(path) for path in pages(*FIRST_HALF))
    found = re.search(r"(\d+) minutes of reading", index)
    assert int(found[1]) == total, f"write {total} minutes of reading into index.md"


def test_the_weeks_of_both_plans_add_up():
    """Minutes at the heads of a week's pages, and of the exercises or tasks that it hands in."""
    plans = (ROOT / "book" / "adopting_the_course.md").read_text(encoding="utf-8")
    weeks = WEEK.findall(plans)
    assert len(weeks) == 6 + 14
    for _, week, hand_in, said in weeks:
        assert week_minutes(week, hand_in) == int(said), week


def test_the_minutes_count_all_that_a_page_asks_for(tmp_path):
    def page(*texts, **cell):
        cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
        if cell:
            cells.append(nbformat.v4.new_code_cell(execution_count=1, **cell))
        path = tmp_path / "page.ipynb"
        made = canonical(nbformat.v4.new_notebook(cells=cells))
        path.write_text(dumps(made), encoding="utf-8")
        return round(exact_minutes(path), 1)

    plain = "word " * 750
    task = ":::{admonition} Your turn\n:class: attn-turn\nDo.\n:::"
    aside = ":::{dropdown} More of it\n" + "word " * 900 + "\n:::"
    answer = ":::{dropdown} One answer\n" + "word " * 150 + "\n:::"
    quiz = ":::{div}\n:class: attn-quiz\n" + "word " * 900 + "\n:::"
    assert (page(plain), page(plain, aside)) == (5, 5)
    assert page(plain, task + "\n" + answer) == pytest.approx(5 + 4 + 1, abs=0.1)
    assert page(plain, quiz) == 7
    output = nbformat.v4.new_output("stream", text="0.93 " * 200)
    caption = {"mystnb": {"figure": {"caption": "word " * 150}}}
    lines = "x = 1\n" * 6
    assert page(plain, source=lines, outputs=[output], metadata=caption) == 5 + 1 + 1 + 1
    assert page(plain, source=lines, metadata={"tags": ["hide-input"]}) == 5
    assert page(plain, source="bars_figure(1)", metadata={"tags": ["hide-input"]}) == 7
    assert words("| a | b |\n|---|---|\n| $x^2$ | *two words* |") == 5


def test_the_page_on_configurations_explains_every_field():
    whole = text(ROOT / "book" / "reading_any_configuration.ipynb")
    assert "| field | what it does | runs on |" in whole
    used = {name for model in released_models().values() for name in model.fields}
    parts = [model.fields.get("text_config", {}) for model in released_models().values()]
    used |= {name for part in parts for name in part}
    assert [name for name in sorted(used - {"model_type"}) if f"`{name}`" not in whole] == []


TRAINS = re.compile(r"torch\.optim|\btrain\(|train_language_model\(|small_writer\(")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_page_that_trains_says_one_thread_itself(path):
    """With torch's own number, two notebooks open side by side take four to five times as long."""
    source = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "code")
    assert not TRAINS.search(source) or "torch.set_num_threads(1)" in source
