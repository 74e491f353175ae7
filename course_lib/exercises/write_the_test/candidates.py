"""What a student's test is to judge: right implementations, and mutants of one of them.

Their text enters the cell in which the test runs, where a test could read it instead of calling it.
It would learn how attention is written, which stands in the book, and nothing of another task; that
it judges by reading, a person sees who reads the test.
"""

from collections.abc import Callable, Sequence

from course_lib.checker.tasks import Candidate, Case, Inputs
from course_lib.exercises.mutants import HEADER, mutated, source

Mutant = tuple[str, ...]  # what it does, then pairs: words of the source, and what replaces them


def accepts(right: Sequence[Callable]) -> tuple[Case, ...]:
    """A case for each right implementation; a test that refuses one of them earns nothing."""
    return tuple(
        _case(f"accepts what is right: {function.__doc__}", function.__name__, source(function))
        for function in right
    )


def refuses(base: Callable, mutants: Sequence[Mutant], hidden: int) -> tuple[Case, ...]:
    """A case for each mutant of `base`; every `hidden`-th keeps itself to itself."""
    return tuple(
        _case(f"refuses: {name}", base.__name__, mutated(source(base), *changes), i, hidden)
        for i, (name, *changes) in enumerate(mutants)
    )


def _case(name: str, defines: str, text: str, number: int | None = None, hidden: int = 1) -> Case:
    inputs = Inputs((Candidate(defines, HEADER + text),))
    return Case(
        name,
        lambda s: inputs,
        hidden=number is not None and number % hidden == hidden - 1,
        sizes=(1,),
        dtypes=("float32",),
        required=number is None,
    )
