"""A course's own mistakes and exercises: they live in a package of its own, and survive an update.

The package is found by an entry point of the group `attn.course` that names a module. Beside that
lies `mistakes.toml`, which `attn new-mistake` writes; the module may have `TASKS`, the names of the
tasks of each own exercise, {"21_own": "one_task another_task"}, and then `load(stem)`.
"""

import tomllib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from course_lib.checker.tasks.listing import Mistakes
from course_lib.checker.tasks.task import Exercise, Mistake, Task

GROUP, FILE = "attn.course", "mistakes.toml"
OUTDATED = (
    "The course's own mistake {0!r} of {1} is left out, as its change does not fit: {2} Prove it "
    "anew with `attn new-mistake {1}`."
)
NOT_LOADED = "The course's own package {0!r} is left out, as it cannot be imported: {1}"
NO_TABLE = "The course's own mistakes in {0} are left out, as the file is no TOML: {1}"
NO_TASK = "The course's own mistakes in {0} are of {1}, and no exercise has such a task."
LACKING = "A mistake of {0} in the course's own list is left out, as it has no {1}."
TAKEN = (
    "The course's own package {0!r} has an exercise {1!r}, as the course has: name it otherwise."
)


@cache
def packages() -> tuple[ModuleType, ...]:
    """The modules of the courses' own packages; a warning for one that cannot be imported."""
    found = []
    for entry in entry_points(group=GROUP):
        try:
            found.append(entry.load())
        except Exception as error:  # a package of somebody else's
            warnings.warn(NOT_LOADED.format(entry.value, error), stacklevel=2)
    return tuple(found)


def folder(package: ModuleType) -> Path:
    return Path(package.__file__ or "").parent


def own_tasks(held: Mapping[str, str]) -> dict[str, str]:
    """The names of the tasks of each own exercise, by its stem. `held` are those of the course:
    none of its stems may be taken, which raises ValueError, and an own mistake of a task that
    nobody has is warned of."""
    found: dict[str, str] = {}
    for one in packages():
        for stem, names in getattr(one, "TASKS", {}).items():
            if stem in held or stem in found:
                raise ValueError(TAKEN.format(one.__name__, stem))
            found[stem] = names
    tasks = {name for names in [*held.values(), *found.values()] for name in names.split()}
    for one in packages():
        file = folder(one) / FILE
        if strange := sorted(_listed(file).keys() - tasks):
            warnings.warn(NO_TASK.format(file, ", ".join(strange)), stacklevel=2)
    return found


def own_exercise(stem: str) -> Exercise | None:
    """An own exercise; None where it is the course's."""
    return next((one.load(stem) for one in packages() if stem in getattr(one, "TASKS", {})), None)


def with_own_mistakes(exercise: Exercise) -> Exercise:
    """The exercise, where the own mistakes stand behind those that are known."""
    listed = [_listed(folder(one) / FILE) for one in packages()]
    if not any(listed):
        return exercise
    return replace(exercise, tasks=tuple(_with_own(task, listed) for task in exercise.tasks))


def _with_own(task: Task, listed: Sequence[Mapping[str, Any]]) -> Task:
    own = [made(task, entry) for one in listed for entry in one.get(task.name, [])]
    return replace(task, mistakes=(*task.mistakes, *filter(None, own)))


def _listed(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except tomllib.TOMLDecodeError as error:
        warnings.warn(NO_TABLE.format(file, error), stacklevel=2)
        return {}


def made(task: Task, entry: Mapping[str, Any]) -> Mistake | None:
    """An own mistake, made of the reference; None, and a warning, where that has changed, or where
    the entry lacks something."""
    if lacking := [key for key in ("name", "change", "says") if key not in entry]:
        warnings.warn(LACKING.format(task.name, ", ".join(lacking)), stacklevel=2)
        return None
    try:
        answer = Mistakes(task.reference).changed(*entry["change"])
    except ValueError as error:
        first = str(error).partition("\n")[0]
        warnings.warn(OUTDATED.format(entry["name"], task.name, first), stacklevel=2)
        return None
    return Mistake(entry["name"], entry["says"], answer)
