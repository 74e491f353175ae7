"""What `make env` says of the system, and what it leaves alone."""

import ast
from pathlib import Path

import pytest

from tools import environment

TOOLS = Path(environment.__file__).parent


@pytest.fixture
def bare(monkeypatch):
    """A Linux machine with root and apt-get that has nothing; the commands that it was told."""
    ran = []

    def run(*command):
        print("+", *command)
        ran.append(command)
        return False

    monkeypatch.setattr(environment, "SYSTEM", dict.fromkeys(environment.SYSTEM, lambda: None))
    monkeypatch.setattr(environment, "run", run)
    monkeypatch.setattr(environment.shutil, "which", lambda name, **_: f"bin/{name}")
    monkeypatch.setattr(environment.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(environment.sys, "platform", "linux")
    monkeypatch.setenv("DEBIAN_FRONTEND", "noninteractive")
    return ran


def test_system_packages_are_installed_only_after_saying_so(bare, capsys):
    assert environment.make_system() == 0
    printed = capsys.readouterr().out
    first, install = printed.index("Installing system packages: chromium"), printed.index("apt-get")
    assert first < install


def test_the_system_is_left_alone_on_request(bare, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_SYSTEM", "no")
    assert environment.make_system() == 0
    assert bare == []
    printed = capsys.readouterr().out
    assert all(f"{name} is missing: " in printed for name in environment.SYSTEM)


@pytest.mark.parametrize("name", ["environment.py", "address.py", "colab.py"])
def test_an_old_python_can_read_that_it_is_too_old(name, monkeypatch, capsys):
    ast.parse((TOOLS / name).read_text(encoding="utf-8"), feature_version=(3, 6))
    monkeypatch.setattr(environment.sys, "version_info", (3, 9, 6))
    monkeypatch.setattr(environment.sys, "version", "3.9.6 (default)")
    assert environment.make_python("test") == 1
    assert capsys.readouterr().out == (
        "Python 3.9.6 is too old: 3.11 or later is needed. "
        "With another one: make env PYTHON=python3.12\n"
    )


def test_only_a_whole_system_is_ready(bare, monkeypatch, tmp_path):
    """Or `make env`, told again to do what was missing, would have nothing to do."""
    monkeypatch.setattr(environment, "VENV", tmp_path)
    monkeypatch.setattr(environment, "fetched_browser", lambda: False)
    environment.make_system()
    assert not (tmp_path / "system-ready").exists()
    monkeypatch.setattr(environment, "SYSTEM", dict.fromkeys(environment.SYSTEM, lambda: "there"))
    environment.make_system()
    assert (tmp_path / "system-ready").exists()


def test_what_a_browsers_own_installer_says_is_not_shown(bare, monkeypatch, capfd, tmp_path):
    speaks = "import sys; print('libatomic.so.1: cannot open', file=sys.stderr); sys.exit(1)"
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {environment.sys.executable} -c "{speaks}"\n')
    python.chmod(0o755)
    monkeypatch.setattr(environment, "interpreter", lambda: python)
    assert environment.make_system() == 0
    said = capfd.readouterr()
    assert "libatomic" not in said.out + said.err and "chromium is missing: no PDF" in said.out
