"""`attn new-exercise` in a copy of the course: what it writes is released, and its proof passes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.cli import main

ROOT = Path(__file__).parents[2]
NEEDED = ("course_lib", "exercises", "solutions", "tools", "tests", "_toc.yml", "_config.yml")
NEEDED += ("index.md", "pyproject.toml", "conftest.py", "constraints.txt", "book/_ext")
NEEDED += ("book/softmax.ipynb", "grader")


@pytest.fixture
def copy(tmp_path, monkeypatch):
    for name in NEEDED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("*.pyc.*", "*.so", ".*")  # half-written ones, too
            shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
        else:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*command):
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_a_new_exercise_is_released_and_its_proof_passes(copy, capsys):
    assert main(["new-exercise", "rows_that_count"]) == 0
    printed = capsys.readouterr().out
    assert (
        "solutions/14_rows_that_count.ipynb: written" in printed and "tools/release.py" in printed
    )
    assert "exercises/14_rows_that_count.ipynb: written" in run("tools/release.py")
    stub = (copy / "exercises/14_rows_that_count.ipynb").read_text(encoding="utf-8")
    assert "raise NotImplementedError" in stub and "np.maximum" not in stub
    run("tools/notebooks.py", "run", "solutions/14_rows_that_count.ipynb")
    run("tools/notebooks.py", "check", "solutions", "exercises")
    run("-m", "ruff", "check", "course_lib/exercises/rows_that_count")
    run("-m", "ruff", "format", "--check", "course_lib/exercises/rows_that_count")
    proofs = [f"tests/exercises/test_{name}.py" for name in ("proofs", "exercise_notebooks")]
    proofs.append("tests/book/test_solutions.py")
    done = run("-m", "pytest", *proofs, "-q", "-p", "no:cacheprovider", "-k", "rows_that_count")
    assert " passed" in done and "failed" not in done
    listed = (copy / "index.md").read_text(encoding="utf-8")
    assert "| {exercise}`14_rows_that_count` | {doc}`book/softmax` | 15 |\n\nA **lab**" in listed
    toc = (copy / "_toc.yml").read_text(encoding="utf-8")
    assert "exercises/14_rows_that_count\n" in toc


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("softmax", "there is a task or an exercise 'softmax' already"),
        ("causal", "there is a task or an exercise 'causal' already"),
        ("Mine", "cannot be the name of an exercise"),
        ("much_too_long_for_a_function", "at most 24 of them"),
        ("lambda", "cannot be the name of an exercise"),
        ("a/b", "cannot be the name of an exercise"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name, words, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert main(["new-exercise", name]) == 2
    assert words in capsys.readouterr().err


def test_elsewhere_it_says_where_to_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new-exercise", "mine"]) == 2
    assert "is no copy of the course" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
