"""An exercise is imported when one of its tasks is asked for, and torch with it or never."""

import subprocess
import sys

from course_lib.exercises import TASKS, load

CODE = """
import sys
from course_lib.exercises import CATALOGUE, check

PARTS = {"allowed", "common", "drawn", "failing_input", "softmax", "strangers"}

def loaded():
    return {name.split(".")[2] for name in sys.modules if name.startswith("course_lib.exercises.")}

assert "rotate" in CATALOGUE.tasks and "04_bahdanau" in CATALOGUE.exercises and not loaded()

def softmax(scores, axis=-1):
    return scores

check(softmax)
assert loaded() == PARTS, loaded()
assert "torch" not in sys.modules
check(len)
assert loaded() == PARTS, loaded()
"""


def test_an_exercise_is_imported_when_it_is_asked_for():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_notebook_is_worth_ten_points():
    worth = {stem: sum(task.points for task in load(stem).tasks) for stem in TASKS}
    assert worth == dict.fromkeys(TASKS, 10)
