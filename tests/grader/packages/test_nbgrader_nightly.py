"""The nbgrader package through nbgrader itself: hand out, collect, grade, give feedback, export."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.cli import main
from tests.grader.tables import lines_of

ROOT = Path(__file__).parents[3]
STEM = "01_softmax"
pytestmark = pytest.mark.nightly
WRONG = "def softmax(scores, axis=-1):\n    return scores\n"


@pytest.fixture(scope="module")
def nbgrader(tmp_path_factory):
    """The command in $NBGRADER, or one that uv installs, for a kernel that has the course."""
    place = tmp_path_factory.mktemp("nbgrader")
    command = os.environ.get("NBGRADER") or _install(place / "environment")
    kernel = place / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    words = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": words, "display_name": "course", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec | {"env": {"PYTHONPATH": str(ROOT)}}))
    settings = os.environ | {
        "JUPYTER_PATH": str(place / "jupyter"),
        # It calls alembic by its name, which lies beside it.
        "PATH": os.pathsep.join([str(Path(command).parent), os.environ["PATH"]]),
    }
    settings.pop("PYTHONPATH", None)  # the tool has packages of its own

    def run(folder, *words):
        done = subprocess.run(
            [command, *words], capture_output=True, text=True, cwd=folder, env=settings, timeout=900
        )
        assert done.returncode == 0, done.stderr[-4000:]

    return run


def _install(place):
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, "venv", "--quiet", str(place)], check=True)
    words = [uv, "pip", "install", "--quiet", "--python", str(place / "bin" / "python"), "nbgrader"]
    subprocess.run(words, check=True)
    return str(place / "bin" / "nbgrader")


def hand_in(course, student, answers):
    """The released notebook with these answers, as a student hands it in."""
    released = json.loads((course / "release" / STEM / f"{STEM}.ipynb").read_text())
    for cell in released["cells"]:
        task = cell["metadata"].get("task")
        if task in answers:
            cell["source"] = answers[task]
        elif cell["cell_type"] == "code":
            cell["source"] = "".join(cell["source"]).replace('ME = ""', 'ME = "the solution"')
    place = course / "submitted" / student / STEM / f"{STEM}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(released))


def test_from_handing_out_to_feedback(nbgrader, tmp_path):
    assert main(["package", STEM, "--for", "nbgrader", "--output", str(tmp_path)]) == 0
    course = tmp_path / f"{STEM}-nbgrader"
    source = json.loads((course / "source" / STEM / f"{STEM}.ipynb").read_text())
    right = {
        cell["metadata"]["task"]: cell["source"]
        for cell in source["cells"]
        if "task" in cell["metadata"] and cell["metadata"].get("nbgrader", {}).get("solution")
    }
    nbgrader(course, "generate_assignment", STEM)
    released = (course / "release" / STEM / f"{STEM}.ipynb").read_text()
    assert "BEGIN SOLUTION" not in released and "NotImplementedError" in released
    cells = json.loads(released)["cells"]
    assert sum("nbgrader" in cell["metadata"] for cell in cells) == 11
    # The others do not call the wrong one, as their answers are written out in full.
    hand_in(course, "ann", right)
    hand_in(course, "bob", right | {"softmax": WRONG})
    hand_in(course, "cem", {})
    nbgrader(course, "autograde", STEM, "--create")
    nbgrader(course, "generate_feedback", STEM)
    nbgrader(course, "export")
    rows = {row["student_id"]: row for row in lines_of(course / "grades.csv")}
    assert rows.keys() == {"ann", "bob", "cem"}
    assert {float(row["max_score"]) for row in rows.values()} == {12.0}  # 2 of them by hand
    scores = {student: float(row["score"]) for student, row in rows.items()}
    assert scores["ann"] == 10 and 0 < scores["bob"] < 10 and scores["cem"] == 0
    feedback = (course / "feedback" / "bob" / STEM / f"{STEM}.html").read_text()
    assert "not right yet" in feedback and "Diagnosis" in feedback
