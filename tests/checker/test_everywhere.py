"""Students' commands start where there is neither `resource` nor `fcntl`: on Windows."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKED = "resource", "fcntl", "pwd", "grp", "termios"
SCRIPT = f"""
import os, sys
for name in {BLOCKED!r}:
    sys.modules[name] = None
for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "pipe2", "fork", "geteuid"):
    if hasattr(os, name):
        delattr(os, name)
"""


@pytest.mark.parametrize(
    "code",
    [
        "from course_lib.cli import main; main(['--help'])",
        "from course_lib.cli import main; sys.exit(main(['check', 'solutions/01_softmax.ipynb']))",
        "from course_lib.exercises import check, hint; check(len); hint('softmax')",
        "from course_lib.cli import main; main(['export', '--help'])",
        "import grader.exports, grader.packages",
    ],
)
def test_students_commands_need_nothing_of_unix(code):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_grading_elsewhere_says_what_it_needs():
    code = SCRIPT + (
        "from course_lib.cli import main\n"
        "sys.platform = 'win32'\n"
        "sys.exit(main(['grade', 'class', '--out', 'grades']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("attn: Grading needs Linux") and done.stderr.count("\n") == 1
