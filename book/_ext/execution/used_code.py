"""What a page's cells really import of this repository, found without running it.

grimp resolves the modules' imports, in whatever form they are written, those inside functions too.
Three things are loaded by name, so no statement says so: the public names of course_lib (its table
`_FILES` does), the modules below one that calls `import_module`, and the grader's commands.
"""

import ast
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOMS = ("course_lib", "grader", "book.helpers")
# Files that a module reads: beside it by these endings, elsewhere by this table; of the latter
# those that a used text calls by their name.
DATA = (".json", ".csv", ".npz", ".pt", ".txt", ".j2", ".html")
ELSEWHERE = {"course_lib.figures.results": "benchmarks/results/*.csv"}
COMMANDS = "course_lib.cli"  # loads the grader through an entry point
OLD_PATHS = "course_lib.moved"  # loads anything, for an import that no page has (tests hold it)
# grimp finds a package as Python does, so it is asked in a process that starts in the copy's root.
SCAN = """
import json, sys, grimp
graph = grimp.build_graph(*sys.argv[1:], cache_dir=None)
found = {name: sorted(graph.find_modules_directly_imported_by(name)) for name in graph.modules}
print(json.dumps(found))
"""


def used(root: Path, sources: list[str]) -> list[Path]:
    """The files whose content a page's output may depend on, in a fixed order."""
    cells = [_parsed(source) for source in sources]
    waiting = [name for cell in cells for name in _of_cell(root, cell)]
    modules: dict[str, Path] = {}
    while waiting:
        for name in _with_parents(waiting.pop()):
            if name not in modules and name in imports(root):
                modules[name] = _file(root, name)
                waiting += _of_module(root, name)
    files = set(modules.values())
    named = set().union(*map(_strings, [*cells, *map(_tree, modules.values())]))
    for name, path in modules.items():
        files |= {other for other in path.parent.iterdir() if other.suffix in DATA}
        if name in ELSEWHERE:
            files |= {other for other in root.glob(ELSEWHERE[name]) if other.stem in named}
    return sorted(files)


@cache
def imports(root: Path) -> dict[str, list[str]]:
    """{module: the modules that it imports}, of all that this copy of the repository has."""
    rooms = [name for name in ROOMS if _file(root, name).is_file()]
    if not rooms:
        return {}
    command = [sys.executable, "-c", SCAN, *rooms]
    settings = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=settings, check=True, capture_output=True)
    return json.loads(done.stdout)


@cache
def _of_module(root: Path, name: str) -> list[str]:
    path = _file(root, name)
    tree = _tree(path)
    found = imports(root)[name]
    found = [*found, *_public(root, tree, found)]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    if name == COMMANDS:
        found += [other for other in imports(root) if _is_below(other, "grader")]
    elif name != OLD_PATHS and "import_module" in _identifiers(tree) and not _table(tree):
        found += [other for other in imports(root) if _is_below(other, package)]
    return found


def _of_cell(root: Path, tree: ast.Module) -> list[str]:
    """The modules that a cell's own statements import: a cell has no package, so no relative
    ones."""
    named = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            named += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    found = [part for name in named for part in _with_parents(name) if part in imports(root)]
    return [*found, *_public(root, tree, found)]


def _public(root: Path, tree: ast.Module, packages: Iterable[str]) -> list[str]:
    """Of packages whose names are loaded on demand, the modules of those that stand in a text."""
    return [
        f"{package}.{module}"
        for package in set(packages)
        for module, names in _table(_tree(_file(root, package))).items()
        if not _identifiers(tree).isdisjoint(names)
    ]


def _with_parents(name: str) -> list[str]:
    """a, a.b, a.b.c: importing the last runs them all."""
    parts = name.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]


def _is_below(name: str, package: str) -> bool:
    return f"{name}.".startswith(f"{package}.")


def _file(root: Path, name: str) -> Path:
    place = root.joinpath(*name.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _table(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """A package's `_FILES`: which module has which public names."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_FILES":
            return ast.literal_eval(node.value)
    return {}


@cache
def _identifiers(tree: ast.Module) -> frozenset[str]:
    """Every name in a text: of variables, attributes, and what is imported."""
    fields = ("id", "attr", "name")
    return frozenset(
        getattr(node, field) for node in ast.walk(tree) for field in fields if hasattr(node, field)
    )


@cache
def _strings(tree: ast.Module) -> frozenset[str]:
    """Every string in a text: one of them names the table that a page reads."""
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return frozenset(value for value in constants if isinstance(value, str))


@cache
def _tree(path: Path) -> ast.Module:
    return _parse(path.read_text(encoding="utf-8"))


def _parse(text: str) -> ast.Module:
    """The text's tree. Python 3.11 miscounts, with a SystemError, while another thread parses."""
    for _ in range(5):
        with contextlib.suppress(SystemError):  # CPython issue 106905
            return ast.parse(text)
    return ast.parse(text)


def _parsed(source: str) -> ast.Module:
    """A cell's statements; a cell that is not Python alone imports nothing that we can see."""
    lines = [
        "pass" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n")
    ]
    try:
        return _parse("\n".join(lines))
    except SyntaxError:
        return ast.Module([], [])
