"""The rule of lab 2: most lines of a program to repair stay as they were."""

import re
from collections import Counter
from collections.abc import Iterator

from course_lib.checker.run.program import Program
from course_lib.checker.run.statements import without_texts
from course_lib.checker.tasks import Rule

NAME = "all other lines are as they were"
SAYS = (
    "{0} lines are changed, helpers counted; {1} are enough to repair it. Take the program as it "
    "was and change what is wrong alone."
)
LONG = 160  # characters, without spaces: what one honest change may need
# A text in quotes, which is kept as it is; a comment, spaces.
LEFT_OUT = re.compile(r"""("(?:[^"\\]|\\.?)*(?:"|$)|'(?:[^'\\]|\\.?)*(?:'|$))|#.*|\s+""")


def few_changes(original: str, most: int) -> Rule:
    """The rule that at most so many lines differ from a program that was handed out.

    The text is a stranger's: it is compared line by line and never parsed here. Spaces, comments,
    docstrings, the lines' order, and where a line is broken do not count.
    """

    def broken(program: Program) -> str | None:
        changed = changed_lines(original, program.text)
        return SAYS.format(changed, most) if changed > most else None

    return Rule(NAME, broken)


def changed_lines(original: str, text: str) -> int:
    """How many lines differ: those that came or those that went, whichever are more. `text` has no
    docstrings (`Program.text`); where a line of it is longer than a few, it counts for them all."""
    before, after = Counter(code_lines(without_texts(original))), Counter(code_lines(text))
    came = sum(count * (1 + len(line) // LONG) for line, count in (after - before).items())
    return max(came, (before - after).total())


def code_lines(text: str) -> Iterator[str]:
    """Lines without spaces and comments; one that goes on in brackets is one. Each character is
    looked at a fixed number of times, whatever it is."""
    parts: list[str] = []
    depth = 0
    for row in text.split("\n"):
        part = LEFT_OUT.sub(lambda found: found[1] or "", row)
        if not part:
            continue
        parts.append(part)
        depth += sum(map(part.count, "([{")) - sum(map(part.count, ")]}"))
        if depth <= 0:
            yield _joined(parts)
            parts, depth = [], 0
    if parts:
        yield _joined(parts)


def _joined(parts: list[str]) -> str:
    return "".join(parts).replace(",)", ")").replace(",]", "]")
