"""One run of an answer: nothing it does may reach the checker, and all of it is written down. That
gradients and changed inputs are compared, the proofs of the exercises show."""

import sys
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Candidate, Verdict
from course_lib.checker.tasks import Inputs
from tests.checker.toy import Scale

X = np.array([1.5, -2.5])


def run(answer, *args, library="numpy", **more):
    return execute(answer, Inputs(args or (X,), **more), library)


@pytest.mark.parametrize("error", [ValueError, SystemExit, RecursionError, MemoryError])
def test_what_it_raises_is_part_of_the_result(error):
    def answer(x):
        raise error("first\n   second")

    seen = run(answer)
    assert (seen.error, seen.message) == (error.__name__, "first second")


def test_an_error_whose_message_raises():
    class Bad(Exception):
        def __str__(self):
            raise RuntimeError

    def answer(x):
        raise Bad

    assert run(answer).error.endswith("Bad")


def test_the_student_can_still_interrupt():
    def answer(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(answer)


ONE = Candidate("one", "import math\n\n\ndef one():\n    return math.cos(0)\n")


def refuses(one):
    assert one() == 2, "not two"


@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        (lambda one: one() == 2, Verdict(False)),
        (refuses, Verdict(True, "AssertionError: not two")),
        (lambda one: one("too many"), Verdict(True, "TypeError")),
        (lambda one: undefined, Verdict(True, "NameError: name 'undefined' is not defined")),
    ],
)
def test_what_a_test_says_of_a_candidate(test, verdict):
    seen = run(test, ONE)
    assert seen.error is None and seen.value.refused == verdict.refused
    assert seen.value.words.startswith(verdict.words)


def test_an_examiner_gets_the_answer_and_says_what_it_finds():
    looks = Candidate("looks", "def looks(answer, x): return answer(x), answer(2)")
    assert run(lambda x: x + 1, 3, examiner=looks).value == (4, 3)
    assert run(lambda x: undefined, 3, examiner=looks).error == "NameError"


def test_comparing_tensors_does_not_import_what_takes_seconds():
    def test(one):
        torch.testing.assert_close(torch.zeros(2), torch.zeros(2))
        there = vars(sys.modules["torch.distributed.tensor"])
        assert "__file__" not in there, "slow"

    loaded = sys.modules.pop("torch.distributed.tensor", None)
    try:
        assert not run(test, ONE).value.refused
        assert "torch.distributed.tensor" not in sys.modules, "the next import finds torch's own"
    finally:
        if loaded:
            sys.modules["torch.distributed.tensor"] = loaded


def test_random_numbers_are_the_same_at_each_call_and_the_notebook_s_go_on():
    torch.manual_seed(5)
    first, *seen = torch.rand(1), run(lambda x: torch.rand(3)), run(lambda x: torch.rand(3))
    assert seen[0].value.data.tolist() == seen[1].value.data.tolist()
    after = torch.rand(1)
    torch.manual_seed(5)
    assert torch.equal(torch.cat([first, after]), torch.rand(2))


def test_prints_and_warnings_are_swallowed(capsys):
    def answer(x):
        print("hello")
        print("there", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return np.log(-np.ones(1))

    assert run(answer).printed
    assert capsys.readouterr() == ("", "")


def test_gradients_are_on_whatever_the_notebook_or_the_answer_set():
    with torch.no_grad():
        seen = run(lambda x: x * 2, library="torch", upstream=(np.ones(2),))
    assert seen.gradients["0"].data.tolist() == [2.0, 2.0]
    run(lambda x: torch.set_grad_enabled(False), library="torch")
    assert torch.is_grad_enabled()


def test_an_input_changed_in_place_is_told_rather_than_autograds_error():
    def answer(x, mask=None):
        y = x * x
        x += 1
        mask[0] = False
        return y

    more = {"upstream": (np.ones(2),), "kwargs": {"mask": np.array([True])}}
    seen = run(answer, library="torch", **more)
    assert seen.error is None and seen.changed == (0, 1)


class Named(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weigth = nn.Parameter(torch.ones(size))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Named, "the parameters do not fit: it has weigth (2,) where weight (2,) is needed"),
        (lambda size: size, "the class makes a value of type int; it must be a torch.nn.Module"),
    ],
)
def test_a_class_that_does_not_fit_is_told_how(answer, words):
    seen = run(answer, library="torch", init=(2,), state={"weight": X})
    assert (seen.error, seen.message) == ("TypeError", words)


def test_modules_run_in_eval_and_in_the_inputs_dtype():
    class Noisy(Scale):
        def forward(self, x):
            return F.dropout(x * self.weight, 0.5, self.training)

    seen = run(Noisy, library="torch", init=(2,), state={"weight": X})
    assert (seen.value.dtype, seen.value.data.tolist()) == ("float64", (X * X).tolist())


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (lambda x: x.repeat(6, 1)[:1], "AllAtOnce"),
        (lambda x: torch.einsum("ad,bd,cd->abc", x, x, x)[0, 0], "AllAtOnce"),
        (lambda x: torch.zeros(11, 10)[0], "AllAtOnce"),
        (lambda x: torch.cat([x] * 6)[:1], "AllAtOnce"),
        (lambda x: (x[:, None, :] * x.new_ones(10, 10, 1)).sum(), "AllAtOnce"),
        (lambda x: F.scaled_dot_product_attention(x, x, x), "LeftToTorch"),
        (lambda x: x.expand(50, 10, 2).shape[0] * x, None),
        (lambda x: (x @ x.mT).softmax(-1) @ x, None),
        (lambda x: torch.zeros(10, 10)[:, 0], None),
    ],
)
def test_a_tensor_that_is_too_large_is_refused_however_it_is_made(answer, error):
    rows = np.arange(20.0).reshape(10, 2)
    assert run(answer, rows, library="torch", largest=100).error == error
    assert run(answer, rows, library="torch").error is None
