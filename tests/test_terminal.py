"""Commands print on any terminal, into any pipe and file."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What a command prints: a tick, letters beyond one locale, a lone surrogate.
PRINTS = """
import sys
from course_lib.terminal import run_command

def command():
    for _ in range(int(sys.argv[1])):
        print("\\u2713 \\u0141ucja \\u65e5\\u672c \\u2079 \\ud800", flush=len(sys.argv) > 2)
    print("\\u2713", file=sys.stderr)
    return 1

sys.exit(run_command(command))
"""
CODES = pytest.mark.parametrize("code", ["cp1252", "cp932", "utf-8"])


def run(code, *words, **how):
    env = {**os.environ, "PYTHONIOENCODING": code}
    return subprocess.run(
        [sys.executable, "-c", PRINTS, *words], env=env, cwd=ROOT, stderr=subprocess.PIPE, **how
    )


@CODES
def test_what_is_piped_is_utf8(code):
    done = run(code, "1", stdout=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == ["\u2713 Łucja 日本 ⁹ ?"]
    assert done.stderr.decode().strip() == "\u2713"


@CODES
@pytest.mark.skipif(sys.platform == "win32", reason="a terminal is made as Unix makes one")
def test_a_console_shows_what_it_can(code):
    master, slave = os.openpty()
    done = run(code, "1", stdout=slave)
    os.close(slave)
    shown = os.read(master, 1000).decode(code)
    os.close(master)
    assert done.returncode == 1 and "ucja" in shown
    assert ("日" in shown) == (code != "cp1252") and ("\u2713" in shown) == (code == "utf-8")


@pytest.mark.parametrize("flushed", [(), ("flushed",)])
@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is Unix's")
def test_a_pipe_that_is_closed_ends_it_quietly(flushed):
    read, write = os.pipe()
    os.close(read)
    done = run("utf-8", "9", *flushed, stdout=write)
    os.close(write)
    assert done.returncode == 141 and done.stderr.decode() in ("", "\u2713\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has it")
def test_an_output_that_cannot_be_kept_is_said():
    with open("/dev/full", "w") as full:
        done = run("utf-8", "9", stdout=full)
    assert done.returncode == 3
    assert "No space left on device. What is printed may not be all." in done.stderr.decode()
    assert b"Exception" not in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["check", "solutions/01_softmax.ipynb"], ["--help"]])
def test_attn_runs_so(words):
    """In an encoding that has none of its signs."""
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "course_lib.cli", *words]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True)
    signs = {"check": "\u2713", "--help": "\u2502"}
    assert done.returncode == 0 and signs[words[0]] in done.stdout.decode()


def test_the_calculator_runs_so(tmp_path):
    config = {"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 4, "vocab_size": 100}
    (tmp_path / "config.json").write_text(json.dumps(config))
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "course_lib.estimates", str(tmp_path / "config.json")]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True)
    assert done.returncode == 0 and not done.stdout.decode().isascii()
