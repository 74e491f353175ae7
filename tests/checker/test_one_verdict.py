"""What `check` says is what the class gets: whole notebooks, in all three places."""

import json
import os
import sys
import time
from dataclasses import replace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import course_lib.exercises
from course_lib.checker import cells as seen_by_check
from course_lib.checker import limits
from course_lib.checker.check_notebook import check_notebook
from course_lib.checker.notebook import parse_notebook
from course_lib.checker.run.protocol import decode
from course_lib.checker.run.respond import respond
from course_lib.checker.tasks import Case, Catalogue, Exercise, Inputs, Task, Written
from tests.checker.shapes import AGAIN, HOLDS, IMPORTS, Cell
from tests.checker.shapes_that_fail import FAILS
from tests.checker.toy import DOUBLE

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from course_lib.checker.run.cell import _frame
from grader.pipeline.submission import grade_notebook
from grader.sandbox.profiles import Profile
from grader.sandbox.sandbox import Outcome

TASK = replace(DOUBLE, refused=("course_lib", "torch"))
CASE = Case("a row", lambda s: Inputs((s.floats(s.size),)))
EXERCISE = Exercise(
    "01_toy", "Toy", (TASK, Task("again", 2, lambda x: x + 1, (CASE,), (), ("one",), "numpy"))
)
SHAPES = {**dict.fromkeys(HOLDS, True), **dict.fromkeys(FAILS, False)}
WORTH = TASK.points


class Here:
    """In the place of a sandbox: its cells are this process."""

    profile = Profile("trusted", None, None)

    def run(self, request, seconds):
        return Outcome("frame", _frame(respond(decode(request))), 0.0)


@pytest.fixture(scope="module")
def shell():
    hook = sys.displayhook
    config = Config({"HistoryManager": {"hist_file": ":memory:"}})
    made = InteractiveShell.instance(config=config)
    made.displayhook.flush = lambda: None  # it collects garbage, all of torch's
    yield made
    InteractiveShell.clear_instance()
    sys.displayhook = hook


@pytest.fixture(autouse=True)
def course(monkeypatch):
    monkeypatch.setattr(course_lib.exercises, "CATALOGUE", Catalogue([EXERCISE]))
    monkeypatch.setattr(limits, "SECONDS", 2.0)


def cells_of(shape, two):
    parts = [Cell(IMPORTS), *(HOLDS | FAILS)[shape], Cell("# the end")]
    cells = [Cell(part) if type(part) is str else part for part in parts]
    again = () if any("def again" in cell.source for cell in cells) else (Cell(AGAIN, "again"),)
    return [
        Cell(
            c.source.replace("§", two), c.task, c.ran and tuple(r.replace("§", two) for r in c.ran)
        )
        for c in (*cells, *again)
    ]


def saved(path, cells):
    content = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {"task": cell.task} if cell.task else {},
            "source": cell.source,
            "outputs": [],
            "execution_count": None,
        }
        for number, cell in enumerate(cells)
    ]
    content.insert(1, {"cell_type": "markdown", "id": "m", "metadata": {}, "source": "mine"})
    path.write_text(
        json.dumps({"cells": content, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    return path


def run_all(shell, cells, with_ids=True):
    shell.reset(new_session=True)
    seen_by_check._runs.clear()
    seen_by_check.watch()
    for number, cell in enumerate(cells):
        for source in (cell.source,) if cell.ran is None else cell.ran:
            name = f"cell-{number}" if with_ids else None
            shell.run_cell(source, store_history=True, cell_id=name)


def checked(shell):
    """The report of `check(double)`; None where the notebook itself raises."""
    return shell.run_cell("check(double)", store_history=True, cell_id="cell-check").result


def by_command(path):
    said = []
    check_notebook(path, {EXERCISE.stem: EXERCISE}, said.append)
    return said[0], int(said[0].partition(" points")[0].rpartition(", ")[2].split()[0])


def by_grader(path):
    notebook = parse_notebook(path.read_bytes(), [task.name for task in EXERCISE.tasks])
    how = {"seeds": {task.name: 1 for task in EXERCISE.tasks}, "sandbox": Here(), "timeout": 9.0}
    return grade_notebook(notebook, EXERCISE, **how).tasks[0].report


def test_there_are_many_shapes():
    assert len(SHAPES) >= 100


@pytest.mark.parametrize("two", ["2", "3"], ids=["right", "wrong"])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_verdict(shape, two, shell, tmp_path, monkeypatch):
    cells = cells_of(shape, two)
    path = saved(tmp_path / "01_toy.ipynb", cells)
    wanted = WORTH if two == "2" and SHAPES[shape] else 0
    text, command = by_command(path)
    graded = by_grader(path)
    scores = {"attn check": command, "attn grade": graded.score}
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    run_all(shell, cells)
    os.utime(path, 2 * (time.time(),))
    report = checked(shell)
    scores["check, saved"] = report.score if report else 0
    if all(cell.ran is None for cell in cells):
        monkeypatch.delenv("JPY_SESSION_NAME")
        run_all(shell, cells, with_ids=False)
        bare = checked(shell)
        scores["check, no file"] = bare.score if bare else 0
    assert scores == dict.fromkeys(scores, wanted), f"{text}\n{report}"


def test_what_is_written_in_words_is_named(tmp_path):
    questions = [Written(name, 2, "Why?", ("2: a reason",)) for name in ("a", "b", "c", "d")]
    exercise = replace(EXERCISE, written=tuple(questions))
    cells = [
        {"cell_type": "markdown", "metadata": {"written": name} if name else {}, "source": source}
        for name, source in (("a", "> Why?\n\nA good reason."), ("b", "> Why?"), ("", "Mine."))
    ]
    cells += [{"cell_type": "markdown", "metadata": {"written": "c"}, "source": "> Why?"}]
    path = tmp_path / "01_toy.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    said = []
    assert check_notebook(path, {"01_toy": exercise}, said.append) == 1
    assert said[-1] == (
        "In words, 8 points that a person gives: a (3 words), b (empty: what you wrote in the cell "
        "below is not found, move it up), c (empty), d (its cell is missing: take it from the "
        "released notebook)"
    )
