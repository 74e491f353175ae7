"""Lab 2's evidence that is not enough: each wrong answer hears what it lacks."""

import pytest
import torch

from course_lib.exercises import CATALOGUE
from course_lib.exercises.find_the_bug.evidence import (
    AGREE,
    INPUT_FOUND,
    LINE_FOUND,
    OTHER_LINE,
)
from tests.exercises.test_find_the_bug import ONE, TWO, report_on

pytestmark = pytest.mark.usefixtures("as_a_user")
PAD = torch.tensor([[[True, False]]])
DIFFERENT = torch.tensor([[[0.0, 9.0], [9.0, 0.0], [0.0, 0.0]]])


SAME = [
    ("next_token_loss_bug", (0 * DIFFERENT, torch.tensor([[0, 1, 0]])), "all logits of a row"),
    ("next_token_loss_bug", (DIFFERENT[:, [0] * 3], torch.ones(1, 3).long()), "and the one after"),
    ("attend_to_words_bug", (ONE, TWO, TWO + 6, PAD | True), "there is no padding in it"),
    ("attend_to_words_bug", (ONE, TWO, TWO, PAD), "all values are 0"),
    ("attend_in_heads_bug", (torch.zeros(1, 2, 2), TWO.mT, TWO.mT + 1, 1), "with one head"),
    ("attend_in_heads_bug", (TWO.mT, TWO.mT, torch.tensor([[[1.0, 9.0]]]), 2), "with one query"),
    ("attend_in_heads_bug", (torch.zeros(1, 2, 2), TWO.mT, TWO.mT, 2), "in either order"),
    ("recent_keys_bug", (3, 3, 3), "the oldest of 3 keys lies 2 back, and the window is 3"),
    ("add_positions_bug", (ONE, torch.tensor([[0.0], [1.0]]), 0), "`cached` is 0"),
    ("add_positions_bug", (ONE, torch.ones(2, 1), 1), "are the same as the first ones"),
    ("layer_norm_bug", (torch.tensor([[[1.0, 3.0]]]), *torch.zeros(2, 2)), "`gain` is 0"),
    ("layer_norm_bug", (ONE, torch.ones(1), torch.ones(1)), "a token of one feature"),
    ("layer_norm_bug", (torch.ones(1, 1, 2), *torch.ones(2, 2)), "all numbers of `x` are the same"),
    ("weigh_with_dropout_bug", (ONE, ONE + 1, 0.5, True), "`training` is True"),
    ("weigh_with_dropout_bug", (ONE, ONE + 1, 0.0, False), "`p` is 0"),
    ("weigh_with_dropout_bug", (ONE, ONE, 0.5, False), "leave no trace"),
    ("attend_to_past_bug", (ONE, ONE, ONE + 1), "a single key has the whole weight"),
    ("attend_to_past_bug", (ONE, TWO, TWO + 1), "all values are the same"),
    ("attend_to_past_bug", (TWO, TWO, torch.tensor([[[1.0], [3.0]]])), "the mask is right"),
]


@pytest.mark.parametrize(("name", "given", "why"), SAME)
def test_where_the_program_is_right_the_report_says_why(name, given, why):
    line = next(iter(CATALOGUE.tasks[name].bug.lines))
    report = report_on(name, line, given)
    assert report.score == 0 and [case.passed for case in report.cases] == [True, False]
    assert report.diagnosis.startswith(f"{LINE_FOUND} {AGREE.partition('{')[0]}")
    assert why in report.diagnosis


LOSS = (DIFFERENT, torch.tensor([[0, 1, 0]]))
NOT_A_LINE = [
    (13, "`line` is an int; it must be the text"),
    (None, "`line` is None; it must be the text"),
    (("labels = tokens[:, 2:]",), "`line` is a tuple; it must be the text"),
    ("", "`line` holds no code"),
    ("# labels = tokens[:, 2:]", "`line` holds no code"),
    ("predicted = logits[:, :-2]\nlabels = tokens[:, 2:]", "holds 2 lines; choose one"),
    ("def next_token_loss(logits, tokens):", "names the function and its arguments"),
    ("tokens   int64 tensor (B, T)", "stands in the docstring"),
    ("labels = tokens[:, 1:]", "as it was before any repair"),
    ("tokens[:, 2:]", "Copy one whole line of it"),
    ("line 12", "has no such line"),
    ("x" * 100_000, "has no such line"),
    ("return F.cross_entropy(predicted.flatten(0, 1), labels.flatten())", OTHER_LINE),
]


