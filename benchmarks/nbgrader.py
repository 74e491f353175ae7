"""nbgrader's own autograder on the notebooks that we grade too, byte for byte.

Its tests are the trivial ones (`assert callable(…)`), which favours it: it judges nothing. Nor does
its start count, only what each further notebook costs.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from course_lib.checker.tasks import Exercise
from grader.packages.nbgrader import CONFIG, source_notebook

ROOT = Path(__file__).parents[1]
VERSION = "nbgrader==0.9.6"
AT_ONCE = 2
COUNT = 5  # notebooks for each


def install(place: Path) -> Path:
    """nbgrader in an environment of its own, with the torch that the notebooks import; its
    command."""
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, "venv", "--quiet", str(place)], check=True)
    python = str(place / "bin" / "python")
    words = [uv, "pip", "install", "--quiet", "--python", python, VERSION, "torch", "numpy"]
    subprocess.run([*words, "--constraint", str(ROOT / "constraints.txt")], check=True)
    return place / "bin" / "nbgrader"


def submission(exercise: Exercise, number: int) -> bytes:
    """The reference answers as student `number` hands them in, in a form that nbgrader accepts."""
    notebook = source_notebook(exercise)
    for cell in notebook["cells"]:
        marked = cell["metadata"].get("nbgrader")
        if marked and marked["grade"]:
            cell["source"] = f"assert callable({marked['grade_id'].removeprefix('test_')})"
        elif cell["cell_type"] == "code" and not marked:
            cell["source"] = _imports(cell["source"])
    notebook["metadata"]["number"] = number  # each has a hash of its own
    return json.dumps(notebook).encode()


def _imports(source: str | list[str]) -> str:
    """The imports that need no more than NumPy and torch: `course_lib` is not in there."""
    lines = "".join(source).splitlines()
    return "\n".join(line for line in lines if line.startswith(("import ", "from torch")))


def per_second(nbgrader: Path, folder: Path, exercise: Exercise) -> float:
    """Notebooks a second, once nbgrader has started: two of it side by side, as we have two
    workers."""
    courses = [folder / str(i) for i in range(AT_ONCE)]
    for place in courses:
        _write_course(place, exercise)
        words = [str(nbgrader), "generate_assignment", exercise.stem]
        subprocess.run(words, cwd=place, env=_path(nbgrader), check=True, capture_output=True)
    seconds = []
    for count in (1, 1 + COUNT):
        for place in courses:
            _hand_in(place, exercise, count)
        start = time.perf_counter()
        _autograde(nbgrader, courses, exercise.stem)
        seconds.append(time.perf_counter() - start)
        for place in courses:
            graded = list(place.glob(f"autograded/*/{exercise.stem}/{exercise.stem}.ipynb"))
            assert len(graded) == count, f"nbgrader graded {len(graded)} of {count}"
    return AT_ONCE * COUNT / (seconds[1] - seconds[0])


def _autograde(nbgrader: Path, courses: list[Path], stem: str) -> None:
    words = [str(nbgrader), "autograde", stem, "--force"]
    how = {"env": _path(nbgrader), "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = [subprocess.Popen(words, cwd=place, **how) for place in courses]
    assert not any([run.wait() for run in running]), "nbgrader failed"


def _path(nbgrader: Path) -> dict[str, str]:
    """It calls alembic and Jupyter by name, which must be its own."""
    return os.environ | {"PATH": f"{nbgrader.parent}{os.pathsep}{os.environ['PATH']}"}


def _write_course(course: Path, exercise: Exercise) -> None:
    source = course / "source" / exercise.stem
    source.mkdir(parents=True)
    (source / f"{exercise.stem}.ipynb").write_bytes(submission(exercise, 0))
    (course / "nbgrader_config.py").write_text(CONFIG)


def _hand_in(course: Path, exercise: Exercise, count: int) -> None:
    for i in range(count):
        folder = course / "submitted" / f"s{i}" / exercise.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{exercise.stem}.ipynb").write_bytes(submission(exercise, i))
