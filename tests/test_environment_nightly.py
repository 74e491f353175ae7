"""Every notebook in a fresh environment, made from the pip part of environment.yml."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
NOTEBOOKS = [
    *sorted((ROOT / "book").glob("*.ipynb")),
    *sorted((ROOT / "solutions").glob("*.ipynb")),
]
pytestmark = pytest.mark.nightly


def requirements() -> list[str]:
    """The pip part, as pip reads it. Where wheels come from a local folder, no index is added."""
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    lines = listed["dependencies"][-1]["pip"]
    local = "PIP_FIND_LINKS" in os.environ or "UV_FIND_LINKS" in os.environ
    return [line for line in lines if not (local and line.startswith("--extra-index-url"))]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Path:
    """The folder of a new environment's commands; postBuild's line is the last."""
    place = tmp_path_factory.mktemp("fresh")
    venv.create(place / "venv", with_pip=True)
    commands = place / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    (place / "requirements.txt").write_text("\n".join(requirements()), encoding="utf-8")
    shutil.copy(ROOT / "constraints.txt", place)
    pip = [commands / "python", "-m", "pip", "install", "-q"]
    run([*pip, "-r", place / "requirements.txt"], cwd=place)
    run([*pip, "--no-deps", "-e", ROOT], cwd=place)
    return commands


def run(command: list, **settings) -> None:
    """Run a command. A failure shows the last line that it said, then the end: there stands why."""
    settings |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, check=False, **settings)
    if done.returncode:
        message = done.stdout.rstrip()
        reason = message.rpartition("\n")[2]
        pytest.fail(f"{reason}\n\n{message[-3000:]}", pytrace=False)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_notebook_runs(fresh, notebook, tmp_path):
    environment = {**os.environ, "PATH": os.pathsep.join([str(fresh), os.environ["PATH"]])}
    environment.pop("PYTHONPATH", None)
    command = [fresh / "jupyter", "nbconvert", "--to", "notebook", "--execute", notebook]
    command += ["--output-dir", tmp_path]
    run(command, env=environment)
