"""What one submission can make the gradebook hold, whatever its answers send back."""

import pytest

from course_lib.checker.notebook import Notebook
from course_lib.checker.run.inputs import Observation, Opaque, Verdict
from course_lib.exercises import CATALOGUE
from grader.gradebook.database import DATABASE, Gradebook
from grader.gradebook.rows import load_rows
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import grade_notebook
from grader.reports.student import report_page
from grader.sandbox.inside.protocol import decode, encode
from grader.sandbox.profiles import Profile
from grader.sandbox.sandbox import Outcome, Sandbox

MOST = 64 << 10  # bytes
WIDE = "\U0001f600"  # four bytes; twelve where JSON is ASCII
SENT = {
    "an error": Observation(error=WIDE * 80, message=WIDE * 300),
    "a type": Observation(Opaque(WIDE * 400)),
    "a text": Observation(WIDE * 2_000),
    "texts": Observation([WIDE * 100] * 20),
    "a verdict": Observation(Verdict(False, WIDE * 400)),
}


class Forger(Sandbox):
    """A sandbox whose cells all send the same thing."""

    def __init__(self, sent):
        super().__init__(Profile("strong", None, None), 400)
        self.sent = sent

    def run(self, request, seconds):
        count = len(decode(request).get("inputs", "1"))  # one: the programs
        return Outcome("frame", encode([self.sent] * count), 0.1)


# Judging costs minutes for all; the first, and the one with the most cases, are judged every day.
DAILY = {"01_softmax", "lab_3_write_the_test"}
NIGHTLY = [
    pytest.param(stem, marks=pytest.mark.nightly)
    for stem in sorted(CATALOGUE.exercises.keys() - DAILY)
]


@pytest.mark.parametrize("stem", [*sorted(DAILY), *NIGHTLY])
def test_a_row_is_small_whatever_is_sent(stem, tmp_path):
    exercise = CATALOGUE.exercises[stem]
    notebook = Notebook(tuple((task.name, f"{task.name} = None") for task in exercise.tasks))
    with Gradebook(tmp_path / DATABASE) as gradebook:
        for name, sent in SENT.items():
            how = {"sandbox": Forger(sent), "timeout": 10.0}
            seeds = {task.name: 1 for task in exercise.tasks}
            result = grade_notebook(notebook, exercise, seeds=seeds, **how)
            gradebook.record(name, stem, "v", name, "", to_data(result, exercise))
        query = "SELECT sha, length(CAST(data AS BLOB)) FROM results"
        sizes = dict(gradebook.db.execute(query))
        pages = [report_page(row) for row in load_rows(gradebook)]
    assert sizes.keys() == SENT.keys() and max(sizes.values()) <= MOST, sizes
    assert len(pages) == len(SENT) and max(len(page.encode()) for page in pages) < 2_000_000


def test_half_a_character_is_no_reason_to_stop(tmp_path):
    with Gradebook(tmp_path / DATABASE) as gradebook:
        data = {"status": "graded", "note": "\ud800 é"}
        gradebook.record("ann", "01_softmax", "v", "a", "", data)
        assert gradebook.result("a", "01_softmax", "v") == data | {"note": "? é"}
