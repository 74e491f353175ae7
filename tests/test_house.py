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
FORMULAS = 2000  # lines of course_lib/attention: what a student reads in an afternoon
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


def test_python_files_are_short():
    long = {
        str(path.relative_to(ROOT)): count
        for path in tracked()
        if path.suffix == ".py"
        for count in [len(path.read_text(encoding="utf-8").splitlines())]
        if count > LONGEST_FILE
    }
    assert long == {}


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


def test_the_formulas_are_read_in_an_afternoon():
    files = (ROOT / "course_lib" / "attention").glob("*.py")
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= FORMULAS


def test_nothing_large_and_nothing_foreign_in_git():
    names = {p.relative_to(ROOT).as_posix(): p.stat().st_size for p in tracked()}
    limits = {name: LARGEST_WEIGHTS if name.startswith(WEIGHTS) else LARGEST_FILE for name in names}
    assert [name for name, size in names.items() if size > limits[name]] == []
    minified = [str(p) for p in tracked() if ".min." in p.name or "node_modules" in p.parts]
    assert minified == []
    assert not (ROOT / "_static").exists(), "Jupyter Book would put all of it into every page"


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
    assert named - set(pinned()) == set()


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
    needed = [*project["dependencies"], *project["optional-dependencies"]["book"], "nbval"]
    assert {dependency_name(item) for item in needed} - listed == set()
    versions = {**pinned(), "torch": f"{pinned()['torch']}+cpu"}  # the CPU wheel's own name
    written = [re.split("[;#]", line)[0].strip() for line in packages]
    assert written == [
        f"{dependency_name(line)}=={versions[dependency_name(line)]}" for line in packages
    ]


def test_contributing_fits_one_page():
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()) < 60
