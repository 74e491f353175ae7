"""The job `students` can be collected on macOS and Windows: what is Linux's alone stays out.

Its lines also run in the nightly half of test_workflows.py, but on Linux, where nothing is missing.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
# Windows has none of Unix's modules; neither system has Triton, nor the extras of the grader.
NEITHER = ["triton", "pyseccomp", "distributed"]
ABSENT = {"darwin": NEITHER, "win32": [*NEITHER, "resource", "fcntl", "pwd", "grp", "termios"]}
# First what looks at the system when it is imported, then the system that is none of ours.
PLUGIN = """
import sys
import asyncio, IPython, hypothesis, matplotlib.pyplot, multiprocessing, nbval.plugin, psutil, torch

def pytest_collection():
    sys.platform = {system!r}
    sys.modules.update(dict.fromkeys({absent}))
"""


def suites() -> list[list[str]]:
    """The arguments of each line of the job that runs tests, but for the number of processes."""
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    lines = [step.get("run", "") for step in jobs["students"]["steps"]]
    found = [shlex.split(line)[3:] for line in lines if line.startswith("python -m pytest")]
    return [[word for word in words if word not in ("-n", "auto")] for words in found]


@pytest.mark.nightly  # the job itself runs on both systems at every push
@pytest.mark.skipif(sys.platform != "linux", reason="the other systems run the job itself")
@pytest.mark.parametrize("system", ABSENT)
@pytest.mark.parametrize("words", suites(), ids=lambda words: words[0])
def test_every_module_of_the_job_is_collected_where_linux_is_not(words, system, tmp_path):
    plugin = PLUGIN.format(system=system, absent=ABSENT[system])
    (tmp_path / "elsewhere.py").write_text(plugin, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "elsewhere", "--collect-only", *words],
        cwd=ROOT,
        env={**os.environ, "COURSE_CI": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
