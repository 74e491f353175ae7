"""What lies in a folder or an archive: submissions, empty places, and what was refused."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Reader = Callable[[], tuple[bytes | None, str]]  # a file's bytes and its SHA-256


@dataclass(frozen=True)
class Submission:
    """One student's file for one exercise, and how to read it when its turn comes."""

    student: str
    exercise: str
    read: Reader = field(repr=False, compare=False)
    lms_id: str = ""


@dataclass
class Found:
    """What lies in the input: submissions, students who handed in nothing, and what was refused."""

    submissions: list[Submission] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def add(self, submission: Submission) -> None:
        self.submissions.append(submission)


def by_row(found: Found) -> Iterator[Submission]:
    """One submission for each (student, exercise); of several the last, the others are refused."""
    rows: dict[tuple[str, str], Submission] = {}
    for submission in found.submissions:
        key = (submission.student, submission.exercise)
        if key in rows:
            found.refused.append(f"{key[0]}: handed in {key[1]} twice; the last one counts")
        rows[key] = submission
    yield from rows.values()
