"""A course's exercises: find the task that an answer is for, give the next hint."""

import difflib
import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from course_lib.checker.run.values import type_name
from course_lib.checker.tasks.task import Exercise, Task

MAX_LISTED = 8  # tasks in a sentence
Value = TypeVar("Value")


class OnDemand(Mapping[str, Value]):
    """`make(key)` for each of the keys, in their order, called when it is asked for. Where the keys
    are those of a mapping, `named` is that: what is known of each value before it is made."""

    def __init__(self, keys: Collection[str], make: Callable[[str], Value]) -> None:
        self._keys, self._make = keys, make
        self.named = keys if isinstance(keys, Mapping) else {}

    def __getitem__(self, key: str) -> Value:
        if key not in self._keys:
            raise KeyError(key)
        return self._make(key)

    def __contains__(self, key: object) -> bool:
        return key in self._keys  # Mapping's own would make the value

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


class Catalogue:
    """Exercises in order. Task names are unique over the whole course.

    Args:
        exercises: the exercises; or for each stem the names of its tasks, and then
            `load(stem)` brings an exercise when it is asked for.

    Raises ValueError when two tasks, or two exercises, share a name.
    """

    def __init__(
        self,
        exercises: Sequence[Exercise] | Mapping[str, Sequence[str]],
        load: Callable[[str], Exercise] | None = None,
    ) -> None:
        given = () if isinstance(exercises, Mapping) else exercises
        names = (
            exercises
            if isinstance(exercises, Mapping)
            else {one.stem: [task.name for task in one.tasks] for one in exercises}
        )
        home = {task: stem for stem, tasks in names.items() for task in tasks}
        if len(names) < len(exercises) or len(home) < sum(map(len, names.values())):
            raise ValueError("two exercises or two tasks share a name; each needs its own")
        self._home = home
        load = load or {one.stem: one for one in given}.__getitem__
        self.exercises: Mapping[str, Exercise] = OnDemand(names, load)
        self.tasks: Mapping[str, Task] = OnDemand(home, lambda name: self._find(home[name], name))
        self._hints_given: dict[str, int] = {}

    def _find(self, stem: str, name: str) -> Task:
        return next(task for task in self.exercises[stem].tasks if task.name == name)

    def home(self, name: str) -> str:
        """The stem of the exercise that a task belongs to."""
        return self._home[name]

    def beside(self, name: str) -> list[str]:
        """The tasks of the exercise that a task belongs to."""
        return [task for task, stem in self._home.items() if stem == self._home[name]]

    def hint(self, answer: Any) -> str:
        """The next hint for a task, given by its function, class or name; after the last one, the
        last again."""
        task = self.tasks.get(answer) if type(answer) is str else self.task_of(answer)[0]
        if task is None:
            name = answer if type(answer) is str else name_of(answer)
            capstones = (one.capstone for one in self.exercises.values() if one.capstone)
            task = next((one for one in capstones if one.name == name), None)
        if task is None:
            return f"There is no such task. The tasks are: {', '.join(self.tasks)}."
        given = self._hints_given.get(task.name, 0)
        self._hints_given[task.name] = given + 1
        number = min(given, len(task.hints) - 1)
        return f"Hint {number + 1} of {len(task.hints)}: {task.hints[number]}"

    def task_of(self, answer: Any, space: Mapping | None = None) -> tuple[Task | None, str]:
        """The task that an answer is for, if one can be told, and what is wrong with the answer
        before it is even run ("" if nothing). An answer without a task's name, such as a lambda,
        may be bound to one in `space`."""
        name = name_of(answer)
        task = self.tasks.get(name)
        bound = [one for one in self.tasks if space and space.get(one, space) is answer]
        if task is None or (bound and name not in bound):
            task = self.tasks[bound[0]] if len(bound) == 1 else task
        if task is not None and bound:
            return task, "" if callable(answer) else f"This is of type {name}, no function."
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
        few = f" The tasks are: {', '.join(self.tasks)}." if len(self.tasks) <= MAX_LISTED else ""
        return f"`{name}` is not the name of a task.{guess}{few}"


def name_of(answer: Any) -> str:
    """The name of a function or class; for any other object, that of its type."""
    try:
        name = answer.__name__
    except Exception:
        name = None
    return name[:80] if type(name) is str else type_name(answer)
