"""The workflows of .github: what they run is there, and waits for what it should.

zizmor, in `make lint`, holds that actions are pinned by commit.
"""

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import pytest
import yaml

from tools.address import Address, site_url, write

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FILES}
JOBS = {
    f"{name}/{job}": settings
    for name, workflow in WORKFLOWS.items()
    for job, settings in workflow["jobs"].items()
}


def lines(job: str) -> list[str]:
    """What a job runs, a command each."""
    return [step["run"].strip() for step in JOBS[job]["steps"] if "run" in step]


def test_the_site_is_published_once_every_other_job_holds():
    jobs = WORKFLOWS["tests"]["jobs"]
    assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}
    deploys = [job for job, text in JOBS.items() if "deploy-pages" in str(text)]
    assert deploys == ["tests/publish"]


def test_what_the_machine_lacks_is_a_failure_wherever_tests_run():
    for name, workflow in WORKFLOWS.items():
        assert workflow["env"]["COURSE_CI"] == "1", name


def test_the_jobs_of_a_push_run_every_stage_of_make_test():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    in_turn, together = re.search(
        r"^test: (?!export)(.*)\n\t.* -o book (.*)$", makefile, re.M
    ).groups()
    made = [
        target
        for job in ("lint", "unit", "notebooks", "pages")
        for line in lines(f"tests/{job}")
        if line.startswith("make ")
        for target in line.split()[1:]
    ]
    assert sorted(made) == sorted(in_turn.split() + together.split())
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("exec make test")
    assert "make nightly" in lines("nightly/fuzz")
    assert "make portable" in lines("nightly/portable")
    assert "make colab" in lines("nightly/colab")


SKIPPING = """
import pytest
def test_browser(): pytest.skip("no browser: run `make env`")
@pytest.mark.skipif(True, reason="bubblewrap is not installed")
def test_wall(): pass
def test_import(): pytest.importorskip("a_module_that_is_not_there")
def test_other(): pytest.skip("a page that nobody links to")
"""


def test_in_ci_what_is_missing_fails(tmp_path):
    (tmp_path / "test_skipping.py").write_text(SKIPPING, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COURSE_CI": "1"}
    done = subprocess.run(
        [*command, tmp_path], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert "2 failed, 1 skipped, 1 error" in done.stdout, done.stdout + done.stderr


# What `make nightly` and this tree's environment say; a job of its own does not hear it.
OUTER = {"PYTHONPATH", "VIRTUAL_ENV", "HYPOTHESIS_PROFILE", "COURSE_SEED", "MAKEFLAGS", "MAKELEVEL"}


def run(command: list, folder: Path, **settings: str) -> str:
    """What a command says, in an environment that knows nothing of this tree."""
    environment = {k: v for k, v in os.environ.items() if k not in OUTER} | settings
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout[-6000:]}"
    return done.stdout


def clone(place: Path) -> Path:
    """The files of git as they stand here, as a checkout has them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.split(b"\0")
    for name in filter(None, listed):
        source, target = ROOT / os.fsdecode(name), place / os.fsdecode(name)
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
            target.chmod(source.stat().st_mode)
    subprocess.run(["git", "init", "-q"], cwd=place, check=True)
    subprocess.run(["git", "add", "-A"], cwd=place, check=True)
    return place


LINUX = [
    job
    for job, settings in JOBS.items()
    if settings["runs-on"] == "ubuntu-latest"
    and job.startswith("tests/")
    and lines(job)
    # The first two take from npm and from a container registry; the third has a test of its own.
    and job not in ("tests/audit", "tests/images", "tests/publish")
]


@pytest.fixture
def readable_path():
    """A temporary folder that other users may read, as a runner's checkout is: pytest's own are
    closed, and cells of another user import the course."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.mark.skipif(sys.platform == "win32", reason="its `bash` is another system's")
def test_publishing_writes_the_branch_whose_notebooks_install_this_commit(tmp_path):
    """In a shallow checkout, as a runner has it, of a fork with its address; each push anew."""
    place, hub = clone(tmp_path / "clone"), tmp_path / "hub"
    fork = "https://github.com/someone/fork"
    write(place, Address(fork, site_url(fork)))
    run(["git", "init", "-q", "--bare", "-b", "main", hub], tmp_path)
    for number in ("one", "two"):
        (place / "NEWS").write_text(number, encoding="utf-8")
        run(["git", "add", "-A"], place)
        run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "x"],
            place,
        )
        run(["git", "push", "-q", hub, "HEAD:refs/heads/main"], place)
        run(["git", "clone", "-q", "--depth", "1", hub.as_uri(), tmp_path / number], tmp_path)
        sha = run(["git", "rev-parse", "HEAD"], place).strip()
        for line in lines("tests/publish"):
            run(["bash", "-e", "-c", line], tmp_path / number, GITHUB_SHA=sha)
        notebook = run(["git", "show", "launch:book/softmax.ipynb"], hub)
        assert f"{fork}/archive/{sha}.zip" in notebook
        # The job's token may write no workflow: GitHub refuses a push whose commits hold one.
        commits = run(["git", "rev-list", "--count", "launch"], hub)
        assert commits.strip() == "1" and run(["git", "ls-tree", "launch", ".github"], hub) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("job", [*LINUX, "tests/students"])
def test_the_lines_of_a_job_run_in_a_fresh_environment(job, readable_path):
    """All but what changes the system (sudo), with this machine's Python and package registry."""
    wanted = os.environ.get("COURSE_JOB", job)
    if job != wanted:
        pytest.skip(f"COURSE_JOB={wanted}")
    place = clone(readable_path / "clone")
    venv.create(readable_path / "fresh", with_pip=True)
    outer = {sys.prefix + "/bin"} if sys.prefix != sys.base_prefix else set()
    before = [folder for folder in os.environ["PATH"].split(os.pathsep) if folder not in outer]
    path = os.pathsep.join([str(readable_path / "fresh" / "bin"), *before])
    for line in lines(job):
        if not line.startswith("sudo "):
            settings = {"COURSE_CI": "1", **JOBS[job].get("env", {}), "PATH": path}
            run(["bash", "-e", "-c", line], place, **settings)
