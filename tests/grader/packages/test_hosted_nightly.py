"""The packages for Gradescope and GitHub Classroom on a machine like theirs: the folders that they
document, a plain Debian root, its own python3. They install what they say: it takes minutes."""

import base64
import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml

from course_lib.cli import main
from grader.packages.gradescope import course_files

ROOT = Path(__file__).parents[3]
STEM = "01_softmax"
SOLUTION = ROOT / "solutions" / f"{STEM}.ipynb"
STRANGER = "4242"
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.xdist_group("graders"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="on Gradescope one is root"),
    pytest.mark.skipif(not Path("/usr/bin/python3").exists(), reason="needs the system's python3"),
]
OURS = ("proc", "dev", "tmp", "opt", "autograder", "home")


class Machine:
    """A root file system of which /autograder, /opt, /home and /tmp are its own."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("autograder", "opt", "home", "tmp", "shims"):
            (folder / name).mkdir()
        (folder / "tmp").chmod(0o777)
        for name in ("apt-get", "sudo"):  # what they would install is here already
            (folder / "shims" / name).write_text("#!/bin/sh\nexit 0\n")
            (folder / "shims" / name).chmod(0o755)

    def run(self, script, *, namespaces=True, root=True, path="", **variables):
        """Run a bash script; without namespaces as a container's root, who may make none."""
        words = ["bwrap", "--die-with-parent", "--unshare-pid", "--cap-add", "ALL"]
        for entry in sorted(Path("/").iterdir()):
            if entry.is_symlink():
                words += ["--symlink", os.readlink(entry), str(entry)]
            elif entry.is_dir() and entry.name not in OURS:
                words += ["--ro-bind", str(entry), str(entry)]
        words += ["--proc", "/proc", "--dev-bind", "/dev", "/dev"]
        for name in ("autograder", "opt", "home", "tmp", "shims"):
            words += ["--bind", str(self.folder / name), f"/{name}"]
        for entry in sorted(Path("/opt").iterdir()):  # a package index of this machine's
            words += ["--ro-bind", str(entry), str(entry)]
        words += [] if namespaces else ["--cap-drop", "CAP_SYS_ADMIN"]
        kept = ("PIP_", "SSL_", "UV_", "http_proxy", "https_proxy")
        settings = {name: value for name, value in os.environ.items() if name.startswith(kept)}
        settings |= {"HOME": "/home", "UV_CACHE_DIR": "/tmp/uv", "PIP_NO_CACHE_DIR": "1"}
        settings |= {"PIP_RETRIES": "1", "PIP_DEFAULT_TIMEOUT": "15"}  # of two indexes, one is dead
        settings["PATH"] = f"{path}/shims:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        user = (
            [] if root else ["setpriv", "--reuid", STRANGER, "--regid", STRANGER, "--clear-groups"]
        )
        words += ["--", *user, "bash", "-e", "-c", script]
        return subprocess.run(
            words, env=settings | variables, capture_output=True, text=True, timeout=1800
        )


@pytest.fixture(scope="module")
def gradescope(tmp_path_factory):
    """The image, as Gradescope builds it: /autograder/source is the zip, setup.sh has run."""
    machine = Machine(tmp_path_factory.mktemp("gradescope"))
    folder = machine.folder
    assert main(["package", STEM, "--for", "gradescope", "--output", str(folder)]) == 0
    with zipfile.ZipFile(folder / f"{STEM}-gradescope.zip") as archive:
        archive.extractall(folder / "autograder" / "source")
    built = machine.run("bash /autograder/source/setup.sh")
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    shutil.copy(folder / "autograder/source/run_autograder", folder / "autograder")
    (folder / "autograder" / "run_autograder").chmod(0o755)
    return machine


def submit(machine, source, **how):
    """One submission; what Gradescope reads of it, and what stands in its log."""
    place = machine.folder / "autograder"
    for name in ("submission", "results"):
        shutil.rmtree(place / name, ignore_errors=True)
        (place / name).mkdir()
        (place / name).chmod(0o777)
    if source is not None:
        (place / "submission" / "my work.ipynb").write_text(source, encoding="utf-8")
    done = machine.run("/autograder/run_autograder", **how)
    assert done.returncode == 0, done.stderr
    return json.loads((place / "results" / "results.json").read_text()), done.stderr


