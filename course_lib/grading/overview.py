"""The page that an instructor reads: how the class did, which mistakes are most frequent, and which
tasks hurt. Plots are inline SVG, labelled with numbers, so that they read without colour."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from course_lib.grading.gradebook import Row, write_text
from course_lib.grading.page import page, table
from course_lib.grading.text import html

BINS = 10
MOST_FREQUENT = 15
MOST_ROWS = 2_000  # links to single reports; a larger class reads grades.csv
BAR_WIDTH, BAR_HEIGHT, LABEL_WIDTH = 420, 22, 260


def write_overview(path: Path, rows: Sequence[Row]) -> None:
    """Write the class overview."""
    write_text(path, overview_page(rows))


def overview_page(rows: Sequence[Row]) -> str:
    """The whole page."""
    exercises = sorted({row.exercise for row in rows if row.max_score})
    body = [_summary(rows)]
    for exercise in exercises:
        own = [row for row in rows if row.exercise == exercise]
        body.append(f"<h2>{html(exercise)}</h2>")
        body.append(_distribution(exercise, own))
        body.append(_hardest(exercise, own))
        body.append(_mistakes(own))
    body.append(_attention(rows))
    return page("Class overview", "\n".join(body))


def _summary(rows: Sequence[Row]) -> str:
    students = len({row.student for row in rows})
    statuses = Counter(row.status for row in rows)
    cells = [[html(status), str(count)] for status, count in statuses.most_common()]
    return f"<p>{students} students, {len(rows)} rows.</p>" + table(["status", "rows"], cells)


def _distribution(exercise: str, rows: Sequence[Row]) -> str:
    """How many rows have which share of the points."""
    scored = [row for row in rows if row.score is not None and row.max_score]
    counts = Counter(min(BINS - 1, row.score * BINS // row.max_score) for row in scored)
    labels = [f"{b * 100 // BINS} to {(b + 1) * 100 // BINS} %" for b in range(BINS)]
    bars = [(label, counts[b], len(scored)) for b, label in enumerate(labels)]
    return _bars(f"{exercise}: rows by share of the points", bars)


def _hardest(exercise: str, rows: Sequence[Row]) -> str:
    """The tasks, those that fewest solved first."""
    solved: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        for task in row.tasks:
            solved[task["name"]].append(task["score"] == task["max_score"])
    order = sorted(solved, key=lambda name: sum(solved[name]) / len(solved[name]))
    bars = [(name, sum(solved[name]), len(solved[name])) for name in order]
    return _bars(f"{exercise}: rows that solved each task, hardest first", bars)


def _mistakes(rows: Sequence[Row]) -> str:
    """The known mistakes that were recognised, and what to say about each."""
    seen: Counter[tuple[str, str]] = Counter()
    sentences: dict[tuple[str, str], str] = {}
    for row in rows:
        for task in row.tasks:
            if task["mistake"]:
                key = (task["name"], task["mistake"])
                seen[key] += 1
                sentences[key] = task["diagnosis"]
    if not seen:
        return "<p>No known mistake was recognised.</p>"
    cells = [
        [str(count), f"<code>{html(key[0])}</code>", html(key[1]), html(sentences[key])]
        for key, count in seen.most_common(MOST_FREQUENT)
    ]
    heading = "<h3>What to teach again: the most frequent mistakes</h3>"
    return heading + table(["rows", "task", "mistake", "what helps"], cells)


def _attention(rows: Sequence[Row]) -> str:
    """Every row that is not simply graded, with a link to its report."""
    odd = [row for row in rows if row.status != "graded"]
    if not odd:
        return ""
    cells = [[_link(row), html(row.exercise), html(row.status)] for row in odd[:MOST_ROWS]]
    more = f"<p>{len(odd) - MOST_ROWS} more in grades.csv.</p>" if len(odd) > MOST_ROWS else ""
    return "<h2>Rows to look at</h2>" + table(["student", "exercise", "status"], cells) + more


def _link(row: Row) -> str:
    from urllib.parse import quote

    place = "/".join(quote(part.encode()) for part in ("reports", row.student, row.exercise))
    return f'<a href="{html(place)}.html">{html(row.student)}</a>'


def _bars(title: str, bars: Sequence[tuple[str, int, int]]) -> str:
    """A horizontal bar chart: (label, count, out of how many)."""
    if not bars:
        return ""
    height = BAR_HEIGHT * len(bars)
    longest = max(1, *(count for _, count, _ in bars))
    parts = []
    for i, (label, count, total) in enumerate(bars):
        y = i * BAR_HEIGHT
        width = BAR_WIDTH * count / longest
        parts.append(
            f'<text x="{LABEL_WIDTH - 8}" y="{y + 15}" text-anchor="end">{html(label)}</text>'
            f'<rect x="{LABEL_WIDTH}" y="{y + 3}" width="{width:.1f}" height="{BAR_HEIGHT - 6}" '
            'fill="#3b7dd8"/>'
            f'<text x="{LABEL_WIDTH + width + 6:.1f}" y="{y + 15}">{count} of {total}</text>'
        )
    spoken = "; ".join(f"{label}: {count} of {total}" for label, count, total in bars)
    return (
        f'<figure><svg role="img" aria-label="{html(title)}. {html(spoken)}" '
        f'width="100%" viewBox="0 0 {LABEL_WIDTH + BAR_WIDTH + 100} {height}">'
        f"{''.join(parts)}</svg><figcaption>{html(title)}</figcaption></figure>"
    )
