"""Lab 1's capstone: what is measured is what was written, within limits, and nothing leaks."""

import sys

import numpy as np
import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.tasks import Exercise
from course_lib.exercises import CATALOGUE
from course_lib.exercises.your_translator import capstone, measure_capstone
from course_lib.exercises.your_translator.examiners import END
from course_lib.exercises.your_translator.plain import train_translator
from grader.sandbox.inside.protocol import decode, encode
from tests.exercises.test_exercise_notebooks import read

SMALL = {"n_pairs": 40, "n_hidden": 12}
TASK = capstone.capstone(1, **SMALL)


@pytest.fixture(scope="module")
def trials():
    return draw_trials(TASK, 0)


def report_on(trials, *, spent=0.5, parameters=10, rows=None, value=None):
    rows = trials[0].inputs.kept if rows is None else rows
    made = Array("torch", str(rows.dtype), rows)
    return judge(TASK, trials, [Observation(value or (spent, parameters, made))])


def test_the_references_get_full_points_and_half_of_them_fewer(trials):
    report = report_on(trials)
    assert report.score == 4 and report.summary.startswith("BLEU 100.0, 10 parameters, 0 seconds")
    rows = trials[0].inputs.kept.copy()
    rows[::2, 1:] = END
    assert 0 < report_on(trials, rows=rows).score < 4
    assert report_on(trials, rows=np.full_like(rows, 5)).score == 0


def test_what_is_behind_the_end_of_a_sentence_does_not_count(trials):
    rows = trials[0].inputs.kept
    ended = np.pad(np.where(rows == 0, END, rows), [(0, 0), (0, 2)], constant_values=END)
    ended[:, -1] = 7
    assert report_on(trials, rows=ended).score == 4


def test_a_limit_that_is_broken_costs_all_points_and_is_said_with_its_numbers(trials):
    large, slow = report_on(trials, parameters=1_000_001), report_on(trials, spent=1.25)
    assert large.score == slow.score == 0
    assert "has 1,000,001 parameters; 1,000,000 are allowed." in str(large)
    assert "took 1.2 seconds of the processor; 1 are allowed." in str(slow)
    assert report_on(trials, spent=1.0, parameters=1_000_000).score == 4


@pytest.mark.parametrize(
    "value",
    [
        ("0", 10, None),
        (0.5, 10, Array("torch", "float32", np.zeros((12, 3), np.float32))),
        (0.5, 10, Array("torch", "int64", np.zeros((11, 3), np.int64))),
        (0.5, 10, Array("torch", "int64", np.zeros(12, np.int64))),
        [1],
    ],
)
def test_what_is_no_translation_is_refused_in_a_sentence(trials, value):
    report = report_on(trials, value=value)
    assert report.score == 0 and "int64 (12, longest) is needed" in str(report)


def test_an_answer_that_is_not_written_or_raises_says_so(trials):
    def stub(*args):
        raise NotImplementedError

    assert "It is not written yet" in str(judge(TASK, trials, observe(stub, trials)))
    module = judge(TASK, trials, observe(lambda *args: torch.nn.Linear(1, 1), trials))
    assert "'Linear' object has no attribute 'translate'" in str(module)
    nothing = judge(TASK, trials, observe(lambda *args: None, trials))
    assert "it returns a NoneType; a torch.nn.Module is needed" in str(nothing)


def test_no_reference_enters_a_cell_and_no_number_says_which_word_it_is(trials):
    inputs = trials[0].inputs
    assert inputs.kept is not None and decode(encode(inputs)).kept is None
    others = draw_trials(TASK, 1)[0].inputs
    first, again = (
        np.bincount(one.kwargs["source"].ravel())[4:].argmax() for one in (inputs, others)
    )
    assert first != again
    given = {tuple(row[row > 0]) for row in inputs.kwargs["source"]}
    assert not given & {tuple(row[row > 0]) for row in inputs.kwargs["hidden"]}


def test_a_training_is_measured_from_its_call_to_its_words(trials):
    (seen,) = observe(train_translator, trials)
    spent, parameters, rows = seen.value
    assert spent > 0 and 50_000 < parameters < 60_000 and len(rows.data) == 12


def test_the_class_measures_as_a_notebook_does():
    if not sys.platform.startswith("linux"):
        pytest.skip("the sandbox needs Linux")
    from course_lib.checker.notebook import Notebook
    from grader.pipeline.submission import grade_notebook
    from grader.sandbox.profiles import Profile
    from grader.sandbox.sandbox import Sandbox

    text = (
        "import torch\n\nclass Echo(torch.nn.Linear):\n    def translate(self, source):\n"
        "        return source\n\ndef train_translator(source, target, sizes, seconds):\n"
        "    return Echo(2, 3)\n"
    )
    exercise = Exercise("lab", "Lab", (), capstone=TASK).with_capstone()
    with Sandbox(Profile("trusted", None, None), 1024) as sandbox:
        result = grade_notebook(
            Notebook(((None, text),)), exercise, seeds={TASK.name: 0}, sandbox=sandbox, timeout=9
        )
    report = result.tasks[0].report
    assert (result.status, result.score, result.max_score) == ("graded", 0, 4)
    assert report.summary.startswith("BLEU 0.") and ", 9 parameters, " in report.summary


def test_a_lab_has_its_ten_points_until_a_class_adds_the_capstone():
    lab = CATALOGUE.exercises["lab_1_your_translator"]
    assert lab.max_score == 10 and lab.with_capstone().max_score == 14
    assert [task.name for task in lab.with_capstone().tasks][3:] == [lab.capstone.name]


def test_it_has_hints_though_it_is_no_task_of_the_ten_points(monkeypatch):
    monkeypatch.setattr(CATALOGUE, "_hints_given", {})
    assert CATALOGUE.hint(train_translator).startswith("Hint 1 of 3: Which sentences")
    assert CATALOGUE.hint("train_translator").startswith("Hint 2 of 3: No long sentence")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_minute_is_enough_for_the_solution_and_not_for_the_plain_model():
    assert measure_capstone(train_translator).score <= 1
    space = {"__name__": "__main__"}
    wanted = ("imports", "parts", "translator", "train-step", "translate", "capstone")
    for cell in read("solutions", "lab_1_your_translator").cells:
        if cell.get("id") in wanted:
            exec(cell.source, space)
    assert measure_capstone(space["train_translator"]).score == 4
