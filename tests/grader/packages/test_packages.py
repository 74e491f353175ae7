"""Packages for other systems, run as those systems run them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from course_lib.cli import main
from grader.packages import gradescope
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import exercise, notebook

ROOT = Path(__file__).parents[3]
STEM = "01_softmax"
SOLUTION = ROOT / "solutions" / f"{STEM}.ipynb"
pytestmark = pytest.mark.xdist_group("graders")


def package(system, folder, stem=STEM):
    assert main(["package", stem, "--for", system, "--output", str(folder)]) == 0


def program(place, lines):
    """An `attn` that does these lines."""
    place.write_text(f"#!/bin/sh\n{lines}\n")
    place.chmod(0o755)
    return str(place)


def run_autograder(root, attn):
    """What Gradescope runs for a submission, with its folder at `root`."""
    environment = os.environ | {"AUTOGRADER_ROOT": str(root), "ATTN": attn}
    run = ["bash", str(root / "run_autograder")]
    subprocess.run(run, env=environment, check=True, capture_output=True, timeout=300)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
@pytest.mark.parametrize(
    ("attn", "handed_in", "score", "said"),
    [
        (f'cd "{ROOT}" && exec "{sys.executable}" -m course_lib.cli "$@"', True, 10, "graded"),
        ("exit 2", False, 0, "Nothing that you handed in is a notebook"),
        ("echo Nothing was handed in for x; exit 2", True, None, "holds an answer of 01_softmax"),
        ("exit 2", True, None, "not a grade"),  # a fault of ours is no zero
    ],
)
def test_the_gradescope_zip_writes_results(tmp_path, attn, handed_in, score, said):
    package("gradescope", tmp_path)
    root = tmp_path / "autograder"
    (root / "submission").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / f"{STEM}-gradescope.zip") as archive:
        assert {"course_lib/cli.py", "grader/pyproject.toml"} <= set(archive.namelist())
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
        archive.extractall(root)
    if handed_in:
        shutil.copy(SOLUTION, root / "submission" / "my work.ipynb")
    run_autograder(root, program(tmp_path / "attn", attn))
    results = json.loads((root / "results" / "results.json").read_text())
    assert results.get("score") == score and said in results["output"]


@pytest.mark.parametrize(
    ("right", "others"),
    [
        ("01_softmax.ipynb", ["00_x.ipynb", ".ipynb_checkpoints/01_softmax-checkpoint.ipynb"]),
        ("01_softmax (1).ipynb", ["01_softmax.ipynb", "a/notes.ipynb"]),
        ("softmax_final.ipynb", ["Untitled.ipynb", ".hidden.ipynb", "01_scratch.ipynb"]),
        ("a/b/c/d/my work.ipynb", ["Untitled.ipynb", "a/Untitled1.ipynb"]),
    ],
)
def test_gradescope_grades_the_notebook_that_was_meant(tmp_path, right, others):
    """By its cells, as for a class: the whole folder is handed to the same command."""
    package("gradescope", tmp_path)
    handed_in = tmp_path / "submission"
    for name in (right, *others):
        (handed_in / name).parent.mkdir(parents=True, exist_ok=True)
        answers = ("softmax",) if name == right or "(1)" in right else ()
        (handed_in / name).write_bytes(notebook("right" if name == right else "wrong", *answers))
    keeps = f'[ "$1" = grade ] && cp -r "$2" "{tmp_path}/seen"'  # what it is given to grade
    with zipfile.ZipFile(tmp_path / f"{STEM}-gradescope.zip") as archive:
        archive.extract("run_autograder", tmp_path)
    run_autograder(tmp_path, program(tmp_path / "attn", keeps))
    lines = collect(tmp_path / "seen", {STEM: exercise("softmax")}, "folders")
    (counts,) = found_in(lines).submissions
    assert json.loads(counts.read()[0])["who"] == "right" and counts.student == "submission"


def test_gradescope_needs_the_repository_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gradescope, "ROOT", tmp_path)
    assert main(["package", STEM, "--for", "gradescope", "--output", str(tmp_path)]) == 2
    assert "Run attn in a clone of the repository." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_gradescope_brings_a_python_that_the_course_accepts(tmp_path):
    """The default image has 3.10: pip would refuse the course there."""
    package("gradescope", tmp_path)
    with zipfile.ZipFile(tmp_path / f"{STEM}-gradescope.zip") as archive:
        setup = archive.read("setup.sh").decode()
        project = tomllib.loads(archive.read("pyproject.toml").decode())["project"]
    (brought,) = re.findall(r"uv venv .*--python (\S+) /opt/course", setup)
    assert project["requires-python"] == f">={brought}"


HERE = "grader.packages.github_classroom.REPOSITORY"


@pytest.fixture
def address(monkeypatch):
    monkeypatch.setattr(HERE, "https://github.com/someone/fork")


@pytest.mark.parametrize("where", ["", "https://gitlab.com/someone/fork"])
def test_no_github_workflow_without_an_address_on_github(tmp_path, monkeypatch, capsys, where):
    monkeypatch.setattr(HERE, where)
    assert main(["package", STEM, "--for", "github-classroom", "--output", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "make address URL=https://github.com/" in said and (where or "no address") in said
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("address")
def test_the_github_workflow_names_the_exercise(tmp_path):
    package("github-classroom", tmp_path)
    folder = tmp_path / f"{STEM}-github-classroom" / ".github"
    workflow = (folder / "workflows" / "classroom.yml").read_text()
    assert f"submission/{STEM}.base64" in workflow and "{runner}" not in workflow
    steps = yaml.safe_load(workflow)["jobs"]["grade"]["steps"]
    # The reporter reads the variable that is named after its runner, in capitals.
    (runner,) = [step["with"]["runners"] for step in steps if "runners" in step.get("with", {})]
    assert runner in {step.get("id") for step in steps}
    result = f"${{{{ steps.{runner}.outputs.result }}}}"
    assert steps[-1]["env"] == {f"{runner.upper()}_RESULTS": result}
    (course,) = [step["with"] for step in steps if "repository" in step.get("with", {})]
    assert course["repository"] == "someone/fork"
    (install,) = [step["run"] for step in steps if "pip install" in step.get("run", "")]
    assert f"--editable ./{course['path']}/grader" in install, "no registry has our course_lib"
    assert "--editable" in install and "whl/cpu" in install
    (test,) = json.loads((folder / "classroom" / "autograding.json").read_text())["tests"]
    assert test["points"] == 10 and test["run"] == f"attn check {STEM}.ipynb"


FAILS = "exit 2"
NO_GRADE = """mkdir -p work/out work/report/submission
echo '"ann","01_softmax","","10","needs-attention"' > work/out/grades.csv
echo e30= > work/report/submission/01_softmax.base64"""
GRADE = NO_GRADE.replace("needs-attention", "graded")
GRADE += "\nfind work/in -name '*.ipynb' | grep -q ipynb"
NONE = "echo The class holds no work for an exercise of it; exit 2"


@pytest.mark.usefixtures("address")
@pytest.mark.skipif(shutil.which("bash") is None, reason="GitHub's runner has bash")
@pytest.mark.parametrize(
    ("attn", "handed_in", "sentence"),
    [
        (GRADE, True, ""),
        (FAILS, True, "::error::The grader failed. It is not a grade"),
        (NO_GRADE, True, "::error::The grader failed. It is not a grade"),
        (NONE, False, "::error::No notebook of the repository holds an answer of 01_softmax."),
        (GRADE, "of/mine/a name.ipynb", ""),
    ],
)
def test_a_fault_of_ours_is_no_report_on_github(tmp_path, attn, handed_in, sentence):
    package("github-classroom", tmp_path)
    workflow = tmp_path / f"{STEM}-github-classroom" / ".github" / "workflows" / "classroom.yml"
    steps = yaml.safe_load(workflow.read_text())["jobs"]["grade"]["steps"]
    script = [step["run"] for step in steps if "attn grade" in step.get("run", "")]
    program(tmp_path / "attn", attn)
    if handed_in:
        place = tmp_path / (f"{STEM}.ipynb" if handed_in is True else handed_in)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    settings = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GITHUB_OUTPUT": str(tmp_path / "told")}
    done = subprocess.run(  # as GitHub runs a step
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", *script],
        cwd=tmp_path,
        env=os.environ | settings,
        capture_output=True,
        text=True,
    )
    assert (done.returncode == 0) is (not sentence) and sentence in done.stdout
    assert (tmp_path / "told").exists() is (not sentence)


def test_the_nbgrader_notebook_has_a_locked_test_for_each_answer(tmp_path):
    """And lets a person mark what is written. nbgrader itself takes it in the nightly test."""
    for stem, solutions, by_hand in ((STEM, 6, [2]), ("lab_3_write_the_test", 6, [4, 3, 3])):
        package("nbgrader", tmp_path, stem)
        place = tmp_path / f"{stem}-nbgrader" / "source" / stem / f"{stem}.ipynb"
        cells = json.loads(place.read_text())["cells"]
        marks = [c["metadata"]["nbgrader"] for c in cells if "nbgrader" in c["metadata"]]
        assert sum(mark["solution"] for mark in marks) == solutions
        graded = [mark for mark in marks if mark["grade"]]
        assert sum(mark["points"] for mark in graded) == 10 + sum(by_hand)
        assert [m["points"] for m in graded if m["solution"] and not m["locked"]] == by_hand
        assert len({cell["id"] for cell in cells}) == len(cells)
        for cell in [cell for cell in cells if "written" in cell["metadata"]]:
            question, model = cell["source"].split("\n### BEGIN SOLUTION\n")
            assert question.startswith("> **") and model.endswith("\n### END SOLUTION")


@pytest.mark.parametrize("stem", sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb")))
def test_nbgrader_finds_solutions_in_solution_cells_alone(tmp_path, stem):
    """It refuses a notebook that has one elsewhere, as in the cell of a student's name."""
    package("nbgrader", tmp_path, stem)
    place = tmp_path / f"{stem}-nbgrader" / "source" / stem / f"{stem}.ipynb"
    for cell in json.loads(place.read_text())["cells"]:
        is_solution = cell["metadata"].get("nbgrader", {}).get("solution", False)
        assert ("### BEGIN SOLUTION" in "".join(cell["source"])) == is_solution, cell
