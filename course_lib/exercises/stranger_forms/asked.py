"""What the tasks about a stranger have in common, in whichever form they ask."""

from collections.abc import Callable, Collection
from typing import Any

from course_lib.checker.tasks import Case, Task


def one_point(reference: Callable, task: Task, hints: tuple[str, str, str], cost: str) -> dict:
    """The fields of a task worth one point that has the name of its `reference` and is about an
    answer to `task`. The reference's docstring is the idea."""
    return {
        "name": reference.__name__,
        "points": 1,
        "reference": reference,
        "mistakes": (),
        "hints": hints,
        "library": task.library,
        "refused": task.refused,
        "idea": " ".join((reference.__doc__ or "").split()),
        "cost": cost,
    }


def called_once(name: str) -> tuple[Case]:
    """The case of an answer that takes nothing and is called once."""
    return (Case(name, lambda _: (), sizes=(1,), dtypes=("float64",)),)


def asked(forms: Collection[str]) -> dict[str, Any]:
    """The tasks whose names begin with one of these, by the name of the function that they are
    about: {"rotate": the task `repair_rotate`}."""
    from course_lib.exercises import CATALOGUE

    return {
        name.removeprefix(form): CATALOGUE.tasks[name]
        for name in CATALOGUE.tasks
        for form in forms
        if name.startswith(form)
    }
