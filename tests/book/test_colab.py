"""The first cell of every notebook, run as Colab and as a laptop run it, with pip's line caught."""

import importlib.util
import sys
from types import ModuleType

import pytest

from tools.colab import SNIPPET, snippet

ZIP = "https://github.com/someone/fork/archive/main.zip"
PACKAGE = f'"course-lib[course]@{ZIP}"'

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


SAYS = "needs the library of its course"
HERE, THERE = SNIPPET, snippet(ZIP)  # without an address, and with one


@pytest.mark.parametrize(
    ("cell", "colab", "installed", "pip", "said"),
    [
        (THERE, True, False, [f"install -q {PACKAGE}"], ()),
        (HERE, True, False, [], (SAYS, "that your instructor hands out")),
        (THERE, False, False, [], (SAYS, f"python -m pip install {PACKAGE}", "3.11 or later")),
        *((cell, colab, True, [], ()) for cell in (HERE, THERE) for colab in (True, False)),
    ],
)
def test_what_is_installed_and_what_is_said(asked, cell, colab, installed, pip, said):
    lines, error = asked(cell, colab=colab, installed=installed)
    assert lines == pip and bool(error) == bool(said)
    assert all(words in error for words in said)
