"""A task may hand out a program to repair: then most of its lines are to stay as they were."""

import re
from collections import Counter
from dataclasses import replace

from course_lib.grading.judging.report import CaseResult, Report
from course_lib.grading.tasks.task import Task

NAME = "all other lines are as they were"


def hold_to_original(task: Task, report: Report, text: str) -> Report:
    """The report, refused where an answer's text has more new lines than a repair needs.

    `text` is a stranger's: it is compared line by line and never parsed. Spaces, comments and the
    lines' order do not count, and lines may go.
    """
    changed = new_lines(task.original, function_text(text, task.name)) if task.original else 0
    if changed <= task.most_changes:
        return report
    sentence = (
        f"{changed} lines are new; {task.most_changes} are enough to repair it. Take the program "
        "as it was and change what is wrong alone."
    )
    return replace(report, cases=(*report.cases, CaseResult(NAME, False, sentence, required=True)))


def function_text(text: str, name: str) -> str:
    """The lines of the last function of this name; "" without one."""
    found = re.findall(rf"^def {re.escape(name)}\b.*?(?=^[^\s)#]|\Z)", text, re.M | re.S)
    return found[-1] if found else ""


def new_lines(original: str, text: str) -> int:
    """How many lines of a text the original does not have."""
    return (Counter(_lines(text)) - Counter(_lines(original))).total()


def _lines(text: str) -> list[str]:
    plain = (re.sub(r"\s*#.*|\s+", "", line) for line in text.split("\n"))
    return [line for line in plain if line]
