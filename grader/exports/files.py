"""Grades as other files: JUnit, reports of each submission, pages, code."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

from course_lib.checker.errors import InputError
from course_lib.checker.escape import html, printable, safe_name
from course_lib.checker.notebook import Unreadable, parse_notebook
from grader.gradebook.rows import Row, write_text
from grader.reports.overview import overview_page
from grader.reports.student import write_reports
from grader.submissions.class_table import file_at
from grader.submissions.roster import Roster


def write_html(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """The overview and every report, for who may not have the gradebook."""
    write_reports(folder / "reports", rows)
    write_text(folder / "overview.html", overview_page(rows))
    return [folder / "overview.html", folder / "reports"]


def write_junit(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`junit.xml`: a suite for each row, a test for each task. Points are properties: JUnit itself
    has no place for them."""
    root = xml.Element("testsuites", name="attn")
    for row in rows:
        _suite(root, row)
    xml.indent(root)
    text = xml.tostring(root, encoding="unicode")
    write_text(folder / "junit.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')
    return [folder / "junit.xml"]


def _suite(root: xml.Element, row: Row) -> None:
    tasks = row.tasks or [{"name": row.exercise, "score": 0, "max_score": 1, "status": row.status}]
    name = printable(f"{row.student}/{row.exercise}")
    suite = xml.SubElement(root, "testsuite", name=name, tests=str(len(tasks)))
    properties = xml.SubElement(suite, "properties")
    values = {"score": row.score, "max_score": row.max_score, "status": row.status}
    if row.questions:
        values |= {"marks": row.marked, "max_marks": row.max_marks}
    for name, value in (values | {"submission_sha256": row.sha}).items():
        value = "" if value is None else str(value)
        xml.SubElement(properties, "property", name=name, value=value)
    counts = {"failure": 0, "error": 0}
    for task in tasks:
        names = {"classname": printable(row.exercise), "name": printable(task["name"])}
        case = xml.SubElement(suite, "testcase", names)
        if task["score"] < task["max_score"]:
            kind = "error" if task["status"] == "needs-attention" else "failure"
            counts[kind] += 1
            message = task.get("diagnosis") or task["status"]
            xml.SubElement(case, kind, message=printable(message))
    suite.attrib |= {f"{kind}s": str(count) for kind, count in counts.items()}


def write_moss(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`<exercise>/<task>/<student>.py`: plain files for services that look for similar work, as
    MOSS, JPlag and Dolos take them. Raises InputError where no graded file is where it was."""
    tasks: dict[Path, None] = {}
    for row in rows:
        names = [task["name"] for task in row.tasks]
        read = file_at(row.place) if names and safe_name(f"{row.student}.py") else None
        try:
            data, sha = read() if read else (None, "")
            cells = parse_notebook(data, names).cells if sha == row.sha else ()
        except Unreadable:
            continue
        for name, text in {name: source for name, source in cells if name in names}.items():
            if name and text.strip():
                place = folder / row.exercise / name
                place.mkdir(parents=True, exist_ok=True)
                write_text(place / f"{row.student}.py", text.rstrip() + "\n")
                tasks[place] = None
    if not tasks:
        raise InputError("None of the graded files is where it was: run this where you graded.")
    return list(tasks)


def write_gradescope(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`<student>/<exercise>.results.json`."""
    return _each(rows, folder, ".results.json", lambda row: json.dumps(_gradescope(row), indent=1))


def write_github(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`<student>/<exercise>.base64`, as GitHub Classroom's reporter takes it."""

    def encoded(row: Row) -> str:
        return base64.b64encode(json.dumps(_github(row)).encode()).decode()

    return _each(rows, folder, ".base64", encoded)


def _each(rows: list[Row], folder: Path, suffix: str, content: Callable[[Row], str]) -> list[Path]:
    written = []
    for row in rows:
        if safe_name(row.student) and safe_name(row.exercise + suffix):
            path = folder / row.student / f"{row.exercise}{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, content(row))
            written.append(path)
    return written


def _gradescope(row: Row) -> dict[str, Any]:
    """The results of one row. A fault of ours has no score, which Gradescope shows as an error."""
    result: dict[str, Any] = {
        "output": printable(row.data["note"] or f"status: {row.status}"),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"status": row.status, "submission_sha256": row.sha},
        "tests": [
            {
                "score": task["score"],
                "max_score": task["max_score"],
                "status": "passed" if task["score"] == task["max_score"] else "failed",
                "name": task["name"],
                "number": str(number),
                "output": _details(task),
                "output_format": "html",
                "visibility": "visible",
                "extra_data": {"mistake": task["mistake"]},
            }
            for number, task in enumerate(row.tasks, 1)
        ],
    }
    return result if row.score is None else {"score": row.score, **result}


def _details(task: dict[str, Any]) -> str:
    lines = [
        f"<li>{'✓' if c['passed'] else '✗'} {html(c['name'])} {html(c['message'])}</li>"
        for c in task["cases"]
    ]
    advice = [f"<p>{html(task[key])}</p>" for key in ("diagnosis", "hint") if task[key]]
    return f"<ul>{''.join(lines)}</ul>{''.join(advice)}"


def _github(row: Row) -> dict[str, Any]:
    """The report of GitHub Classroom's autograder for one row."""

    def full(task: dict[str, Any]) -> bool:
        return task["score"] == task["max_score"]

    tests = [
        {
            "name": task["name"],
            "status": _status(task["status"], full(task)),
            "message": printable(task["diagnosis"] or ("" if full(task) else task["status"])),
            "test_code": f"attn check: {task['name']}",
            "filename": "",
            "line_no": 0,
            "duration": 0,
            "score": task["score"],
        }
        for task in row.tasks
    ]
    status = _status(row.status, row.score == row.max_score)
    return {"version": 1, "status": status, "max_score": row.max_score, "tests": tests}


def _status(status: str, full: bool) -> str:
    return "pass" if full else "fail" if status == "graded" else "error"