@pytest.mark.parametrize(("line", "says"), NOT_A_LINE)
def test_what_is_no_wrong_line_gets_a_sentence(line, says):
    report = report_on("next_token_loss_bug", line, LOSS)
    assert report.score == 0 and says in report.diagnosis
    assert report.diagnosis.startswith(INPUT_FOUND)


LINES = {
    "next_token_loss_bug": "labels = tokens[:, 2:]",
    "attend_to_words_bug": "weights = weights.masked_fill(~mask, 0.0)",
    "attend_in_heads_bug": "return output.reshape(query.shape)",
    "recent_keys_bug": "return (back >= 0) & (back <= window)",
    "add_positions_bug": "rows = table[:length]",
    "weigh_with_dropout_bug": "weights = F.dropout(weights, p)",
    "attend_to_past_bug": "seen = seen.tril()",
}
NOT_ALLOWED = [
    ("next_token_loss_bug", (DIFFERENT,), "1 arguments are given; 2 are needed"),
    ("next_token_loss_bug", (DIFFERENT, torch.tensor([[0, 1]])), "T = 3 by the others"),
    ("next_token_loss_bug", (DIFFERENT, torch.tensor([[0, 1, 2]])), "must be below V = 2"),
    ("next_token_loss_bug", (DIFFERENT.long(), LOSS[1]), "write 1.0 for 1"),
    ("next_token_loss_bug", (DIFFERENT, LOSS[1].float()), "must be an array of whole numbers"),
    ("next_token_loss_bug", (DIFFERENT, LOSS[1].int()), "must be of dtype int64"),
    ("next_token_loss_bug", (DIFFERENT[:, :1], LOSS[1][:, :1]), "one token predicts nothing"),
    ("next_token_loss_bug", (torch.zeros(2, 3, 2), LOSS[1].repeat(2, 1)), "18 numbers; up to 10"),
    ("next_token_loss_bug", (DIFFERENT / 0, LOSS[1]), "contains nan or inf"),
    ("attend_to_words_bug", (ONE, TWO, TWO, None), "`mask` must be an array of booleans"),
    ("attend_to_words_bug", (ONE, TWO, TWO, TWO.mT), "`mask` must be an array of booleans"),
    ("attend_to_words_bug", (ONE, TWO, TWO, PAD.mT), "does not broadcast to (1, 1, 2)"),
    ("attend_to_words_bug", (ONE, TWO, TWO, PAD & False), "has no finite result there"),
    ("attend_in_heads_bug", (TWO.mT, TWO.mT, TWO.mT, 3), "must divide d_model = 2"),
    ("attend_in_heads_bug", (TWO.mT, TWO.mT, TWO.mT, 2.0), "must be an int from 1 to 10"),
    ("recent_keys_bug", (10, 10, 1), "must be an int from 1 to 6"),
    ("recent_keys_bug", (3, 2, 1), "at most n_keys"),
    ("add_positions_bug", (ONE, TWO[0], 2), "`table` has 2 rows; 3 are needed"),
    ("add_positions_bug", (ONE, TWO[0], -1), "must be an int from 0 to 100"),
    ("weigh_with_dropout_bug", (ONE, ONE, 1.5, False), "must be a number from 0 to 1"),
    ("weigh_with_dropout_bug", (ONE, ONE, 0.5, 0), "must be a bool; it is an int"),
    ("attend_to_past_bug", (TWO, ONE, ONE), "fewer keys than queries"),
]


@pytest.mark.parametrize(("name", "given", "says"), NOT_ALLOWED)
def test_what_is_not_allowed_gets_a_sentence(name, given, says):
    report = report_on(name, LINES[name], given)
    assert report.score == 0 and says in report.diagnosis
    assert report.diagnosis.startswith(LINE_FOUND)


@pytest.mark.parametrize(
    "returned", [None, "labels = tokens[:, 2:]", LOSS, (*LOSS, 1), ("labels", "the input"), (1, 2)]
)
def test_another_form_is_shown_the_right_one(returned):
    report = report_on("next_token_loss_bug", returned)
    assert report.score == 0 and "`return line, (logits, tokens)`" in report.diagnosis


def test_who_has_neither_hears_of_both():
    report = report_on("recent_keys_bug", "return back", (3, 3, 3))
    assert "has no such line" in report.diagnosis and "the window is 3" in report.diagnosis
    assert INPUT_FOUND not in report.diagnosis and LINE_FOUND not in report.diagnosis
