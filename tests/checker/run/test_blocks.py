"""Blocks come once, and are gone when the next one comes; a function of all arguments gets all."""

import pytest
import torch

from course_lib.checker.compare.judge import draw_trials
from course_lib.checker.compare.programs import apply_rule
from course_lib.checker.run.blocks import Blocks
from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.program import assemble
from course_lib.checker.say.report import Report
from course_lib.exercises import CATALOGUE
from course_lib.exercises.flash.streaming.mistakes import streaming_attention as with_all_keys

KEYS, VALUES = torch.arange(10.0).reshape(5, 2), torch.arange(5.0)[:, None]


def test_each_block_comes_once_and_is_gone_when_the_next_one_comes():
    blocks = Blocks((KEYS, VALUES), 2, stay=False)
    lent = []
    for start, (keys, values) in zip((0, 2, 4), blocks, strict=False):
        assert torch.equal(keys, KEYS[start : start + 2])
        assert torch.equal(values, VALUES[start : start + 2])
        lent.append(keys)
    assert all(keys.isnan().all() for keys in lent[:2])
    assert list(blocks) == []
    with pytest.raises(RuntimeError, match="once"):
        list(blocks)
    assert not any(keys.isnan().any() for keys, _ in [*Blocks((KEYS, VALUES), 2, stay=True)])
    assert torch.equal(KEYS, torch.arange(10.0).reshape(5, 2))


def test_the_first_of_a_stream_can_be_taken_before_a_loop_over_the_rest():
    blocks = Blocks((KEYS, VALUES), 2, stay=False)
    next(blocks)
    assert [len(keys) for keys, _ in blocks] == [2, 1]


@pytest.mark.parametrize(
    ("answer", "came"),
    [
        (lambda query, blocks: len(list(blocks)), 3),
        (lambda query, key, value, block_size: len(key), 5),
        (lambda *args: len(args), 4),
        (lambda *args: (lambda query, blocks: len(list(blocks)))(*args), 3),
        (lambda query, key, value=None, block_size=2: len(key), 5),
    ],
)
def test_who_takes_all_arguments_gets_all(answer, came):
    query, key, value = (one.numpy() for one in (KEYS[:1], KEYS, VALUES))
    assert execute(answer, Inputs((query, key, value, 2), in_blocks=0), "torch").value == came


def test_the_form_of_earlier_terms_counts_and_is_told_so():
    """The numbers are the same in either form, and the sentence depends on the text alone."""
    task = CATALOGUE.tasks["streaming_attention"]
    for trial in draw_trials(task, 0)[:4]:
        assert execute(with_all_keys, trial.inputs, "torch").error is None
    for head, told in (
        ("query, key, value, block_size", True),
        ("q, k, v, n=4", True),
        ("query, blocks", False),
    ):
        cell = f"def streaming_attention({head}):\n    return 1"
        program = assemble([("streaming_attention", cell)], [task.name])[task.name]
        notes = apply_rule(task, Report(task.name, 4), program).notes
        assert any("earlier terms" in note for note in notes) is told
