"""A guess names a construct only where the answer's text holds one."""

import pytest

from course_lib.checker.compare.of_text import (
    ALL,
    FIRST,
    LAST,
    LOOP,
    RETURN,
    SLICE,
    constructs,
    perhaps,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def f(x):\n    return x.sum(x.shape[0])", set()),
        ("def f(x):\n    return x[:, 0], x[-1]", {FIRST, LAST}),
        ("def f(x):\n    return x.select(1, 0) + x[1:]", {FIRST, SLICE}),
        ("def f(x):\n    return [y for y in x]", {LOOP}),
        ("def f(x):\n    for y in x:\n        if y:\n            return y", {LOOP, RETURN}),
        ("", ALL),
        ("def f(", ALL),
    ],
)
def test_the_constructs_of_a_text(text, found):
    assert constructs(text) == found


def test_guesses_are_joined_and_those_of_nothing_left_out():
    guesses = (LOOP, "a loop ends"), (FIRST, "an index is left"), ("", "it is chance")
    assert perhaps("x = 1", *guesses) == " Perhaps it is chance."
    assert perhaps("x = y[0]", *guesses) == " Perhaps an index is left, or it is chance."
    assert perhaps("x = 1", *guesses[:2]) == ""
