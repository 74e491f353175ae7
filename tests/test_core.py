"""What is small: the core computes, alone, on torch and NumPy; and how large the rest is."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ("formulas", "gate", "validation", "kernels", "modules", "generation", "transformer")
HALL = ("__init__", "cli", "moved", "terminal", "token_table")
MOST = 9000  # lines
ROOMS = [path.parent.name for path in (ROOT / "course_lib").glob("*/__init__.py")]


def files(room: str) -> list[Path]:
    return sorted((ROOT / "course_lib" / room).rglob("*.py"))


def lines(*rooms: str) -> int:
    return sum(len(f.read_text("utf-8").splitlines()) for room in rooms for f in files(room))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """run(*words): Python, or pytest, with the core's files and what they need alone."""
    folder = tmp_path_factory.mktemp("core")
    for room in CORE:
        shutil.copytree(ROOT / "course_lib" / room, folder / "course_lib" / room)
    for name in HALL:
        shutil.copy(ROOT / "course_lib" / f"{name}.py", folder / "course_lib")

    def run(*words) -> str:
        script = ROOT / "tests" / "core_alone.py"
        done = subprocess.run(
            [sys.executable, script, folder, *words], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_the_core_is_small():
    hall = sum(len((ROOT / f"course_lib/{name}.py").read_text().splitlines()) for name in HALL)
    assert lines(*CORE) + hall <= MOST


def test_the_core_needs_torch_and_numpy_only():
    """jaxtyping, three files of types, needs nothing but its own reader of annotations."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == ["torch", "numpy", "jaxtyping"]


def test_every_module_of_the_core_is_imported_without_the_rest(alone):
    modules = [f"course_lib.{room}.{f.stem}" for room in CORE for f in files(room)]
    modules = [name for name in modules if not name.endswith(("__init__", "_triton", "_operator"))]
    program = f"""
import importlib, torch, course_lib
for name in {modules}:
    importlib.import_module(name)
missing = {{}}
for name in course_lib.__all__:
    try:
        getattr(course_lib, name)
    except ModuleNotFoundError as error:
        missing[name] = str(error)
assert set(missing) == {{"check", "hint", "show"}}, missing
assert all("pip install 'course-lib[course]'" in said for said in missing.values())
from course_lib.transformer import LanguageModel
model = LanguageModel(9, d_model=8, num_heads=2, d_hidden=8, num_layers=1).eval()
print(model.generate(torch.tensor([[1, 2]]), 3).shape)
"""
    assert alone("-c", program) == "torch.Size([1, 5])\n"


def of_the_core(path: Path) -> bool:
    """Whether a test imports nothing else of ours, where it begins or later."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    rest = [f"course_lib.{room}" for room in set(ROOMS) - set(CORE)]
    return not any(str(name).startswith((*rest, "benchmarks", "book")) for name in names)


TESTED = ("attention", "kernels", "transformer", "generation")


@pytest.mark.parametrize(
    "rooms", [pytest.param(TESTED, marks=pytest.mark.nightly), ("attention/test_attention.py",)]
)
def test_the_core_passes_its_tests_without_the_rest(alone, rooms):
    paths = [ROOT / "tests" / room for room in rooms]
    every = [f for path in paths for f in ([path] if path.is_file() else path.glob("test_*.py"))]
    chosen = [str(path) for path in every if of_the_core(path)]
    assert len(chosen) > 0.7 * len(every)
    told = alone("-q", "-x", "-p", "no:cacheprovider", *chosen)
    assert re.search(r"\d+ passed", told)


def test_the_readme_says_how_large_each_part_is():
    """To two figures, or within a tenth: what is small is the core."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \| ([\d,]+) \|", readme, re.MULTILINE)
    said = {named: int(number.replace(",", "")) for named, number in rows}
    named = {row: [room for room in ROOMS if f"`{room}/`" in row] for row in said}
    assert sorted(room for found in named.values() for room in found) == sorted(ROOMS)
    for row, rooms in named.items():
        assert abs(said[row] / lines(*rooms) - 1) < 0.1, (row, lines(*rooms))
    (core,) = (row for row, rooms in named.items() if set(rooms) == set(CORE))
    assert core == next(iter(named))


def test_the_command_says_what_it_lacks(alone):
    with pytest.raises(AssertionError, match=r"attn: cyclopts is not installed; .*'course-lib"):
        alone("-c", "import course_lib.cli")
