"""The vocabulary of a graded exercise: Exercise, Task, Case, Mistake and the Inputs of one call."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from course_lib.grading.sampler import Sampler


@dataclass(frozen=True)
class Inputs:
    """What an answer is called with, as plain data (arrays are NumPy arrays).

    A function is called `answer(*args, **kwargs)`. With `init`, the answer is a class:
    `module = answer(*init)`, `module.load_state_dict(state, strict=True)`, `module.eval()`,
    then `module(*args, **kwargs)`. With `upstream` (one array for each floating output, in order)
    the gradients of `sum(output * upstream)` are compared too, for each floating array in `args`
    and each parameter of the module.
    """

    args: tuple = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    init: tuple | None = None
    state: dict[str, Any] = field(default_factory=dict)
    upstream: tuple | None = None


@dataclass(frozen=True)
class Case:
    """One property of a right answer: how to draw inputs for it, and how closely to compare.

    `draw(sampler)` gives the Inputs; it is called once for each size and dtype, smallest first, so
    that the first failing trial is the smallest. A hidden case is reported by `name` alone, which
    therefore names the property and never the inputs.
    """

    name: str
    draw: Callable[[Sampler], Inputs]
    hidden: bool = False
    sizes: tuple[int, ...] = (1, 2, 4)
    dtypes: tuple[str, ...] = ("float64", "float32")
    atol: float | None = None  # None: by dtype, see compare.TOLERANCE


@dataclass(frozen=True)
class Mistake:
    """A plausible wrong answer, and the sentence that helps the student who gave it."""

    name: str
    sentence: str
    answer: Callable


@dataclass(frozen=True)
class Task:
    """One function or class that a student writes.

    `advice` looks at the answer itself, in the notebook's own process, and returns a sentence when
    it breaks a rule that outputs cannot show (autograd in a derivation by hand); `check` then
    refuses the answer. It is advice, not proof: the grader does not rely on it.
    """

    name: str
    points: int
    reference: Callable
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, ...]
    library: str = "torch"  # what arrays are when they reach the answer: "numpy" or "torch"
    advice: Callable[[Callable], str | None] | None = None


@dataclass(frozen=True)
class Exercise:
    """One notebook: its file stem ("01_softmax"), its title and its tasks in order."""

    stem: str
    title: str
    tasks: tuple[Task, ...]

    @property
    def max_score(self) -> int:
        return sum(task.points for task in self.tasks)
