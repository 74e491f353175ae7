"""How a task is written down: cases by calls and decorators, mistakes by sentence and code, idea
and cost in the docstring of the reference."""

import pytest

from course_lib.checker.tasks import Case, Cases, Inputs, Mistakes, Sampler, task

FACTOR = 2


def double(x):
    """Add it to itself,
    or multiply.

    Cost: One product
    a number."""
    product = FACTOR * x
    return product


class Double:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return self.factor * x


case = Cases(dtypes=("float32",), sizes=(2,))
case("a row", lambda s: (s.floats(s.size),))


@case("a table", sizes=(1, 3))
def table(s, rows, columns):
    return (s.floats(rows, columns),)


case.hidden("by name", lambda s: Inputs((), {"x": s.floats(1)}))
MISTAKES = Mistakes(double)


@MISTAKES.says("""
    You return it
    as it is.
""")
def not_doubled(x):
    return x


MISTAKES.by("squared", lambda x: x * x).says("You square.")


def test_cases_come_in_the_order_in_which_they_are_written():
    found = [(one.name, one.hidden, one.sizes, one.dtypes) for one in case.all]
    narrow = ("float32",)
    assert found == [
        ("a row", False, (2,), narrow),
        ("a table", False, (1, 3), narrow),
        ("by name", True, (2,), narrow),
    ]
    assert case.all[1].draw is table


def test_what_a_draw_takes_by_position_beyond_the_sampler_are_different_lengths():
    def draw(s, rows, columns, more=9, *others, kind="", **options):
        return rows, columns, more, others, options

    drawn = Case("one", draw).inputs(Sampler(5, 3, "float64"))
    rows, columns = Sampler(5, 3, "float64").dims(2)
    assert drawn == Inputs((rows, columns, 9, (), {})) and rows != columns


def test_what_is_neither_inputs_nor_a_tuple_is_refused():
    with pytest.raises(TypeError, match=r"'bare' draws a ndarray; it must draw Inputs, or a tuple"):
        Case("bare", lambda s: s.floats(2)).inputs(Sampler(0, 1, "float64"))


def test_a_task_takes_its_name_idea_and_cost_from_its_reference():
    made = task(MISTAKES, 2, case.all, ("Twice.",), library="numpy")
    assert (made.name, made.points, made.library) == ("double", 2, "numpy")
    assert made.idea == "Add it to itself, or multiply."
    assert made.cost == "One product a number."
    assert task(Mistakes(lambda x: x), 1, (), ()).idea == ""
    assert [(one.name, one.sentence, one.answer(3)) for one in made.mistakes] == [
        ("not-doubled", "You return it as it is.", 3),
        ("squared", "You square.", 9),
    ]
    assert MISTAKES["not-doubled"] is not_doubled


def test_a_change_of_the_text_finds_the_names_that_the_reference_finds():
    mistakes = Mistakes(double)
    answer = mistakes.change("added", "product = FACTOR * x", "product = FACTOR + x").says(
        "You add."
    )
    assert answer(5) == 7
    assert mistakes.changed(FACTOR=10)(5) == 50  # and others in their place
    assert (answer.__name__, mistakes.all[0].name) == ("double", "added")
    wrong = Mistakes(Double).change("added", "self.factor * x", "self.factor + x").says("You add.")
    assert wrong(2)(5) == 7


@pytest.mark.parametrize(
    ("words", "times"),
    [(("FACTOR + x", "x"), 0), (("product", "sum"), 3), (("return", "return"), 1)],
)
def test_what_does_not_occur_once_or_changes_nothing_is_an_error(words, times):
    with pytest.raises(ValueError, match=rf"in a text where it occurs {times} times; give"):
        Mistakes(double).change("added", *words)


def test_a_second_change_is_made_of_what_the_first_has_left():
    words = ("product = FACTOR * x", "y = x", "return product", "return y")
    assert Mistakes(double).change("as-it-is", *words).says("You return it.")(5) == 5


def test_a_mistake_without_its_sentence_is_an_error():
    mistakes = Mistakes(double)
    mistakes.by("squared", lambda x: x * x)
    with pytest.raises(ValueError, match=r"double: no sentence for squared\."):
        task(mistakes, 1, (), ())


def test_a_mistake_below_its_task_is_an_error():
    mistakes = Mistakes(double)
    task(mistakes, 1, (), ())
    with pytest.raises(ValueError, match=r"'squared' comes after its task was made"):
        mistakes.by("squared", lambda x: x * x)
