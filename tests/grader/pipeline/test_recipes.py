"""The recipes for many machines, run on this one: what they start grades a class."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml

from tests.grader.tables import grades

pytest.importorskip("distributed")
ROOT = Path(__file__).parents[3]
SLURM = ROOT / "recipes" / "slurm.sh"
KUBERNETES = ROOT / "recipes" / "kubernetes.yaml"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("graders"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
# Stands in for Slurm's: runs a command as often as it has tasks, side by side.
SRUN = """#!/bin/sh
case $1 in --ntasks=*) count=${1#--ntasks=};; *) exit 2;; esac
shift 2
while [ "$count" -gt 0 ]; do "$@" & count=$((count - 1)); done
wait
"""


@pytest.fixture
def students(tmp_path) -> Path:
    for name in ("ada", "emmy", "sofia"):
        (tmp_path / "class" / name).mkdir(parents=True)
        shutil.copy(ROOT / "solutions" / "01_softmax.ipynb", tmp_path / "class" / name)
    return tmp_path / "class"


@pytest.fixture
def environment(tmp_path) -> dict[str, str]:
    """Where `dask`, `attn` and `srun` are found."""
    srun = tmp_path / "bin" / "srun"
    srun.parent.mkdir()
    srun.write_text(SRUN)
    srun.chmod(0o755)
    attn = srun.with_name("attn")
    attn.write_text(f'#!/bin/sh\nexec {sys.executable} -m course_lib.cli "$@"\n')
    attn.chmod(0o755)
    path = [str(srun.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {
        **os.environ,
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": str(ROOT),
        "ATTN_RECIPES": str(ROOT / "recipes"),
    }


def check_rows(out: Path) -> None:
    rows = grades(out)
    assert [student for student, _ in rows] == ["ada", "emmy", "sofia"]
    for row in rows.values():
        assert row["status"] == "graded" and row["score"] == row["max_score"]


def submit(words, place, environment, tasks) -> subprocess.CompletedProcess:
    environment = {**environment, "SLURM_NTASKS": str(tasks), "SLURM_JOB_ID": "7"}
    command = ["sh", str(SLURM), *map(str, words)]
    return subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=300
    )


def test_a_slurm_job_grades_a_class_and_leaves_nothing_running(students, tmp_path, environment):
    done = submit([students, tmp_path / "out"], tmp_path, environment, 3)
    assert done.returncode == 0, done.stderr
    check_rows(tmp_path / "out")
    assert "profile: cluster" in done.stderr and "not safe" not in done.stderr
    assert not [*tmp_path.glob("attn-scheduler-*"), *tmp_path.glob("attn-tls-*")]


def test_a_slurm_job_says_what_it_lacks(tmp_path, environment):
    assert "usage: sbatch" in submit([tmp_path], tmp_path, environment, 3).stderr
    few = submit([tmp_path, tmp_path / "out"], tmp_path, environment, 1)
    assert few.returncode == 2 and "Two tasks are the least" in few.stderr


def parts() -> dict[tuple[str, str], dict]:
    found = yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8"))
    return {(part["kind"], part["metadata"]["name"]): part for part in found}


def test_the_parts_on_kubernetes_find_each_other():
    found = parts()
    service = found["Service", "attn-scheduler"]["spec"]
    specs = [part["spec"] for (kind, _), part in found.items() if kind == "Deployment"]
    for spec in specs:
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
        assert spec["template"]["spec"]["automountServiceAccountToken"] is False
    containers = {
        spec["selector"]["matchLabels"]["app"]: spec["template"]["spec"]["containers"][0]
        for spec in specs
    }
    assert len({one["image"] for one in containers.values()}) == 1
    scheduler, port = containers[service["selector"]["app"]], service["ports"][0]["port"]
    assert scheduler["command"][scheduler["command"].index("--port") + 1] == str(port)
    assert scheduler["ports"] == [{"containerPort": port}]


def test_nobody_but_the_workers_reaches_the_scheduler_on_kubernetes():
    found = parts()
    policy = found["NetworkPolicy", "attn-scheduler"]["spec"]
    worker = found["Deployment", "attn-worker"]["spec"]["selector"]
    assert policy["podSelector"] == found["Deployment", "attn-scheduler"]["spec"]["selector"]
    assert policy["ingress"] == [{"from": [{"podSelector": worker}], "ports": [{"port": 8786}]}]
    to_outside = [rule for rule in found["NetworkPolicy", "attn-worker"]["spec"]["egress"]]
    assert not [rule for rule in to_outside if "to" not in rule or "ipBlock" in str(rule)]


def test_what_kubernetes_starts_grades_a_class(students, tmp_path, environment):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    folder = tmp_path / "attn-tls"
    words = ["sh", "-c", 'ATTN_TLS=$1; . "$ATTN_RECIPES/tls.sh"; env', "-", folder]
    given = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    environment |= dict(
        line.split("=", 1) for line in given.stdout.splitlines() if line.startswith("DASK")
    )
    with contextlib.ExitStack() as started:
        for name in ("attn-scheduler", "attn-worker"):
            spec = parts()["Deployment", name]["spec"]["template"]["spec"]
            command = [
                re.sub("8786", port, word.replace("attn-scheduler", "127.0.0.1"))
                for word in spec["containers"][0]["command"]
            ]
            own = {
                one["name"]: one["value"].replace("/tls", str(folder))
                for one in spec["containers"][0]["env"]
            }
            process = subprocess.Popen(command, cwd=tmp_path, env=environment | own)
            started.callback(process.wait)
            started.callback(process.terminate)
        words = ["attn", "grade", students, "--out", tmp_path / "out"]
        words += ["--scheduler", f"tls://127.0.0.1:{port}"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    check_rows(tmp_path / "out")


@pytest.mark.nightly
def test_kubernetes_takes_the_recipe(tmp_path):
    """Its published schemas do, which the package brings along."""
    venv.create(tmp_path / "fresh", with_pip=True)
    bin = tmp_path / "fresh" / "bin"
    subprocess.run([bin / "pip", "install", "-q", "kubernetes-validate"], check=True)
    done = subprocess.run(
        [bin / "kubernetes-validate", "--strict", KUBERNETES], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
