"""Every attention of course_lib behind one signature, so that a property is stated once for all."""

import pytest
import torch
from torch import Tensor, nn

from course_lib import (
    AdditiveAttention,
    HardAttention,
    LuongAttention,
    MultiHeadAttention,
    scaled_dot_product_attention,
)

D = 8  # the last dimension of queries, keys and values


class _Plain(nn.Module):
    def forward(self, query, keys, values=None, mask=None, *, need_weights=True):
        values = keys if values is None else values
        return scaled_dot_product_attention(query, keys, values, mask, need_weights=need_weights)


class _Heads(nn.Module):
    def __init__(self, num_kv_heads):
        super().__init__()
        self.inner = MultiHeadAttention(D, 4, num_kv_heads=num_kv_heads)

    def forward(self, query, keys, values=None, mask=None, *, need_weights=True):
        return self.inner(query, keys, values, mask=mask, need_weights=need_weights)


VARIANTS = {
    "scaled-dot": _Plain,
    "additive": lambda: AdditiveAttention(D, D, 6),
    "multi-head": lambda: _Heads(4),
    "grouped-query": lambda: _Heads(2),
    "multi-query": lambda: _Heads(1),
    "hard": lambda: HardAttention(D, D, 6).eval(),
} | {
    f"luong-{score}-{scope}": lambda score=score, scope=scope: LuongAttention(
        D, D, score=score, scope=scope, window=2
    )
    for score in ("dot", "general", "concat")
    for scope in ("global", "local-m", "local-p")
}
LOCAL = {name for name in VARIANTS if "local" in name}
SMOOTH = set(VARIANTS) - {"hard"}
FUSED = {"scaled-dot", "multi-head", "grouped-query", "multi-query"}


def variants(names=VARIANTS):
    """Run a test once for each attention named."""
    return pytest.mark.parametrize("name", sorted(names))


def build(name: str, device="cpu", dtype=torch.float64) -> nn.Module:
    torch.manual_seed(1)
    return VARIANTS[name]().to(device=device, dtype=dtype)


def draw(B: int, T: int, S: int, device="cpu", dtype=torch.float64) -> tuple[Tensor, Tensor]:
    """Queries (B, T, D) and keys (B, S, D)."""
    return (
        torch.randn(B, T, D, dtype=torch.float64).to(device, dtype),
        torch.randn(B, S, D, dtype=torch.float64).to(device, dtype),
    )


def tolerance(dtype: torch.dtype) -> dict[str, float]:
    bound = {
        torch.float64: 1e-12,
        torch.float32: 1e-5,
        torch.float16: 1e-2,  # 11 bits of mantissa
        torch.bfloat16: 6e-2,  # 8 bits
    }[dtype]
    return {"rtol": bound, "atol": bound}


def equal(actual: Tensor, expected: Tensor) -> None:
    """The same shape, dtype and numbers, as near as the dtype allows."""
    torch.testing.assert_close(actual, expected, **tolerance(actual.dtype))
