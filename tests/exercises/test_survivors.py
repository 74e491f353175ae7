"""What is said of a test in lab 3: why it refuses what is right, or what it never looks at.

Written as a student writes them: PYTEST_DONT_REWRITE their asserts.
"""

import contextlib
import functools
import linecache

import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE
from course_lib.exercises.write_the_test import attention, cache, causal, gaps
from course_lib.exercises.write_the_test.right import attention as plain
from course_lib.exercises.write_the_test.right_causal import causal as plain_causal

close = functools.partial(torch.testing.assert_close, rtol=1e-4, atol=1e-5)
ROOMS = ((attention, gaps.ATTENTION), (causal, gaps.CAUSAL), (cache, gaps.CACHE))


def told(name, test) -> str:
    task = CATALOGUE.tasks[name]
    trials = draw_trials(task, 3)
    report = judge(task, trials, observe(test, trials))
    assert not report.passed
    return report.diagnosis or ""


def drawn(*lead, t=3, s=5, d_k=4, d_v=6):
    return [torch.randn(*lead, n, d) for n, d in ((t, d_k), (s, d_k), (s, d_v))]


@pytest.mark.parametrize(("module", "its_gaps"), ROOMS)
def test_a_gap_is_of_mutants_that_are_there(module, its_gaps):
    """A list that three tests share may name mutants that one of them has not, but not these."""
    names = {name for name, *_ in module.MUTANTS}
    known = {name for one, _ in ROOMS for name, *_ in one.MUTANTS}
    for gap in its_gaps:
        assert known >= {*gap.mutants}
    assert any(names & {*gap.mutants} for gap in its_gaps)
    task = module.TASK
    for case in task.cases:
        name = case.name.removeprefix("refuses: ")
        shown = next((gap.shows for gap in its_gaps if name in gap.mutants), None)
        assert shown is None or f"It shows {shown}." in case.tells


def by_its_name(attention):
    close(scaled_dot_product_attention(*drawn())[0], plain(*drawn())[0])


def not_defined(attention):
    close(attention(*drawn())[0], helper(*drawn()))


def other_arguments(attention):
    attention(*drawn(), is_causal=True)


def element_by_element(attention):
    assert attention(*drawn())[0] == plain(*drawn())[0]


def a_list_is_asked_for(attention):
    result = attention(*drawn())
    assert isinstance(result, list)


def not_scaled(attention):
    query, key, value = drawn()
    close(attention(query, key, value)[0], (query @ key.mT).softmax(-1) @ value)


def rows_sum_to_one(attention):
    mask = torch.rand(3, 5) < 0.5
    mask[1] = False
    _, weights = attention(*drawn(), mask)
    assert torch.allclose(weights.sum(-1), torch.ones(3))


def swallowed(attention):
    given = drawn(2)
    with contextlib.suppress(AssertionError):
        close(attention(*given), plain(*given))


def returned(attention):
    given = drawn(2)
    return bool(torch.allclose(attention(*given)[0], plain(*given)[0], atol=1e-5))


def shapes(attention):
    output, weights = attention(*drawn(2))
    assert output.shape == (2, 3, 6) and weights.shape == (2, 3, 5)


def sums(attention):
    _, weights = attention(*drawn(2))
    close(weights.sum(-1), torch.ones(2, 3))


def weights_alone(attention):
    given = drawn(2, 3)
    close(attention(*given)[1], plain(*given)[1])


def tolerant(attention):
    given = drawn(2, 3)
    close(attention(*given), plain(*given), rtol=0, atol=0.1)


def no_mask(attention):
    given = drawn(2, 3)
    close(attention(*given), plain(*given))


def one_number_a_key(attention):
    given = drawn(2, 3, d_k=1)
    close(attention(*given), plain(*given))


def all_keys_alike(attention):
    query, _, value = drawn(2, 3)
    given = query, torch.ones(2, 3, 5, 4), value
    close(attention(*given), plain(*given))


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (by_its_name, "calls `scaled_dot_product_attention` by its name, and never `attention`"),
        (not_defined, "Nothing that is handed in defines `helper`"),
        (other_arguments, "It is called as `attention(query, key, value, mask=None)`."),
        (element_by_element, "`==` and `<` compare element by element"),
        (a_list_is_asked_for, "at `assert isinstance(result, list)`, where `result` is a tuple."),
        (not_scaled, "accepts the mutant “the scores are not scaled”."),
        (rows_sum_to_one, "“a query that may see nothing sees all”"),
        (swallowed, "a `try` of yours catches it"),
        (returned, "Your test returns True, which is lost"),
        (shapes, "Your test compares no number"),
        (sums, "No mutant with other scores is refused"),
        (weights_alone, "Your test never looks at the numbers of the output"),
        (tolerant, "numbers of the output that are off by 0.02 are accepted"),
        (no_mask, "You never hand in a mask"),
        (one_number_a_key, "Your d_k is 1, and √1 is 1"),
        (all_keys_alike, "All your keys are alike"),
    ],
    ids=lambda one: one.__name__ if callable(one) else "",
)
def test_a_test_of_attention_is_told_its_one_cause(test, words):
    assert words in told("test_attention", test)


def test_what_differs_in_rounding_alone_is_compared_with_a_tolerance():
    def test(attention):
        given = drawn(2, 3)
        output, wanted = attention(*given)[0], plain(*given)[0].double().float() * (1 + 1e-6)
        assert torch.equal(output, wanted)

    assert "compares exactly, at `assert torch.equal(output, wanted)`" in told(
        "test_attention", test
    )


def test_an_assert_of_a_tuple_is_found_in_the_text():
    text = "def test(attention):\n    assert (attention(*drawn())[0].ndim == 2, 'axes')\n"
    linecache.cache["<a cell>"] = (len(text), None, text.splitlines(True), "<a cell>")
    space = {"drawn": drawn}
    with pytest.warns(SyntaxWarning, match="always true"):
        exec(compile(text, "<a cell>", "exec"), space)
    said = told("test_attention", space["test"])
    assert said.startswith("`assert (attention(*drawn())[0].ndim == 2, 'axes')` cannot fail")


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

    assert told("test_cache", whole).startswith("You never hand a cache in")
    said = told("test_cache", with_itself)
    assert said.startswith("You compare the function with itself")
