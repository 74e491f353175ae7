"""How a task is written down: cases by calls and decorators, idea and cost in the docstring of the
reference."""

import pytest

from course_lib.checker.tasks import (
    Case,
    Cases,
    Inputs,
    Mistakes,
    Sampler,
    task,
)


def double(x):
    """Add it to itself,
    or multiply.

    Cost: One product
    a number."""
    return 2 * x


case = Cases(dtypes=("float32",), sizes=(2,))
case("a row", lambda s: (s.floats(s.size),))


@case("a table", sizes=(1, 3))
def table(s, rows, columns):
    return (s.floats(rows, columns),)


case.hidden("by name", lambda s: Inputs((), {"x": s.floats(1)}))


MISTAKES = Mistakes(double)
MISTAKES("You return it as it is.").by("not-doubled", lambda x: x)
MISTAKES("You square.").by("squared", lambda x: x * x)
DOUBLE = task(MISTAKES, 2, case.all, ("Twice.",), library="numpy")


def test_cases_come_in_the_order_in_which_they_are_written():
    row, second, third = case.all
    assert [one.name for one in case.all] == ["a row", "a table", "by name"]
    assert [one.hidden for one in case.all] == [False, False, True]
    assert [one.sizes for one in case.all] == [(2,), (1, 3), (2,)]
    assert row.dtypes == second.dtypes == third.dtypes == ("float32",)
    assert second.draw is table


def test_what_a_draw_takes_beyond_the_sampler_are_different_lengths():
    (x,) = case.all[1].inputs(Sampler(5, 3, "float32")).args
    assert x.shape == Sampler(5, 3, "float32").dims(2)
    assert x.shape[0] != x.shape[1]


def test_only_what_must_be_given_by_position_is_a_length():
    def draw(s, rows, columns=9, *more, kind="", **options):
        return rows, columns, more, options

    drawn = Case("one", draw).inputs(Sampler(0, 1, "float64"))
    assert drawn.args == (*Sampler(0, 1, "float64").dims(1), 9, (), {})


def test_a_tuple_is_the_arguments_by_position():
    sampler = Sampler(0, 1, "float64")
    assert Case("two", lambda s: (1, 2)).inputs(sampler) == Inputs((1, 2))
    assert case.all[2].inputs(sampler).args == ()


def test_what_is_neither_inputs_nor_a_tuple_is_refused():
    with pytest.raises(TypeError, match=r"'bare' draws a ndarray; it must draw Inputs, or a tuple"):
        Case("bare", lambda s: s.floats(2)).inputs(Sampler(0, 1, "float64"))


def test_a_task_takes_its_name_idea_and_cost_from_its_reference():
    assert (DOUBLE.name, DOUBLE.points, DOUBLE.library) == ("double", 2, "numpy")
    assert DOUBLE.idea == "Add it to itself, or multiply."
    assert DOUBLE.cost == "One product a number."
    assert DOUBLE.mistakes == MISTAKES.all
    assert task(Mistakes(lambda x: x), 1, (), ()).idea == ""
