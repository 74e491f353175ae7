"""The cases of a report as its rows: those that fail in the same way are one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from course_lib.checker.say.picture import Matrices

NUMBER = re.compile(r"\[[\d, ]*\]|-?\d[\d.]*(e[-+]?\d+)?|\bnan\b|\binf\b")
MANY = 10  # names that are read one by one
SAME = "The same."  # the message of a case that fails as the first one does


@dataclass(frozen=True)
class Example:
    """The smallest failing input of a public case, with what is expected beside what came."""

    inputs: tuple[tuple[str, str], ...]  # (name, printed value)
    expected: str
    got: str

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """(label, text) of everything that is shown, in order."""
        return (*self.inputs, ("expected", self.expected), ("got", self.got))


@dataclass(frozen=True)
class CaseResult:
    name: str
    passed: bool
    message: str = ""
    hidden: bool = False
    example: Example | None = None
    required: bool = False
    matrices: Matrices | None = None


@dataclass(frozen=True)
class Row:
    """Cases that hold, or that fail in the same way: their names, and what is said of the first."""

    names: tuple[str, ...]
    passed: bool
    message: str

    @property
    def title(self) -> str:
        """The names on one line; of several that fail, how many they are."""
        count = f"{len(self.names)} cases: " if len(self.names) > 1 and not self.passed else ""
        return count + self.joined

    @property
    def joined(self) -> str:
        return "; ".join(self.names)

    @property
    def is_long(self) -> bool:
        """Whether a notebook folds the names, which would be a block of text."""
        return len(self.names) > MANY


def rows(cases: Iterable[CaseResult]) -> list[Row]:
    """What fails, in the order of the cases, and then what holds. Numbers do not tell two ways to
    fail apart."""
    found: dict[str, list[CaseResult]] = {}
    last = ""
    for case in sorted(cases, key=lambda case: case.passed):
        if case.passed or case.message != SAME:
            last = "" if case.passed else f"{NUMBER.sub('#', case.message)} "
        found.setdefault(last, []).append(case)
    return [
        Row(
            tuple(f"{one.name} (hidden)" if one.hidden else one.name for one in alike),
            alike[0].passed,
            "" if alike[0].passed else alike[0].message,
        )
        for alike in found.values()
    ]
