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


WAS_RIGHT = (
    "You changed `{0}`, and nothing is wrong in that line. Put it back as it was, or see that what "
    "you wrote does the same."
)
IS_FOUND = "`{0}` stands in the place of a line that had to change, and it is not right yet."


def few_changes(original: str, most: int, right: str = "") -> Rule:
    """The rule that at most so many lines differ from a program that was handed out. `right` is the
    program without its bugs.

    The text is a stranger's: it is compared line by line and never parsed here. Spaces, comments,
    docstrings, the lines' order, and where a line is broken do not count.
    """

    def broken(program: Program) -> str | None:
        changed = changed_lines(original, program.text)
        return SAYS.format(changed, most) if changed > most else None

    def shows(program: Program) -> str | None:
        before, after = lines_of(without_texts(original)), lines_of(program.text)
        needed = lines_of(right)
        changed = [line for line in before if line not in after]
        if not 0 < len(changed) <= most:
            return None
        if sound := [before[line] for line in changed if line in needed]:
            return WAS_RIGHT.format(sound[0])
        new = [after[line] for line in after if line not in before and line not in needed]
        return IS_FOUND.format(new[0]) if len(new) == 1 else None

    return Rule(NAME, broken, shows if right else Rule.shows)


def lines_of(text: str) -> dict[str, str]:
    """Each line of code inside a function without spaces, and as it is read."""
    rows = (row.partition("#")[0].rstrip() for row in text.split("\n"))
    inside = (row for row in rows if row.startswith(" "))
    return {line: row.strip() for row in inside for line in code_lines(row)}


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
