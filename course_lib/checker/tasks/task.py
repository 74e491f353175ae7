"""The vocabulary of a graded exercise: Exercise, Task, Case, Mistake and Written."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.program import Program
from course_lib.checker.tasks.sampler import Sampler

# How points are given: see `Report.score`.
ALL_OR_NOTHING, BY_PROPERTY, BY_CASE = "all or nothing", "by property", "by case"


@dataclass(frozen=True)
class Case:
    """One property of a right answer: how to draw inputs for it, and how closely to compare.

    `draw(sampler)` gives the Inputs, or a tuple where they are arguments by position and no more.
    What else it takes by position are lengths, no two alike: `draw(sampler, T, S)` gets
    `sampler.dims(2)`. It is called once for each size and dtype, smallest first, so that the first
    failing trial is the smallest. A hidden case is reported by `name` alone, which therefore names
    the property and never the inputs. Where a task gives points by case, a failing case that is
    `required` costs them all.
    """

    name: str
    draw: Callable[..., Inputs | tuple]
    hidden: bool = False
    sizes: tuple[int, ...] = (1, 2, 4)
    dtypes: tuple[str, ...] = ("float64", "float32")
    atol: float | None = None  # None: by dtype, see compare.TOLERANCE
    within: float | None = None  # where a number is asked: how far off it may be, as a share
    required: bool = False
    is_example: bool = False  # what the task's text prints: shown, and not looked at for the cause
    tells: str = ""  # what a public case adds where it fails
    perhaps: str = ""  # the diagnosis where it is the first that fails, and no mistake is known
    place: str = ""  # where to look if it is the first that fails, and no cause is found
    parts: Mapping[str, str] = field(
        default_factory=dict
    )  # "[0][1]": "The loss of your second step"

    def inputs(self, sampler: Sampler) -> Inputs:
        """What the case draws. Raises TypeError when that is neither Inputs nor a tuple."""
        taken = inspect.signature(self.draw).parameters.values()
        by_position = [one for one in taken if one.kind is one.POSITIONAL_OR_KEYWORD]
        lengths = sum(one.default is one.empty for one in by_position) - 1
        drawn = self.draw(sampler, *(sampler.dims(lengths) if lengths else ()))
        if not isinstance(drawn, Inputs | tuple):
            raise TypeError(
                f"the case {self.name!r} draws a {type(drawn).__name__}; it must draw Inputs, or a "
                "tuple of arguments: (x,) for a single one"
            )
        return drawn if isinstance(drawn, Inputs) else Inputs(drawn)


@dataclass(frozen=True)
class Mistake:
    """A plausible wrong answer, and the sentence that helps the student who gave it."""

    name: str
    sentence: str
    answer: Callable


@dataclass(frozen=True)
class Rule:
    """What the text of an answer has to keep: as a report calls it, and a function that gives the
    sentence for a program that breaks it. What the text alone shows of a wrong answer, `shows`
    says: it is asked where no known mistake is found."""

    name: str
    broken: Callable[[Program], str | None]
    shows: Callable[[Program], str | None] = lambda program: None


@dataclass(frozen=True)
class Task:
    """One function or class that a student writes.

    `rule` is what outputs cannot show and the answer's text has to keep (no autograd in a
    derivation by hand): an answer that breaks it is refused. It is advice, not proof.

    `returns` names the parts of a tuple that an answer returns, as sentences call them.

    `idea` (two to four sentences) and `cost` (one) stand in the book, where it shows the solution.

    `counts` are the words of a verdict that counts: of the required cases and of the others ("" for
    what is not counted). Hidden cases that have one name in common, `unnamed`, are counted and not
    told apart, so that no answer can be found by asking.

    `original` is the text of a program that a student is given to repair.

    `at_once` and `of_cases` get what the answer did in each case that fails, by its name, and in
    the first case of all. They give the diagnosis before known mistakes are looked for, and where
    none is known; None where the cases say nothing together.

    `relate(pair)` gives what relates a wrong result to the right one in this task alone, as (key,
    sentence): an unknown that the numbers tell, as a speed or a slope. The key is the same wherever
    the relation is, and of a hidden pair no number is told.

    `judge(task, trials, seen)` gives the report where no right answer is there to compare with, and
    `seconds` of the processor are the task's own, beside those that the others share.

    `given` names what an answer is handed, where it is not called with just that (`in_blocks`), and
    `note` gets its program and says what has to be told whatever the verdict; None for nothing.

    `without` says why no case draws a special value that its kind of argument calls for, by the
    value's name (`special.py`).
    """

    name: str
    points: int | float  # whole, or with a half
    reference: Any  # a function or a class
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, ...]
    library: str = "torch"  # what arrays are when they reach the answer: "numpy" or "torch"
    refused: tuple[str, ...] = ("course_lib",)  # packages that an answer may not lean on
    rule: Rule | None = None
    credit: str = ALL_OR_NOTHING  # or BY_CASE, where each case that holds earns its share
    idea: str = ""
    cost: str = ""
    original: str = ""
    counts: tuple[str, str] = ("", "")
    unnamed: str = ""
    at_once: Callable[[Mapping[str, Any], Any], str | None] | None = None
    of_cases: Callable[[Mapping[str, Any], Any], str | None] | None = None
    relate: Callable[[Any], Iterator[tuple[str, str]]] | None = None
    judge: Callable[..., Any] | None = None
    seconds: int | float = 0
    returns: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    note: Callable[[Program], str | None] | None = None
    without: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def parameters(self) -> list[str]:
        """The names of the arguments an answer is called with, for sentences."""
        is_class = inspect.isclass(self.reference)
        called = self.reference.forward if is_class else self.reference
        return list(inspect.signature(called).parameters)[is_class:]

    @property
    def call_form(self) -> str:
        """How the answer is called: `softmax(scores, axis=-1)`."""
        signature = inspect.signature(self.reference)
        is_class = inspect.isclass(self.reference)
        if not is_class:
            return f"`{self.name}{signature}`"
        forward = str(inspect.signature(self.reference.forward)).replace("(self, ", "(")
        return f"`{self.name}{signature}` and then as `forward{forward}`"


@dataclass(frozen=True)
class Written:
    """One question of a notebook that is answered in words and marked by a person.

    Its points come on top of the exercise's `max_score`, which is the machine's part. `rubric` says
    line by line what earns them; it is for whoever marks. In the notebook the question is a
    markdown cell with the metadata `{"tags": ["written"], "written": NAME}`: the question stands in
    lines that begin with ">", and whatever is below them is the student's.

    Raises ValueError when the lines of the rubric, "2: names the symptom", do not add up.
    """

    name: str
    points: int
    question: str
    rubric: tuple[str, ...]

    def __post_init__(self) -> None:
        numbers = [line.partition(":")[0] for line in self.rubric]
        if not all(map(str.isdecimal, numbers)) or sum(map(int, numbers)) != self.points:
            raise ValueError(
                f"the rubric of {self.name!r} gives {numbers}, which must be points that sum to "
                f"{self.points}; begin each line with its points, as in '2: names the symptom'"
            )


@dataclass(frozen=True)
class Exercise:
    """One notebook: its file stem ("01_softmax"), its title, its tasks in order, and the questions
    that a person marks. `max_score` is the machine's part. A class may add the `capstone`.
    `brought` names tasks of earlier exercises whose answers the notebook uses."""

    stem: str
    title: str
    tasks: tuple[Task, ...]
    written: tuple[Written, ...] = ()
    capstone: Task | None = None
    brought: tuple[str, ...] = ()

    def with_capstone(self) -> "Exercise":
        """The exercise with its capstone as the last task."""
        return replace(self, tasks=(*self.tasks, self.capstone), capstone=None)

    @property
    def max_score(self) -> int | float:
        return as_points(sum(task.points for task in self.tasks))


def as_points(number: int | float) -> int | float:
    """Points to hundredths; whole ones are whole numbers."""
    points = round(number, 2)
    return int(points) if points == int(points) else points
