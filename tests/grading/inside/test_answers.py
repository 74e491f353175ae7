"""Which cells run for a task, and what running them leaves behind."""

from course_lib.grading.inside.answers import answer_cells, defined_names, free_names, run_answer
from course_lib.grading.inside.inputs import Observation


def test_names_at_the_left_margin_are_found():
    source = "def a(): ...\nclass B: ...\nasync def c(): ...\nd = 1\ne: int = 2\n    f = 3\n# g = 4"
    assert defined_names(source) == {"a", "B", "c", "d", "e"}


def test_an_answer_runs_alone():
    cells = [("a", "def a(): ..."), ("b", "def b(): ...")]
    assert answer_cells(cells, "b") == ["def b(): ..."]


def test_answers_that_it_uses_run_before_it():
    cells = [
        ("a", "def a(): return 1"),
        ("c", "def c(): return 3"),
        ("b", "def b(): return a()"),
        ("d", "def d(): return b()"),
    ]
    assert answer_cells(cells, "d") == [cells[0][1], cells[2][1], cells[3][1]]


def test_the_last_definition_wins():
    cells = [("a", "def a(): return 1"), (None, "def a(): return 2"), ("b", "b = 1")]
    assert answer_cells(cells, "a") == ["def a(): return 2"]


def test_a_named_cell_without_the_definition_is_still_the_answer():
    assert answer_cells([("a", "if True:\n    def a(): ...")], "a") == [
        "if True:\n    def a(): ..."
    ]


def test_a_missing_answer_has_no_cells():
    assert answer_cells([("b", "def b(): ...")], "a") == []


def run(source, *imports):
    return run_answer("f", imports, [source])


def test_imports_that_it_uses_are_there_and_no_others():
    answer = run("def f(): return math.pi, 'cmath' in globals()", "import math", "import cmath")
    assert answer()[0] > 3 and answer()[1] is False


def test_a_parameter_is_no_use_of_another_answers_name():
    cells = [("a", "x = 1\nwhile True: pass"), ("b", "def b(x):\n    y = x\n    return y")]
    assert answer_cells(cells, "b") == [cells[1][1]]


def test_names_are_found_in_inner_scopes_and_classes():
    source = "class A(nn.Module):\n    def f(self): return [g(y) for y in self.z]\nh = 1"
    assert free_names(source) >= {"nn", "g"} and not free_names(source) & {"self", "y", "h", "A"}


def test_an_import_that_fails_costs_nothing():
    assert run("import nowhere\ndef f(): return 1", "from nowhere import x")() == 1


def test_what_was_defined_before_an_error_stays():
    assert run("def f(): return 1\nprint(undefined)")() == 1


def test_an_answer_that_never_comes_says_why():
    seen = run("raise ValueError('no')\ndef f(): ...")
    assert type(seen) is Observation and (seen.error, seen.message) == ("ValueError", "no")
    assert run("def g(): ...").error == "NameError"
    assert run("def f(:").error == "SyntaxError"
    assert run("raise SystemExit").error == "SystemExit"


def test_lines_of_ipython_are_passed_over():
    assert run("%matplotlib inline\n!pip install x\ndef f(): return 1")() == 1


def test_features_of_the_future_hold_for_the_answer():
    answer = run("def f(x: undefined): return 1", "from __future__ import annotations")
    assert answer(0) == 1


def test_a_fault_in_an_earlier_answer_leaves_this_one_alone():
    answer = run_answer("f", [], ["raise ValueError", "def f(): return 1"])
    assert answer() == 1
