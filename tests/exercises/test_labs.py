"""The labs: what they plant is what they say."""

import pytest
import torch
from torch import nn

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE, write_the_test
from course_lib.exercises.mutants import mutated
from course_lib.exercises.translator.loss import sequence_loss
from course_lib.exercises.translator.teacher_forcing import teacher_forcing_pair
from course_lib.exercises.write_the_test.right import RIGHT, attention


@pytest.mark.parametrize("task", write_the_test.EXERCISE.tasks, ids=lambda task: task.name)
def test_the_course_s_own_test_refuses_mutants_and_nothing_else(task):
    for trial in draw_trials(task, 0):
        assert trial.expected.value.refused is not trial.case.required, trial.case.name
    assert sum(case.required for case in task.cases) == 5
    assert sum(not case.required for case in task.cases) >= 25


def test_a_mutant_that_changes_nothing_is_an_error():
    with pytest.raises(ValueError, match="'sqrt' is to be changed, and is not there"):
        mutated("def f(): ...", "sqrt", "")


@pytest.mark.parametrize("right", RIGHT, ids=lambda one: one.__name__)
@pytest.mark.parametrize(
    "shape", [(3, 4, 5), (1, 4, 5), (3, 1, 5), (4, 5), (1, 5), (5,), (3, 4, 1)]
)
@pytest.mark.parametrize("lead", [(), (2,)])
def test_what_is_right_takes_every_mask_that_broadcasts(right, shape, lead):
    torch.manual_seed(0)
    query, key, value = (
        torch.randn(*lead, 3, 4, 2),
        torch.randn(*lead, 3, 5, 2),
        torch.randn(3, 5, 6),
    )
    mask = torch.rand(shape) < 0.7
    mask[..., 0] = True
    output, weights = right(query, key, value.expand(*lead, 3, 5, 6), mask)
    wanted = attention(query, key, value.expand(*lead, 3, 5, 6), mask.expand(3, 4, 5))
    torch.testing.assert_close((output, weights), wanted)


def test_without_an_axis_for_sentences_too():
    query, key, value = torch.randn(4, 2), torch.randn(5, 2), torch.randn(5, 6)
    mask = torch.tensor([True, False, True, True, True])
    for right in RIGHT:
        torch.testing.assert_close(
            right(query, key, value, mask), attention(query, key, value, mask.expand(4, 5))
        )


def one_step(model, optimizer, source, target, clip, shorten=nn.utils.clip_grad_norm_):
    model.train()
    inputs, labels = teacher_forcing_pair(target, 2, 3, 0)
    loss = sequence_loss(model(source, inputs)[0], labels, 0)
    optimizer.zero_grad()
    loss.backward()
    shorten(list(model.parameters()), clip)
    optimizer.step()
    return loss.item()


def report_on(train_step):
    task = CATALOGUE.tasks["train_step"]
    trials = draw_trials(task, 1)
    return judge(task, trials, observe(train_step, trials))


def test_a_gradient_that_is_shortened_exactly_is_right():
    """`clip_grad_norm_` divides by the length and 1e-6."""

    def exactly(parameters, clip):
        length = sum((one.grad**2).sum() for one in parameters) ** 0.5
        for one in parameters:
            one.grad *= min(1.0, clip / length)

    assert report_on(lambda *args: one_step(*args, shorten=exactly)).passed


def test_a_wrong_loss_is_called_by_its_step():
    text = str(report_on(lambda *args: one_step(*args) + (args[-1] == 0.1)))
    assert "The loss of your first step is" in text and "[0]" not in text
