"""How a mistake is written down: its sentence, and then a function, an expression, or a change."""

import pytest

from course_lib.checker.tasks import Mistakes

FACTOR = 2


def double(x):
    """Twice x is `FACTOR * x`."""
    product = FACTOR * x
    return product


class Double:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return self.factor * x


def test_sentence_and_code_make_a_mistake_in_the_order_in_which_they_are_written():
    mistakes = Mistakes(double)

    @mistakes("""You return it
        as it is.""")
    def not_doubled(x):
        return x

    mistakes("You square.").by("squared", lambda x: x * x)
    assert [(one.name, one.sentence, one.answer(3)) for one in mistakes.all] == [
        ("not-doubled", "You return it as it is.", 3),
        ("squared", "You square.", 9),
    ]
    assert mistakes["not-doubled"] is not_doubled


def test_a_change_of_the_text_finds_the_names_that_the_reference_finds(monkeypatch):
    mistakes = Mistakes(double)
    answer = mistakes("You add.").change("added", "product = FACTOR * x", "product = FACTOR + x")
    assert answer(5) == 7
    monkeypatch.setitem(globals(), "FACTOR", 10)
    assert answer(5) == 15
    assert (answer.__name__, mistakes.all[0].name) == ("double", "added")


def test_a_class_may_be_changed():
    wrong = Mistakes(Double)("You add.").change("added", "self.factor * x", "self.factor + x")
    assert wrong(2)(5) == 7


@pytest.mark.parametrize(
    ("words", "times"),
    [(("FACTOR + x", "x"), 0), (("product", "sum"), 2), (("return", "return"), 1)],
)
def test_what_does_not_occur_once_or_changes_nothing_is_an_error(words, times):
    with pytest.raises(ValueError, match=rf"in `double`, where it occurs {times} times; give"):
        Mistakes(double)("You add.").change("added", *words)


def test_a_second_change_is_made_of_what_the_first_has_left():
    words = ("product = FACTOR * x", "y = x", "return product", "return y")
    answer = Mistakes(double)("You return it.").change("as-it-is", *words)
    assert answer(5) == 5
