"""What a change touches is proved, and the style of everything: within a minute for one file.

    python -m tools.quick [--all] [--since COMMIT]

A change is what differs from main, committed or not; `tools/touched.py` says what proves it.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tools.touched import ALWAYS, PROOFS, Proof, changed, choose

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = ["tests/attention", PROOFS, *ALWAYS]


def commands(root: Path, proof: Proof, files: list[str]) -> list[list[str]]:
    """What is run side by side, each a process: style, rooms, types, tests, notebooks."""
    python = [sys.executable, "-m"]
    typed = [one for one in files if one.startswith("course_lib/") and one.endswith(".py")
             and not one.startswith("course_lib/exercises/") and (root / one).exists()]  # fmt: skip
    marks = ["-m", "not nightly and not slow", "-n", "auto", "--dist", "loadgroup", "-q", "-rfE"]
    notebooks = [*python, "pytest", "-p", "nbval.plugin", "--nbval", "-q", *proof.pages]
    every = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["lint-imports"]]
    every += [["basedpyright", *typed]] if typed else []
    every += [[*python, "pytest", *proof.tests, *marks]]
    return every + ([notebooks] if proof.pages else [])


def run(root: Path, every: list[list[str]], tasks: list[str]) -> int:
    """Run all of it; what fails shows what it printed."""
    settings = {**os.environ, "PROOF_SEEDS": "1", "PROOF_TASKS": " ".join(tasks)}
    started = [
        subprocess.Popen(one, cwd=root, env=settings, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for one in every
    ]  # fmt: skip
    failed = 0
    for words, process in zip(every, started, strict=True):
        printed, _ = process.communicate()
        name = " ".join(words).replace(f"{sys.executable} -m ", "")
        print(f"{'FAILED' if process.returncode else 'ok':6} {name}", flush=True)
        failed += bool(process.returncode)
        if process.returncode:
            print(printed)
    return 1 if failed else 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="everything that is quick")
    parser.add_argument("--since", help="what differs from this commit, in place of main")
    given = parser.parse_args(arguments)
    files = changed(ROOT, given.since)
    proof = choose(ROOT, files)
    if given.all:
        files = [p.relative_to(ROOT).as_posix() for p in ROOT.glob("course_lib/**/*.py")]
        proof = Proof(EVERYTHING, [], proof.pages)
    what = [*proof.tests, *(f"task {name}" for name in proof.tasks), *proof.pages]
    print(f"{len(files)} files differ. Proved: {', '.join(what)}.", flush=True)
    print("What CI proves beside: everything. All that is quick: make quick ALL=1", flush=True)
    return run(ROOT, commands(ROOT, proof, files), proof.tasks)


if __name__ == "__main__":
    sys.exit(main())
