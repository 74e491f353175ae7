"""A sentence about an error is told only where a line of the answer raises."""

import inspect
from functools import partial

import pytest
import torch

from course_lib.checker.compare.errors import advice
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
# The second takes half a minute, and returns one number.
ASKED = [n for n, one in CATALOGUE.tasks.items() if not one.judge and n != "train_language_model"]
# The second thing that they return comes back to them: changed, it would make them raise.
HAND_BACK = {"own_attention", "own_logits"}


def of_tensors(change):
    """The change of each tensor or array in what an answer returns."""

    def changed(value):
        if type(value) in (tuple, list):
            return type(value)(map(changed, value))
        return change(value) if hasattr(value, "shape") and value.shape else value

    return changed


# None of these raises, whatever it is given.
RETURNS = {
    "nothing": lambda value: None,
    "a text": lambda value: "a text",
    "the first of a pair": lambda value: value[0] if type(value) is tuple else value,
    "words in place of numbers": of_tensors(lambda x: x.argmax(-1)),
    "an axis too few": of_tensors(lambda x: x[..., 0]),
    "an axis too many": of_tensors(lambda x: x[..., None]),
    "the axes turned round": of_tensors(lambda x: x.swapaxes(0, -1)),
    "a row too few": of_tensors(lambda x: x[1:]),
}


def returning(reference, change):
    """The reference, but for what it returns."""
    if inspect.isclass(reference):

        class Answer(reference):
            def forward(self, *args):
                return change(super().forward(*args))

        return Answer
    return lambda *args, **named: change(reference(*args, **named))


def of_the_first(change, pair):
    """The change of the first of two alone."""
    return change(pair[0]), pair[1]


def report(name, answer, seed=0):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, seed)
    return judge(task, trials, observe(answer, trials))


@pytest.mark.parametrize("name", ASKED)
def test_what_only_returns_is_not_told_of_an_error(name, subtests):
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 0)
    for what, change in RETURNS.items():
        if name in HAND_BACK:
            change = partial(of_the_first, change)
        with subtests.test(what):
            seen = observe(returning(task.reference, change), trials)
            assert advice(seen, seen, task.library) is None


def test_a_result_that_no_loss_can_take_is_told_by_its_shape():
    """Cross-entropy is the checker's, not the student's."""
    words = of_tensors(lambda x: x.argmax(-1) if x.is_floating_point() else x)
    said = report("Translator", returning(CATALOGUE.tasks["Translator"].reference, words))
    assert "cross_entropy" not in str(said.diagnosis) and not said.score, torch.__version__
