"""What `check` says is what the class gets: whole notebooks, in all three places."""

import json
import os
import sys
import time
from dataclasses import replace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course_lib import exercises
from course_lib.checker import cells as seen_by_check
from course_lib.checker import limits
from course_lib.checker.check_notebook import check_notebook
from course_lib.checker.compare.programs import EARLIER
from course_lib.checker.notebook import parse_notebook
from course_lib.checker.say.report import SHADOWED
from course_lib.checker.tasks import Case, Catalogue, Exercise, Inputs, Task
from grader.sandbox.inside.protocol import decode
from tests.checker.shapes import AGAIN, ANSWER, HOLDS, IMPORTS, PLAIN, STEP, Cell
from tests.checker.shapes_that_fail import FAILS
from tests.checker.toy import DOUBLE

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from grader.pipeline.submission import grade_notebook
from grader.sandbox.inside.cell import _frame, respond
from grader.sandbox.probe import find_sandbox
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
    monkeypatch.setattr(exercises, "CATALOGUE", Catalogue([EXERCISE]))
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
    shell.ast_transformers.clear()
    seen_by_check.watch(exercises.check, exercises.is_answer)
    for number, cell in enumerate(cells):
        for source in (cell.source,) if cell.ran is None else cell.ran:
            name = f"cell-{number}" if with_ids else None
            shell.run_cell(source, store_history=True, cell_id=name)


def checked(shell):
    """The report of `check(double)`; None where the notebook itself raises."""
    return shell.run_cell("check(double)", store_history=True, cell_id="cell-check").result


def by_command(path, exercise=EXERCISE):
    printed = []
    check_notebook(path, {exercise.stem: exercise}, printed.append)
    return printed[0], int(printed[0].partition(" points")[0].rpartition(", ")[2].split()[0])


def by_grader(path, exercise=EXERCISE, sandbox=Here()):  # noqa: B008 — it holds nothing
    names = [task.name for task in exercise.tasks]
    notebook = parse_notebook(path.read_bytes(), names)
    how = {"seeds": dict.fromkeys(names, 1), "sandbox": sandbox, "timeout": 9.0}
    return grade_notebook(notebook, exercise, **how)


# What earns nothing where `§` is 2 earns nothing where it is 3.
EACH = [(shape, "2") for shape in SHAPES] + [(shape, "3") for shape in HOLDS]


@pytest.mark.parametrize(("shape", "two"), EACH)
def test_one_verdict(shape, two, shell, tmp_path, monkeypatch):
    cells = cells_of(shape, two)
    path = saved(tmp_path / "01_toy.ipynb", cells)
    wanted = WORTH if two == "2" and SHAPES[shape] else 0
    text, command = by_command(path)
    graded = by_grader(path).tasks[0].report
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


def test_an_answer_that_is_taken_back_counts_where_cells_have_no_names(
    shell, tmp_path, monkeypatch
):
    right, wrong = (PLAIN.replace("§", two) for two in "23")
    cells = [Cell(IMPORTS), Cell(right, "double", (right, wrong, right))]
    for file in ("", str(saved(tmp_path / "01_toy.ipynb", cells))):
        monkeypatch.setenv("JPY_SESSION_NAME", file)
        run_all(shell, cells, with_ids=False)
        assert checked(shell).score == WORTH, file


def in_all_places(shell, tmp_path, monkeypatch, cells):
    """What `attn check`, the grader and `check` say; the file is saved before the cells run."""
    path = saved(tmp_path / "01_toy.ipynb", cells)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    run_all(shell, cells)
    return by_command(path)[0], by_grader(path), checked(shell)


