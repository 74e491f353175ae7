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


def beside_the_given_one(attention):
    given = drawn()
    output, _ = attention(*given)
    return torch.equal(output, scaled_dot_product_attention(*given)[0])


def float_mask(attention):
    mask = (torch.rand(3, 5) < 0.5).float()
    attention(*drawn(2), mask)


def nothing_forbidden(attention):
    given = (*drawn(2, 3), torch.ones(3, 5, dtype=torch.bool))
    close(attention(*given), plain(*given))


def values_are_keys(attention):
    query, key, _ = drawn(2, 3)
    for dtype in (torch.float64, torch.float32):
        given = [one.to(dtype) for one in (query, key, key.clone())]
        close(attention(*given), plain(*given))


def queries_are_keys(attention):
    query, _, value = drawn(2, 3, t=5)
    for dtype in (torch.float64, torch.float32):
        given = [one.to(dtype) for one in (query, query, value)]
        close(attention(*given), plain(*given))


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
        (by_its_name, "Up to there it has not called `attention`, which it is given"),
        (
            beside_the_given_one,
            "is not there. To have something to compare with, write the formula",
        ),
        (float_mask, "hands in a mask of dtype float32: at `attention(*drawn(2), mask)`"),
        (nothing_forbidden, "Your masks are True everywhere, so they forbid nothing"),
        (values_are_keys, "Your values are the same numbers as your keys"),
        (queries_are_keys, "Your keys are the same numbers as your queries"),
        (not_defined, "Nothing that is handed in defines `helper`"),
        (other_arguments, "It is called as `attention(query, key, value, mask=None)`."),
        (element_by_element, "`==` and `<` compare element by element"),
        (a_list_is_asked_for, "at `assert isinstance(result, list)`, where `result` is a tuple."),
        (not_scaled, "accepts the mutant “the scores are not scaled”."),
        (rows_sum_to_one, "“a query that may see nothing sees all”"),
        (swallowed, "a `try` of yours catches it"),
        (returned, "Your test returns True, which is lost"),
        (shapes, "Your test refuses no number"),
        (sums, "No mutant with other scores is refused"),
        (weights_alone, "Your test never compares the numbers of the output"),
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


@pytest.mark.parametrize("limit", ["(output - wanted).abs().max() < 1e-9", "1e-9 > off.item()"])
def test_a_limit_below_rounding_is_called_too_narrow(limit):
    """As text: an assert must be read where it raises."""
    text = "def test(attention):\n    given = drawn(2, 3)\n    output = attention(*given)[0]\n"
    text += "    wanted = plain(*given)[0].double().float() * (1 + 1e-6)\n"
    text += f"    off = (output - wanted).abs().max()\n    assert {limit}\n"
    name = f"<a cell with {limit[:4]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"drawn": drawn, "plain": plain}
    exec(compile(text, name, "exec"), space)
    said = told("test_attention", space["test"])
    assert said.startswith(
        f"Your tolerance is too narrow, at `assert {limit.replace('1e-9', '1e-09')}`"
    )
    assert "no more than rounding" in said


def test_an_assert_of_a_tuple_is_found_in_the_text():
    text = "def test(attention):\n    assert (attention(*drawn())[0].ndim == 2, 'axes')\n"
    linecache.cache["<a cell>"] = (len(text), None, text.splitlines(True), "<a cell>")
    space = {"drawn": drawn}
    with pytest.warns(SyntaxWarning, match="always true"):
        exec(compile(text, "<a cell>", "exec"), space)
    said = told("test_attention", space["test"])
    assert said.startswith("`assert (attention(*drawn())[0].ndim == 2, 'axes')` cannot fail")


def shape_of_the_cache(attend):
    x = torch.randn(2, 5, 4)
    _, cache = attend(x, x, x)
    assert cache[0].shape == x.shape


def no_nan(attend):
    x = torch.randn(2, 5, 4)
    if attend(x, x, x)[0].isnan().any():
        raise ValueError("not a number")


def a_tensor(attend):
    x = torch.randn(2, 5, 4)
    assert isinstance(attend(x, x, x)[0], torch.Tensor)


def own_dtype(attend):
    x = torch.randn(2, 5, 4)
    assert attend(x, x, x)[0].dtype == x.dtype


def a_gradient(attend):
    x = torch.randn(2, 5, 4).requires_grad_()
    attend(x, x, x)[0].sum().backward()
    assert x.grad is not None


@pytest.mark.parametrize("test", [shape_of_the_cache, no_nan, a_tensor, own_dtype, a_gradient])
def test_a_test_that_asserts_a_little_is_not_told_to_assert(test):
    said = told("test_cache", test)
    assert said.startswith("Your test refuses no number")
    assert "You never hand a cache in" in said


def caught(attend):
    x = torch.randn(2, 5, 4)
    output, _ = attend(x, x, x)
    with contextlib.suppress(AssertionError):
        assert output.shape == (1, 2, 3)


def looked_at(attend):
    x = torch.randn(2, 5, 4)
    output, cache = attend(x, x, x)
    print(output.shape, torch.equal(cache[0], x))


@pytest.mark.parametrize("test", [caught, looked_at])
def test_a_test_that_asserts_nothing_is_told_to(test):
    assert told("test_cache", test).startswith("Your test accepts whatever runs")
