"""Which exercise a notebook is: the task names in its answer cells say, whatever it is called."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from course_lib.checker.notebook import NOTEBOOK, Unreadable, code_of, last_exercise, read_cells
from course_lib.checker.run.jupyter import cleaned
from course_lib.checker.tasks.task import Exercise

NOT_WRITTEN = "raise NotImplementedError"
SOLUTION = b"### BEGIN SOLUTION"
DEFINED = re.compile(r"^(?:def|class)\s+(\w+)", re.M)


def exercise_by_name(name: str, exercises: Mapping[str, Exercise]) -> str:
    """The exercise that a file's name ends with, counters of browsers apart; "" where there is
    none."""
    return last_exercise(NOTEBOOK.sub("", name), exercises)[1]


def exercise_of(data: bytes | None, name: str, exercises: Mapping[str, Exercise]) -> str:
    """The exercise of a notebook's bytes; "" where it is none of the course.

    Most of the answers that its cells' metadata name decide; where they name none, as after a
    platform that drops metadata, the file's name; else the functions that it defines.
    """
    named = exercise_by_name(name, exercises)
    try:
        cells = [cell for cell in read_cells(data) if type(cell) is dict]
    except Unreadable:
        return named
    homes = _homes(exercises)
    marked = Counter(stem for cell in cells for stem in homes.get(_task(cell), ()))
    if not marked and any(_task(cell) for cell in cells):  # answers in words alone
        written = _homes(exercises, written=True)
        marked = Counter(stem for cell in cells for stem in written.get(_task(cell), ()))
    if marked:
        most = max(marked.values())
        best = [stem for stem, count in marked.items() if count == most]
        return named if named in best else best[0]
    if named:
        return named
    sources = [cleaned(parts[1]) for cell in cells if (parts := code_of(cell))]
    defined = {name for source in sources for name in DEFINED.findall(source)}
    stems = {stem for name in defined for stem in homes.get(name, ())}
    return stems.pop() if len(stems) == 1 else ""


def _homes(exercises: Mapping[str, Exercise], written: bool = False) -> dict[str, set[str]]:
    """The exercises of each task's name. A catalogue knows them before it has loaded an exercise;
    the names of questions to be answered in words it does not."""
    named = getattr(exercises, "named", None)
    if written or not named:
        named = {
            stem: [part.name for part in (one.written if written else one.tasks)]
            for stem, one in exercises.items()
        }
    homes: dict[str, set[str]] = defaultdict(set)
    for stem, names in named.items():
        for name in names:
            homes[name].add(stem)
    return homes


def is_untouched(data: bytes | None, exercise: Exercise) -> bool:
    """Whether a notebook is as it was handed out: each answer in it is still the one to write."""
    try:
        cells = [parts for cell in read_cells(data) if (parts := code_of(cell))]
    except Unreadable:
        return False
    given = {task.name: "".join((task.original or "").split()) for task in exercise.tasks}
    answers = [(name, text) for name, text in cells if name in given]
    return bool(answers) and all(
        NOT_WRITTEN in text or (given[name] and "".join(text.split()) == given[name])
        for name, text in answers
    )


def is_the_course_s_own(data: bytes | None) -> bool:
    """Whether a notebook is a solution as the course keeps it, with its marks around answers."""
    return SOLUTION in (data or b"")


def _task(cell: dict[str, Any]) -> str:
    """The task that a cell's metadata names, ours or nbgrader's; "" where it names none."""
    metadata = cell.get("metadata")
    if type(metadata) is not dict:
        return ""
    nbgrader = metadata.get("nbgrader")
    grade_id = nbgrader.get("grade_id") if type(nbgrader) is dict else None
    named = metadata.get("task", metadata.get("written", grade_id))
    return named if type(named) is str else ""
