"""The page that a student reads: points, each case, the named mistake and the next hint.

It shows no hidden input and nothing that the student's code printed. It is small, as a result is
(`pipeline.result_data.MAX_MESSAGES`).
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from course_lib.checker.escape import printable, render, safe_name
from course_lib.checker.say.picture import Matrices
from course_lib.checker.say.report import CaseResult, Example, Report
from grader.gradebook.rows import Row, write_text

TEMPLATE = Path(__file__).parent / "templates" / "student.html.j2"
NOT_A_GRADE = "It is not a grade: your instructor looks at it. You may hand in the notebook."
STATUS_SENTENCES = {
    "unreadable": "The file could not be read as a notebook.",
    "missing": "Nothing was handed in.",
    "needs-attention": "The grader failed on this submission; your instructor has been told. "
    "It is not a grade.",
}


def write_reports(folder: Path, rows: Iterable[Row]) -> None:
    """Write `<student>/<exercise>.html` for every row. Names are names of files already."""
    for row in rows:
        if not safe_name(row.student) or not safe_name(row.exercise):
            continue
        place = folder / row.student
        place.mkdir(parents=True, exist_ok=True)
        write_text(place / f"{row.exercise}.html", report_page(row))


def report_page(row: Row) -> str:
    """The whole page of one row."""
    notes = [row.data.get("note")]
    if row.status in STATUS_SENTENCES and not row.tasks and not row.is_something_else:
        notes.insert(0, STATUS_SENTENCES[row.status])
    notes += [NOT_A_GRADE] if row.is_something_else else []
    notes += row.reasons
    values = {
        "title": f"{row.exercise}: feedback",
        "row": row,
        "score": "no points yet" if row.score is None else f"{row.score} of {row.max_score} points",
        "notes": list(filter(None, notes)),
        "tasks": [_task(task) for task in row.tasks],
        "written": [(item, points, row.marks.get(item)) for item, points in row.questions.items()],
    }
    return render(TEMPLATE, **values)


def in_words(row: Row) -> str:
    """A row for the terminal: what its page says, without the examples."""
    score = "not graded" if row.score is None else f"{row.score} of {row.max_score}"
    lines = [f"{row.exercise}: {score} points (status: {row.status})"]
    lines += [note for note in (row.data["note"], *row.reasons) if note]
    for task in row.tasks:
        lines.append(f"{task['name']}: {task['score']} of {task['max_score']} points")
        lines += [f"  Diagnosis: {task['diagnosis']}"] if task["diagnosis"] else []
        for one in _report(task).rows:
            lines.append(f"  {'✓' if one.passed else '✗'} {one.title}")
            lines += [f"      {one.message}"] if one.message else []
    return printable("\n".join(lines))


def _task(task: dict[str, Any]) -> dict[str, Any]:
    """What the template shows of a task: the report that its student had from `check`."""
    return {**task, "report": Markup(_report(task).html(alone=False))}


def _report(task: dict[str, Any]) -> Report:
    example, matrices = task["example"], task.get("matrices")
    if example:
        pairs = tuple((name, text) for name, text in example["inputs"])
        example = Example(pairs, example["expected"], example["got"])
    drawn = Matrices(**matrices) if matrices else None
    cases = [
        CaseResult(one["name"], one["passed"], one["message"], one["hidden"])
        for one in task["cases"]
    ]
    place = next((i for i, one in enumerate(cases) if not one.passed), 0)
    if cases:
        cases[place] = replace(cases[place], example=example, matrices=drawn)
    return Report(
        task["name"],
        task["max_score"],
        tuple(cases),
        diagnosis=task["diagnosis"],
        summary=task.get("summary", ""),
    )
