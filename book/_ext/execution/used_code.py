"""What a page's cells really import of this repository, by reading the code without running it.

`import` statements are followed, those inside functions too. Three things are loaded by name, so no
statement says so: the public names of course_lib (its table `_FILES` does), the modules below one
that calls `import_module`, and the grader's commands.
"""

import ast
from functools import cache
from pathlib import Path

ROOMS = ("course_lib", "grader", "book.helpers")
# Files that a module reads: beside it by these endings, elsewhere by this table.
DATA = (".json", ".csv", ".npz", ".pt", ".txt", ".j2", ".html")
ELSEWHERE = {"course_lib.figures.results": "benchmarks/results/*.csv"}
COMMANDS = "course_lib.cli"  # loads the grader through an entry point


def used(root: Path, sources: list[str]) -> list[Path]:
    """The files whose content a page's output may depend on, in a fixed order."""
    waiting = [name for source in sources for name in _imports(_parsed(source), "")]
    modules: dict[str, Path] = {}
    while waiting:
        name = waiting.pop()
        for part in _with_parents(name):
            path = _file(root, part)
            if path is None or part in modules:
                continue
            modules[part] = path
            waiting += _needs(root, part, path)
    files = set(modules.values())
    for name, path in modules.items():
        files |= {other for other in path.parent.iterdir() if other.suffix in DATA}
        files |= set(root.glob(ELSEWHERE[name])) if name in ELSEWHERE else set()
    return sorted(files)


@cache
def _needs(root: Path, name: str, path: Path) -> list[str]:
    """What one module of the repository imports."""
    tree = _tree(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = _imports(tree, package)
    if name == COMMANDS:
        found += _below(root, "grader")
    elif _loads_by_name(tree) and not _table(tree):
        found += _below(root, package)
    return found


def _imports(tree: ast.Module, package: str) -> list[str]:
    """Dotted names: a module, or a module and a name in it. Relative ones count from `package`."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join([*above, *filter(None, [node.module])]) if node.level else node.module
            found += [f"{start}.{alias.name}" for alias in node.names]
    return [name for name in found if name.startswith(ROOMS)]


def _with_parents(name: str) -> list[str]:
    """a, a.b, a.b.c: importing the last runs them all."""
    parts = name.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]


@cache
def _file(root: Path, name: str) -> Path | None:
    """The module of a dotted name; for a public name of a package, the module that has it."""
    place = root.joinpath(*name.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    package = place.parent / "__init__.py"
    for module, names in (_table(_tree(package)) if package.is_file() else {}).items():
        if place.name in names:
            return _file(root, ".".join([*name.split(".")[:-1], module]))
    return None


def _table(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """A package's `_FILES`: which module has which public names."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_FILES":
            return ast.literal_eval(node.value)
    return {}


def _loads_by_name(tree: ast.Module) -> bool:
    names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(tree)}
    return "import_module" in names


def _below(root: Path, package: str) -> list[str]:
    place = root.joinpath(*package.split("."))
    paths = [path.relative_to(root).with_suffix("") for path in place.rglob("*.py")]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _parsed(source: str) -> ast.Module:
    """A cell's statements; a cell that is not Python alone imports nothing that we can see."""
    lines = [
        "pass" if line.lstrip().startswith(("%", "!")) else line for line in source.split("\n")
    ]
    try:
        return ast.parse("\n".join(lines))
    except SyntaxError:
        return ast.Module([], [])
