"""What is said once a class is graded: of its policy, and of the rows that were there before."""

from collections.abc import Iterator
from typing import Any

from grader.gradebook.policy import Policy
from grader.gradebook.rows import Row
from grader.message_parts import guess
from grader.submissions.roster import Roster


def without_hold(policy: Policy, rows: list[Row], roster: Roster | None) -> Iterator[str]:
    """What of the class's policy has no hold: an extension in nobody's name, work of no date."""
    students = {row.student for row in rows} | {
        p.student for p in (roster.people if roster else ())
    }
    for line in policy.exceptions:
        if line.student not in students:
            near = guess(line.student, students)
            yield f"exceptions: there is no student {line.student!r}.{near}"
    no_date = [row for row in rows if row.exercise in policy.due and row.sha and not row.date]
    if no_date:
        yield (
            f"{len(no_date)} files have a due date and no date of their own (Canvas and GitHub "
            "write none): they count as in time."
        )


def changed_scores(before: dict[tuple[str, str], Any], rows: list[Row]) -> list[str]:
    """The rows that were there and have another score now, also the first one that counts."""
    lines = []
    for row in rows:
        who = row.student, row.exercise
        if who in before and (was := before[who]) != row.total:
            words = "none" if was is None else was
            lines.append(f"{row.student}, {row.exercise}: {words} → {row.total}")
    return lines
