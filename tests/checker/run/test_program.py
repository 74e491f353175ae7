"""Which statements of a notebook's cells run for a task: what whole notebooks do not show."""

import pytest

from course_lib.checker.run.answers import NO_TORCH, observe_program, run_program
from course_lib.checker.run.inputs import Inputs, Observation
from course_lib.checker.run.program import assemble
from course_lib.checker.run.statements import named_in_text, plain, read_statements
from grader.sandbox.inside.cell import as_data
from grader.sandbox.results import programs_in, unread

TASKS = ("double", "again")
USES = "def double(x):\n    return helper(x)"
HELPER = "def helper(x):\n    return 2 * x"


def program(*cells):
    cells = [cell if type(cell) is tuple else (None, cell) for cell in cells]
    programs = assemble(cells, TASKS)
    assert programs_in(as_data(programs, cells), cells) == programs
    return programs["double"]


def run(*cells, refused=("course_lib",)):
    (seen,) = observe_program(program(*cells), [Inputs((3,))], "numpy", refused)
    return seen


def test_helpers_of_helpers_run_too_and_nothing_else():
    cells = ("two = 2", "x = 1 / 0\nwhile True: pass", "def inner(x): return two * x")
    cells += ("def helper(x): return inner(x)", USES)
    assert [source for source, _ in program(*cells).pieces] == [cells[0], *cells[2:]]
    assert run(*cells).value == 6
    assert run("def again(x): return undefined", "def double(x): return 6").value == 6


def test_what_a_program_says_of_itself():
    idle = "def double(x): return 2 * x\nfor i in range(3): print(i)\nraise SystemExit"
    assert program(idle).idle == ("for i in range(3): print(i)",)
    assert program("def double(x): return 2 * x\ncheck(double)").idle == ()
    uses = (("again", "def again(x): return 2 * x"), "def double(x): return again(x)")
    assert program(*uses).others == ("again",)
    assert program("def double(x): return F.relu(len(x)) + y").undefined == ("F", "y")
    cells = "import math\n" + HELPER + "\nprint(1)", "import os\nz = 1\n" + USES + "\nprint(2)"
    assert program(*cells).text == HELPER + "\n" + USES
    assert program("def other(): ...").pieces == ()


@pytest.mark.parametrize(
    ("cells", "error"),
    [
        ([("double", "def double(x:")], "SyntaxError"),
        ([("double", "double = 1 / 0")], "ZeroDivisionError"),
        ([("double", "raise SystemExit")], "SystemExit"),
        ([("double", "def other(): ...")], "NameError"),
        ([("double", "")], "NameError"),
        (["def double(x): return 6", "def double(x:"], "SyntaxError"),
    ],
)
def test_an_answer_that_never_comes_says_why(cells, error):
    seen = run_program(program(*cells))
    assert type(seen) is Observation and seen.error == error


def test_a_helper_that_cannot_be_read_says_why_where_it_is_missed():
    assert run("def helper(x:", USES).error == "SyntaxError"
    assert run("helper = 1 / 0", USES).error == "ZeroDivisionError"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import {0} as n\ndef double(x): return n.f(x)", "{0} is not there"),
        ("def double(x):\n    import {0}", "{0} is not there"),
        ("import torch as t\ndef double(x): return t.tensor(x)", NO_TORCH),
        ("def double(x):\n    from torch import tensor\n    return tensor(x)", NO_TORCH),
    ],
)
@pytest.mark.parametrize("package", ["no_such_thing", "matplotlib"])
def test_a_package_that_a_class_has_not_is_named(package, source, words):
    seen = run(source.format(package), refused=("course_lib", "torch"))
    assert words.format(package) in seen.message


def test_without_a_parser_each_task_has_its_own_cell():
    cells = [("double", "def double(x):\n    return 6"), (None, "def again(x): return 7")]
    programs = unread(cells, TASKS)
    assert programs["again"].pieces == ()
    (seen,) = observe_program(programs["double"], [Inputs((3,))], "numpy", ())
    assert seen.value == 6


def test_what_is_used_at_once_and_what_in_a_later_call():
    (one,) = read_statements("@cache\ndef f(x=START):\n    return g(x) + [h(i) for i in x][0]")
    assert one.at_once == {"cache", "START"} and one.uses == {"cache", "START", "g", "h"}
    (one,) = read_statements("class A(nn.Module):\n    def f(self): return [g(y) for y in self.z]")
    assert one.uses == {"nn", "g"} and {"self", "z", "Module"} <= one.names


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("%matplotlib inline\n!pip install x\nf = 1", "pass\npass\nf = 1"),
        ("if True:\n    %time f()\n    %timeit f()", "if True:\n    f()\n    pass"),
        ("%%bash\nf=1", ""),
        ("x = (1\n% 2)", "x = (1\n% 2)"),
    ],
)
def test_ipythons_own_lines_are_passed_over(source, left):
    assert plain(source) == left


@pytest.mark.parametrize(
    "source", ["def f(x:", "x = " + "(" * 10_000, "x = " + "-" * 100_000 + "1", "x = 1\0"]
)
def test_what_python_cannot_read_has_no_statements(source):
    assert read_statements(source) is None
    assert named_in_text("def a(x:\nclass B\nd = (\n    e = 3\n# f = 4") == set("aBd")
