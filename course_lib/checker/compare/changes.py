"""A task may have rules that outputs cannot show: most lines of a program to repair stay as they
were, and a derivation by hand names no autograd."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from course_lib.checker.run.program import Program
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import Task

NAME = "all other lines are as they were"
RULE = "the rule of this task"


def hold_to_rules(task: Task, report: Report, program: Program) -> Report:
    """The report, refused where the text of an answer breaks the task's own rules.

    The text is a stranger's: it is compared line by line and never parsed. Spaces, comments,
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
    """How many lines differ: those that came or those that went, whichever are more."""
    before, after = Counter(_lines(original)), Counter(_lines(text))
    return max((after - before).total(), (before - after).total())


def _lines(text: str) -> Iterator[str]:
    """Lines without spaces, comments and docstrings; one that goes on in brackets is one."""
    line = ""
    for part in re.sub(r'"""[^"]*"""', "", text).split("\n"):
        line += re.sub(r"\s*#.*|\s+", "", part)
        if line and sum(map(line.count, "([{")) <= sum(map(line.count, ")]}")):
            yield line.replace(",)", ")").replace(",]", "]")
            line = ""
    if line:
        yield line
