"""Which statements of a notebook's cells run for a task."""

import pytest

from course_lib.checker.run.answers import NO_TORCH, observe_program, run_program
from course_lib.checker.run.inputs import Inputs, Observation
from course_lib.checker.run.program import assemble, from_data, to_data, unread

TASKS = ("double", "again")


def program(*cells, task="double"):
    cells = [cell if type(cell) is tuple else (None, cell) for cell in cells]
    programs = assemble(cells, TASKS)
    assert from_data(to_data(programs, cells), cells) == programs
    return programs[task]


def run(*cells, task="double", refused=("course_lib",)):
    (seen,) = observe_program(program(*cells, task=task), [Inputs((3,))], "numpy", refused)
    return seen


USES = "def double(x):\n    return helper(x)"
HELPER = "def helper(x):\n    return 2 * x"


def test_helpers_of_helpers_run_too_and_nothing_else():
    cells = ("two = 2", "x = 1 / 0\nwhile True: pass", "def inner(x): return two * x")
    cells += ("def helper(x): return inner(x)", USES)
    assert [source for source, _ in program(*cells).pieces] == [cells[0], *cells[2:]]
    assert run(*cells).value == 6


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        ((HELPER, USES, "helper = 3"), 6),
        (("helper = 3", HELPER, USES), 6),
        ((HELPER, HELPER.replace("2", "4"), USES), 12),
        ((USES, HELPER, HELPER.replace("2", "4")), 6),
        ((USES, USES.replace("helper(x)", "5")), 5),
        ((("double", "def double(x): return 7"), USES.replace("helper(x)", "5")), 5),
        ((USES.replace("helper(x)", "5"), ("double", "def double(x): return 7")), 7),
        (("n = 1", "n = n + 1", "def double(x): return n * x"), 6),
        (("n = 1", "def double(x): return n * x", "n = None"), 3),
        (("f = lambda x: 2 * x", "double = f"), 6),
        (("double = again = lambda x: 2 * x",), 6),
        (("from operator import mul\nfrom functools import partial\ndouble = partial(mul, 2)",), 6),
        (("class Two:\n    def __call__(self, x): return 2 * x\ndouble = Two()",), 6),
        ((("double", "if True:\n    def double(x): return 2 * x"),), 6),
        (("import math", USES.replace("helper(x)", "math.factorial(x)"), "math = None"), 6),
    ],
)
def test_the_last_definition_at_or_above_the_answer_counts(cells, value):
    assert run(*cells).value == value


def test_what_is_below_an_answer_in_its_cell_does_not_run():
    cell = "def double(x): return 2 * x\nfor i in range(3): print(double(i))\nraise SystemExit"
    assert run(cell).value == 6
    assert program(cell).idle == ("for i in range(3): print(double(i))",)
    assert program("def double(x): return 2 * x\ncheck(double)").idle == ()


def test_what_is_above_an_answer_in_its_cell_runs_and_may_fail():
    cell = "t = [0]\nu = t.append(2)\n1 / 0\ninput()\nget_ipython()\ndef double(x): return t[1] * x"
    assert run(cell).value == 6


def test_an_answer_may_use_another_and_says_which():
    cells = (("again", "def again(x): return 2 * x"), "def double(x): return again(x)")
    assert run(*cells).value == 6 and program(*cells).others == ("again",)
    assert run("def again(x): return undefined", "def double(x): return 6").value == 6


def test_names_that_no_cell_defines():
    assert program("def double(x): return F.relu(len(x)) + y").undefined == ("F", "y")


def test_the_lines_of_definitions_are_the_text():
    cells = "import math\n" + HELPER + "\nprint(1)", "import os\nz = 1\n" + USES + "\nprint(2)"
    assert program(*cells).text == HELPER + "\n" + USES


@pytest.mark.parametrize(
    ("cells", "error"),
    [
        (("double", "def double(x:"), "SyntaxError"),
        (("double", "double = 1 / 0"), "ZeroDivisionError"),
        (("double", "raise SystemExit"), "SystemExit"),
        (("double", "def other(): ..."), "NameError"),
        (("double", ""), "NameError"),
    ],
)
def test_an_answer_that_never_comes_says_why(cells, error):
    seen = run_program(program(cells))
    assert type(seen) is Observation and seen.error == error


def test_a_broken_cell_is_found_by_what_it_means_to_define():
    assert run("def helper(x:", USES).error == "SyntaxError"
    assert run("def double(x): return 6", "def double(x:").error == "SyntaxError"
    assert run("a scratch cell (", "def double(x): return 6").value == 6


def test_a_missing_answer():
    assert program("def other(): ...").pieces == ()
    assert run("def other(): ...").error == "MissingAnswer"


RETURNS = "def double(x):\n    return {0}"


@pytest.mark.parametrize("package", ["no_such_thing", "matplotlib", "course_helpers"])
def test_a_package_that_a_class_has_not_is_named(package):
    seen = run(f"import {package} as n", RETURNS.format("n.f(x)"))
    assert seen.error == "ModuleNotFoundError" and f"{package} is not there" in seen.message
    assert run(f"def double(x):\n    import {package}").error == "ModuleNotFoundError"
    assert run(f"import {package}\ndef double(x): return 6").value == 6


@pytest.mark.parametrize(
    "source",
    [
        "import torch as t\n" + RETURNS.format("t.tensor(x)"),
        "def double(x):\n    from torch import tensor\n    return tensor(x)",
    ],
)
def test_a_package_that_a_task_refuses_is_told_so(source):
    seen = run(source, refused=("course_lib", "torch"))
    assert (seen.error, seen.message) == ("ImportError", NO_TORCH)


def test_without_a_parser_each_task_has_its_own_cell():
    cells = [("double", RETURNS.format(6)), (None, "def again(x): return 7")]
    programs = unread(cells, TASKS)
    assert programs["again"].pieces == ()
    (seen,) = observe_program(programs["double"], [Inputs((3,))], "numpy", ())
    assert seen.value == 6
