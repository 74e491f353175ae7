"""The exercises in the book: which solutions their pages show, and how to leave them out."""

import ast
import builtins
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import yaml

from course_lib.checker.run.statements import read_statements
from course_lib.exercises import CATALOGUE
from tests.book.test_study import extension  # noqa: F401
from tools.contents import chapters
from tools.execute import executed, pages

ROOT = Path(__file__).parents[2]
EXPLAINED = [e.stem for e in CATALOGUE.exercises.values() if any(task.idea for task in e.tasks)]
TASKS = [task for stem in EXPLAINED for task in CATALOGUE.exercises[stem].tasks]
ONE_WAY = "lab_3_write_the_test"  # functions make its other right answers: they cannot stand alone
# What most notebooks import, and what they define: an answer may use nothing else.
KNOWN = {*dir(builtins), "np", "torch", "nn", "F", "math", *CATALOGUE.tasks}


def given(stem: str) -> set[str]:
    """The names that this notebook imports or sets."""
    cells = nbformat.read(ROOT / "exercises" / f"{stem}.ipynb", as_version=4).cells
    code = [c.source for c in cells if c.cell_type == "code" and "%" not in c.source]
    nodes = [node for text in code for node in ast.walk(ast.parse(text))]
    aliases = {
        one.asname or one.name
        for node in nodes
        for one in getattr(node, "names", ())
        if isinstance(one, ast.alias)
    }
    names = [node for node in nodes if isinstance(node, ast.Name)]
    return aliases | {node.id for node in names if isinstance(node.ctx, ast.Store)}


@pytest.fixture
def page(extension):  # noqa: F811
    """page("01_softmax", True): the cells of an exercise as Sphinx reads them."""

    def read(stem: str, shown: bool) -> list:
        config = SimpleNamespace(attn_solutions=shown)
        app = SimpleNamespace(
            srcdir=ROOT, config=config, env=SimpleNamespace(note_dependency=lambda path: None)
        )
        content = [(ROOT / "exercises" / f"{stem}.ipynb").read_text(encoding="utf-8")]
        extension("study.solutions").complete(app, f"exercises/{stem}", content)
        return nbformat.reads(content[0], as_version=4).cells

    return read


def test_every_exercise_but_one_lab_explains_its_solutions():
    assert set(CATALOGUE.exercises) - set(EXPLAINED) <= {"lab_1_your_translator"}


def test_every_page_of_an_exercise_is_known_and_none_is_executed():
    stems = {f"exercises/{stem}" for stem in CATALOGUE.exercises}
    listed = {name for name in pages(ROOT) if name.startswith("exercises/")}
    assert not listed - stems, f"{listed - stems}: course_lib/exercises/__init__.py lists no such"
    assert not listed & set(executed(ROOT))
    assert set(chapters()) <= set(executed(ROOT))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_has_words_for_its_solution(task):
    assert task.idea.count(". ") + task.idea.count(": ") + 1 >= 2
    assert len(task.idea.split()) <= 110
    assert len(task.cost.split()) <= 40


@pytest.mark.parametrize("stem", EXPLAINED)
def test_a_page_shows_the_solution_of_each_task(stem, page):
    text = page(stem, True)[-1].source
    tasks = CATALOGUE.exercises[stem].tasks
    ways = 1 if stem == ONE_WAY else 3
    for task in tasks:
        assert task.idea in text
        assert task.cost in text
        assert all(mistake.sentence in text for mistake in task.mistakes)
        kind = "class" if isinstance(task.reference, type) else "def"
        assert f"```python\n{kind} {task.name}(" in text
    assert text.count("```python") == ways * len(tasks)
    assert text.count("Two other ways") == (len(tasks) if ways == 3 else 0)
    assert "SOLUTION" not in text
    assert "PLANTED" not in text


def free_names(code):
    """The global names that a text uses and does not define itself."""
    statements = read_statements(code)
    bound = {name for one in statements for name in one.binds}
    return {name for one in statements for name in one.uses} - bound


@pytest.mark.parametrize("stem", EXPLAINED)
def test_other_ways_stand_on_their_own(stem, extension):  # noqa: F811
    module = extension("study.solutions")
    for task, ways in module.other_ways(module.alternatives(ROOT, stem)).items():
        for sentence, code in ways:
            assert 3 <= len(sentence.split()) <= 30, f"{task}: {sentence!r}"
            assert free_names(code) - KNOWN - given(stem) == set(), code


def test_one_line_leaves_the_solutions_out(page):
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["sphinx"]["config"]["attn_solutions"] is True
    text = "\n".join(cell.source for cell in page("01_softmax", False))
    assert "keepdims=True))" not in text
    assert "## Solutions" not in text
    assert CATALOGUE.tasks["softmax"].mistakes[0].sentence not in text


def test_links_of_an_exercise_stay_in_the_book(page):
    first = page("01_softmax", True)[0].source
    assert "Read first: {doc}`Softmax </book/softmax>`" in first


def test_docstrings_and_marks_are_left_out_of_an_answer(extension):  # noqa: F811
    source = '''class A:
    """Words."""

    def f(self):
        """More
        words."""
        ### BEGIN SOLUTION
        return 1  # why
        ### END SOLUTION
'''
    shown = extension("study.solutions").without_docstrings(source)
    assert shown == "class A:\n    def f(self):\n        return 1  # why"
