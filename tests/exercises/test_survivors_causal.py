"""What is said of a test of causal attention, and of one of a cache, in lab 3.

Written as a student writes them: PYTEST_DONT_REWRITE their asserts.
"""

import pytest
import torch

from course_lib.exercises.write_the_test.right_causal import causal as plain_causal
from tests.exercises.test_survivors import close, drawn, told


def compares(*shapes, dtype=torch.float32):
    def test(attention):
        for lead, t, s in shapes:
            given = [one.to(dtype) for one in drawn(*lead, t=t, s=s)]
            close(attention(*given), plain_causal(*given))

    return test


@pytest.mark.parametrize(
    ("shapes", "words", "others"),
    [
        ([((2, 3), 6, 6)], "as many queries as keys alone", "more queries than keys,"),
        ([((2, 3), 6, 6), ((2, 3), 1, 7)], "never give more queries than keys", "alone"),
        ([((), 6, 6), ((), 2, 7), ((), 7, 5)], "one text alone", "than keys"),
        ([((2, 3), 3, 3), ((2, 3), 1, 4), ((2, 3), 4, 2)], "texts are too short", "one text"),
    ],
)
def test_a_test_of_causal_attention_is_told_which_lengths_it_never_gives(shapes, words, others):
    said = told("test_causal", compares(*shapes))
    assert words in said and others not in said


def test_a_test_of_a_cache_is_told_what_never_comes_to_one():
    def whole(attend):
        given = drawn(2, t=7, s=7)
        output, (keys, values) = attend(*given)
        close((output, keys, values), (plain_causal(*given)[0], *given[1:]))

    def with_itself(attend):
        query, key, value = drawn(2, t=9, s=9)
        output, cache = None, None
        for i in range(9):
            output, cache = attend(*(x[:, i : i + 1] for x in (query, key, value)), cache)
        close(output, attend(query, key, value)[0][:, -1:])

    def one_text_for_all(attend):
        x, _, _ = drawn(2, 3, t=9)
        for dtype in (torch.float32, torch.float64):
            text, outputs, cache = x.to(dtype), [], None
            for piece in text.split([4, 3, 1, 1], dim=-2):
                output, cache = attend(piece, piece, piece, cache)
                outputs.append(output)
            close(torch.cat(outputs, -2), plain_causal(text, text, text)[0])
            close(cache, (text, text))

    said = told("test_cache", one_text_for_all)
    assert "Your values are the same numbers as your keys" in said
    assert told("test_cache", whole).startswith("You never hand a cache in")
    said = told("test_cache", with_itself)
    assert said.startswith("You compare the function with itself")
