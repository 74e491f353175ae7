"""The rules that notebooks keep: how a chapter teaches, what fits a glance, minutes that add up."""

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
from tools.minutes import FOLDED_CELLS, minutes, pages, stated, words
from tools.notebooks import canonical, dumps, problems, read

ROOT = Path(__file__).parents[2]
CHAPTERS = [ROOT / f"{name}.ipynb" for name in chapters()]
COUNTED = pages("Start", "The idea", "Learning to align")
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
    return found


def minutes_of(exercise: str) -> int:
    """What the head of an exercise says of its time."""
    head = text(ROOT / "exercises" / f"{exercise}.ipynb")
    return int(re.search(r"about (\d+) minutes", head)[1])


def wrong_minutes(path: Path) -> list[str]:
    """Of the page's exercises, and where they are counted, of the page."""
    time = re.search(r"\*\*Time\*\*.*", text(path))
    if not time:
        return ["The head has no line **Time**, such as: **Time**: 35 minutes to read and run"]
    named = re.findall(r"(\d+) for \{exercise\}`(\w+)`([^{]*(?:\{exercise\}`(\w+)`)?)", time[0])
    found = [
        f"{number} minutes for {first} are not those of its notebook"
        for number, first, _, second in named
        if int(number) != sum(minutes_of(name) for name in (first, second) if name)
    ]
    if path in COUNTED and stated(path) != minutes(path):
        found.append(f"{minutes(path)} minutes are counted: python -m tools.minutes")
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_notebook_keeps_the_rules(path):
    rules = [problems, own_cell, wide_lines, formulas_as_heads]
    if path.parent.name == "book":
        rules += [cell_faults, plots_without_words]
    if path in CHAPTERS:
        rules += [faults, wrong_minutes]
    found = [fault for rule in rules for fault in rule(path)]
    assert not found, "\n".join(found)


def test_the_landing_page_says_the_same_minutes():
    index = (ROOT / "index.md").read_text("utf-8")
    rows = re.findall(r"\| \{exercise\}`(\w+)` \|.*\| (\d+) \|", index)
    missing = {page for page in listed() if page.startswith("exercises/")}
    missing -= {f"exercises/{name}" for name, _ in rows}
    assert not missing, f"{sorted(missing)}: give each its row in the tables of index.md."
    assert {name: int(said) for name, said in rows} == {n: minutes_of(n) for n, _ in rows}
    if gone := [page for page in left_out() if page.startswith("book/")]:
        pytest.skip(f"_toc.yml leaves out {', '.join(gone)}: python -m tools.minutes counts anew")
    total = sum(stated(path) for path in COUNTED)
    found = re.search(r"(\d+) minutes of reading", index)
    assert int(found[1]) == total, f"write {total} minutes of reading into index.md"


def test_the_weeks_of_both_plans_add_up():
    """Minutes at the heads of a week's pages, and of the exercises or tasks that it hands in."""
    plans = (ROOT / "book" / "adopting_the_course.md").read_text(encoding="utf-8")
    weeks = re.findall(r"^\| \d+ \| [^|]+ \| ([^|]+) \| ([^|]+) \| (\d+) \|$", plans, re.M)
    assert len(weeks) == 6 + 14
    for week, hand_in, said in weeks:
        total = sum(stated(ROOT / f"book/{name}.ipynb") for name in re.findall(r"`(\w+)`", week))
        for name, tasks in re.findall(r"`(\w+)`(?:, tasks (\d and \d))?", hand_in):
            head = text(ROOT / "exercises" / f"{name}.ipynb")
            each = re.findall(r"^\*About (\d+) minutes", head, re.M)
            wanted = tasks.split(" and ") if tasks else range(1, len(each) + 1)
            total += sum(int(each[int(number) - 1]) for number in wanted)
        assert total == int(said), week


def test_what_is_folded_takes_no_time_and_a_task_takes_four_minutes(tmp_path):
    def page(*texts):
        cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
        path = tmp_path / "page.ipynb"
        made = canonical(nbformat.v4.new_notebook(cells=cells))
        path.write_text(dumps(made), encoding="utf-8")
        return minutes(path)

    plain = "word " * 640  # 4.9 minutes
    task = ":::{admonition} Your turn\n:class: attn-turn\nDo.\n:::"
    fold = ":::{dropdown} One answer\n" + "word " * 900 + "\n:::"
    assert (page(plain), page(plain, fold), page(plain, task)) == (5, 5, 10)
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
