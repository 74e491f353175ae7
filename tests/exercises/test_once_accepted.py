"""Wrong answers that once got full points, since no draw came near what they do wrong."""

import pytest
import torch

from course_lib.exercises import CATALOGUE
from course_lib.exercises.luong.scores.task import luong_scores
from course_lib.exercises.multi_head.module.task import MultiHeadAttention
from course_lib.exercises.translator.decoding.task import greedy_decode
from tests.exercises.test_proofs import report_on

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]


def in_any_case(state, memory, method, W_a=None, v_a=None):
    return luong_scores(state, memory, method.lower(), W_a, v_a)


def by_the_beginning(state, memory, method, W_a=None, v_a=None):
    names = {"d": "dot", "g": "general", "c": "concat"}
    return luong_scores(state, memory, names.get(method[:1], method), W_a, v_a)


def twenty_words(step, state, start_id, end_id, max_length):
    return greedy_decode(step, state, start_id, end_id, min(max_length, 20))


def from_first_to_last(weights, rows, columns):
    given = torch.stack([weights[..., c[0] : c[-1] + 1].sum(-1) for c in columns], -1)
    return torch.stack([given[..., r, :].mean(-2) for r in rows], -2)


def nearly_silent(found, heads, num_heads):
    quiet = found.clone().unflatten(-1, (num_heads, -1))
    quiet[..., heads, :] = 1e-9
    return quiet.flatten(-2)


class FirstLength(MultiHeadAttention):
    """Keeps the number of queries of its first call."""

    def forward(self, query, key, value, mask=None):
        self.length = getattr(self, "length", query.shape[1])
        mask = mask if mask is None or mask.shape[-2] == 1 else mask[..., : self.length, :]
        return super().forward(query[:, : self.length], key, value, mask)


ONCE_ACCEPTED = [
    ("luong_scores", in_any_case, "has to raise ValueError; yours goes on."),
    ("luong_scores", by_the_beginning, "has to raise ValueError; yours goes on."),
    ("greedy_decode", twenty_words, ""),
    ("words_from_pieces", from_first_to_last, "index with the list itself"),
    ("silence", nearly_silent, "where exactly 0 is right"),
    ("MultiHeadAttention", FirstLength, "keeps something of an earlier call"),
]


@pytest.mark.parametrize(("name", "answer", "says"), ONCE_ACCEPTED)
def test_what_was_once_accepted_is_wrong_and_told_why(name, answer, says):
    report = report_on(CATALOGUE.tasks[name], answer, seed=0)
    assert report.score == 0
    assert says in report.diagnosis, report
