"""Every task draws the special values of its arguments, or says why not."""

import pytest

from course_lib.checker.compare.judge import draw_trials
from course_lib.exercises import CATALOGUE
from tests.exercises.special import FREE, TABLE
from tests.exercises.test_exercise_notebooks import answers, read
from tests.exercises.test_proofs import STEMS

MORE = "lengths: one axis more"


@pytest.mark.parametrize(("stem", "name"), STEMS, ids=[name for _, name in STEMS])
def test_special_values_come_or_the_task_says_why_not(stem, name, subtests):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 0)
    assert {*task.without} <= {*TABLE, "example", "*"}
    for value, (belongs, shows) in TABLE.items():
        free = value == MORE and FREE.search(answers(read("exercises", stem))[name])
        if belongs(task) or free:
            with subtests.test(value):
                drawn = shows(trials)
                said = task.without.get(value) or (not drawn and task.without.get("*"))
                assert bool(drawn) != bool(said), said or f"no case draws {value!r}"
        else:
            assert value not in task.without, f"{value!r} is no matter of this task"
