"""The page that an instructor reads: what needs a person first, what to teach again, how the class
did, and which rows need a look. Bars stand in tables beside their numbers, so that they read
without colour."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from course_lib.checker.compare.programs import EARLIER
from course_lib.checker.escape import render
from grader.gradebook.heard import Heard
from grader.gradebook.rows import STATUSES, Row
from grader.reports.needs_person import needs_a_person, same_answers, same_files, same_me, to_mark

TEMPLATE = Path(__file__).parent / "templates" / "overview.html.j2"
MOST_BARS = 20  # points of an exercise that each have a bar; beyond, bars are tenths
BINS = 10
MOST_FREQUENT = 15
MOST_ROWS = 2_000  # links to single reports; a larger class reads grades.csv
GIVE_OUT = (
    "Then give out: attn export (grades, for Canvas, Moodle, …) and attn feedback (pages for "
    "students)."
)
UNKNOWN = "Wrong in no way that we know. Read a few: they may share a mistake."


def overview_page(rows: Sequence[Row], heard: Heard | None = None) -> str:
    """The whole page."""
    heard = heard or Heard()
    statuses = Counter(row.status for row in rows)
    person = needs_a_person(rows, heard)
    shown = {id(row) for _, row, _ in person}
    odd = [row for row in rows if row.status != "graded" and id(row) not in shown]
    odd.sort(key=lambda row: -STATUSES.index(row.status))
    return render(
        TEMPLATE,
        title="Class overview",
        students=len({row.student for row in rows}),
        rows=len(rows),
        lines=what_to_do(rows, heard) if rows else [],
        counts=", ".join(f"{count} {status}" for status, count in statuses.most_common()),
        exercises=[
            _exercise(name, rows) for name in sorted({r.exercise for r in rows if r.max_score})
        ],
        person=[(kind, row, _link(row), note) for kind, row, note in person],
        to_mark=to_mark(rows),
        same=same_files(rows),
        same_me=same_me(rows),
        same_answers=same_answers(rows),
        heard=heard,
        odd=[(row, _link(row)) for row in odd],
        most_rows=MOST_ROWS,
    )


def what_to_do(rows: Sequence[Row], heard: Heard | None = None) -> list[str]:
    """What to do now, in at most three lines, for the page and for the screen after grading."""
    heard = heard or Heard()
    kinds = {"files that are nobody's": len(heard.nobody_s)}
    kinds |= Counter(kind for kind, _, _ in needs_a_person(rows, heard))
    kinds |= {"names alike": len(heard.alike), "scores that changed": len(heard.changed)}
    waiting = sum(to_mark(rows).values())
    kinds |= {"written answers to mark": waiting, "the same file twice": len(same_files(rows))}
    kinds |= {"the same ME twice": len(same_me(rows))}
    kinds |= {"one answer under two names": len(same_answers(rows))}
    parts = [f"{kind} ({count})" for kind, count in kinds.items() if count]
    first = f"Look at these first: {'; '.join(parts)}." if parts else "Nothing needs you first."
    again = {name: _again(_handed_in(name, rows)) for name in sorted({r.exercise for r in rows})}
    found = [(one["wrong"], name, one) for name, one in again.items() if one]
    lines = [first]
    if found:
        wrong, name, one = max(found, key=lambda part: part[0])
        lines.append(f"Teach again: {one['task']} of {name}, wrong in {wrong} of {one['of']}.")
    return [*lines, GIVE_OUT]


def _handed_in(name: str, rows: Sequence[Row]) -> list[Row]:
    return [r for r in rows if r.exercise == name and (r.tasks or r.status != "missing")]


def _exercise(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    handed_in = _handed_in(name, rows)
    solved = _solved(handed_in)
    hardest = sorted(solved, key=lambda one: sum(solved[one]) / len(solved[one]))
    return {
        "name": name,
        "lead": _lead(handed_in),
        "again": _again(handed_in),
        "distribution": _distribution(handed_in),
        "hardest": _chart(
            "Rows that solved each task, hardest first",
            [(task, sum(solved[task]), len(solved[task])) for task in hardest],
        ),
        "mistakes": _mistakes(handed_in),
    }


def _lead(rows: Sequence[Row]) -> str:
    """One sentence on how the class did; "" where nothing was graded."""
    scores = [row.score for row in rows if row.score is not None]
    if not scores:
        return ""
    best = max(row.max_score for row in rows)
    full = sum(score == best for score in scores)
    line = f"{len(scores)} handed in; median {median(scores):g} of {best} points; "
    return line + f"{full} with all of them."


def _again(rows: Sequence[Row]) -> dict[str, Any] | None:
    """The task in which most err themselves, and what most of them did there. An answer that only
    uses a wrong one counts apart: once that is mended, it may be right."""
    roots = Counter(task["name"] for task in _failed(rows) if task["mistake"] != EARLIER)
    if not roots:
        return None
    ((name, count),) = roots.most_common(1)
    theirs = [task for task in _failed(rows) if task["name"] == name]
    seen = Counter(t["mistake"] for t in theirs if t["mistake"] and t["mistake"] != EARLIER)
    words = {
        "task": name,
        "wrong": count,
        "follow": len(theirs) - count,
        "sentence": "",
        "count": 0,
    }
    words["of"] = sum(task["name"] == name for row in rows for task in row.tasks)
    if seen:
        mistake, words["count"] = seen.most_common(1)[0]
        words["sentence"] = _sentence(theirs, name, mistake)
    return words


def _sentence(tasks: Iterable[dict[str, Any]], name: str, mistake: str) -> str:
    """What to say of a mistake: the shortest, for some also name an earlier answer."""
    said = [t["diagnosis"] for t in tasks if (t["name"], t["mistake"] or "") == (name, mistake)]
    return min(filter(None, said), key=len, default=UNKNOWN)


def _distribution(rows: Sequence[Row]) -> dict[str, Any]:
    """How many rows have how many points."""
    scored = [(r.score, r.max_score) for r in rows if r.score is not None and r.max_score]
    best = max((most for _, most in scored), default=0)
    whole = all(number == int(number) for number in (best, *(score for score, _ in scored)))
    if 0 < best <= MOST_BARS and whole:
        counts = Counter(score for score, _ in scored)
        bars = [(str(points), counts[points], len(scored)) for points in range(int(best), -1, -1)]
        return _chart("Rows by points", bars)
    counts = Counter(min(BINS - 1, int(score * BINS / most)) for score, most in scored)
    labels = [f"{b * 100 // BINS} to {(b + 1) * 100 // BINS} %" for b in range(BINS)]
    bars = [(label, counts[b], len(scored)) for b, label in enumerate(labels)]
    return _chart("Rows by share of the points", bars)


def _chart(title: str, bars: Sequence[tuple[str, int, int]]) -> dict[str, Any]:
    longest = max((count for _, count, _ in bars), default=0)
    return {"title": title, "bars": bars, "longest": max(1, longest)}


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


def _mistakes(rows: Sequence[Row]) -> list[tuple[tuple[str, str, str], int]]:
    """What was wrong, most frequent first: known mistakes with what to say about each, and per task
    how many wrong answers are none of them."""
    failed = [task for task in _failed(rows) if task["mistake"] != EARLIER]
    seen = Counter(
        (
            task["name"],
            task["mistake"] or "",
            "" if task["mistake"] else task["diagnosis"] or UNKNOWN,
        )
        for task in failed
    )
    return [
        ((name, mistake, said or _sentence(failed, name, mistake)), count)
        for (name, mistake, said), count in seen.most_common(MOST_FREQUENT)
    ]


def _link(row: Row) -> str:
    place = "/".join(quote(part.encode()) for part in ("reports", row.student, row.exercise))
    return f"{place}.html"
