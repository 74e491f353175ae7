"""The page that an instructor reads: what to teach again, how the class did, and which rows need a
look. Bars stand in tables beside their numbers, so that they read without colour."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from course_lib.grading.grade import STATUSES
from course_lib.grading.gradebook import Row, write_text
from course_lib.grading.page import name, page, prose, table
from course_lib.grading.text import html

MOST_BARS = 20  # points of an exercise that each have a bar; beyond, bars are tenths
BINS = 10
MOST_FREQUENT = 15
MOST_ROWS = 2_000  # links to single reports; a larger class reads grades.csv
UNKNOWN = "Wrong in no way that we know. Read a few: they may share a mistake."


def write_overview(path: Path, rows: Sequence[Row]) -> None:
    """Write the class overview."""
    write_text(path, overview_page(rows))


def overview_page(rows: Sequence[Row]) -> str:
    """The whole page."""
    exercises = sorted({row.exercise for row in rows if row.max_score})
    body = [_summary(rows)]
    for exercise in exercises:
        own = [row for row in rows if row.exercise == exercise and _handed_in(row)]
        body.append(f"<h2>{html(exercise)}</h2>")
        body += [_lead(own), _distribution(own), _hardest(own), _mistakes(own)]
    body.append(_to_look_at(rows))
    return page("Class overview", "\n".join(body))


def _handed_in(row: Row) -> bool:
    return bool(row.tasks) or row.status != "missing"


def _summary(rows: Sequence[Row]) -> str:
    students = len({row.student for row in rows})
    statuses = Counter(row.status for row in rows)
    counts = ", ".join(f"{count} {html(status)}" for status, count in statuses.most_common())
    line = f"<p>{students} students, {len(rows)} rows{': ' if counts else ''}{counts}."
    odd = sum(row.status != "graded" for row in rows)
    return line + (f' <a href="#look">{odd} to look at</a>.</p>' if odd else "</p>")


def _lead(rows: Sequence[Row]) -> str:
    """One sentence: the task that fewest solved, and what most of them did there."""
    scores = [row.score for row in rows if row.score is not None]
    if not scores:
        return "<p>Nothing was graded.</p>"
    best = max(row.max_score for row in rows)
    full = sum(score == best for score in scores)
    line = f"<p>{len(scores)} handed in; median {median(scores):g} of {best} points; "
    line += f"{full} with all of them.</p>"
    solved = _solved(rows)
    if not solved or all(all(marks) for marks in solved.values()):
        return line
    task = min(solved, key=lambda one: sum(solved[one]) / len(solved[one]))
    again = f"<b>Teach again:</b> <code>{name(task)}</code>, "
    again += f"solved by {sum(solved[task])} of {len(solved[task])}."
    seen = Counter(t["diagnosis"] for t in _failed(rows) if t["name"] == task and t["mistake"])
    if seen:
        sentence, count = seen.most_common(1)[0]
        again += f" Most frequent there ({count}): {prose(sentence)}"
    return f'{line}<p class="note">{again}</p>'


def _distribution(rows: Sequence[Row]) -> str:
    """How many rows have how many points."""
    scored = [row for row in rows if row.score is not None and row.max_score]
    best = max((row.max_score for row in scored), default=0)
    if 0 < best <= MOST_BARS:
        counts = Counter(row.score for row in scored)
        bars = [(str(points), counts[points], len(scored)) for points in range(best, -1, -1)]
        return _bars("Rows by points", bars)
    counts = Counter(min(BINS - 1, row.score * BINS // row.max_score) for row in scored)
    labels = [f"{b * 100 // BINS} to {(b + 1) * 100 // BINS} %" for b in range(BINS)]
    bars = [(label, counts[b], len(scored)) for b, label in enumerate(labels)]
    return _bars("Rows by share of the points", bars)


def _hardest(rows: Sequence[Row]) -> str:
    """The tasks, those that fewest solved first."""
    solved = _solved(rows)
    order = sorted(solved, key=lambda one: sum(solved[one]) / len(solved[one]))
    bars = [(task, sum(solved[task]), len(solved[task])) for task in order]
    return _bars("Rows that solved each task, hardest first", bars)


def _solved(rows: Sequence[Row]) -> dict[str, list[bool]]:
    solved: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        for task in row.tasks:
            solved[task["name"]].append(task["score"] == task["max_score"])
    return solved


def _failed(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Every answer that was judged and is wrong."""
    for row in rows:
        for task in row.tasks:
            if task["status"] == "graded" and task["score"] < task["max_score"]:
                yield task


def _mistakes(rows: Sequence[Row]) -> str:
    """What was wrong, most frequent first: known mistakes with what to say about each, and per task
    how many wrong answers are none of them."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for task in _failed(rows):
        sentence = task["diagnosis"] or UNKNOWN
        seen[task["name"], task["mistake"] or "", sentence] += 1
    if not seen:
        return "<p>No answer that ran was wrong.</p>"
    cells = [
        [str(count), f"<code>{name(task)}</code>", html(mistake) or "–", prose(sentence)]
        for (task, mistake, sentence), count in seen.most_common(MOST_FREQUENT)
    ]
    heading = "<h3>The most frequent mistakes</h3>"
    return heading + table(["rows", "task", "mistake", "what helps"], cells)


def _to_look_at(rows: Sequence[Row]) -> str:
    """Every row that is not simply graded, our own faults first, with a link to its report."""
    odd = sorted((r for r in rows if r.status != "graded"), key=lambda r: -STATUSES.index(r.status))
    if not odd:
        return ""
    cells = [[_link(row), html(row.exercise), html(row.status)] for row in odd[:MOST_ROWS]]
    more = f"<p>{len(odd) - MOST_ROWS} more in grades.csv.</p>" if len(odd) > MOST_ROWS else ""
    shown = table(["student", "exercise", "status"], cells)
    return f'<h2 id="look">Rows to look at</h2>{shown}{more}'


def _link(row: Row) -> str:
    place = "/".join(quote(part.encode()) for part in ("reports", row.student, row.exercise))
    return f'<a href="{html(place)}.html">{html(row.student)}</a>'


def _bars(title: str, bars: Sequence[tuple[str, int, int]]) -> str:
    """A bar chart as a table: label, bar, count out of how many."""
    if not bars:
        return ""
    longest = max(1, *(count for _, count, _ in bars))
    lines = "".join(
        f'<tr><th scope="row">{name(label)}</th><td class="bar">'
        '<svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none">'
        f'<rect width="{100 * count / longest:.1f}" height="1"/></svg></td>'
        f'<td class="number">{count} of {total}</td></tr>'
        for label, count, total in bars
    )
    return f'<table class="bars"><caption>{html(title)}</caption>{lines}</table>'
