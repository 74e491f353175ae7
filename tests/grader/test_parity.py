"""What `check` says is what the class gets: every known mistake and every right answer gets the
same verdict from the frame that a cell sends as in the notebook.

Here for the tasks that have a judge of their own; for all others where each answer is judged
anyway, in tests/exercises/test_proofs.py.
"""

import sys

import pytest

from course_lib.checker.compare.judge import draw_trials, observe
from course_lib.exercises import CATALOGUE
from tests.exercises.test_proofs import ALL, alternatives

if sys.platform == "win32":
    pytest.skip("a cell's limits are Unix's", allow_module_level=True)
from tests.grader.parity import assert_judged_alike

pytestmark = pytest.mark.usefixtures("as_a_user")
JUDGED = [(stem, name) for stem, name in ALL if CATALOGUE.tasks[name].judge]


@pytest.mark.slow
@pytest.mark.parametrize(("stem", "name"), JUDGED, ids=[name for _, name in JUDGED])
def test_every_answer_is_judged_alike_here_and_in_the_class(stem, name, subtests, judged_once):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 3)
    right = [(answer.__name__, answer) for answer in (task.reference, *alternatives(stem, name))]
    wrong = [(mistake.name, mistake.answer) for mistake in task.mistakes]
    for title, answer in right + wrong:
        with subtests.test(title):
            assert_judged_alike(task, trials, observe(answer, trials))