@pytest.mark.slow
def test_an_answer_may_use_an_optimizer(shell, tmp_path, monkeypatch):
    """Adam's first step is as long as the rate, whatever the gradient."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the sandbox needs Linux")
    step = Task("step", 1, lambda x: 0.1 * x.sign(), (CASE,), (), ("one",))
    exercise = Exercise("01_toy", "Toy", (step,))
    monkeypatch.setattr(exercises, "CATALOGUE", Catalogue([exercise]))
    monkeypatch.setattr(limits, "SECONDS", 60.0)  # torch's compiler is imported
    cells = [Cell(f"import torch\n{IMPORTS}"), Cell(STEP, "step")]
    path = saved(tmp_path / "01_toy.ipynb", cells)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    run_all(shell, cells)
    here = shell.run_cell("check(step)", store_history=True, cell_id="cell-check").result
    with find_sandbox(400)[0] as sandbox:
        graded = by_grader(path, exercise, sandbox)
    assert (here.score, by_command(path, exercise)[1], graded.score) == (1, 1, 1), (here, graded)


def test_a_check_of_the_student_s_own_is_named_in_one_sentence(shell, tmp_path, monkeypatch):
    cells = [Cell(IMPORTS), Cell("check = 3"), Cell(PLAIN.replace("§", "2"), "double")]
    command, graded, here = in_all_places(shell, tmp_path, monkeypatch, cells)
    assert SHADOWED in command and graded.note == SHADOWED and SHADOWED in here.notes
    assert here.score == graded.tasks[0].report.score == WORTH
    assert shell.run_cell("check").result == 3  # theirs is as it was
    plain = in_all_places(shell, tmp_path, monkeypatch, [cells[0], cells[2]])
    assert SHADOWED not in str(plain)


def test_a_student_s_own_check_still_takes_what_is_no_answer(shell, tmp_path, monkeypatch):
    cells = [Cell(IMPORTS), Cell("def check(x):\n    return x + 1"), Cell(PLAIN, "double")]
    in_all_places(shell, tmp_path, monkeypatch, cells)
    assert shell.run_cell("check(3)").result == 4


@pytest.mark.parametrize(("one", "blamed"), [("1", False), ("2", True)])
def test_an_earlier_answer_that_is_wrong_is_said_alone(one, blamed, shell, tmp_path, monkeypatch):
    """A right one is not blamed."""
    uses = "def double(x, times=1):\n    return (again(x) - 1) ** 2"
    cells = [Cell(IMPORTS), Cell(AGAIN.replace("1", one), "again"), Cell(uses, "double")]
    command, graded, here = in_all_places(shell, tmp_path, monkeypatch, cells)
    report = graded.tasks[0].report
    sentence = "It uses your `again`, which is not right yet: mend that first."
    found = [sentence in command, *(sentence == one.diagnosis for one in (report, here))]
    assert found == [blamed] * 3, (command, report, here)
    assert report.mistake == (EARLIER if blamed else "squared")


def test_what_is_not_saved_is_said_in_the_verdict_itself(shell, tmp_path, monkeypatch):
    right, wrong = (PLAIN.replace("§", two) for two in "23")
    cells = [Cell(IMPORTS), Cell(wrong, "double", (right,))]
    path = saved(tmp_path / "01_toy.ipynb", cells)
    os.utime(path, (1, 1))
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    run_all(shell, cells)
    report = checked(shell)
    printed = str(report).splitlines()
    assert printed[0] == "double: right, but not saved, 3 of 3 points"
    assert printed[1].startswith("  The saved notebook has another `double`")
    page = report._repr_html_()  # directly below the verdict, before anything else
    assert 0 < page.index(printed[0]) < page.index(printed[1][2:22]) < page.index("All 3 cases")
    os.utime(path)
    saved(path, [Cell(IMPORTS), Cell(right, "double")])
    assert str(checked(shell)).startswith("double: right, 3 of 3 points")


def test_what_would_not_be_handed_in_is_said_in_the_verdict_itself(shell, tmp_path, monkeypatch):
    cells = [
        Cell(IMPORTS),
        Cell("exec('TWO = 2')"),
        Cell(ANSWER, "double"),
    ]
    _, graded, here = in_all_places(shell, tmp_path, monkeypatch, cells)
    printed = str(here).splitlines()
    assert printed[0] == "double: not right as it is handed in, 0 of 3 points"
    assert "it is right; what you hand in is not. No cell defines `TWO`" in printed[1]
    assert graded.tasks[0].report.score == 0
