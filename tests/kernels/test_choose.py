"""Which path runs, and the sentence that says why."""

import re
import subprocess
import sys
import warnings

import pytest
import torch
import torch.autograd.forward_ad as forward_ad

from course_lib import scaled_dot_product_attention
from course_lib.gate import attention
from course_lib.kernels import (
    additive,
    additive_attention,
    choose,
    explain,
    flash,
    flash_attention,
)

SCORES = ("scaled_dot", "additive", "flash")


@pytest.mark.parametrize(
    ("T", "settings", "sentence"),
    [
        (16, {"score": "additive"}, "readable: 32768 hidden numbers fit"),
        (64, {"score": "additive"}, "blocked: .* on cpu, not on a CUDA device"),
        (64, {"score": "flash"}, "tiled: "),
        (64, {}, r"torch: torch has a fused kernel for cpu\.$"),
        (64, {"scale": torch.tensor(0.5)}, "readable: "),  # a learned one
        *((64, {"score": s, "need_weights": True}, "readable: the weights") for s in SCORES),
    ],
)
def test_each_call_has_its_path(T, settings, sentence):
    q = torch.zeros(1, T, 128)
    assert re.match(sentence, explain(q, q, **settings))


def test_a_bias_widens_half_precision():
    q, bias = torch.zeros(1, 2, 64, 16), torch.zeros(64, 64)
    assert explain(q, q[:, :, :9], is_causal=True).startswith("torch: ")
    assert "float32" not in explain(q, q, score_bias=bias)
    assert explain(q.half(), q.half(), score_bias=bias).endswith("in float32 beside a bias.")


@pytest.mark.parametrize("score", SCORES)
def test_torch_func_and_forward_mode_take_the_formula(score):
    q = torch.randn(2, 64, 128)
    reasons = []

    def look(x):
        reasons.append(explain(x, x, score=score))
        return x.sum()

    torch.func.grad(look)(q)
    torch.func.vmap(look)(q[None])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own, the first time
        with forward_ad.dual_level():
            look(forward_ad.make_dual(q, q))
    assert [s.split(" ")[0] for s in reasons] == ["readable:"] * 3
    assert (
        "torch.func" in reasons[0] and "torch.func" in reasons[1] and "forward-mode" in reasons[2]
    )
    assert "hold no numbers" in explain(q.to("meta"), q.to("meta"), score=score)


def test_what_runs_is_what_explain_says(monkeypatch):
    """Each path's own function is called when its name is said, and no other."""
    called = []

    def recorded(name, inner):
        return lambda *given, **settings: called.append(name) or inner(*given, **settings)

    for module, name in (
        (additive, "BlockedAdditive"),
        (additive, "recomputed_additive"),
        (flash, "TiledFlash"),
    ):
        inner = getattr(module, name)
        if isinstance(inner, type):
            monkeypatch.setattr(inner, "apply", recorded(name, inner.apply))
        else:
            monkeypatch.setattr(module, name, recorded(name, inner))
    fused = attention.KERNELS["torch"]
    monkeypatch.setitem(attention.KERNELS, "torch", recorded("fused_attention", fused))
    q, v_a = torch.randn(1, 64, 64), torch.randn(64)
    for k, score, path, function in (
        (q, "additive", "blocked", "BlockedAdditive"),
        (q * 1e3, "additive", "recomputed", "recomputed_additive"),
        (q, "flash", "tiled", "TiledFlash"),
        (q, "scaled_dot", "torch", "fused_attention"),
    ):
        called.clear()
        assert explain(q, k, score=score, v_a=v_a).startswith(f"{path}: ")
        if score == "additive":
            additive_attention(q, k, v_a, k)
        elif score == "flash":
            flash_attention(q, k, k)
        else:
            scaled_dot_product_attention(q, k, k, need_weights=False)
        assert called == [function]


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")
def test_what_triton_takes_and_refuses():
    def gpu(*shape, dtype=torch.float32):
        return torch.zeros(shape, dtype=dtype, device="cuda")

    q, k = gpu(1, 2, 64, 16), gpu(1, 2, 80, 16)
    assert explain(q, k, score="flash").startswith("triton: ")
    assert explain(q, k, is_causal=True).startswith("triton: ")
    assert explain(q, k).startswith("torch: ")
    assert explain(q, k, is_causal=True, dropout_p=0.1).startswith("torch: ")
    assert "up to 128" in explain(gpu(1, 2, 64, 160), gpu(1, 2, 64, 160), score="flash")
    double = gpu(1, 2, 64, 16, dtype=torch.float64)
    assert "not in torch.float64" in explain(double, double, score="flash")
    wide = gpu(2, 80, 300)
    assert "up to 256" in explain(gpu(2, 80, 128), gpu(2, 80, 128), wide, score="additive")


def test_deterministic_algorithms_are_obeyed(monkeypatch):
    monkeypatch.setattr(choose, "GPU", "cpu")
    q = torch.zeros(1, 64, 128)
    assert explain(q, q, score="additive").startswith("triton: ")
    torch.use_deterministic_algorithms(True)
    try:
        sentence = explain(q, q, score="additive")
        assert sentence.startswith("blocked: ") and "an order that changes" in sentence
        assert explain(q, q, score="flash").startswith("triton: ")  # it adds to no place twice
    finally:
        torch.use_deterministic_algorithms(False)


def test_a_score_that_does_not_exist(as_a_user):
    with pytest.raises(ValueError, match="'dot'"):
        explain(torch.zeros(1, 2), torch.zeros(1, 2), score="dot")


def test_a_query_enters_eight_files_on_both_paths_together():
    """What a reader must open to follow it, with an editor, from the call to torch and back."""
    program = """
import sys
from course_lib import causal_mask, scaled_dot_product_attention as attention
import torch
q, k = torch.randn(1, 4, 6, 8, requires_grad=True), torch.randn(1, 2, 9, 8)
mask, entered = causal_mask(6, 9), set()
both = [{"is_causal": True, "need_weights": asked} for asked in (True, False)]
for options in both:
    attention(q, k, k, mask, **options)  # what is imported once is no part of the walk
sys.setprofile(lambda frame, event, _: entered.add(frame.f_code.co_filename))
for options in both:
    attention(q, k, k, mask, **options)
sys.setprofile(None)
print(*sorted(name for name in entered if "course_lib" in name))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert 6 < len(run.stdout.split()) <= 8, run.stdout + run.stderr
