"""Which path runs, and the sentence that says why."""

import pytest
import torch

from course_lib.kernels import choose, explain


def test_small_additive_attention_is_the_formula():
    q = torch.zeros(1, 16, 128)
    assert explain(q, q, score="additive").startswith("readable: 32768 hidden numbers fit")


def test_large_additive_attention_goes_in_blocks():
    q = torch.zeros(1, 64, 128)
    sentence = explain(q, q, score="additive")
    assert sentence.startswith("blocked: ") and "on cpu, not on a CUDA device" in sentence


def test_weights_need_the_readable_path():
    q = torch.zeros(1, 64, 128)
    for score in ("scaled_dot", "additive", "flash"):
        assert explain(q, q, score=score, need_weights=True).startswith("readable: the weights")


def test_scaled_dot_reaches_torch_on_the_cpu():
    q = torch.zeros(1, 2, 64, 16)
    assert explain(q, q) == "torch: torch has a fused kernel for cpu."
    assert explain(q, q[:, :, :9], is_causal=True).startswith("torch: ")
    assert explain(q, q, score="flash").startswith("tiled: ")


def test_what_triton_refuses(monkeypatch):
    """On a GPU: without Triton, in float64, with wide heads, the reason is another one."""

    class OnGpu(torch.Tensor):
        device = torch.device("cuda")
        is_cuda = True

    def gpu(*shape, dtype=torch.float32):
        return torch.zeros(shape, dtype=dtype).as_subclass(OnGpu)

    monkeypatch.setattr(choose, "_has_triton", lambda: True)
    q, k = gpu(1, 2, 64, 16), gpu(1, 2, 80, 16)
    assert choose.choose_flash(q, k, k).name == "triton"
    assert choose.choose_scaled_dot(q, k, k, is_causal=True).name == "triton"
    assert choose.choose_scaled_dot(q, k, k).name == "torch"
    assert choose.choose_scaled_dot(q, k, k, is_causal=True, dropout_p=0.1).name == "torch"
    assert choose.choose_additive(q[0], k[0], None, k[0]).name == "triton"
    wide = gpu(1, 2, 64, 160)
    assert "up to 128" in choose.choose_flash(wide, wide, wide).reason
    double = gpu(1, 2, 64, 16, dtype=torch.float64)
    assert "not in torch.float64" in choose.choose_flash(double, double, double).reason
    long_values = gpu(2, 80, 300)
    assert "up to 256" in choose.choose_additive(q[0], k[0], None, long_values).reason
    monkeypatch.setattr(choose, "_has_triton", lambda: False)
    assert "not installed" in choose.choose_flash(q, k, k).reason


def test_a_score_that_does_not_exist(as_a_user):
    with pytest.raises(ValueError, match="'dot'"):
        explain(torch.zeros(1, 2), torch.zeros(1, 2), score="dot")
