"""What the text of a statement says about names."""

import pytest

from course_lib.checker.run.statements import named_in_text, plain, read_statements


def only(source):
    (statement,) = read_statements(source)
    return statement


def test_what_is_used_at_once_and_what_in_a_later_call():
    one = only("@cache\ndef f(x=START):\n    return g(x) + [h(i) for i in x][0]")
    assert one.at_once == {"cache", "START"}
    assert one.uses == {"cache", "START", "g", "h"}
    assert only("X = [scale * x for x in X]").at_once == {"scale", "X"}
    assert only("X += 1").at_once == {"X"}


def test_a_parameter_is_no_use_of_a_global_name():
    assert only("def b(x):\n    y = x\n    return y").uses == set()


def test_names_are_found_in_inner_scopes_and_classes():
    one = only("class A(nn.Module):\n    def f(self): return [g(y) for y in self.z]")
    assert one.uses == {"nn", "g"}
    assert {"self", "z", "Module"} <= one.names


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("%matplotlib inline\n!pip install x\nf = 1", "pass\npass\nf = 1"),
        ("np.exp?", "pass"),
        ("files = !ls\nf = 1", "pass\nf = 1"),
        ("if True:\n    %time f()", "if True:\n    pass"),
        ("%%time\nf = 1", "pass\nf = 1"),
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


def test_a_cell_that_cannot_be_read_still_names_what_it_means_to_define():
    assert named_in_text("def a(x:\nclass B\nasync def c(\nd = (\n    e = 3\n# f = 4") == set(
        "aBcd"
    )
