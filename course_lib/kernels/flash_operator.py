"""The kernels of `flash_triton` as operators of torch's, which `torch.compile` keeps whole."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import triton
from torch import Tensor

from course_lib.kernels import flash_triton
from course_lib.kernels.choose import capability
from course_lib.kernels.differentiate import Gradients, readable_flash, readable_gradients
from course_lib.kernels.tiles import Pass, Tile, fastest, flash_tiles

MIN_SHARE = 512  # keys that one program reads at least, where programs share a query's keys
kernels: Any = flash_triton  # Any: where Triton is not installed, they take no [grid]
cdiv: Any = triton.cdiv  # its stub returns a kernel's constexpr, which is no int


def triton_flash(q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float) -> Tensor:
    """q (N, H, T, d), k and v (N, H / G, S, d) → (N, H, T, d)."""
    return flash(q, k, v, is_causal, scale)[0]


@torch.library.custom_op("course_lib::flash", mutates_args=())
def flash(q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float) -> tuple[Tensor, Tensor]:
    """The output (N, H, T, d), and for each query log₂ Σ 2^score (N, H, T) in float32."""
    q, k, v = _rows(q, k, v)
    (N, H, T, d), S = q.shape, k.shape[2]

    def launch(tile: Tile) -> tuple[Tensor, Tensor]:
        programs = cdiv(T, tile.BT) * N * H
        shares, span = split_keys(programs, S, tile.BS, _processors(q))
        out = q.new_empty(shares, N, H, T, d, dtype=q.dtype if shares == 1 else torch.float32)
        lse = q.new_empty(shares, N, H, T, dtype=torch.float32)
        settings = _settings(d, tile, is_causal, q.dtype)
        kernels._forward[(programs, shares)](
            q, k, v, out, lse, *(x.stride()[:3] for x in (q, k, v)), scale * _LOG2E,
            T, S, H, H // k.shape[1], span, **settings,
        )  # fmt: skip
        return (out[0], lse[0]) if shares == 1 else _join(out, lse, q.dtype)

    return _run("forward", launch, q, S, is_causal)


@torch.library.custom_op("course_lib::flash_backward", mutates_args=())
def flash_backward(
    d_out: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, lse: Tensor,
    is_causal: bool, scale: float,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of q, k and v."""
    delta = (d_out.float() * out.float()).sum(-1)  # (N, H, T)
    q, k, v, d_out = _rows(q, k, v, d_out)
    dq, dk, dv = (x.new_empty(x.shape) for x in (q, k, v))
    (N, H, T, d), (h, S) = q.shape, k.shape[1:3]
    strides = [x.stride()[:3] for x in (q, k, v, d_out)]

    def launch(kernel: Any, grads: tuple[Tensor, ...], tile: Tile) -> None:
        tiles = h * cdiv(S, tile.BS) if len(grads) == 2 else H * cdiv(T, tile.BT)
        settings = _settings(d, tile, is_causal, q.dtype)
        kernel[(N * tiles,)](
            q, k, v, d_out, lse, delta, *grads, *strides, scale * _LOG2E,
            T, S, H, H // h, **settings,
        )  # fmt: skip

    queries = partial(launch, kernels._backward_queries, (dq,))
    keys = partial(launch, kernels._backward_keys, (dk, dv))
    _run("backward_queries", queries, q, S, is_causal)
    _run("backward_keys", keys, q, S, is_causal)
    return dq, dk, dv


@flash.register_fake
def _(q: Tensor, k: Tensor, v: Tensor, is_causal: bool, scale: float) -> tuple[Tensor, Tensor]:
    return q.new_empty(q.shape), q.new_empty(q.shape[:-1], dtype=torch.float32)


@flash_backward.register_fake
def _(
    d_out: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, lse: Tensor,
    is_causal: bool, scale: float,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    return q.new_empty(q.shape), k.new_empty(k.shape), v.new_empty(v.shape)


def _setup(ctx: Any, inputs: tuple, output: tuple[Tensor, Tensor]) -> None:
    *tensors, is_causal, scale = inputs
    ctx.save_for_backward(*tensors, *output)
    ctx.settings = is_causal, scale


def _backward(ctx: Any, d_out: Tensor, _: Tensor) -> Gradients:
    q, k, v, out, lse = ctx.saved_tensors
    is_causal, scale = ctx.settings
    if torch.is_grad_enabled():
        readable = partial(readable_flash, is_causal=is_causal, scale=scale)
        return *readable_gradients(readable, (q, k, v), d_out), None, None
    return *flash_backward(d_out, q, k, v, out, lse, is_causal, scale), None, None


flash.register_autograd(_backward, setup_context=_setup)

_LOG2E = math.log2(math.e)


def split_keys(programs: int, n_keys: int, block: int, processors: int) -> tuple[int, int]:
    """Into how many shares the keys go, and how many keys a share has.

    One program reads all keys of its queries, unless that leaves processors without work.
    """
    shares = min(processors // programs, n_keys // MIN_SHARE)
    if shares <= 1:
        return 1, n_keys
    span = cdiv(cdiv(n_keys, shares), block) * block
    return cdiv(n_keys, span), span


def _join(out: Tensor, lse: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """The attention over all shares of the keys, from that over each: (shares, …) → (…)."""
    lse = torch.where(lse == math.inf, -math.inf, lse)  # +inf said that a query sees no key
    total = torch.logsumexp(lse / _LOG2E, 0) * _LOG2E
    any_key = total != -math.inf
    weights = torch.exp2(lse - torch.where(any_key, total, 0.0))
    out = (weights[..., None] * out).sum(0)
    return out.to(dtype), torch.where(any_key, total, math.inf)


def _run(passes: Pass, launch: Callable, q: Tensor, n_keys: int, is_causal: bool) -> Any:
    """Launch on the device of q, whichever is the current one, with one of its tiles."""
    with torch.cuda.device_of(q):
        tiles = flash_tiles(passes, q.dtype, capability(q.device))
        return launch(fastest(tiles, launch, q, n_keys, passes, is_causal))


def _rows(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Each with its rows in one piece, as the kernels read them."""
    return tuple(x if x.stride(-1) == 1 else x.contiguous() for x in tensors)


def _processors(q: Tensor) -> int:
    return torch.cuda.get_device_properties(q.device).multi_processor_count if q.is_cuda else 1


def _settings(d: int, tile: Tile, is_causal: bool, dtype: torch.dtype) -> dict[str, object]:
    return {
        "d": d,
        "D": max(16, triton.next_power_of_2(d)),  # tl.dot takes no fewer than 16
        "CAUSAL": is_causal,
        "PRECISION": "tf32x3" if dtype == torch.float32 else "tf32",
        **tile._asdict(),
    }
