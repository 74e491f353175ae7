"""The first cell of every notebook, run as Colab runs it, with pip's line caught."""

import importlib.util
import sys
from types import ModuleType

import pytest

from tools.colab import SNIPPET

interactive = pytest.importorskip("IPython.core.interactiveshell")


@pytest.fixture
def asked(monkeypatch):
    """run(colab, installed) -> what pip was asked, with Colab and the library there or not."""
    shell = interactive.InteractiveShell()
    lines = []
    shell.register_magic_function(lines.append, magic_kind="line", magic_name="pip")
    real = importlib.util.find_spec

    def run(colab: bool, installed: bool) -> list[str]:
        if colab:
            monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
        if not installed:
            monkeypatch.setattr(
                importlib.util,
                "find_spec",
                lambda name: None if name == "course_lib" else real(name),
            )
        done = shell.run_cell(SNIPPET)
        assert done.success
        return lines

    return run


def test_colab_without_the_library_installs_it_once(asked):
    (line,) = asked(colab=True, installed=False)
    assert line == "install -q git+https://github.com/attention-course/attention"


@pytest.mark.parametrize(("colab", "installed"), [(True, True), (False, False), (False, True)])
def test_nothing_is_installed_elsewhere_or_twice(asked, colab, installed):
    assert asked(colab, installed) == []
