"""The notebooks of the book and of the exercises: canonical, in the contents, ready for Colab."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml

from tools.colab import SNIPPET
from tools.notebooks import canonical, dumps, problems, read
from tools.release import differences, release, released

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "book").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))
name = pytest.mark.parametrize("path", [*CHAPTERS, *SOLUTIONS, *EXERCISES], ids=lambda p: p.stem)


def notebook(*sources: str) -> nbformat.NotebookNode:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


@name
def test_is_canonical(path):
    assert problems(path) == []


@name
def test_installs_itself_in_colab_and_only_there(path):
    cell = read(path).cells[1]
    assert cell.source == SNIPPET, "the second cell is SNIPPET of tools/colab.py, word for word"
    assert "remove-cell" in cell.metadata.get("tags", [])


def test_every_chapter_is_in_the_contents():
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = [chapter["file"] for part in contents["parts"] for chapter in part["chapters"]]
    assert len(listed) == len(set(listed))
    assert {f"book/{path.stem}" for path in CHAPTERS} - set(listed) == set()


def test_exercises_are_the_released_solutions():
    assert differences(release(ROOT / "solutions", ROOT / "exercises"), ROOT / "exercises") == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_every_plot_has_words_for_it(path):
    for cell in read(path).cells:
        if cell.cell_type == "code" and "plt.show()" in cell.source:
            settings = cell.metadata.get("mystnb", {})
            assert settings.get("image", {}).get("alt"), f"no alt text: {cell.source[:80]!r}"
            assert settings.get("figure", {}).get("caption"), f"no caption: {cell.source[:80]!r}"


def test_canonical_keeps_good_ids_and_makes_stable_ones():
    bad = notebook("1", "2", "2")
    for cell, own in zip(bad.cells, ["keep-me", "no good!", "keep-me"], strict=True):
        cell["id"] = own
    once = canonical(bad)
    assert once.cells[0].id == "keep-me"
    assert len({cell.id for cell in once.cells}) == 3
    assert dumps(canonical(once)) == dumps(once) == dumps(canonical(bad))


def test_canonical_drops_images_and_figures_and_keeps_what_they_say():
    made = notebook("x")
    made.cells[0].execution_count = 7
    made.cells[0].outputs = [
        nbformat.v4.new_output(
            "display_data",
            {"text/plain": "<Figure>", "image/png": "AAAA", "text/html": "<table></table>"},
        ),
        nbformat.v4.new_output(
            "display_data", {"text/plain": "Bars", "text/html": "<attn-bars></attn-bars>"}
        ),
        nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"}),
    ]
    cell = canonical(made).cells[0]
    assert cell.execution_count == 1
    kept = [{"text/plain": "<Figure>"}, {"text/plain": "Bars"}]
    assert [output.data for output in cell.outputs] == kept


SOLVED = "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION"


def test_release_leaves_a_stub_at_the_same_indentation():
    solved = notebook(SOLVED)
    solved.cells[0].metadata = {"tags": ["answer"], "task": "f"}
    cell = released(solved).cells[0]
    assert cell.source == "def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError"
    assert cell.metadata == {"tags": ["answer"], "task": "f"}


@pytest.mark.parametrize(
    ("source", "task", "words"),
    [
        ("x = 1", "f", "has the tag `answer` and no"),
        (SOLVED.replace("    ### END SOLUTION", ""), "f", "no '### BEGIN SOLUTION'"),
        (SOLVED + "\n### BEGIN SOLUTION", "f", "not closed"),
        (SOLVED, "", "must name a task"),
    ],
)
def test_release_refuses_an_answer_it_would_leak_or_lose(source, task, words):
    broken = notebook(source)
    broken.cells[0].metadata = {"tags": ["answer"], "task": task}
    with pytest.raises(ValueError, match=words):
        released(broken)


def nbval(path: Path) -> subprocess.CompletedProcess:
    """Run one notebook under nbval as `make notebooks` does, our conftest.py included."""
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider"]
    command += [
        f"--rootdir={ROOT}",
        "-c",
        str(ROOT / "pyproject.toml"),
        "-p",
        "conftest",
        str(path),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_tampered_output_fails(tmp_path):
    honest = notebook("print('weights', 0.632)", "x = 1")
    for cell in honest.cells:
        cell.execution_count = 1
    honest.cells[0].outputs = [nbformat.v4.new_output("stream", text="weights 0.632\n")]
    path = tmp_path / "honest.ipynb"
    path.write_text(dumps(canonical(honest)), encoding="utf-8")
    assert "2 passed" in nbval(path).stdout

    honest.cells[0].outputs[0].text = "weights 0.683\n"
    honest.cells[1].outputs = [nbformat.v4.new_output("stream", text="never printed\n")]
    path.write_text(dumps(canonical(honest)), encoding="utf-8")
    told = nbval(path)
    assert told.returncode == 1
    assert "2 failed" in told.stdout
