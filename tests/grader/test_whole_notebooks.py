"""`check`, `attn check` and `attn grade` give one verdict of each task, for every exercise's whole
notebook in several forms. (`test_one_verdict.py` has many more forms, of a toy's notebook.)"""

import re
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from course_lib import exercises
from course_lib.checker.check_notebook import check_notebook
from course_lib.checker.run.program import assemble
from course_lib.exercises import CATALOGUE, TASKS
from tests.checker.shapes import Cell

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from tests.grader.test_one_verdict import by_grader, run_all, saved, shell

__all__ = ["shell"]  # a fixture
SOLUTIONS = Path(__file__).parents[2] / "solutions"
STUB = "def {0}(*args):\n    raise NotImplementedError"
COUNTED = """
_{0} = {0}
calls = 0

def {0}(*args, **named):
    global calls
    calls += 1
    return _{0}(*args, **named)"""
NOTHING = "\n_{0} = {0}\ndef {0}(*args, **named):\n    _{0}(*args, **named)"


def as_it_is(cells):
    return cells


def in_one_cell(cells):
    """The cells that answers need are one, the last that is an answer's."""
    needed = [cell for cell in cells if cell.ran is None]
    last = max(n for n, cell in enumerate(cells) if cell.task)
    one = Cell("\n\n".join(cell.source for cell in needed), cells[last].task)
    return [one if n == last else cell for n, cell in enumerate(cells) if cell.ran or n == last]


def below_a_stub(cells):
    """What is released was never changed, and the answer has a cell of its own, without a name."""
    return [
        part
        for cell in cells
        for part in (
            (Cell(STUB.format(cell.task), cell.task, ()), replace(cell, task=None))
            if cell.task
            else (cell,)
        )
    ]


def under_if(cells):
    return each(cells, lambda task, source: "if True:\n" + textwrap.indent(source, "    "))


def counting(cells):
    """A global is counted up, where the answer is a function."""
    return each(cells, lambda task, source: source + wrapped(COUNTED, task, source))


def first_gives_nothing(cells):
    first = next(cell.task for cell in cells if cell.task)
    return each(
        cells,
        lambda task, source: source + (wrapped(NOTHING, task, source) if task == first else ""),
    )


def each(cells, change):
    return [replace(c, source=change(c.task, c.source)) if c.task else c for c in cells]


def wrapped(text, task, source):
    return text.format(task) if re.search(rf"^def {task}\b", source, re.MULTILINE) else ""


FORMS = (as_it_is, in_one_cell, below_a_stub, under_if, counting, first_gives_nothing)
QUICK = ("01_softmax", "03_worked_translation", "05_luong")  # these take a second each


def cells_of(stem):
    """The solution's cells; those that no answer needs, which train and draw, do not run."""
    cells = [
        (cell.metadata.get("task"), cell.source)
        for cell in nbformat.read(SOLUTIONS / f"{stem}.ipynb", 4).cells
        if cell.cell_type == "code"
    ]
    programs = assemble(cells, TASKS[stem].split()).values()
    needed = {source for program in programs for source, _ in program.pieces}
    imports = next(source for _, source in cells if "import check" in source)
    return [
        Cell(source, task, None if source in {*needed, imports} else ()) for task, source in cells
    ]


def verdicts(shell, tmp_path, monkeypatch, stem, form):
    """What each place says of each task: its points. In words `check` may say more, where an
    object in memory does better than what is handed in."""
    exercise = CATALOGUE.exercises[stem]
    monkeypatch.setattr(exercises, "CATALOGUE", CATALOGUE)
    cells = form(cells_of(stem))
    path = saved(tmp_path / f"{stem}.ipynb", cells)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    printed = []
    check_notebook(path, {stem: exercise}, printed.append)
    command = {text.partition(":")[0]: points(text.splitlines()[0]) for text in printed}
    graded = {
        one.report.task: points(one.report.headline) for one in by_grader(path, exercise).tasks
    }
    run_all(shell, cells)
    here = {}
    for task in exercise.tasks:
        run = shell.run_cell(f"check({task.name})", store_history=True, cell_id="cell-check")
        here[task.name] = points(run.result.headline)
    return here, {name: command[name] for name in here}, graded


def points(headline):
    """ "2 of 2 points" """
    return headline.rpartition(", ")[2]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize(
    "stem",
    [stem if stem in QUICK else pytest.param(stem, marks=pytest.mark.nightly) for stem in TASKS],
)
def test_one_verdict_of_a_whole_notebook(stem, form, shell, tmp_path, monkeypatch):
    here, command, graded = verdicts(shell, tmp_path, monkeypatch, stem, form)
    assert here == command == graded
    if form is as_it_is:
        assert all(one.split()[0] == one.split()[2] for one in here.values()), here
