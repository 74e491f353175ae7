"""The first cell of every notebook, run as Colab and as a laptop run it, with pip's line caught."""

import importlib.util
import sys
from types import ModuleType

import pytest

from tools.colab import SNIPPET, snippet

ZIP = "https://github.com/someone/fork/archive/main.zip"

interactive = pytest.importorskip("IPython.core.interactiveshell")


@pytest.fixture
def asked(monkeypatch):
    """run(cell, colab, installed) -> what pip was asked and what the cell raised."""
    shell = interactive.InteractiveShell()
    lines = []
    shell.register_magic_function(lines.append, magic_kind="line", magic_name="pip")
    real = importlib.util.find_spec

    def run(cell: str, colab: bool, installed: bool) -> tuple[list[str], str]:
        if colab:
            monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
        if not installed:
            monkeypatch.setattr(
                importlib.util,
                "find_spec",
                lambda name: None if name == "course_lib" else real(name),
            )
        done = shell.run_cell(cell)
        return lines, str(done.error_in_exec or "")

    return run


def test_colab_without_the_library_installs_it_from_the_courses_address(asked):
    assert asked(snippet(ZIP), colab=True, installed=False) == ([f"install -q {ZIP}"], "")


@pytest.mark.parametrize("cell", [SNIPPET, snippet(ZIP)])
@pytest.mark.parametrize("colab", [True, False])
def test_nothing_is_installed_twice(asked, cell, colab):
    assert asked(cell, colab, installed=True) == ([], "")


def test_a_course_without_an_address_installs_nothing_and_says_what_is_missing(asked):
    lines, error = asked(SNIPPET, colab=True, installed=False)
    assert lines == []
    assert "needs the library of its course" in error and "that your instructor hands out" in error


def test_a_notebook_alone_says_what_is_missing_and_where_it_is(asked):
    lines, error = asked(snippet(ZIP), colab=False, installed=False)
    assert lines == []
    assert error.endswith(f"python -m pip install {ZIP}") and "3.11 or later" in error
