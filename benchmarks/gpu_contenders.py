"""The contenders of `gpu.py`, each doing what its name says, and the formulas they must equal."""

import math
from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from course_lib.kernels import additive_attention, flash_attention

Contender = tuple[str, Callable[..., Tensor]]
BACKENDS = {
    "SDPA flash": SDPBackend.FLASH_ATTENTION,
    "SDPA cuDNN": SDPBackend.CUDNN_ATTENTION,
    "SDPA memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
    "SDPA math": SDPBackend.MATH,
}
MAX_MATH = 4096  # longer ones would take gigabytes


def scaled_dot(
    is_causal: bool, grouped: bool, T: int, S: int, device: torch.device
) -> Iterator[Contender]:
    """(q, k, v) → output. A backend that cannot run raises, and is reported so."""
    yield "course_lib", lambda q, k, v: flash_attention(q, k, v, is_causal=is_causal)
    for name, backend in BACKENDS.items():
        if name != "SDPA math" or S <= MAX_MATH:
            yield name, _only(backend, is_causal, grouped)
    if device.type == "cuda":
        yield "FlexAttention", _flex(is_causal, grouped, T, S)


def _only(backend: SDPBackend, is_causal: bool, grouped: bool) -> Callable[..., Tensor]:
    def run(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        with sdpa_kernel(backend):
            settings = {"is_causal": is_causal, "enable_gqa": grouped}
            return F.scaled_dot_product_attention(q, k, v, **settings)

    return run


def _flex(is_causal: bool, grouped: bool, T: int, S: int) -> Callable[..., Tensor]:
    """Compiled for this one size: a graph for any size would be another contender."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    torch.compiler.reset()
    mask = None
    if is_causal:
        mask = create_block_mask(lambda b, h, t, s: t >= s, None, None, T, S, device="cuda")
    compiled = torch.compile(flex_attention, dynamic=False, fullgraph=True)
    return lambda q, k, v: compiled(q, k, v, block_mask=mask, enable_gqa=grouped)


def formula(is_causal: bool) -> Callable[..., Tensor]:
    """softmax(Q Kᵀ / √d) V for some rows of Q, which may see the keys up to their own."""

    def attend(rows: slice, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = q[..., rows, :] @ k.mT / math.sqrt(q.shape[-1])
        if is_causal:
            t = torch.arange(q.shape[-2], device=q.device)[rows, None]
            future = torch.arange(k.shape[-2], device=q.device) > t
            scores = scores.masked_fill(future, -math.inf)
        return torch.softmax(scores, -1) @ v

    return attend


def additive(T: int) -> Iterator[Contender]:
    """(query_proj, key_proj, v_a, values) → context."""
    yield "course_lib", additive_attention
    if T <= 4096:  # T · T · 128 hidden numbers in float32 take 8 GiB there, and as much again
        yield "naive broadcast", naive
    torch.compiler.reset()  # one graph for this size, not a second, dynamic one after another
    yield "torch.compile of naive", torch.compile(naive, dynamic=False, fullgraph=True)


def naive(q: Tensor, k: Tensor, v_a: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(torch.tanh(q[:, :, None] + k[:, None]) @ v_a, -1) @ values


def additive_formula(rows: slice, q: Tensor, k: Tensor, v_a: Tensor, values: Tensor) -> Tensor:
    """The same for some of the queries, a feature at a time."""
    scores = sum(
        v_a[i] * torch.tanh(q[:, rows, None, i] + k[:, None, :, i]) for i in range(q.shape[-1])
    )
    return torch.softmax(scores, -1) @ values
