"""What proves a change: tests by what they import, the tasks and pages that it is of.

A test is chosen that names a changed module, or, where none does, that names a module which imports
it; and the tests of the module's room.
"""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course_lib import _FILE_OF
from course_lib.exercises import TASKS
from tools.execute import GUESS_TRAINING, guess, imports

PROOFS = "tests/exercises/test_proofs.py"
# Rooms whose tests have another room's name, and files that tests read and do not import.
ROOMS = dict.fromkeys(("formulas", "modules", "gate", "validation"), "attention")
FILES = {
    "book/assets/": "tests/book/test_extensions.py",
    "book/_ext/": "tests/book/test_extensions.py",
    "solutions/": "tests/exercises/test_exercise_notebooks.py tests/book/test_solutions.py",
    "exercises/": "tests/exercises/test_exercise_notebooks.py",
    ".github/": "tests/test_workflows.py",
    "Makefile": "tests/test_workflows.py tests/test_environment.py",
    "constraints.txt": "tests/test_environment.py",
    "benchmarks/": "tests/book/test_benchmarks.py",
}
TEXTS = "teaching text terms quizzes runs_as_read notebooks coverage colab study"
PAGE = [f"tests/book/test_{name}.py" for name in TEXTS.split()]
ALWAYS = ("tests/test_house.py", "tests/test_import.py")


class Proof(NamedTuple):
    """Test files and folders, the tasks that are proved (none: all that are), notebooks to run."""

    tests: list[str]
    tasks: list[str]
    pages: list[str]


def changed(root: Path, since: str | None = None) -> list[str]:
    """The files that differ from the commit, or from where this branch left main."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
        return done.stdout.split("\0") if not done.returncode else []

    mains = ("origin/main", "main")
    bases = [since] if since else [git("merge-base", "HEAD", one) for one in mains]
    base = next(("".join(one).strip() for one in bases if one), "HEAD")
    if since and not git("rev-parse", "--verify", since):
        raise SystemExit(f"--since {since}: git knows no such commit.")
    differs = git("diff", "--name-only", "-z", base)
    return sorted({*differs, *git("ls-files", "--others", "--exclude-standard", "-z")} - {""})


def choose(root: Path, files: list[str]) -> Proof:
    """What proves these files."""
    tests, tasks, pages, every_task = {*ALWAYS}, set(), set(), False
    for file in files:
        parts, name = file.split("/"), _module(file)
        tests |= {test for start, these in FILES.items() if file.startswith(start)
                  for test in these.split()}  # fmt: skip
        if parts[0] == "tests" and file.endswith(".py"):
            tests |= (
                {file} if parts[-1].startswith("test_") else naming(root, {name, parts[-1][:-3]})
            )
        elif file.endswith(".py"):
            tests |= nearest(root, name) | _room(root, parts)
        elif parts[0] in ("book", "solutions") and file.endswith((".ipynb", ".md")):
            tests |= {*PAGE}
            pages |= {file} if file.endswith(".ipynb") else set()
        stem = Path(file).stem if parts[0] in ("solutions", "exercises") else _stem(parts)
        tasks |= {*TASKS.get(stem, "").split()}
        every_task |= file.startswith(("course_lib/exercises/", "course_lib/checker/")) and not stem
    tests |= {PROOFS} if tasks or every_task else set()
    here = {one for one in tests if (root / one).exists() and not one.startswith("tests/browser")}
    inside = {one for one in here if any(one.startswith(f"{other}/") for other in here)}
    pages = {one for one in pages if (root / one).exists() and guess(root / one) < GUESS_TRAINING}
    return Proof(sorted(here - inside), [] if every_task else sorted(tasks), sorted(pages))


def _module(file: str) -> str:
    """The name by which a file is imported; the book's extensions lie on Python's path."""
    name = file.removeprefix("book/_ext/").removesuffix(".py").removesuffix("/__init__")
    return name.replace("/", ".")


def _room(root: Path, parts: list[str]) -> set[str]:
    """The tests' folder of the room that a module is in: the deepest there is."""
    if parts[0] not in ("course_lib", "grader") or parts[1] == "exercises":
        return set()
    parts = [ROOMS.get(part, part) for part in parts]
    own = parts[1:] if parts[0] == "course_lib" else parts
    places = ["/".join(["tests", *own[:end]]) for end in range(len(own) - 1, 0, -1)]
    return {next((place for place in places if (root / place).is_dir() and place != "tests/grader"),
                 "tests/test_import.py")}  # fmt: skip


def _stem(parts: list[str]) -> str:
    """The exercise whose folder a file is in; empty for any other file."""
    if parts[:2] != ["course_lib", "exercises"] or len(parts) < 4:
        return ""
    stems = {re.sub(r"^(lab_)?\d+_", "", stem): stem for stem in TASKS}
    return stems.get(parts[2], "")


def nearest(root: Path, module: str) -> set[str]:
    """The test files that name a module, else those that name one which imports it, and so on."""
    level, seen = {module}, {module}
    while level:
        if found := naming(root, level):
            return found
        level = {name for name, used in imports(root).items() if level & {*used}} - seen
        seen |= level
    return set()


def naming(root: Path, modules: set[str]) -> set[str]:
    """The test files whose statements import one of these modules."""
    return {file for file, names in _imported(root).items() if names & modules}


@cache
def _imported(root: Path) -> dict[str, set[str]]:
    found = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        names = found.setdefault(path.relative_to(root).as_posix(), set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        names |= {f"course_lib.{file}" for name, file in _FILE_OF.items()
                  if f"course_lib.{name}" in names}  # fmt: skip
    return found
