"""What is told of kinds of answers that had no true sentence, or one that pointed nowhere."""

import pytest
import torch

from course_lib.checker.check import judge_program
from course_lib.checker.run.program import assemble
from course_lib.exercises import CATALOGUE
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
        ("split_heads", reshaped, "line `return x.reshape(batch, num_heads, length, d)`."),
        ("streaming_attention", second_loop, "gives each block once"),
        ("streaming_attention", by_place, "`for keys, values in blocks:`"),
    ],
)
def test_a_common_error_is_told_by_its_cause_and_its_line(task, answer, words):
    assert words in str(report_on(CATALOGUE.tasks[task], answer, 0).diagnosis)
