"""A fork without a network builds the book: pages of published models stay as they are stored."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import course_lib
from tools.execute import loads_model, stays_as_stored, stored_or_run

ROOT = Path(__file__).resolve().parents[2]
MODEL = "from course_lib.published import smollm2\n"


@pytest.fixture
def root(tmp_path):
    """A book of two pages whose stored output is not what their code prints."""
    (tmp_path / "course_lib").symlink_to(Path(course_lib.__file__).parent)
    for name, code in (("model", MODEL + "print(smollm2())"), ("plain", "print('now')")):
        cell = nbformat.v4.new_code_cell(code)
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="stored")]
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / f"{name}.ipynb")
    return tmp_path


@pytest.mark.slow
def test_only_the_page_with_a_model_is_left_as_stored(root, monkeypatch):
    monkeypatch.setenv("COURSE_MODELS", "no")
    model, plain = (stored_or_run(root, name, 30) for name in ("model", "plain"))
    assert model.as_stored and model.notebook.cells[0].outputs[0].text == "stored"
    assert not plain.as_stored and plain.notebook.cells[0].outputs[0].text == "now\n"


@pytest.mark.slow
def test_else_a_missing_model_fails_its_page_with_the_command(root, monkeypatch):
    monkeypatch.setenv("COURSE_MODELS", str(root / "nothing"))
    model = stored_or_run(root, "model", 30)
    assert not model.as_stored and "Fetch it with: python -m" in model.failure


@pytest.mark.parametrize("here", [True, False])
def test_a_page_with_recordings_is_left_where_there_are_none(root, monkeypatch, here):
    files = [root / "voices" / f"{language}.zip" for language in ("en", "fr", "es", "it", "ru")]
    files[0].parent.mkdir()
    for file in files if here else files[1:]:
        file.touch()
    monkeypatch.setenv("COURSE_MODELS", str(root))
    for name, imported in (("plays", "log_mel, voices"), ("loads", "log_mel")):
        cell = nbformat.v4.new_code_cell(f"from course_lib.published import {imported}")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), root / f"{name}.ipynb")
    stored = [
        name
        for name in ("plays", "loads", "plain")
        if stays_as_stored(root, root / f"{name}.ipynb")
    ]
    assert stored == ([] if here else ["plays"])


def test_a_lab_that_loads_a_model_is_skipped_whole():
    labs = [
        f"solutions/{lab}.ipynb" for lab in ("lab_6_inside_a_model", "lab_7_hear_where_it_looks")
    ]
    command = [sys.executable, "-m", "pytest", "-p", "nbval.plugin", "--nbval", "-q"]
    command += ["-p", "no:cacheprovider", *labs]
    settings = {**os.environ, "COURSE_MODELS": "no"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    for lab in labs:
        assert f"{Path(lab).name} stays as it is stored: COURSE_MODELS=no" in done.stdout
    assert "skipped" in done.stdout and "passed" not in done.stdout


def test_exercises_that_only_end_in_a_model_are_run():
    assert not loads_model(ROOT, ROOT / "solutions" / "07_scaled_dot_product.ipynb")
