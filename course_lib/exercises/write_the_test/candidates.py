"""What a student's test is to judge: right implementations, and mutants of one of them.

Their text enters the cell in which the test runs, where a test could read it instead of calling it.
So each submission's are written otherwise (`disguise`), and no test knows a right one by its code.
What a test finds is still a finding, made beside a stranger's code: that it judges by reading, a
person sees who reads the test.
"""

import difflib
from collections.abc import Callable, Sequence

from course_lib.checker.run.values import build_value
from course_lib.checker.tasks import Candidate, Case, Inputs, Sampler, Task, rewritten
from course_lib.exercises.mutants import HEADER, source
from course_lib.exercises.write_the_test.disguise import disguised
from course_lib.exercises.write_the_test.gaps import Gap, shown

ACCEPTS, REFUSES = "accepts what is right: ", "refuses: "
WITHOUT = {
    "example": "What is given is an implementation.",
    "lengths: one": "The test that is written draws its own inputs.",
}
COUNTS = ("right implementations accepted", "mutants refused")
NEVER_CALLED = "Your test accepts everything: it never calls the function that it is given."
ASSERTS_NOTHING = """Your test accepts whatever runs. A test must raise when something is wrong:
    `assert` it, and let no `try` around it catch what it raises; a returned False is lost."""
Mutant = tuple[str, ...]  # what it does, then pairs: words of the source, and what replaces them


def accepts(right: Sequence[Callable]) -> tuple[Case, ...]:
    """A case for each right implementation; a test that refuses one of them earns nothing."""
    return tuple(
        _case(f"{ACCEPTS}{function.__doc__}", function.__name__, source(function), is_first=not i)
        for i, function in enumerate(right)
    )


def refuses(
    base: Callable, mutants: Sequence[Mutant], gaps: Sequence[Gap], hidden: int
) -> tuple[Case, ...]:
    """A case for each mutant of `base`; every `hidden`-th keeps itself to itself."""
    return tuple(
        _case(
            REFUSES + name,
            base.__name__,
            rewritten(source(base), *changes),
            i,
            hidden,
            " ".join(_change(*pair) for pair in zip(changes[::2], changes[1::2], strict=True))
            + shown(gaps, name),
        )
        for i, (name, *changes) in enumerate(mutants)
    )


def _change(old: str, new: str) -> str:
    """What was changed, for who has to write a test that shows it."""
    old, new = ("; ".join(map(str.strip, one.split("\n"))).strip() for one in (old, new))
    if new in ("pass", ""):
        return f"It lacks `{old}`."
    return f"It has `{new}` where `{old}` is right.".replace(":; ", ": ")


def mutant(task: Task, name: str) -> Callable:
    """A mutant that a case names, to be run and looked at. Raises ValueError where no public case
    has the name."""
    public = {one.name.removeprefix(REFUSES): one for one in task.cases if not one.hidden}
    if name not in public:
        close = difflib.get_close_matches(name, public, 1)
        guess = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"no public mutant of {task.name} is called {name!r}.{guess}")
    return build_value(public[name].inputs(Sampler(0, 1, "float32")).args[0], "torch")


def _case(
    name: str,
    defines: str,
    text: str,
    number: int | None = None,
    hidden: int = 1,
    tells: str = "",
    is_first: bool = False,
) -> Case:
    return Case(
        name,
        lambda s: Inputs((Candidate(defines, HEADER + disguised(text, s.rng), is_first),)),
        hidden=number is not None and number % hidden == hidden - 1,
        sizes=(1,),
        dtypes=("float32",),
        required=number is None,
        tells=tells,
    )
