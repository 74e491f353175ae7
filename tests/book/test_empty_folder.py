"""A notebook that a page offers for Colab stands alone there: the wheel has all that it needs."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from course_lib.course_files import course_file
from tests.book.test_runs_as_read import MAGIC
from tools import empty_folder
from tools.contents import ROOT
from tools.notebooks import read

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
COLAB = {"ipython", "regex", "safetensors", "tokenizers", "transformers"}  # Colab brings these
BROUGHT = {path.relative_to(ROOT).as_posix() for path in empty_folder.files()}
COMES_WITH = packages_distributions()  # it reads the names of all that is installed
OURS = ("course_lib", "book")
ROOMS = (ROOT / "course_lib", ROOT / "book" / "helpers")


def normal(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def installed() -> set[str]:
    """The distributions that `pip install course-lib[course]` names, and those that Colab has."""
    named = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["course"]]
    return {normal(Requirement(one).name) for one in named} | COLAB


def imports(tree: ast.Module) -> set[str]:
    """The modules that a file or a notebook imports when it runs, with the names of `from`."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def missing(name: str) -> str:
    """What is wrong with an import where the wheel alone is installed, or ""."""
    first = name.partition(".")[0]
    if first in OURS:
        path = ROOT.joinpath(*name.split("."))
        packed = any(path.is_relative_to(room) for room in ROOMS)
        return "" if packed else f"{name} is not in the wheel"
    if first in sys.stdlib_module_names or first == "__future__":
        return ""
    theirs = {normal(one) for one in COMES_WITH.get(first, [first])}
    return "" if theirs & installed() else f"{name} comes with none of the course's packages"


def code(source: str) -> ast.Module:
    return ast.parse(MAGIC.sub(r"\1pass", source))


def faults(tree: ast.Module, folder: Path) -> list[str]:
    """What a notebook imports and reads that an empty folder has not."""
    asked = {
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "course_file" and node.args
    }
    found = [said for name in sorted(imports(tree)) if (said := missing(name))]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if node in asked:
            if node.value not in BROUGHT:
                found.append(f"{node.value} is not among the data-files of pyproject.toml")
        elif re.fullmatch(r"[\w./-]*\.\w+", node.value) and (folder / node.value).is_file():
            found.append(f"{node.value} is a file of the course: ask course_file for it")
    return found


@pytest.mark.parametrize("name", empty_folder.offered())
def test_a_notebook_needs_nothing_but_the_wheel(name):
    path = ROOT / f"{name}.ipynb"
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
    wrong = [said for source in cells for said in faults(code(source), path.parent)]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("from pathlib import Path\nPath('glossary.md').read_text()", "ask course_file"),
        ("course_file('book/api.md')", "not among the data-files"),
        ("course_file('book/glossary.md')", ""),
        ("from grader.pipeline import course_toml", "none of the course's packages"),
        ("import sphinx", "none of the course's packages"),
        ("from book.other import one", "not in the wheel"),
        ("from book.helpers.tables import table\nimport torch", ""),
    ],
)
def test_what_would_be_missing_is_named(source, said):
    found = "\n".join(faults(code(source), ROOT / "book"))
    assert said in found and bool(said) == bool(found)


def test_the_wheel_brings_every_result_that_a_page_may_draw():
    results = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("benchmarks/results/*.csv")}
    assert results and results <= BROUGHT


def test_a_copy_of_the_course_reads_its_own_file():
    assert course_file("book/glossary.md") == ROOT / "book" / "glossary.md"
    with pytest.raises(FileNotFoundError, match=r"book/none\.md is not in this installation"):
        course_file("book/none.md")


@pytest.mark.slow
def test_a_fresh_exercise_runs_whole_in_an_empty_folder(capsys, monkeypatch):
    """A stub stops nothing below it: "See it" may fail, and the cells after it run."""
    monkeypatch.chdir(ROOT)
    assert empty_folder.main(["exercises/01_softmax"]) == 0, capsys.readouterr().out