def with_answer(task, code):
    notebook = json.loads(SOLUTION.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("task") == task:
            cell["source"] = code
    return json.dumps(notebook)


SPIES = """
import glob
def softmax(scores, axis=-1):
    found = []
    for place in {places!r}:
        for path in glob.glob(place, recursive=True):
            try:
                found.append(open(path).read(9) and path)
            except OSError:
                pass
    raise ValueError(f"found {{found}}")
"""
PLACES = ["/autograder/source/course_lib/exercises/**/*.py", "/autograder/**/*.ipynb"]
PLACES += ["/opt/course/lib/python3*/site-packages/course_lib*/**/*.py", "/autograder/r*"]


@pytest.mark.parametrize("namespaces", [True, False])
def test_gradescope_grades_and_shows_no_solution(gradescope, namespaces):
    results, _ = submit(gradescope, SOLUTION.read_text(encoding="utf-8"), namespaces=namespaces)
    assert results["score"] == 10, results
    assert {test["status"] for test in results["tests"]} == {"passed"}
    spy = with_answer("softmax", SPIES.format(places=PLACES))
    results, _ = submit(gradescope, spy, namespaces=namespaces)
    (test,) = [test for test in results["tests"] if test["name"] == "softmax"]
    assert test["score"] == 0 and "found []" in test["output"], test["output"]
    results, _ = submit(gradescope, None, namespaces=namespaces)
    assert results["score"] == 0 and "is a notebook" in results["output"]


def test_gradescope_writes_no_score_for_a_fault_of_ours(gradescope):
    """Another user than the image's cannot read the course; and Python may not start."""
    right = SOLUTION.read_text(encoding="utf-8")
    for how in ({"root": False}, {"PYTHONHOME": "/nowhere"}):
        results, log = submit(gradescope, right, **how)
        assert "score" not in results and "It is not a grade" in results["output"]
        assert log.strip(), "the instructor's log says why"


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """A student's repository on GitHub's machine after every step before the grading."""
    machine = Machine(tmp_path_factory.mktemp("github"))
    line = ["package", STEM, "--for", "github-classroom", "--output", str(machine.folder)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "grader.packages.github_classroom.REPOSITORY", "https://github.com/someone/fork"
        )
        assert main(line) == 0
    folder = machine.folder / f"{STEM}-github-classroom" / ".github" / "workflows"
    steps = yaml.safe_load((folder / "classroom.yml").read_text())["jobs"]["grade"]["steps"]
    machine.steps = [step["run"] for step in steps if "run" in step]
    course = machine.folder / "home" / "repository" / "course"
    for name, content in course_files():
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_bytes(content)
    before = "\n".join(["python3 -m venv /opt/python", "cd /home/repository", *machine.steps[:-1]])
    built = machine.run(before, path="/opt/python/bin:")
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    for place in ("home", "home/repository"):
        (machine.folder / place).chmod(0o777)
    return machine


def push(machine, source, **how):
    """What the last step says to the reporter (None when it failed), and its log."""
    repository = machine.folder / "home" / "repository"
    shutil.rmtree(repository / "work", ignore_errors=True)
    (repository / f"{STEM}.ipynb").unlink(missing_ok=True)
    if source is not None:
        (repository / f"{STEM}.ipynb").write_text(source, encoding="utf-8")
    output = machine.folder / "tmp" / "output"
    output.write_text("")
    output.chmod(0o666)
    script = f"cd /home/repository\n{machine.steps[-1]}"
    done = machine.run(script, path="/opt/python/bin:", GITHUB_OUTPUT="/tmp/output", **how)
    result = output.read_text().removeprefix("result=")
    report = json.loads(base64.b64decode(result)) if done.returncode == 0 else None
    return report, done.stdout + done.stderr


@pytest.mark.parametrize(
    "how", [{"root": False}, {"root": True}, {"root": True, "namespaces": False}]
)
def test_github_s_runner_grades(runner, how):
    report, log = push(runner, SOLUTION.read_text(encoding="utf-8"), **how)
    assert report is not None, log
    assert report["status"] == "pass" and sum(test["score"] for test in report["tests"]) == 10
    wrong = with_answer("softmax", "def softmax(scores, axis=-1):\n    return scores\n")
    report, log = push(runner, wrong, **how)
    assert report["status"] == "fail" and report["tests"][0]["score"] == 0
