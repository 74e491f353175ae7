"""What is told of kinds of answers that had no true sentence, or one that pointed nowhere."""

import numpy as np
import pytest
import torch

from course_lib.checker.check import judge_program
from course_lib.checker.run.program import assemble
from course_lib.exercises import CATALOGUE
from course_lib.exercises.bahdanau.module.task import BahdanauAttention
from course_lib.exercises.hear_where_it_looks.silence import silence
from course_lib.exercises.size_a_model.sizes import count_parameters
from course_lib.exercises.translator.error_rate.task import alignment_error_rate
from tests.exercises.test_proofs import report_on

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]
LOOKING = "is imported for looking: course_lib is not there when answers are graded"
IMPORTED = {
    "break_top_p": (
        "from course_lib.exercises.strangers import stranger_of\nME = 'me'\n"
        "stranger = stranger_of('top_p', ME)",
        "def break_top_p():\n    return ME, stranger",
        "`stranger_of`",
    ),
    "name_map": (
        "from course_lib.exercises.read_the_map import attention_map",
        "def name_map(letter):\n"
        "    return 'me', 'trained', 0, 0, attention_map(letter, 'me')[0][0]",
        "`attention_map`",
    ),
    "dot_scores": (
        "from course_lib import attend",
        "def dot_scores(query, keys):\n    return attend(query, keys)",
        "`attend`",
    ),
}


@pytest.mark.parametrize("name", IMPORTED)
def test_what_is_imported_for_looking_is_told_so_and_gets_no_hint(name):
    above, cell, imported = IMPORTED[name]
    program = assemble([("", above), (name, cell)], [name])[name]
    said = str(judge_program(CATALOGUE.tasks[name], program, seed=0))
    assert f"{imported} {LOOKING}" in said, said
    assert "Stuck?" not in said


def sorted_by_place(probabilities, p):
    ranked, order = probabilities.sort(-1, descending=True, stable=True)
    kept = ranked * (ranked.cumsum(-1) - ranked < p)
    out = torch.zeros_like(probabilities).scatter(-1, order, kept)
    return out / out.sum(-1, keepdim=True)


def axis_lost_by_the_sum(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    return powers / powers.sum(axis)


def reshaped(x, num_heads):
    batch, length, d = x.shape
    return x.reshape(batch, num_heads, length, d)


def second_loop(query, blocks):
    top = max((query @ keys.mT).amax() for keys, _ in blocks)
    return sum((query @ keys.mT - top).exp() @ values for keys, values in blocks)


def by_place(query, blocks):
    return blocks[0][1]


@pytest.mark.parametrize(
    ("task", "answer", "words"),
    [
        ("top_p", sorted_by_place, "`x.sort(dim=-1, descending=True, stable=True)`"),
        ("softmax", axis_lost_by_the_sum, "Keep it with `keepdims=True`."),
        ("split_heads", reshaped, "line `return x.reshape(batch, num_heads, length, d)`."),
        ("streaming_attention", second_loop, "gives each block once"),
        ("streaming_attention", by_place, "`for keys, values in blocks:`"),
    ],
)
def test_a_common_error_is_told_by_its_cause_and_its_line(task, answer, words):
    assert words in str(report_on(CATALOGUE.tasks[task], answer, 0).diagnosis)


DIVISORS = {
    "return it as it is": lambda n, b, t, v: 1,
    "divide it by the number of sentences": lambda n, b, t, v: b,
    "divide it by the T places of one sentence": lambda n, b, t, v: t,
    "divide it by all B·T places": lambda n, b, t, v: b * t,
    "the number of words times that of the vocabulary": lambda n, b, t, v: n * v,
    "multiply its mean by the number of sentences": lambda n, b, t, v: n / b,
    "divide it by another number": lambda n, b, t, v: n + 7,
}


@pytest.mark.parametrize("told", DIVISORS)
def test_a_loss_is_told_by_what_its_sum_is_divided_by(told):
    task = CATALOGUE.tasks["sequence_loss"]

    def divided(logits, labels, pad_id):
        words = (labels != pad_id).sum()
        return task.reference(logits, labels, pad_id) * words / DIVISORS[told](words, *logits.shape)

    assert told in (report_on(task, divided, 0).diagnosis or "")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda loss, words, rows: loss * words, "return it as it is"),
        (lambda loss, words, rows: loss * rows, "multiply its mean by the number of sentences"),
        (lambda loss, words, rows: round(loss, 2), "You round the result"),
        (lambda loss, words, rows: loss + loss**2, ""),
    ],
)
def test_the_loss_of_a_step_is_told_by_its_sum(change, told):
    task = CATALOGUE.tasks["train_step"]

    def step(model, optimizer, source, target, clip):
        loss = task.reference(model, optimizer, source, target, clip)
        return change(loss, int((target != 0).sum()) + len(target), len(target))

    said = report_on(task, step, 0).diagnosis or ""
    assert told in said and bool(told) == bool(said), said


@pytest.mark.parametrize(("share", "told"), [(0.1, True), (0.3, True), (0.0, False)])
def test_a_smoothed_loss_is_told(share, told):
    task = CATALOGUE.tasks["sequence_loss"]

    def smoothed(logits, labels, pad_id):
        logits, labels = logits.flatten(0, 1), labels.flatten()
        options = {"ignore_index": pad_id, "label_smoothing": share}
        return torch.nn.functional.cross_entropy(logits, labels, **options)

    assert ("`label_smoothing`" in (report_on(task, smoothed, 0).diagnosis or "")) is told


class Dropped(BahdanauAttention):
    def forward(self, state, annotations, mask=None):
        weights = torch.nn.functional.dropout(super().forward(state, annotations, mask)[1], 0.1)
        return (weights[..., None] * annotations).sum(1), weights


def nothing_without_heads(found, heads, num_heads):
    return silence(found, heads, num_heads) if heads else None


def wide_by_habit(layers, d_model, heads, kv_heads, d_ff, vocabulary, tied):
    return count_parameters(layers, d_model, heads, kv_heads, 4 * d_model, vocabulary, tied)


def nothing_predicted(predicted, sure, possible):
    return alignment_error_rate(predicted, sure, possible) if predicted else 0.0


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("task", "answer", "words"),
    [
        ("BahdanauAttention", Dropped, "Each number of `weights` is the right one times 1.111, or"),
        ("silence", nothing_without_heads, "only where `heads` holds nothing. What you return"),
        ("count_parameters", wide_by_habit, "right if `d_ff` were 4 times `d_model`. Perhaps"),
        ("alignment_error_rate", nothing_predicted, "only where `predicted` holds nothing. Work"),
    ],
)
def test_a_kind_that_no_list_of_a_task_has_is_told(task, answer, words, seed):
    report = report_on(CATALOGUE.tasks[task], answer, seed)
    assert report.mistake is None
    assert words in (report.diagnosis or ""), report
