"""Written answers in the gradebook, and the points that a person gave for them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from course_lib.checker.tasks.task import as_points
from grader.gradebook.database import Gradebook, now


@dataclass(frozen=True)
class Mark:
    """What a person gave for one written answer."""

    points: int | float
    comment: str = ""
    sha: str = ""  # of the file that was marked
    marker: str = ""  # who marked it; "" in gradebooks that are older than that
    marked_at: str = ""  # UTC
    others: tuple["Mark", ...] = ()  # what other markers gave for the answer, the last first

    @property
    def dispute(self) -> str:
        """What counts, and what other markers gave for the same file; "" where it is the same."""
        others = [m for m in self.others if m.sha == self.sha and m.points != self.points]
        before = "; ".join(m.in_words for m in others)
        return before and f"{self.in_words}, counts; before: {before}"

    @property
    def in_words(self) -> str:
        """The points, who gave them and when."""
        by = f" by {self.marker}" if self.marker else ""
        return f"{self.points} points{by}, {self.marked_at or 'today'}"


Marks = dict[str, Mark]  # by the question's name
Key = tuple[str, str]  # (student, exercise)


def keep_answers(gradebook: Gradebook, sha: str, exercise: str, answers: Mapping[str, str]) -> None:
    """Keep what stands in a file's places for written answers. Known text costs no writing."""
    if not answers or find_answers(gradebook, sha, exercise) == dict(answers):
        return
    rows = [(sha, exercise, item, text) for item, text in answers.items()]
    with gradebook.errors_in_words(), gradebook.transaction():
        gradebook.db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)


def find_answers(gradebook: Gradebook, sha: str, exercise: str) -> dict[str, str]:
    """The written answers of one file, by the question's name."""
    query = "SELECT item, text FROM answers WHERE sha=? AND exercise=?"
    with gradebook.errors_in_words():
        return dict(gradebook.db.execute(query, (sha, exercise)))


def keep_marks(gradebook: Gradebook, marks: Iterable[tuple[Key, str, Mark]]) -> None:
    """Keep marks, all of them or none. The last one counts; what another marker gave is kept."""
    at = now()
    rows = [(*k, item, m.points, m.comment, m.sha, at, m.marker) for k, item, m in marks]
    query = (
        "INSERT OR REPLACE INTO marks (student, exercise, item, points, comment, sha, marked_at, "
        "marker) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    with gradebook.errors_in_words(), gradebook.transaction():
        gradebook.db.executemany(query, rows)


def find_marks(gradebook: Gradebook) -> dict[Key, Marks]:
    """Every mark that counts, by (student, exercise) and question."""
    found: dict[Key, Marks] = defaultdict(dict)
    query = """
        SELECT student, exercise, item, points, comment, sha, marker, marked_at
        FROM marks ORDER BY number
    """
    with gradebook.errors_in_words():
        for student, exercise, item, points, *more in gradebook.db.execute(query):
            marks = found[student, exercise]
            before = marks.get(item)
            others = (replace(before, others=()), *before.others) if before else ()
            marks[item] = Mark(as_points(points), *more, others=others)
    return found
