"""The benchmark for GPUs: right references, and no time for a wrong result."""

import torch

from benchmarks import gpu, gpu_contenders


def test_the_references_are_the_formulas(monkeypatch):
    monkeypatch.setattr(gpu, "SCORES", 1)  # 16 queries at a time
    q, k, v = torch.randn(3, 1, 2, 70, 4)
    grad = torch.randn(1, 2, 70, 4)
    attend = gpu_contenders.formula(is_causal=True)
    found = gpu.exact(attend, [q, k, v], grad)
    leaves = [x.double().requires_grad_() for x in (q, k, v)]
    out = torch.nn.functional.scaled_dot_product_attention(*leaves, is_causal=True)
    expected = [out, *torch.autograd.grad(out, leaves, grad.double())]
    assert gpu.error(found, expected) < 1e-12
    inputs = torch.randn(1, 40, 3), torch.randn(1, 30, 3), torch.randn(3), torch.randn(1, 30, 2)
    grad = torch.randn(1, 40, 2)
    leaves = [x.double().requires_grad_() for x in inputs]
    out = gpu_contenders.naive(*leaves)
    expected = [out, *torch.autograd.grad(out, leaves, grad.double())]
    found = gpu.exact(gpu_contenders.additive_formula, list(inputs), grad)
    assert gpu.error(found, expected) < 1e-12


def test_a_wrong_result_is_not_timed(monkeypatch):
    q = torch.randn(1, 1, 8, 4, dtype=torch.bfloat16)

    def wrong(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, 1.1 * v)

    monkeypatch.setattr(gpu_contenders, "scaled_dot", lambda *_: [("wrong", wrong)])
    (row,) = gpu._scaled_dot("flash", [q, q, q], False, 1.0, 1.0)
    assert row["note"] == "wrong result, not timed" and row["ms"] == ""
    assert float(row["error"]) > 0.05
