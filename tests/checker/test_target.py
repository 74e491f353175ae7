"""`show(task)`: inputs of public cases and what is right for them, before any code is written."""

import base64
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from course_lib.checker.compare.judge import observe
from course_lib.checker.run.values import same_data
from course_lib.checker.show import _chosen, show_task
from course_lib.checker.tasks import Catalogue, Exercise
from course_lib.exercises import CATALOGUE, show
from tests.checker.toy import DOUBLE, catalogue, double
from tests.exercises.test_exercise_notebooks import FORMS, INSIDE

TASKS = list(CATALOGUE.tasks)
DRAWN = [name for name in TASKS if CATALOGUE.tasks[name].credit == "all or nothing"]


def drawn(target):
    """The picture as SVG: it comes as an image, which a notebook that is not trusted keeps."""
    page = target._repr_html_()
    assert "<svg" not in page
    (data,) = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="[^"]+"', page)
    return base64.b64decode(data).decode()


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_shown_by_its_public_cases_or_says_why_not(name):
    task, target = CATALOGUE.tasks[name], show(name)
    public = {case.name for case in task.cases if not case.hidden}
    hidden = {case.name for case in task.cases if case.hidden} - public
    assert {one.title for one in target.examples} <= public
    assert not any(title in repr(target) for title in hidden)
    assert repr(target) == repr(show(name))
    assert len(target.examples) == 3 or target.note
    if target.examples:
        drawn(target)


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_called_right_is_right(name):
    for trial in _chosen(CATALOGUE.tasks[name], 0) if show(name).examples else ():
        (seen,) = observe(trial.task.reference, [trial])
        assert seen.error == trial.expected.error
        assert same_data(seen.value, trial.expected.value)


def test_every_task_of_the_twelve_exercises_is_shown():
    stems = [stem for stem in CATALOGUE.exercises if not stem.startswith("lab")]
    names = [task.name for stem in stems for task in CATALOGUE.exercises[stem].tasks]
    names = [name for name in names if not name.startswith(FORMS)]  # they are given none
    names = [name for name in names if name not in INSIDE]
    assert len(names) > 30 and all(len(show(name).examples) == 3 for name in names)


def test_the_numbers_stand_in_the_picture_and_in_the_text():
    target = show_task(catalogue(), "double")
    first = target.examples[0]
    (given,), (right,) = first.given, first.right
    assert np.allclose(2 * np.array(given.matrices[0][1]), right.matrices[0][1])
    assert ">x</text>" in drawn(target) and ">right</text>" in drawn(target)
    assert drawn(target).count("→") == 3 and "a row" in drawn(target)
    assert f"x = {given.text}" in repr(target) and "large numbers" not in repr(target)
    assert repr(show_task(catalogue(), "double", seed=1)) != repr(target)
    assert repr(show_task(catalogue(), double)) == repr(target)


def test_what_is_stored_of_a_task_outlives_a_new_case():
    task = replace(DOUBLE, cases=(DOUBLE.cases[2], *DOUBLE.cases))
    more = Catalogue([Exercise("01_toy", "Toy", (task,))])
    assert repr(show_task(more, "double")) == repr(show_task(catalogue(), "double"))


@pytest.mark.parametrize("task", ["dubble", "", 3, None, lambda: 1, [1]])
def test_what_is_no_task_gets_a_sentence(task):
    target = show_task(catalogue(), task)
    assert "The tasks are: double, Scale" in repr(target) and not target.examples
    assert "<img" not in target._repr_html_()


def test_the_first_exercises_are_shown_without_torch():
    code = "import sys; from course_lib import show; show('attend'); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
