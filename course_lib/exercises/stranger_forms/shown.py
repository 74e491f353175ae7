"""A stranger's program that is shown, with one wrong line, which a student's name draws.

print(program_of("align", "my name"))
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from course_lib.exercises.drawn import number_of, why_no_name
from course_lib.exercises.strangers import asked

FORMS = "predict_", "repair_"  # tasks about a program that is shown


@dataclass(frozen=True)
class Wrong:
    """A wrong line: the line that it stands for, itself, and what we would say to the stranger."""

    right: str
    line: str
    sentence: str


@dataclass(frozen=True)
class ShownProgram:
    """A right program of one function, and the lines that are wrong in one stranger's each.

    Args:
        name: of the task that it answers, and of the function.
        text: without a docstring.
        wrong: by the name of the mistake.
    """

    name: str
    text: str
    wrong: Mapping[str, Wrong]

    @cached_property
    def lines(self) -> list[str]:
        return self.text.strip().split("\n")

    def drawn(self, me: str) -> str:
        """The mistake that a name draws."""
        return [*self.wrong][number_of(me, self.name) % len(self.wrong)]

    def number(self, mistake: str) -> int:
        """The number of the wrong line; the first line has the number 1."""
        right = self.wrong[mistake].right
        (place,) = (n for n, one in enumerate(self.lines, 1) if _parts(one)[0] == right)
        return place

    def strangers(self, mistake: str) -> list[str]:
        """The lines of a stranger's program: the comment of the wrong one says what was meant."""
        lines, number = [*self.lines], self.number(mistake)
        line = lines[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        lines[number - 1] = indent + self.wrong[mistake].line + _parts(line)[1]
        return lines


def _parts(line: str) -> tuple[str, str]:
    """A line's code and its comment."""
    code, mark, comment = line.partition("  #")
    return code.strip(), mark + comment


def program_of(name: str, me: str) -> str:
    """The program that your name draws for a task, its lines numbered: to be read, not run. Where
    the name is empty, the sentence that says so.

    Raises ValueError where no program is shown for that task.
    """
    tasks = asked(FORMS)
    if name not in tasks:
        raise ValueError(f"no program is shown for {name!r}; there are {', '.join(tasks)}")
    program: ShownProgram = tasks[name].program
    return why_no_name(me) or numbered(program.strangers(program.drawn(me)))


def numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number:2}  {line}" for number, line in enumerate(lines, 1))
