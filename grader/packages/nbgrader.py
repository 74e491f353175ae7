"""nbgrader: a course folder whose source notebook `nbgrader generate_assignment` accepts.

Each answer cell becomes a solution cell, and after it stands a locked test cell that carries the
task's points and asks our checker. A written answer's cell becomes one that nbgrader's formgrader
lets a person mark.
"""

import json
from pathlib import Path
from typing import Any

from course_lib.checker.errors import InputError
from course_lib.checker.tasks.task import Exercise, Task
from course_lib.checker.written_answers import below_question, question_lines

CONFIG = """c = get_config()
c.CourseDirectory.course_id = "attention"
c.Execute.timeout = 120  # seconds for each cell; the first imports torch, which may take 30
"""


def write(exercise: Exercise, output: Path) -> list[Path]:
    """`<exercise>-nbgrader/source/<exercise>/<exercise>.ipynb` and `nbgrader_config.py`."""
    folder = output / f"{exercise.stem}-nbgrader"
    notebook = folder / "source" / exercise.stem / f"{exercise.stem}.ipynb"
    notebook.parent.mkdir(parents=True, exist_ok=True)
    notebook.write_text(json.dumps(source_notebook(exercise), indent=1) + "\n")
    config = folder / "nbgrader_config.py"
    config.write_text(CONFIG)
    return [notebook, config]


def source_notebook(exercise: Exercise) -> dict[str, Any]:
    """The course's solution notebook with nbgrader's metadata. Raises InputError without one."""
    root, name = Path(__file__).parents[2], f"{exercise.stem}.ipynb"
    path = root / "solutions" / name
    if not path.is_file():
        raise InputError(
            f"There is no solution notebook {name} beside this library. Run attn in a clone of the "
            "repository."
        )
    notebook = _read(path)
    # nbgrader takes solutions out of answer cells alone; of the others students get ours.
    handed_out = {cell["id"]: cell for cell in _read(root / "exercises" / name)["cells"]}
    tasks = {task.name: task for task in exercise.tasks}
    points = {one.name: one.points for one in exercise.written}
    cells = []
    for cell in notebook["cells"]:
        task = tasks.get(cell["metadata"].get("task"))
        if cell["cell_type"] == "code":
            cell = cell | {"outputs": [], "execution_count": None}
        if cell["metadata"].get("written") in points:
            cells.append(_manual(cell, points[cell["metadata"]["written"]]))
            continue
        if task is None:
            cells.append(handed_out[cell["id"]])
            continue
        if task.original:  # a program to repair: nbgrader would put a stub into its place
            cells += [cell | {"source": task.original.rstrip()}, _test_cell(task)]
            continue
        answer = _marked(task.name, grade=False, locked=False, solution=True)
        cells.append(cell | {"metadata": cell["metadata"] | {"nbgrader": answer}})
        cells.append(_test_cell(task))
    return notebook | {"cells": cells}


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _manual(cell: dict[str, Any], points: int) -> dict[str, Any]:
    """A cell that a person marks; nbgrader takes the model answer out for students."""
    source = "".join(cell["source"])
    model = f"### BEGIN SOLUTION\n{below_question(source).strip()}\n### END SOLUTION"
    marked = _marked(cell["metadata"]["written"], grade=True, locked=False, solution=True)
    return cell | {
        "source": "\n".join([*question_lines(source), "", model]),
        "metadata": cell["metadata"] | {"nbgrader": marked | {"points": points}},
    }


def _test_cell(task: Task) -> dict[str, Any]:
    marked = _marked(f"test_{task.name}", grade=True, locked=True, solution=False)
    return {
        "cell_type": "code",
        "id": f"test-{task.name}".replace("_", "-"),
        "metadata": {"nbgrader": marked | {"points": task.points}},
        "source": f"from course_lib.exercises import check\n\n"
        f"report = check({task.name})\nassert report.passed, report",
        "outputs": [],
        "execution_count": None,
    }


def _marked(name: str, **flags: bool) -> dict[str, Any]:
    return {"schema_version": 3, "grade_id": name, "task": False, **flags}
