"""A task may have rules that outputs cannot show: most lines of a program to repair stay as they
were, and a derivation by hand names no autograd."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from course_lib.checker.run.program import Program
from course_lib.checker.run.statements import without_texts
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import Task

NAME = "all other lines are as they were"
RULE = "the rule of this task"
LONG = 160  # characters, without spaces: what one honest change may need
# A text in quotes, which is kept as it is; a comment, spaces.
LEFT_OUT = re.compile(r"""("(?:[^"\\]|\\.?)*(?:"|$)|'(?:[^'\\]|\\.?)*(?:'|$))|#.*|\s+""")


def apply_rules(task: Task, report: Report, program: Program) -> Report:
    """The report, refused where the text of an answer breaks the task's own rules.

    The text is a stranger's: it is compared line by line and never parsed here. Spaces, comments,
    docstrings, the lines' order, and where a line is broken do not count.
    """
    if task.rule and (sentence := task.rule(program.names)):
        refused = CaseResult(RULE, False, sentence, required=True)
        report = replace(report, cases=(*report.cases, refused))
    changed = changed_lines(task.original, program.text) if task.original else 0
    if changed <= task.most_changes:
        return report
    sentence = (
        f"{changed} lines are changed, helpers counted; {task.most_changes} are enough to repair "
        "it. Take the program as it was and change what is wrong alone."
    )
    return replace(report, cases=(*report.cases, CaseResult(NAME, False, sentence, required=True)))


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
