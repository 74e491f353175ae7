"""What a person has to see before the grades are given out: rows that no rerun will mend."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from grader.gradebook.heard import Heard
from grader.gradebook.rows import Row
from grader.submissions.people import folded

KINDS = (
    "on no roster", "not certain", "the grader failed", "handed in something else",
    "cannot be read", "a namesake", "marked before it changed", "two marks for one answer",
)  # fmt: skip
OFF, UNSURE, FAILED, ELSE, UNREADABLE, NAMESAKE, CHANGED, DISPUTE = KINDS


def needs_a_person(rows: Sequence[Row], heard: Heard | None = None) -> list[tuple[str, Row, str]]:
    """(kind, row, what is known) of each such row, the gravest kind first."""
    heard = heard or Heard()
    found = [(kind, row, note) for row in rows for kind, note in _reasons(row, heard)]
    return sorted(found, key=lambda one: KINDS.index(one[0]))


def _reasons(row: Row, heard: Heard) -> list[tuple[str, str]]:
    reasons = [(OFF, sentence(heard.of(row)))] if heard.of(row) else []
    if row.is_something_else:
        reasons.append((ELSE, row.data["note"]))
    elif row.status == "needs-attention":
        message = row.data["note"] or "A task could not be graded, through no fault of the answer."
        reasons.append((FAILED, message))
    if row.status == "unreadable":
        reasons.append((UNREADABLE, row.data["note"]))
    if row.lms_id and row.student.endswith(f" ({row.lms_id})"):
        message = "Somebody else has this name; the number is the platform's."
        reasons.append((NAMESAKE, sentence(row.look) if row.look else message))
    elif row.look:
        reasons.append((UNSURE, sentence(row.look)))
    if row.marked_before:
        message = (
            f"The file is not the one that was marked ({', '.join(sorted(row.marked_before))})."
        )
        reasons.append((CHANGED, message))
    for item, mark in row.marks.items():
        if mark.dispute:
            reasons.append((DISPUTE, f"{item}: {mark.dispute}."))
    return reasons


def sentence(words: str) -> str:
    """Words as a sentence of their own."""
    return f"{words[:1].upper()}{words[1:]}."


def same_files(rows: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """(exercise, students) of work that is byte for byte the same, and earned something."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        if row.sha and row.score:
            found[row.exercise, row.sha].append(row.student)
    return [(stem, names) for (stem, _), names in sorted(found.items()) if len(names) > 1]


def same_me(rows: Sequence[Row]) -> list[tuple[str, str, list[str]]]:
    """(exercise, name, students) of files that say that they are of one person, where that name
    draws what is asked: whoever shares a name may share the answers to what it draws."""
    found: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in rows:
        for name in {folded(task["me"]) for task in row.tasks if task.get("me")}:
            found[row.exercise, name][row.student] = row.sha
    return [
        (stem, name, [*files])
        for (stem, name), files in sorted(found.items())
        if len({*files.values()}) > 1  # one file of several is named as that
    ]


def same_answers(rows: Sequence[Row]) -> list[tuple[str, str, list[str]]]:
    """(exercise, task, students) of one answer under two names that draw two things, where it is
    right for one of them. Those whose name is one are in `same_me`; where all who drew the same
    thing may well write the same answer, what they `drew` is compared."""
    found: defaultdict[tuple[str, str, str], list[tuple[Row, str, bool]]] = defaultdict(list)
    for row in rows:
        for task in row.tasks:
            if task.get("given"):
                drawn = task.get("drawn") or folded(task["me"])
                one = row, drawn, task["score"] > 0
                found[row.exercise, task["name"], task["given"]].append(one)
    return [
        (stem, name, [row.student for row, _, _ in those])
        for (stem, name, _), those in sorted(found.items(), key=lambda one: one[0])
        if len({drawn for _, drawn, _ in those}) > 1 and any(right for _, _, right in those)
    ]


def to_mark(rows: Sequence[Row]) -> dict[str, int]:
    """How many written answers of each exercise nobody has marked."""
    left: Counter[str] = Counter()
    for row in rows:
        left[row.exercise] += row.to_mark
    return {exercise: left[exercise] for exercise in sorted(left) if left[exercise]}
