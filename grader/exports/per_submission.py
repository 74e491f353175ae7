"""Formats that other systems read once for each submission: Gradescope's results.json and GitHub
Classroom's base64 report. One file for each row, under the student's folder."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course_lib.checker.escape import html, printable, safe_name
from grader.gradebook.rows import Row, write_text
from grader.submissions.roster import Roster


def write_gradescope(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`<student>/<exercise>.results.json`."""
    return _write(rows, folder, ".results.json", lambda row: json.dumps(gradescope(row), indent=1))


def write_github(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`<student>/<exercise>.base64`."""
    return _write(rows, folder, ".base64", lambda row: encode_github(github(row)))


def _write(rows: list[Row], folder: Path, suffix: str, content: Callable[[Row], str]) -> list[Path]:
    written = []
    for row in rows:
        if safe_name(row.student) and safe_name(row.exercise + suffix):
            path = folder / row.student / f"{row.exercise}{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, content(row))
            written.append(path)
    return written


def gradescope(row: Row) -> dict[str, Any]:
    """The results of one row. A fault of ours has no score, which Gradescope shows as an error."""
    result: dict[str, Any] = {
        "output": printable(row.data["note"] or f"status: {row.status}"),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"status": row.status, "submission_sha256": row.sha},
        "tests": [_gradescope_test(number, task) for number, task in enumerate(row.tasks, 1)],
    }
    return result if row.score is None else {"score": row.score, **result}


def _gradescope_test(number: int, task: dict[str, Any]) -> dict[str, Any]:
    passed = task["score"] == task["max_score"]
    return {
        "score": task["score"],
        "max_score": task["max_score"],
        "status": "passed" if passed else "failed",
        "name": task["name"],
        "number": str(number),
        "output": _details(task),
        "output_format": "html",
        "visibility": "visible",
        "extra_data": {"mistake": task["mistake"]},
    }


def _details(task: dict[str, Any]) -> str:
    lines = [
        f"<li>{'✓' if c['passed'] else '✗'} {html(c['name'])} {html(c['message'])}</li>"
        for c in task["cases"]
    ]
    advice = [f"<p>{html(task[key])}</p>" for key in ("diagnosis", "hint") if task[key]]
    return f"<ul>{''.join(lines)}</ul>{''.join(advice)}"


def github(row: Row) -> dict[str, Any]:
    """The report of GitHub Classroom's autograder for one row."""
    names = {"graded": "pass" if row.score == row.max_score else "fail"}
    return {
        "version": 1,
        "status": names.get(row.status, "error"),
        "max_score": row.max_score,
        "tests": [_github_test(task) for task in row.tasks],
    }


def _github_test(task: dict[str, Any]) -> dict[str, Any]:
    passed = task["score"] == task["max_score"]
    return {
        "name": task["name"],
        "status": "pass" if passed else "fail" if task["status"] == "graded" else "error",
        "message": printable(task["diagnosis"] or ("" if passed else task["status"])),
        "test_code": f"attn check: {task['name']}",
        "filename": "",
        "line_no": 0,
        "duration": 0,
        "score": task["score"],
    }


def encode_github(report: dict[str, Any]) -> str:
    return base64.b64encode(json.dumps(report).encode()).decode()
