"""An answer that may not make large tensors is told so, and nothing else is held against it."""

import pytest
import torch
import torch.nn.functional as F

from course_lib.checker.run.execute import execute
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.watch import AllAtOnce, watched


def error_of(answer, largest=100):
    rows = torch.arange(20.0).reshape(10, 2).numpy()
    return execute(answer, Inputs((rows,), largest=largest), "torch").error


def test_a_large_tensor_raises_however_it_is_made():
    for answer in (
        lambda x: x.repeat(6, 1)[:1],
        lambda x: torch.einsum("ad,bd,cd->abc", x, x, x)[0, 0],
        lambda x: torch.zeros(11, 10)[0],
        lambda x: torch.cat([x] * 6)[:1],
        lambda x: (x[:, None, :] * x.new_ones(10, 10, 1)).sum(),
    ):
        assert error_of(answer) == "AllAtOnce"
        assert error_of(answer, None) is None


def test_views_and_small_tensors_pass():
    assert error_of(lambda x: x.expand(50, 10, 2).shape[0] * x) is None
    assert error_of(lambda x: (x @ x.mT).softmax(-1) @ x) is None
    assert error_of(lambda x: torch.zeros(10, 10)[:, 0]) is None


def test_torch_s_own_attention_is_no_answer():
    assert error_of(lambda x: F.scaled_dot_product_attention(x, x, x)) == "LeftToTorch"
    assert error_of(lambda x: F.scaled_dot_product_attention(x, x, x), None) is None


def test_nothing_is_watched_afterwards():
    with pytest.raises(AllAtOnce), watched(1):
        torch.zeros(2)
    assert torch.zeros(200).numel() == 200
