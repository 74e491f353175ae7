"""JUnit XML: one suite for each row, one test for each task. Points are properties: JUnit itself
has no place for them."""

from pathlib import Path
from xml.etree import ElementTree as xml

from course_lib.checker.escape import printable
from grader.gradebook.rows import Row, write_text
from grader.submissions.roster import Roster


def write(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`junit.xml`."""
    root = xml.Element("testsuites", name="attn")
    for row in rows:
        _suite(root, row)
    xml.indent(root)
    path = folder / "junit.xml"
    text = xml.tostring(root, encoding="unicode")
    write_text(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')
    return [path]


def _suite(root: xml.Element, row: Row) -> None:
    tasks = row.tasks or [{"name": row.exercise, "score": 0, "max_score": 1, "status": row.status}]
    ours = sum(task["status"] == "needs-attention" for task in tasks)
    failed = sum(task["score"] < task["max_score"] for task in tasks) - ours
    suite = xml.SubElement(
        root,
        "testsuite",
        name=printable(f"{row.student}/{row.exercise}"),
        tests=str(len(tasks)),
        failures=str(failed),
        errors=str(ours),
    )
    properties = xml.SubElement(suite, "properties")
    score = "" if row.score is None else str(row.score)
    values = {"score": score, "max_score": str(row.max_score), "status": row.status}
    if row.questions:
        marks = "" if row.marked is None else str(row.marked)
        values |= {"marks": marks, "max_marks": str(row.max_marks)}
    for name, value in (values | {"submission_sha256": row.sha}).items():
        xml.SubElement(properties, "property", name=name, value=value)
    for task in tasks:
        case = xml.SubElement(
            suite, "testcase", classname=printable(row.exercise), name=printable(task["name"])
        )
        if task["score"] < task["max_score"]:
            kind = "error" if task["status"] == "needs-attention" else "failure"
            message = task.get("diagnosis") or task["status"]
            xml.SubElement(case, kind, message=printable(message))
