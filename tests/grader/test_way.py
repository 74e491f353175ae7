"""The way from the command to `grades.csv`, as the instructors' page draws it, is the code's."""

import ast
import json
from itertools import pairwise
from pathlib import Path

from grader.sandbox import profiles

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "grading_a_class.ipynb"
WORKER = "grader.sandbox.inside.worker"


def drawn():
    """The modules of the picture, in its order."""
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    (cell,) = [cell for cell in cells if cell["id"] == "the-way-picture"]
    way = ast.literal_eval(ast.parse("".join(cell["source"])).body[0].value)
    paths = [Path(file) for files in way.values() for file in files.split()]
    assert all((ROOT / path).is_file() for path in paths)
    return [".".join(path.with_suffix("").parts) for path in paths]


def imported(module):
    """The modules that a module imports, at its top or in a function."""
    tree = ast.parse((ROOT / module.replace(".", "/")).with_suffix(".py").read_text("utf-8"))
    return {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    }


def test_the_picture_s_files_are_the_imports_on_the_way():
    way = drawn()
    assert way[0] == "grader.commands" and way[-1] == "grader.gradebook.rows"
    assert len(way) == len(set(way)) <= 20
    reached = imported(way[0])
    for before, module in pairwise(way):
        reached |= imported(before)
        assert module in reached or module == WORKER, f"nothing before it imports {module}"


def test_the_worker_is_a_process_of_its_own():
    """No import leads into it from outside: its name stands in the command line that starts it."""
    assert f"from {WORKER} import main" in profiles.START
    rooms = [ROOT / "course_lib", ROOT / "grader"]
    files = [path for room in rooms for path in room.rglob("*.py")]
    outside = [path for path in files if path.parent.name != "inside"]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in outside]
    assert not [name for name in names if WORKER in imported(name)]
