"""A wheel, installed where there is no repository, has all that a student and a grader need."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tools import empty_folder

ROOT = Path(__file__).parents[1]
STEM = "01_softmax"
pytestmark = pytest.mark.nightly
FIGURES = """
import course_lib, pathlib
from course_lib.figures.moving.figure import SCRIPTS, script
from course_lib.figures.moving.softmax import softmax_figure
names = [path.name for path in SCRIPTS.iterdir()]
assert len(names) > 10 and all(map(script, names))
figure = softmax_figure(["a", "b"], [1.0, 2.0])
assert "<svg" in figure.still and "softmax" in figure._esm
print(pathlib.Path(course_lib.__file__).parent)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A virtual environment with the wheel, and beside it the packages of this one."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    ignored = shutil.ignore_patterns(".git", "_build", "__pycache__", "build", "*.egg-info")
    source.mkdir()
    shutil.copytree(ROOT / "grader", source / "grader", ignore=ignored)
    for path in empty_folder.files():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    pip = [sys.executable, "-m", "pip", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", place]
    build += [source, source / "grader"]
    subprocess.run(list(map(str, build)), check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "env"], check=True)
    python = place / "env" / "bin" / "python"
    install = [*pip, "--python", python, "install", "--no-deps", *place.glob("*.whl")]
    subprocess.run(list(map(str, install)), check=True)
    words = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = Path(subprocess.check_output(list(map(str, words)), text=True).strip())
    (own / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    shutil.rmtree(source)
    (place / "home").mkdir()
    return place


def run(place, *words):
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(place / "env" / "bin" / words[0]), *map(str, words[1:])],
        cwd=place / "home",
        env=settings,
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_every_file_of_the_library_is_in_it(place):
    (wheel,) = place.glob("course_lib*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("course_lib/")}
    listed = [p for p in (ROOT / "course_lib").rglob("*") if p.is_file()]
    ours = {p.relative_to(ROOT).as_posix() for p in listed if "__pycache__" not in p.parts}
    assert ours - packed == set()


def test_figures_are_drawn_from_it(place):
    done = run(place, "python", "-c", FIGURES)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().startswith(str(place / "env"))


def test_a_student_who_has_only_a_notebook_is_checked(place):
    shutil.copy(ROOT / "exercises" / f"{STEM}.ipynb", place / "home")
    done = run(place, "attn", "check", f"{STEM}.ipynb")
    assert done.returncode == 1 and f"{STEM}: 0 of 10 points" in done.stdout, done.stderr
    shutil.copy(ROOT / "solutions" / f"{STEM}.ipynb", place / "home")
    done = run(place, "attn", "check", f"{STEM}.ipynb")
    assert done.returncode == 0 and f"{STEM}: 10 of 10 points" in done.stdout, done.stderr
    code = "from course_lib.exercises import check; print(check(len)._repr_html_())"
    assert "course-report" in run(place, "python", "-c", code).stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
def test_a_class_is_graded_with_it(place):
    folder = place / "home" / "class" / "ann"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / f"{STEM}.ipynb", folder)
    done = run(place, "attn", "grade", "class", "--out", "grades")
    assert done.returncode == 0, done.stderr
    assert "1 rows (1 graded)" in done.stdout
    for name in ("overview.html", f"reports/ann/{STEM}.html"):
        assert "<html" in (place / "home" / "grades" / name).read_text(encoding="utf-8")
    for system in ("gradescope", "nbgrader"):  # these need the repository, and say so
        done = run(place, "attn", "package", STEM, "--for", system)
        assert done.returncode == 2 and "repository" in done.stderr, done.stderr
    assert json.loads((place / "home" / f"{STEM}.ipynb").read_text())["cells"]
