"""The rules of the house that a machine can hold: floors, sizes, versions, nothing foreign."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 250  # lines of a Python file; the aim is 150
READABLE_CORE = "softmax masks scores positions cache attention additive luong multihead hard"
CORE_CODE = 900  # lines of code of those files, docstrings and comments aside
LARGEST_FILE = 500_000  # bytes of anything in git
ABSOLUTE = re.compile(r"(?<![\w.:/<}$~])/(?:home|root|Users|work|opt|tmp)/[\w.-]+")
# Files that speak of the system itself.
SPEAKS_OF_PATHS = ("course_lib/grading/", "tests/grading/")


def tracked() -> list[Path]:
    """Every file in git, or what would be: a source archive has no git."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    return dict(line.split("==") for line in lines)


def dependency_name(requirement: str) -> str:
    return re.match(r"[A-Za-z0-9._-]+", requirement).group().lower().replace("_", "-")


def test_imports_go_only_downwards():
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as go; go()",
    ]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_python_files_are_short():
    long = {
        str(path.relative_to(ROOT)): count
        for path in tracked()
        if path.suffix == ".py"
        for count in [len(path.read_text(encoding="utf-8").splitlines())]
        if count > LONGEST_FILE
    }
    assert long == {}


def test_the_readable_core_is_small():
    assert (
        sum(lines_of_code(f"course_lib/{name}.py") for name in READABLE_CORE.split()) <= CORE_CODE
    )


def lines_of_code(path: str) -> int:
    """Lines that hold a statement or a part of one: no docstring, no comment, no empty line."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    lines: set[int] = set()
    for node in ast.walk(tree):
        alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not alone:
            compound = getattr(node, "body", None)  # its parts are counted by themselves
            last = compound[0].lineno - 1 if compound else node.end_lineno
            lines.update(range(node.lineno, last + 1))
    strings = [n for n in ast.walk(tree) if isinstance(n, ast.Expr)]
    for node in strings:
        if isinstance(node.value, ast.Constant):
            lines -= set(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def test_nothing_large_and_nothing_foreign_in_git():
    large = [str(p) for p in tracked() if p.stat().st_size > LARGEST_FILE]
    assert large == []
    minified = [str(p) for p in tracked() if ".min." in p.name or "node_modules" in p.parts]
    assert minified == []
    assert not (ROOT / "_static").exists(), "Jupyter Book would put all of it into every page"


def test_no_absolute_paths():
    found = []
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in {".png", ".woff2", ".gz"} or name.startswith(SPEAKS_OF_PATHS):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if path != Path(__file__) and ABSOLUTE.search(line):
                found.append(f"{name}:{number}: {line.strip()[:100]}")
    assert found == []


def test_no_two_test_modules_share_a_name():
    """pytest imports them by their names, and would leave the second one out."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    named = {dependency_name(item) for group in groups for item in group}
    assert named - set(pinned()) == set()


def test_binder_installs_what_the_library_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    lines = environment["dependencies"][-1]["pip"]
    assert "-c constraints.txt" in lines
    assert not any(line.startswith("-e") for line in lines)
    listed = {dependency_name(line) for line in lines if not line.startswith("-")}
    assert {dependency_name(item) for item in project["dependencies"]} - listed == set()
    (torch,) = [line for line in lines if line.startswith("torch")]
    assert torch == f"torch=={pinned()['torch']}+cpu"


def test_the_books_settings_are_valid():
    from jupyter_book.config import validate_yaml

    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    validate_yaml(config, raise_on_errors=True)


def test_contributing_fits_one_page():
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()) < 50
