"""The table of a capstone for the class to see: a place, a pseudonym and what was measured.

A pseudonym is drawn from the file that was graded, so it says nothing of its author, whose own
report shows it: the first letters of the file's SHA-256. With a roster the names stand there.
"""

import re
from pathlib import Path

from grader.gradebook.rows import Row, write_text
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv

COLUMNS = ("place", "who", "exercise", "task", "bleu", "measured")
BLEU = re.compile(r"BLEU (\d+\.\d)\b")
LETTERS = 8


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`ranking.csv`, best first within each exercise; who broke a limit has no place."""
    found = []
    for row in rows:
        for task in row.tasks:
            measured = BLEU.match(task.get("summary", ""))
            limits = all(case["passed"] for case in task["cases"] if case.get("required"))
            if measured and limits:
                who = roster.person(row.student).full_name if roster.people else row.sha[:LETTERS]
                found.append((float(measured[1]), who, row.exercise, task["name"], task["summary"]))
    found.sort(key=lambda one: (one[2], -one[0], one[1]))
    lines = []
    for bleu, who, exercise, task, measured in found:
        better = sum(one[0] > bleu for one in found if one[2] == exercise)
        lines.append((better + 1, who, exercise, task, bleu, measured))
    path = folder / "ranking.csv"
    write_text(path, as_csv(COLUMNS, lines))
    return [path]
