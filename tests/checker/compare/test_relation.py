"""What a wrong result is to the right one: a sentence that is true of the numbers."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.compare.of_factors import OF_ROWS, OF_SHARES, of_rows
from course_lib.checker.compare.parameters import NAMES, about_parameters
from course_lib.checker.run.execute import execute
from course_lib.checker.tasks import Case, Inputs, Task


def mixed(x, weights):
    """(B, S, d), (B, S) → (B, d) and the weights."""
    return torch.einsum("bs,bsd->bd", weights, x), weights.softmax(-1)


def draw(s):
    batch, places, d = s.dims(3)
    args = (s.floats(batch, places, d), s.floats(batch, places))
    return Inputs(args, upstream=(s.floats(batch, d), s.floats(batch, places)))


PARTS = {"weight": (2, 2), "bias": (2,)}
TASK = Task(
    "mixed",
    1,
    mixed,
    (Case("any", draw), Case("hidden", draw, hidden=True)),
    (),
    ("a", "b", "c"),
    returns=("context", "shares"),
)


def diagnosis(answer):
    trials = draw_trials(TASK, 0)
    return judge(TASK, trials, observe(answer, trials)).diagnosis or ""


def with_context(change):
    return lambda x, w: (change(mixed(x, w)[0]), mixed(x, w)[1])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x, w: None, "gives nothing back"),
        (lambda x, w: mixed(x, w)[0], "`context` alone"),
        (lambda x, w: mixed(x, w)[::-1], "not in its order"),
        (lambda x, w: [*mixed(x, w)], "in a list"),
        (with_context(lambda c: c[..., None]), "`squeeze(-1)`"),
        (with_context(lambda c: c.T), "changed places"),
        (with_context(lambda c: -c), "The sign is wrong"),
        (with_context(lambda c: c / c.shape[-1] ** 0.5), "too small by the same factor, √"),
        (with_context(lambda c: c * 3.7), "the same factor, 3.7"),
        (with_context(lambda c: c * (2 + c.flatten()[0].tanh())), "factor, not the same for all"),
        (with_context(lambda c: c * torch.arange(2, len(c) + 2)[:, None]), "a number of its own"),
        (with_context(lambda c: torch.nn.functional.dropout(c, 0.3)), "`context` is the right one"),
        (with_context(lambda c: c + 0.25), "the same amount, 0.25"),
        (with_context(lambda c: c + c.max()), "one amount, not the same for all inputs"),
        (with_context(lambda c: c.tanh()), "Yours is the tanh"),
        (with_context(lambda c: c.round(decimals=3)), "You round"),
        (with_context(lambda c: c.float().to(c.dtype)), "right to six digits"),
        (with_context(lambda c: c.cumsum(0)), "Along the first axis yours are running totals"),
        (with_context(lambda c: c[:1].expand_as(c)), "what belongs to the first"),
        (with_context(lambda c: c.mean(0, True).expand_as(c)), "the mean of what is right there"),
        (with_context(lambda c: c.flip(0)), "runs backwards"),
        (with_context(lambda c: c[:-1]), "the end of the first axis is missing"),
        (with_context(lambda c: c[0]), "is the first along the first axis alone"),
        (with_context(lambda c: c.sum(-1)), "summed over the last axis"),
        (with_context(torch.Tensor.detach), "no gradient reaches `x`"),
        (lambda x, w: (mixed(x, w)[0], w.softmax(-1).mul_(1)), "the gradient still needs"),
        (
            lambda x, w: (mixed(x, w)[0], mixed(x, w)[1].detach()),
            "the gradient of `weights` is not",
        ),
        (lambda x, w: (w[..., None] * x, w.softmax(-1)), "the sum over it is what is needed"),
        (lambda x, w: (w @ x, w.softmax(-1)), "each member of the batch"),
        (lambda x, w: ((w[..., None] * x).sum(2), w.softmax(-1)), "as long as the second axis of"),
        (lambda x, w: (mixed(x, w)[0], w), "A softmax over the last axis is missing"),
        (lambda x, w: mixed(x, w.detach()), "no gradient reaches `weights`"),
        (lambda x, w: (mixed(x, w), w.add_(1))[0], "You write into `weights`"),
        (lambda x, w: (mixed(x, w)[0].tolist(), mixed(x, w)[1]), "`torch.stack`"),
        (lambda x, w: (x.new_zeros(2, 2), x), ""),
    ],
)
def test_the_relation_is_told(answer, words):
    said = diagnosis(answer)
    assert words in said and bool(words) == bool(said), said


def test_what_the_first_part_does_not_say_the_second_may():
    twice = lambda x, w: (x[:, 0] ** 2 - 1, mixed(x, w)[1].softmax(-1))  # noqa: E731
    assert "`shares`: Yours is the softmax of what is needed" in diagnosis(twice)


def test_rows_are_told_to_be_shares_where_the_right_ones_are():
    right, own = np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([[0.5], [0.9]])
    told = [[said for _, said in of_rows(want, want * own)] for want in (right, 2 * right)]
    assert told == [[OF_SHARES, OF_ROWS], [OF_ROWS]]


def test_rounded_numbers_of_a_list_are_told():
    case = Case("any", lambda s: (s.floats(3),), dtypes=("float64",))
    task = Task("listed", 1, lambda x: x.tolist(), (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    seen = observe(lambda x: [round(one, 2) for one in x.tolist()], trials)
    assert "You round" in (judge(task, trials, seen).diagnosis or "")


def test_small_numbers_in_the_place_of_zeros_are_told():
    case = Case("any", lambda s: (s.floats(4, 3), s.mask(4, 3)))
    task = Task("chosen", 1, lambda x, mask: torch.where(mask, x, 0), (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    for small, told in ((1e-7, True), (0.1, False)):
        answer = lambda x, mask, small=small: torch.where(mask, x, small)  # noqa: E731
        said = judge(task, trials, observe(answer, trials)).diagnosis or ""
        assert ("where exactly 0 is right" in said) is told, said


def test_two_parts_that_are_wrong_in_different_ways_get_no_sentence_that_fits_one_alone():
    assert "Every number" not in diagnosis(lambda x, w: (-mixed(x, w)[0], mixed(x, w)[1] ** 2))


def test_a_small_number_beside_a_zero_is_told():
    case = Case("any", lambda s: (s.floats(3) * 0, 1.0))
    task = Task("ratio", 1, lambda x, n: x / n, (case,), (), ("a", "b", "c"), library="numpy")
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(lambda x, n: (x + 1e-7) / n, trials)).diagnosis or ""
    assert "Perhaps a small number is added" in said, said


def test_one_number_is_no_multiple_that_says_anything():
    task = Task("half", 1, lambda x: float(x / 2), TASK.cases, (), ("a", "b", "c"))
    case = Case("any", lambda s: (s.floats(1)[0].item(),))
    task = Task("half", 1, task.reference, (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(lambda x: x * 3.7, trials)).diagnosis
    assert said is None


def test_one_number_of_several_is_no_multiple_that_says_anything_either():
    case = Case("any", lambda s: (s.floats(1)[0].item(),))
    reference = lambda x: (x / 2, x + 1)  # noqa: E731
    task = Task("both", 1, reference, (case,), (), ("a", "b", "c"), returns=("half", "next"))
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(lambda x: (x * 3.7, x + 1), trials)).diagnosis
    assert said is not None and said.startswith("`next` is right, `half` not")


def test_one_number_beside_0_or_1_is_no_exp_of_another():
    case = Case("any", lambda s: (s.floats(1)[0].item(),))
    task = Task("none", 1, lambda x: 1e-16 * (1 + x * x), (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(lambda x: 1 - 1e-16, trials)).diagnosis or ""
    assert "exp" not in said


def test_what_meets_where_an_answer_raises_is_named_with_its_shape():
    def answer(x, weights):
        return weights @ (x + weights), weights

    trials = draw_trials(TASK, 0)
    report = judge(TASK, trials, observe(answer, trials))
    x, weights = trials[0].inputs.args
    assert f"What meets there: `x` {x.shape} + `weights` {weights.shape}." in str(report)
    assert str(report).count("What meets there") == 1  # of a hidden case nothing is shown
    assert "do not line up" in str(report.diagnosis)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("it has W.bias (3,) where nothing is needed", "`W` has a bias"),
        ("it has nothing where W.bias (3,), U.bias (2,) is needed", "`W` and `U` have no bias"),
        ("it has W.weight (2, 3) where W.weight (3, 2) is needed", "turned round"),
        ("it has nothing where W.weight (2, 3) is needed", "`W` is missing"),
        ("it has out.weight (2, 3) where nothing is needed", "`out` is not asked for"),
        ("it has v (3,) where v.weight (1, 3) is needed", "a plain parameter"),
        (
            "it has W.weight (2, 3), U.weight (2, 5) where W.weight (2, 5), U.weight (2, 3) is "
            "needed",
            "each other's shape",
        ),
        ("it has W.weight (2, 9) where W.weight (2, 5) is needed", "(2, 9) in place of (2, 5)"),
    ],
)
def test_parameters_that_do_not_fit_are_explained(message, words):
    assert words in (about_parameters(f"the parameters do not fit: {message}") or "")
    assert about_parameters(f"something else: {message}") is None


def test_layers_that_are_only_called_otherwise_are_told_their_names():
    """However many: a message of all their shapes would be cut."""

    class Layers(torch.nn.Module):
        def __init__(self, size):
            super().__init__()
            for name in "abcdefgh":
                setattr(self, f"a_long_name_{name}", torch.nn.Linear(size, size))

    state = {f"W_{n}.{part}": np.ones(s) for n in range(8) for part, s in PARTS.items()}
    seen = execute(Layers, Inputs((np.ones(2),), init=(2,), state=state), "torch")
    names = " and ".join(f"`W_{n}`" for n in range(8))
    assert about_parameters(seen.message[:300]) == NAMES.format(names)


def test_a_boolean_result_that_is_inverted_or_shifted():
    def triangle(n):
        return np.tril(np.ones((n, n), bool))

    task = Task(
        "triangle", 1, triangle, (Case("any", lambda s: (s.size + 2,)),), (), ("a",), "numpy"
    )
    trials = draw_trials(task, 0)
    for answer, words in (
        (lambda n: ~triangle(n), "exchanged"),
        (lambda n: np.tril(np.ones((n, n), bool), -1), "off by one"),
        (lambda n: triangle(n).T, "changed places"),
    ):
        assert words in (judge(task, trials, observe(answer, trials)).diagnosis or "")


@pytest.mark.parametrize(
    ("right", "answer", "words", "others"),
    [
        (  # what is 0 throughout in the first place is right by chance
            lambda x: x * torch.arange(x.shape[1])[:, None],
            lambda x: 2 * x * torch.arange(x.shape[1])[:, None] ** 1.5,
            "",
            "right for the first",
        ),
        (
            lambda x: x.movedim(0, 2)[None],
            lambda x: x.movedim(0, 2).flatten(0, 1)[None],
            "",
            "length one is lost",
        ),
        (lambda x: x, lambda x: x.permute(2, 0, 1), "Change them back: `permute(1, 2, 0)`", "…"),
    ],
)
def test_of_axes_and_places_nothing_is_said_that_is_not_so(right, answer, words, others):
    def task(x):
        return right(x)

    def any_numbers(s):
        return (s.floats(*s.dims(3, low=3)),)

    made = Task("task", 1, task, (Case("any", any_numbers),), (), ("a", "b", "c"))
    trials = draw_trials(made, 0)
    said = judge(made, trials, observe(answer, trials)).diagnosis or ""
    assert words in said and others not in said


def three(x, weights):
    return (*mixed(x, weights), x)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one, two, three: (two, three, one), "right, but not in its order"),
        (lambda one, two, three: (three, one + 1, two), "the shapes that are needed"),
    ],
)
def test_three_parts_in_another_order_are_told_of_it_and_of_no_axis(change, words):
    task = replace(TASK, reference=three, returns=("context", "shares", "words"))
    task = replace(task, cases=tuple(replace(case, draw=drawn_for_three) for case in task.cases))
    trials = draw_trials(task, 0)
    report = judge(task, trials, observe(lambda *args: change(*three(*args)), trials))
    said = report.diagnosis or ""
    assert words in said and "wrong axis" not in said


def drawn_for_three(s):
    return Inputs(draw(s).args)


def one_number():
    """A task that asks for one number, the mean of those that are given."""
    case = Case("any", lambda s: (s.floats(5),))
    reference = lambda x: float(x.double().mean())  # noqa: E731
    return Task("middle", 1, reference, (case,), (), ("a", "b", "c"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: x.tolist(), "their mean is right"),
        (lambda x: [float(x.double().mean()), 7.0, -9.0], "the first of them is right"),
        (lambda x: [float(x.double().mean())], "Return the number alone"),
        (lambda x: [7.0, 8.0], ""),
        (lambda x: 480, "You return 480 in every call"),
        (lambda x: 480 + int(100 * x[0]), ""),
        (lambda x: float("nan"), ""),
        (lambda x: str(float(x.double().mean())), "You return a text"),
    ],
)
def test_what_came_in_the_place_of_one_number_is_told(answer, words):
    task = one_number()
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(answer, trials)).diagnosis or ""
    assert words in said and bool(words) == bool(said), said


def test_which_of_several_numbers_is_right_is_said_where_they_differ():
    """Where all are alike it could be any of them: the mean is right in the first trials alone."""
    case = Case("any", lambda s: (s.floats(5) * (s.size > 1),))
    reference = lambda x: float(x.double().max())  # noqa: E731
    task = Task("largest", 1, reference, (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(lambda x: x.tolist(), trials)).diagnosis or ""
    assert "the largest of them is right" in said, said


def test_zero_in_every_call_is_not_said_to_stand_in_the_code():
    task = one_number()
    trials = draw_trials(task, 0)
    said = judge(task, trials, observe(lambda x: 0.0, trials)).diagnosis or ""
    assert "in every call" not in said and said.startswith("Your result is 0."), said


def test_numbers_in_the_place_of_zeros_are_told_and_no_others():
    case = Case("any", lambda s: (s.floats(4, 3), s.mask(4, 3)))
    task = Task("chosen", 1, lambda x, mask: torch.where(mask, x, 0), (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    for elsewhere, told in ((0.0, True), (0.3, False)):
        answer = lambda x, mask, d=elsewhere: torch.where(mask, x + d * x * x, 3 * x)  # noqa: E731
        said = judge(task, trials, observe(answer, trials)).diagnosis or ""
        assert ("wrong only where 0 is right" in said) is told, said


def test_axes_in_another_order_in_each_case_are_told():
    def draw(s):
        return s.floats(*s.dims(3)), s.size % 3

    case = Case("an axis", draw)
    task = Task("along", 1, lambda x, axis: x.softmax(axis), (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    for change, told in ((lambda x: x, True), (lambda x: x.flip(0), False)):
        answer = lambda x, axis, c=change: c(x.movedim(axis, 0).softmax(0))  # noqa: E731
        said = judge(task, trials, observe(answer, trials)).diagnosis or ""
        assert ("another order than is needed" in said) is told, said


def test_a_result_that_lacks_a_part_is_told_which():
    said = diagnosis(lambda x, w: (mixed(x, w)[1],))
    assert "What you return is right" in said and "`context` is missing" in said, said
    assert "missing" not in diagnosis(lambda x, w: (mixed(x, w)[1] + 1,))


@pytest.mark.parametrize(("rows", "told"), [(3, True), (90, False)])
def test_a_row_that_a_table_lacks_is_told(rows, told):
    case = Case("any", lambda s: (torch.arange(5, 9).numpy(), s.floats(90, 2)))
    look_up = torch.nn.functional.embedding
    task = Task("rows", 1, look_up, (case,), (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    answer = lambda ids, table: look_up(ids, table[:rows]) + 1  # noqa: E731
    said = judge(task, trials, observe(answer, trials)).diagnosis or ""
    assert ("A row is looked up that is not there" in said) is told, said


@pytest.mark.parametrize("always", [True, False])
def test_a_division_is_missing_only_where_what_is_right_always_sums_to_one(always):
    """Rows that sum to one in the first case, and in the second perhaps not."""

    def rows(x):
        return x.exp() / x.exp().sum(-1, keepdim=True) if always else x

    def draw(s, scale):
        x = s.weights(2, 4)
        return Inputs((scale * x,))

    cases = (Case("shares", lambda s: draw(s, 1)), Case("more", lambda s: draw(s, 2), hidden=True))
    task = Task("rows", 1, rows, cases, (), ("a", "b", "c"))
    trials = draw_trials(task, 0)
    found = judge(task, trials, observe(lambda x: 3 * rows(x) * (1 + x[:, :1]), trials))
    assert ("Divided by its own sum" in (found.diagnosis or "")) is always


def several(heads, x):
    return x * (len(heads) + 2)


HEADS = Task(
    "several",
    1,
    several,
    (
        Case("some", lambda s: Inputs(([1, 2], s.floats(3)))),
        Case("none", lambda s: Inputs(([], s.floats(3))), hidden=True),
    ),
    (),
    ("a", "b", "c"),
)


def made_in_a_loop(heads, x):
    for _ in heads:
        out = several(heads, x)
    return out


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (made_in_a_loop, "is passed over there: make it before"),
        (lambda heads, x: several(heads, x) if heads else None, "make it before"),
        (lambda heads, x: several(heads, x) if heads else 2 + x.sin() ** 2, "Work out by hand"),
        (lambda heads, x: 2 + x.sin() ** 2, ""),
    ],
)
def test_what_is_wrong_for_nothing_but_an_empty_argument_is_told_so(answer, words):
    trials = draw_trials(HEADS, 0)
    said = judge(HEADS, trials, observe(answer, trials)).diagnosis or ""
    assert said.startswith("Your answer is wrong only where `heads` holds nothing. ") is bool(words)
    assert words in said, said
