"""The rules of the house that a machine can hold: floors, sizes, versions, nothing foreign."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
MOST_CODE = 250  # lines of a file's functions and classes; a file is best at 150
FORMULAS = 700  # lines that a formula leads to: what a student reads in an hour
CHECKED = 2000  # and with what stands before it, the gate and its checks: in an afternoon
OURS = "course-lib"
LARGEST_FILE = 500_000  # bytes of anything in git
# Weights that we trained, each with its card beside it.
WEIGHTS, LARGEST_WEIGHTS = "book/helpers/models/", 2_000_000
ABSOLUTE = re.compile(r"(?<![\w.:/<}$~])/(?:home|root|Users|work|opt|tmp)/[\w.-]+")
# Files that speak of the system itself.
SPEAKS_OF_PATHS = ("course_lib/checker/", "grader/", "tests/checker/", "tests/grader/")


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
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def computing(path: Path) -> int:
    """The lines of a file that compute: its functions and classes. A list has no limit, be it a
    table, a task's cases, or what goes wrong in it, where a function is an entry."""
    if path.name.endswith("mistakes.py"):
        return 0
    body = ast.parse(path.read_text(encoding="utf-8")).body
    code = [one for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)]
    return sum(one.end_lineno - one.lineno + 1 + len(one.decorator_list) for one in code)


def test_a_file_computes_one_thing():
    counted = {path: computing(path) for path in tracked() if path.suffix == ".py"}
    assert {str(path): lines for path, lines in counted.items() if lines > MOST_CODE} == {}


def test_no_list_is_written_for_the_formatter():
    """`(*("a", "b"), *("c", "d"))` is a list of four; `# fmt: skip` keeps its lines."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in tracked()
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple | ast.List)
        if isinstance(node.ctx, ast.Load)
    ]
    assert found == []


def imported_by(room: str) -> set[Path]:
    """The files of a room of course_lib, and all of ours that they import, at any remove."""
    found, todo = set(), list((ROOT / "course_lib" / room).glob("*.py"))
    while todo:
        if (file := todo.pop()) in found:
            continue
        found.add(file)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in getattr(node, "names", [])]
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{name}" for name in names)]
            elif not isinstance(node, ast.Import):
                continue
            files = (ROOT / f"{name.replace('.', '/')}.py" for name in names)
            todo += [file for file in files if file.is_file()]
    return found


def test_the_formulas_are_read_in_an_afternoon():
    """Counted is what they lead to, wherever it lies; a kernel is read by who wants speed."""

    def lines(files):
        return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)

    formulas, gate = imported_by("formulas"), imported_by("gate")
    kernels = set((ROOT / "course_lib" / "kernels").glob("*.py"))
    assert len(formulas) == 8 and lines(formulas) <= FORMULAS
    assert len(gate & formulas) == 7 and lines((gate | formulas) - kernels) <= CHECKED


def test_nothing_large_and_nothing_foreign_in_git():
    names = {p.relative_to(ROOT).as_posix(): p.stat().st_size for p in tracked()}
    limits = {name: LARGEST_WEIGHTS if name.startswith(WEIGHTS) else LARGEST_FILE for name in names}
    assert [name for name, size in names.items() if size > limits[name]] == []
    minified = [str(p) for p in tracked() if ".min." in p.name or "node_modules" in p.parts]
    assert minified == []
    assert not (ROOT / "_static").exists(), "Jupyter Book would put all of it into every page"


WALK = """
import sys
from pathlib import Path
import torch
import course_lib
from course_lib import scaled_dot_product_attention

room, entered = Path(course_lib.__file__).parent, set()


def enter(frame, event, _):
    if event == "call":
        entered.add(frame.f_code.co_filename)


x = torch.ones(1, 2, 3)
for need_weights in (True, False):
    sys.setprofile(enter)
    scaled_dot_product_attention(x, x, x, need_weights=need_weights)
    sys.setprofile(None)
for name in entered:
    if Path(name).is_relative_to(room):
        print(Path(name).relative_to(room).as_posix())
"""


def test_the_walks_that_contributors_read_are_those_that_a_query_takes():
    """In a process of its own: here each function is wrapped to have its shapes checked."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walks = text.partition("Three walks")[2].partition("\n## ")[0]
    query, *others = walks.split("\n- ")[1:]
    assert len(others) == 2
    for name in re.findall(r"`([\w/]+(?:\.py|/))`", walks):
        assert (ROOT / name).exists() or (ROOT / "course_lib" / name).exists(), name
    command = [sys.executable, "-c", WALK]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert set(done.stdout.split()) == set(re.findall(r"`([\w/]+\.py)`", query))


def test_no_absolute_paths():
    found = []
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in {".png", ".webp", ".woff2", ".gz", ".npz"} or name.startswith(
            SPEAKS_OF_PATHS
        ):
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
    assert named - set(pinned()) == {OURS}  # an extra of ours holds another


def test_each_commit_has_a_version_of_its_own_and_both_packages_have_it(tmp_path):
    """Two wheels of one name and other contents would be taken for each other."""
    for name in ("pyproject.toml", "README.md", "LICENSE", "grader/pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "grader" / "README.md").touch()
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    commit = ["commit", "--quiet", "--allow-empty", "--message", "one more"]
    found = []
    for steps in (["init", "-q"], ["add", "."], commit, ["tag", "v2027.1"]), (commit,):
        for words in steps:
            subprocess.run([*git, *words], check=True)
        found.append([version_in(tmp_path), version_in(tmp_path / "grader")])
    assert all(ours == graders for ours, graders in found)
    assert found[0][0] == "2027.1" != found[1][0]


def version_in(folder: Path) -> str:
    """What a wheel that is built there would be called."""
    code = "from setuptools import Distribution as D; d = D(); d.parse_config_files(); "
    code += "print(d.get_version())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_grader_s_wheel_holds_all_its_rooms():
    """They are listed, since the package is the folder that the list lies in."""
    settings = tomllib.loads((ROOT / "grader/pyproject.toml").read_text(encoding="utf-8"))
    rooms = [path.parent.relative_to(ROOT) for path in (ROOT / "grader").rglob("__init__.py")]
    listed = settings["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(".".join(room.parts) for room in rooms)


def test_the_conda_environment_holds_the_library_the_book_and_its_pins():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    lines = environment["dependencies"][-1]["pip"]
    # A file that is read beside this one would make Binder build an image for every commit.
    assert not any(line.startswith(("-e", "-c", "-r")) for line in lines)
    packages = [line for line in lines if not line.startswith("-")]
    listed = {dependency_name(line) for line in packages}
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["course"], *extras["book"], "nbval"]
    assert {dependency_name(item) for item in needed} - listed - {OURS} == set()
    versions = pinned()
    for system, name in (("linux", "+cpu"), ("darwin", ""), ("win32", "+cpu")):
        taken = [Requirement(line.partition("#")[0]) for line in packages]
        taken = [x for x in taken if not x.marker or x.marker.evaluate({"sys_platform": system})]
        found = {x.name: str(x.specifier) for x in taken}
        assert len(found) == len(taken)
        assert ("pyseccomp" in found) == (system == "linux"), "it is Linux's alone"
        # The CPU wheel's own name, where there are others.
        assert found == {x: f"=={versions[x]}{name if x == 'torch' else ''}" for x in found}, system
