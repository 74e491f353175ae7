"""A course's exercises: find the task that an answer is for, give the next hint."""

import difflib
import functools
import inspect
from collections.abc import Sequence
from typing import Any

from course_lib.grading.inside.values import type_name
from course_lib.grading.tasks.task import Exercise, Task


class Catalogue:
    """Exercises in order. Task names are unique over the whole course.

    Raises ValueError when two tasks, or two exercises, share a name.
    """

    def __init__(self, exercises: Sequence[Exercise]) -> None:
        self.exercises = {exercise.stem: exercise for exercise in exercises}
        tasks = [task for exercise in exercises for task in exercise.tasks]
        self.tasks = {task.name: task for task in tasks}
        if len(self.exercises) < len(exercises) or len(self.tasks) < len(tasks):
            raise ValueError("two exercises or two tasks share a name; each needs its own")
        self._hints_given: dict[str, int] = {}

    def hint(self, answer: Any) -> str:
        """The next hint for a task, given by its function, class or name; after the last one, the
        last again."""
        task = self.tasks.get(answer) if type(answer) is str else self.task_of(answer)[0]
        if task is None:
            return f"There is no such task. The tasks are: {', '.join(self.tasks)}."
        given = self._hints_given.get(task.name, 0)
        self._hints_given[task.name] = given + 1
        number = min(given, len(task.hints) - 1)
        return f"Hint {number + 1} of {len(task.hints)}: {task.hints[number]}"

    def task_of(self, answer: Any) -> tuple[Task | None, str]:
        """The task that an answer is for, if one can be told, and what is wrong with the answer
        before it is even run ("" if nothing)."""
        name = name_of(answer)
        task = self.tasks.get(name)
        if issubclass(type(answer), str):
            return None, f"This is text; give the function itself, as in check({answer[:40]})."
        kind = type_name(answer).rpartition(".")[2]
        if kind in self.tasks:
            sentence = f"This is an object of the class; give the class itself: check({kind})."
            return self.tasks[kind], sentence
        if not callable(answer):
            return None, f"This is of type {name}; give the function or class that you wrote."
        if task is None:
            return None, self._unknown(answer, name)
        is_class = issubclass(type(answer), type)  # isinstance would ask the answer itself
        if inspect.isclass(task.reference) != is_class:
            if not is_class:
                return task, f"This is no class; write it as `class {name}(nn.Module):`."
            return task, f"This is a class; write a function, as {task.call_form}."
        return task, ""

    def _unknown(self, answer: Any, name: str) -> str:
        if name == "<lambda>":
            return "A lambda has no name that tells its task; write it with `def`."
        if type(answer) is functools.partial:
            return "A partial has no name that tells its task; write a function with `def`."
        close = difflib.get_close_matches(name, self.tasks, 1)
        guess = f" Did you mean `{close[0]}`?" if close else ""
        return f"`{name}` is not the name of a task.{guess} The tasks are: {', '.join(self.tasks)}."


def name_of(answer: Any) -> str:
    """The name of a function or class; for any other object, that of its type."""
    try:
        name = answer.__name__
    except Exception:
        name = None
    return name[:80] if type(name) is str else type_name(answer)
