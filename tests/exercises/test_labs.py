"""The labs: what they plant is what they say."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.values import build_value
from course_lib.checker.tasks import rewritten
from course_lib.exercises import CATALOGUE, write_the_test
from course_lib.exercises.translator.loss.task import sequence_loss
from course_lib.exercises.translator.teacher_forcing.task import teacher_forcing_pair
from course_lib.exercises.write_the_test.disguise import disguised
from course_lib.exercises.write_the_test.right import RIGHT, attention
from course_lib.exercises.your_translator import examiners
from course_lib.exercises.your_translator.model.mistakes import MISTAKES as TRANSLATORS
from course_lib.exercises.your_translator.model.task import ALONE, PADDED, USED
from solutions.alternatives.your_translator import TwoHeads


@pytest.mark.parametrize("task", write_the_test.EXERCISE.tasks, ids=lambda task: task.name)
def test_the_course_s_own_test_refuses_mutants_and_nothing_else(task):
    for trial in draw_trials(task, 0):
        assert trial.expected.value.refused is not trial.case.required, trial.case.name
    assert sum(case.required for case in task.cases) == 5
    assert sum(not case.required for case in task.cases) >= 25


@pytest.mark.parametrize("task", write_the_test.EXERCISE.tasks, ids=lambda task: task.name)
def test_no_candidate_can_be_known_by_its_code(task):
    """Neither from one submission to the next, nor a right one among those of one submission."""
    hashes = set()
    for seed in range(8):
        for trial in draw_trials(task, seed):
            code = build_value(trial.inputs.args[0], "torch").__code__
            hashes.add((code.co_code, repr(code.co_consts[1:]), code.co_names))
    assert len(hashes) == 8 * len(task.cases)


def test_a_disguise_changes_nothing_that_a_function_does():
    text = "def f(x, y=2):\n    'Twice.'\n    a = [x + i for i in range(y)]\n"
    text += "    def g(i):\n        return i * a[0]\n    if y == 3:\n        return a\n"
    text += "    return g(y)\n"
    for seed in range(50):
        spaces = {}, {}
        exec(text, spaces[0])
        exec(disguised(text, np.random.default_rng(seed)), spaces[1])
        for args in ((1,), (5, 3), (2, 7)):
            assert spaces[0]["f"](*args) == spaces[1]["f"](*args)


def test_a_mutant_changes_one_place_or_is_an_error():
    for text in ("def f(): ...", "sqrt(sqrt(x))"):
        with pytest.raises(ValueError, match="'sqrt' is to become 'exp' in a text where it occurs"):
            rewritten(text, "sqrt", "exp")


def test_the_verdict_on_a_test_counts_and_says_how_each_survivor_is_made():
    task = CATALOGUE.tasks["test_attention"]
    trials = draw_trials(task, 0)

    def test(attention):
        given = [torch.randn(2, n, d, dtype=torch.float64) for n, d in ((3, 4), (5, 4), (5, 6))]
        torch.testing.assert_close(attention(*given)[0], attention_by_hand(*given))

    report = judge(task, trials, observe(test, trials))
    refused = sum(case.passed for case in report.cases if not case.required)
    said = str(report).splitlines()
    assert said[1] == f"  5 of 5 right implementations accepted, {refused} of 34 mutants refused."
    assert 5 < refused < 25 and any(line.startswith("  ✗") for line in said[2:])
    survivor = next(case for case in report.cases if case.name == "refuses: the mask is transposed")
    assert "It has `weights = weights.masked_fill(~mask.mT, 0.0)` where" in survivor.message
    hidden = [case for case in report.cases if case.hidden and not case.passed]
    assert hidden and not any("It has" in case.message for case in hidden)


def test_a_verdict_that_is_returned_is_said_to_be_lost():
    task = CATALOGUE.tasks["test_attention"]
    trials = draw_trials(task, 0)
    report = judge(task, trials, observe(lambda attention: attention is None, trials))
    first, *_ = (case.message for case in report.cases if not case.passed)
    assert "It returns False, which is lost: it must raise, for example with `assert`." in first


def attention_by_hand(query, key, value):
    return (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1) @ value


def test_a_public_mutant_can_be_run_and_a_hidden_one_cannot():
    wrong = write_the_test.mutant("test_attention", "weights come before the output")
    given = [torch.randn(2, 3, 4) for _ in range(3)]
    torch.testing.assert_close(wrong(*given, None), attention(*given, None)[::-1])
    task = CATALOGUE.tasks["test_attention"]
    for case in task.cases:
        name = case.name.removeprefix("refuses: ")
        if case.hidden:
            with pytest.raises(ValueError, match="no public mutant of test_attention is called"):
                write_the_test.mutant("test_attention", name)
    with pytest.raises(ValueError, match="Did you mean 'the mask is inverted'"):
        write_the_test.mutant("test_attention", "the mask is invertd")


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


def forgets_before_the_step(model, optimizer, source, target, clip):
    step, optimizer.step = optimizer.step, lambda: (optimizer.zero_grad(), step())
    return one_step(model, optimizer, source, target, clip)


def test_a_gradient_that_is_forgotten_before_the_step_is_not_called_a_missing_step():
    report = report_on(forgets_before_the_step)
    assert "no step is taken, or the gradient is forgotten before the step" in report.diagnosis


def test_dropout_on_the_words_is_not_called_padding_that_is_read():
    task = CATALOGUE.tasks["Translator"]
    read = "words = self.source_words(source)"
    dropped = "words = nn.functional.dropout(self.source_words(source), 0.3)"
    trials = draw_trials(task, 1)
    report = judge(task, trials, observe(TRANSLATORS.changed(read, dropped), trials))
    dropped = next(m for m in task.mistakes if m.name == "dropout-always-on")
    assert dropped.sentence in report.diagnosis, report


def report_on_a_translator(*changes):
    task = CATALOGUE.tasks["Translator"]
    trials = draw_trials(task, 1)
    return judge(task, trials, observe(TRANSLATORS.changed(*changes), trials))


def test_a_layer_without_a_part_is_told_by_its_name():
    layer = "self.W_o = nn.Linear(hidden_dim, target_size)"
    report = report_on_a_translator(layer, f"{layer}; self.gate = nn.Linear(2, 2)")
    assert report.diagnosis.startswith("Nothing leads from `gate.weight` and `gate.bias` to")


@pytest.mark.parametrize(
    "changes",
    [
        ("self.encoder(packed)", "self.encoder(packed)\n        last = last.roll(1, 1)"),
        ("states @", "(states + states.flip(0)) @"),
        ("states @", "(states + states.mean(0)) @"),
    ],
)
def test_what_mixes_sentences_otherwise_is_neither_a_reshape_nor_a_decoder_along_the_batch(changes):
    report = report_on_a_translator(*changes)
    assert not report.passed and report.mistake not in ("states-reshaped", "along-the-batch")


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ({PADDED: "other logits"}, "Padding has no weight, and yet it changes"),
        ({ALONE: "…" + examiners.FROM_ABOVE}, "Your decoder walks along the batch"),
    ],
)
def test_what_is_seen_of_a_translator_says_enough_whatever_it_learns(seen, words):
    told = CATALOGUE.tasks["Translator"].of_cases
    assert told(seen, None).startswith(words)
    assert told({"padding gets no weight": "some", PADDED: "other logits"}, None) is None


def test_a_wrong_loss_is_called_by_its_step():
    text = str(report_on(lambda *args: one_step(*args) + (args[-1] == 0.1)))
    assert "The loss of your first step is" in text and "[0]" not in text


def with_a_map(of, base):
    """A right translator, whose map is made of the weights that it used."""

    class Answer(base):
        def forward(self, source, inputs):
            logits, weights = super().forward(source, inputs)
            return logits, of(weights)

    return Answer


def itself(weights):
    return weights.detach().clone()


def hard(weights):
    return nn.functional.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)


def sharper(weights):
    return weights**4 / (weights**4).sum(-1, keepdim=True)


@pytest.mark.parametrize(
    ("base", "of"),
    [(TRANSLATORS.reference, one) for one in (itself, hard, sharper)]
    + [(TwoHeads, one) for one in (itself, hard)],
)
def test_a_map_of_other_weights_than_those_used_is_refused(base, of):
    task = CATALOGUE.tasks["Translator"]
    trials = [one for one in draw_trials(task, 0) if one.case.name == USED]
    for one, got in zip(trials, observe(with_a_map(of, base), trials), strict=True):
        assert (got.value == one.expected.value) is (of is itself), got


LOOKED_AGAIN = "shown = weigh(states @ memory.mT, mask[:, None]); shown @ memory; "


@pytest.mark.parametrize("returned", ["shown", "weights"])
def test_weights_of_a_second_look_that_leads_nowhere_are_none_that_were_used(returned):
    report = report_on_a_translator(
        "return logits, weights", f"{LOOKED_AGAIN}return logits, {returned}"
    )
    assert report.passed is (returned == "weights")
    assert report.passed or report.mistake == "other-weights"
