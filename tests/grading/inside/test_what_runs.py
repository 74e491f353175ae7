"""What of a notebook runs: imports, answers, and the student's cells that only define."""

import json

import pytest

from course_lib.grading.inside.answers import NO_COURSE, NO_TORCH, only_defines
from course_lib.grading.inside.inputs import Inputs
from course_lib.grading.inside.respond import respond
from course_lib.grading.submissions.notebook import parse_notebook


def cell(source, task=None):
    metadata = {"task": task} if task else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": []}


def run(*cells, task="double", refused=("course_lib",)):
    notebook = parse_notebook(json.dumps({"cells": cells}).encode(), ["double", "again"])
    request = {"task": task, "library": "numpy", "inputs": [Inputs((3,))]}
    request |= {"imports": notebook.imports, "answers": notebook.answers, "refused": refused}
    return respond(request)[0]


ANSWER = cell("def double(x):\n    return helper(x)", "double")


@pytest.mark.parametrize(
    "helper",
    [
        "def helper(x):\n    return 2 * x",
        "'''Mine.'''\nTWO = 2\ndef helper(x):\n    return TWO * x",
        "import operator\nhelper = lambda x: operator.mul(2, x)",
        "%matplotlib inline\nclass helper(int):\n    def __new__(cls, x): return 2 * x",
    ],
)
def test_a_cell_that_only_defines_runs_when_an_answer_uses_it(helper):
    assert run(cell(helper), ANSWER).value == 6


def test_helpers_of_helpers_run_too():
    cells = cell("def inner(x):\n    return 2 * x"), cell("def helper(x):\n    return inner(x)")
    assert run(*cells, ANSWER).value == 6


@pytest.mark.parametrize(
    "helper",
    [
        "def helper(x):\n    return 2 * x\nprint(helper(3))",
        "def helper(x):\n    return 2 * x\nwhile True: pass",
        "for i in range(3): pass\nhelper = abs",
    ],
)
def test_a_cell_that_does_more_does_not_run(helper):
    assert not only_defines(helper)
    assert run(cell(helper), ANSWER).message == "name 'helper' is not defined"


def test_what_no_answer_uses_does_not_run():
    assert run(cell("x = 1 / 0"), cell("def double(x):\n    return 2 * x", "double")).value == 6


USES = "def double(x):\n    return {0}"


@pytest.mark.parametrize(
    "cells",
    [
        [cell("from course_lib import softmax"), cell(USES.format("softmax(x)"), "double")],
        [cell("from course_lib import softmax as double", "double")],
        [cell("import course_lib as c\n" + USES.format("c.softmax(x)"), "double")],
        [
            cell(
                "def double(x):\n    from course_lib import softmax\n    return softmax(x)",
                "double",
            )
        ],
        [
            cell("from course_lib import softmax\ndef helper(x):\n    return softmax(x)"),
            ANSWER,
        ],
    ],
)
def test_an_answer_that_leans_on_the_course_is_told_so(cells):
    seen = run(*cells)
    assert (seen.error, seen.message) == ("ImportError", NO_COURSE)


@pytest.mark.parametrize(
    "source",
    [
        "from course_lib.exercises import check\n" + USES.format("2 * x") + "\ncheck(double)",
        "from course_lib import softmax\n" + USES.format("2 * x"),
        "from course_lib import softmax as double\n" + USES.format("2 * x") + "\ndouble(1)",
        "from course_lib import *\n" + USES.format("2 * x"),
    ],
)
def test_an_answer_that_does_not_is_left_alone(source):
    assert run(cell(source, "double")).value == 6


def test_a_failing_import_is_told_as_what_it_is():
    seen = run(cell("import no_such_thing as n"), cell(USES.format("n.f(x)"), "double"))
    assert seen.error == "ModuleNotFoundError" and "no_such_thing" in seen.message
    seen = run(cell("from no_such_thing import double", "double"))
    assert seen.error == "ModuleNotFoundError"
    assert run(cell("import no_such_thing"), cell(USES.format("y"), "double")).error == "NameError"


@pytest.mark.parametrize(
    "source",
    [
        "import torch as t\n" + USES.format("t.tensor(x)"),
        "def double(x):\n    from torch import tensor\n    return tensor(x)",
    ],
)
def test_a_package_that_a_task_refuses_is_told_so(source):
    seen = run(cell(source, "double"), refused=["course_lib", "torch"])
    assert (seen.error, seen.message) == ("ImportError", NO_TORCH)
