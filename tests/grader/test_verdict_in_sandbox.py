"""The same request in a sealed cell, which sends a frame, and here: every shape of a notebook."""

import sys

import pytest

from grader.sandbox.probe import find_sandbox
from tests.grader.test_one_verdict import SHAPES, WORTH, by_grader, cells_of, course, saved

__all__ = ["course"]  # a fixture of every test here: a course of one exercise


def verdict_of(task):
    """Words aside: in this process beartype reads along, and puts an error in its own."""
    cases = [(case.name, case.passed) for case in task.report.cases]
    return task.status, task.report.mistake, task.report.notes, cases


@pytest.mark.slow
def test_the_sandbox_s_verdict_is_that_of_this_process(tmp_path):
    """The same request, in a cell that is sealed and sends a frame, and here: all notebooks."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the sandbox needs Linux")
    found = {}
    with find_sandbox(400)[0] as sandbox:
        for shape in SHAPES:
            path = saved(tmp_path / "01_toy.ipynb", cells_of(shape, "2"))
            there, here = by_grader(path, sandbox=sandbox), by_grader(path)
            found[shape] = [[verdict_of(task) for task in one.tasks] for one in (there, here)]
            assert there.tasks[0].report.score == (WORTH if SHAPES[shape] else 0), shape
    assert [shape for shape, (there, here) in found.items() if there != here] == []
