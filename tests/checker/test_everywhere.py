"""Students' commands start where there is neither `resource` nor `fcntl`: on Windows."""

import subprocess
import sys
from pathlib import Path

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


COMMANDS = """
from course_lib.cli import main
for words in (["--help"], ["check", "solutions/01_softmax.ipynb"], ["export", "--help"]):
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code
    assert not code, words
from course_lib.exercises import check, hint
check(len), hint("softmax")
import grader.exports, grader.packages
"""


def ran(code):
    command = [sys.executable, "-c", SCRIPT + code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_students_commands_need_nothing_of_unix():
    done = ran(COMMANDS)
    assert done.returncode == 0, done.stderr


def test_grading_elsewhere_says_what_it_needs():
    done = ran(
        "from course_lib.cli import main\n"
        "sys.platform = 'win32'\n"
        "sys.exit(main(['grade', 'class', '--out', 'grades']))"
    )
    assert done.returncode == 2
    assert done.stderr.startswith("attn: Grading needs Linux") and done.stderr.count("\n") == 1
