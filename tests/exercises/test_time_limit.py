"""What the notebooks say of the time that an answer has is what `check` gives it."""

import pytest

from course_lib.checker.limits import SECONDS
from course_lib.exercises import CATALOGUE
from tests.exercises.test_exercise_notebooks import read


@pytest.mark.parametrize("stem", CATALOGUE.exercises)
def test_a_notebook_says_how_long_an_answer_may_take(stem):
    words = f"an answer has {SECONDS:g} seconds of the processor for all of them"
    assert any(words in cell.source for cell in read("exercises", stem).cells)
