"""Written answers in the gradebook, and the points that a person gave for them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grader.gradebook.database import Gradebook, now


@dataclass(frozen=True)
class Mark:
    """What a person gave for one written answer."""

    points: int | float
    comment: str = ""
    sha: str = ""  # of the file that was marked


Marks = dict[str, Mark]  # by the question's name
Key = tuple[str, str]  # (student, exercise)


def keep_answers(gradebook: Gradebook, sha: str, exercise: str, answers: Mapping[str, str]) -> None:
    """Keep what stands in a file's places for written answers. Known text costs no writing."""
    if not answers or find_answers(gradebook, sha, exercise) == dict(answers):
        return
    rows = [(sha, exercise, item, text) for item, text in answers.items()]
    with gradebook.loud(), gradebook.transaction():
        gradebook.db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)


def find_answers(gradebook: Gradebook, sha: str, exercise: str) -> dict[str, str]:
    """The written answers of one file, by the question's name."""
    query = "SELECT item, text FROM answers WHERE sha=? AND exercise=?"
    with gradebook.loud():
        return dict(gradebook.db.execute(query, (sha, exercise)))


def keep_marks(gradebook: Gradebook, marks: Iterable[tuple[Key, str, Mark]]) -> None:
    """Keep marks, all of them or none; a later one takes an earlier one's place."""
    at = now()
    rows = [(*key, item, one.points, one.comment, one.sha, at) for key, item, one in marks]
    with gradebook.loud(), gradebook.transaction():
        gradebook.db.executemany("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def find_marks(gradebook: Gradebook) -> dict[Key, Marks]:
    """Every mark, by (student, exercise) and question."""
    found: dict[Key, Marks] = defaultdict(dict)
    query = "SELECT student, exercise, item, points, comment, sha FROM marks"
    with gradebook.loud():
        for student, exercise, item, points, comment, sha in gradebook.db.execute(query):
            whole = int(points) if points == int(points) else points
            found[student, exercise][item] = Mark(whole, comment, sha)
    return found
