"""The exercises in the book: which solutions their pages show, and how to leave them out."""

import builtins
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from study import solutions

from course_lib.checker.run.statements import read_statements
from course_lib.exercises import CATALOGUE
from tools.contents import chapters
from tools.execute import executed, pages

ROOT = Path(__file__).parents[2]
EXPLAINED = [e.stem for e in CATALOGUE.exercises.values() if any(task.idea for task in e.tasks)]
ONE_WAY = "lab_3_write_the_test"  # functions make its other right answers: they cannot stand alone
LONG = {"lab_2_find_the_bug": ["train_language_model", "beam_search"]}  # made by changes of text
# What most notebooks import, and what they define: an answer may use nothing else.
KNOWN = {*dir(builtins), "np", "torch", "nn", "F", "math", *CATALOGUE.tasks}


def given(stem: str) -> set[str]:
    """The names that this notebook imports or sets."""
    cells = nbformat.read(ROOT / "exercises" / f"{stem}.ipynb", as_version=4).cells
    code = [c.source for c in cells if c.cell_type == "code" and "%" not in c.source]
    return {name for text in code for one in read_statements(text) for name in one.binds}


def free_names(code):
    """The global names that a text uses and does not define itself."""
    statements = read_statements(code)
    bound = {name for one in statements for name in one.binds}
    return {name for one in statements for name in one.uses} - bound


def page(stem: str, shown: bool = True) -> list:
    """The cells of an exercise as Sphinx reads them."""
    env = SimpleNamespace(note_dependency=lambda path: None)
    app = SimpleNamespace(srcdir=ROOT, config=SimpleNamespace(attn_solutions=shown), env=env)
    content = [(ROOT / "exercises" / f"{stem}.ipynb").read_text(encoding="utf-8")]
    solutions.complete(app, f"exercises/{stem}", content)
    return nbformat.reads(content[0], as_version=4).cells


def test_every_exercise_is_known_explained_but_for_one_lab_and_not_executed():
    assert set(CATALOGUE.exercises) - set(EXPLAINED) <= {"lab_1_your_translator"}
    stems = {f"exercises/{stem}" for stem in CATALOGUE.exercises}
    listed = {name for name in pages(ROOT) if name.startswith("exercises/")}
    assert not listed - stems, f"{listed - stems}: course_lib/exercises/__init__.py lists no such"
    assert not listed & set(executed(ROOT))
    assert set(chapters()) <= set(executed(ROOT))


@pytest.mark.parametrize("stem", EXPLAINED)
def test_a_page_shows_the_solution_of_each_task(stem):
    text = page(stem)[-1].source
    tasks = CATALOGUE.exercises[stem].tasks
    for task in tasks:
        assert task.idea.count(". ") + task.idea.count(": ") + 1 >= 2 and task.idea in text
        assert len(task.idea.split()) <= 110 and len(task.cost.split()) <= 40
        assert task.cost in text
        assert all(mistake.sentence in text for mistake in task.mistakes)
        kind = "class" if isinstance(task.reference, type) else "def"
        assert f"\n{kind} {task.name}(" in text
    assert "SOLUTION" not in text and "PLANTED" not in text
    others = solutions.other_ways(solutions.alternatives(ROOT, stem))
    with_two = [task.name for task in tasks if not task.judge]
    alone = [name for name in with_two if not others[name]]
    assert alone == (with_two if stem == ONE_WAY else LONG.get(stem, []))
    assert all(len(found) in (0, 2) for found in others.values())
    assert text.count("```python") == len(tasks) + sum(map(len, others.values()))
    assert text.count("Two other ways") == len(with_two) - len(alone)
    for task, sentence, code in [(t, *way) for t, found in others.items() for way in found]:
        assert 3 <= len(sentence.split()) <= 30, f"{task}: {sentence!r}"
        assert free_names(code) - KNOWN - given(stem) == set(), code


def test_one_line_leaves_the_solutions_out_and_links_stay_in_the_book():
    assert "Read first: {doc}`Softmax </book/softmax>`" in page("01_softmax")[0].source
    text = "\n".join(cell.source for cell in page("01_softmax", shown=False))
    assert "## Solutions" not in text
    assert CATALOGUE.tasks["softmax"].mistakes[0].sentence not in text


def test_docstrings_and_marks_are_left_out_of_an_answer():
    source = '''class A:
    """Words."""

    def f(self):
        """More
        words."""
        ### BEGIN SOLUTION
        return 1  # why
        ### END SOLUTION
'''
    shown = solutions.without_docstrings(source)
    assert shown == "class A:\n    def f(self):\n        return 1  # why"
