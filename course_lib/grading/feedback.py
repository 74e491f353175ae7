"""The page that a student reads: points, each case, the named mistake and the next hint.

It shows no hidden input and nothing that the student's code printed.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from course_lib.grading.gradebook import Row, write_text
from course_lib.grading.page import name, page, prose, table
from course_lib.grading.text import html

MAX_BYTES = 2_000_000
MAX_TEXT = 3_000  # characters of one message or printed value
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


def safe_name(name: str) -> bool:
    """Whether a name can be one path component. Names out of an archive could be anything."""
    encoded = name.encode("utf-8", "replace")
    return name not in ("", ".", "..") and not {"/", "\0"} & set(name) and len(encoded) <= 240


def report_page(row: Row) -> str:
    """The whole page of one row."""
    score = "not graded" if row.score is None else f"{row.score} of {row.max_score} points"
    parts = [f"<p><b>{html(row.student)}</b>: <b>{score}</b> (status: {html(row.status)})</p>"]
    if row.status in STATUS_SENTENCES and not row.tasks:
        parts.append(f'<p class="note">{STATUS_SENTENCES[row.status]}</p>')
    if row.data.get("note"):
        parts.append(f'<p class="note">{_text(row.data["note"])}</p>')
    parts += [_task(task) for task in row.tasks]
    parts.append(f"<p><small>File: SHA-256 {html(row.sha) or 'none'}</small></p>")
    text = page(f"{row.exercise}: feedback", "\n".join(parts))
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:  # cannot happen; a promise all the same
        return page(f"{row.exercise}: feedback", parts[0] + "<p>The details are too long.</p>")
    return text


def _task(task: dict[str, Any]) -> str:
    points = f"{task['score']} of {task['max_score']} points"
    parts = [f"<h2><code>{name(task['name'])}</code>: {points}</h2>"]
    rows = [
        [_mark(c["passed"]), _case(c), _prose(c["message"]) or "as expected"] for c in task["cases"]
    ]
    parts.append(table(["", "case", "what happened"], rows))
    if task["example"]:
        parts.append(_example(task["example"]))
    if task["diagnosis"]:
        parts.append(f'<p class="note"><b>Diagnosis:</b> {_prose(task["diagnosis"])}</p>')
    if task["hint"]:
        parts.append(f"<p><b>Hint:</b> {_prose(task['hint'])}</p>")
    return "\n".join(parts)


def _case(case: dict[str, Any]) -> str:
    return _text(case["name"]) + (" <i>(hidden)</i>" if case["hidden"] else "")


def _mark(passed: bool) -> str:
    mark, word = ("✓", "passed") if passed else ("✗", "failed")
    return f'<span role="img" aria-label="{word}">{mark}</span>'


def _example(example: dict[str, Any]) -> str:
    pairs = [*example["inputs"], ("expected", example["expected"]), ("got", example["got"])]
    rows = [[f"<b>{_text(name)}</b>", f"<pre>{_text(text)}</pre>"] for name, text in pairs]
    return "<p>The smallest input that fails:</p>" + table(["", "value"], rows)


def _text(text: str) -> str:
    return html(_cut(text))


def _prose(text: str) -> str:
    return prose(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
