"""The one place that decides which path runs, and says why."""

import importlib.util
from functools import cache
from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

SMALL = 2**17  # hidden numbers up to which one pass over all of them is quickest
WIDE = (torch.float32, torch.float64)
TRITON_DTYPES = (torch.float16, torch.bfloat16, torch.float32)


class Path(NamedTuple):
    name: Literal["readable", "direct", "blocked", "tiled", "torch", "triton"]
    reason: str


def explain(
    query: Float[Tensor, "..."],
    key: Float[Tensor, "..."],
    value: Float[Tensor, "..."] | None = None,
    mask: Bool[Tensor, "..."] | None = None,
    *,
    score: Literal["scaled_dot", "flash", "additive"] = "scaled_dot",
    is_causal: bool = False,
    need_weights: bool = False,
    dropout_p: float = 0.0,
) -> str:
    """Say which path attention over these tensors takes, and why: one sentence.

    query, key, value: what the score sees; for "additive" the projections (..., T, a) and
        (..., S, a). value defaults to key.
    score: "scaled_dot" and "additive" are what the modules call with `need_weights=False`;
        "flash" is `flash_attention` called by its name.
    Raises ValueError for a score that does not exist.
    """
    value = key if value is None else value
    if need_weights:
        path = Path("readable", "the weights are asked for, and only this path holds them")
    elif score == "additive":
        path = choose_additive(query, key, value)
    elif score == "flash":
        path = choose_flash(query, key, value)
    elif score == "scaled_dot":
        path = choose_scaled_dot(query, key, value, mask, is_causal, dropout_p)
    else:
        raise ValueError(f'score must be "scaled_dot", "flash" or "additive", got {score!r}.')
    return f"{path.name}: {path.reason}."


def choose_additive(query_proj: Tensor, key_proj: Tensor, values: Tensor) -> Path:
    """One of "direct", "blocked" and "triton"."""
    S = key_proj.shape[-2]
    hidden = query_proj.numel() * S
    if torch.compiler.is_compiling():
        return Path("direct", "the compiler fuses the plain formula by itself")
    if hidden <= SMALL:
        return Path("direct", f"{hidden} hidden numbers fit in the cache at once")
    obstacle = _no_triton(query_proj, key_proj, values)
    if obstacle is None and values.shape[-1] > 256:
        obstacle = f"the Triton kernel takes values of up to 256 numbers, not {values.shape[-1]}"
    if obstacle is None:
        return Path("triton", f"{hidden} hidden numbers are computed tile by tile on the GPU")
    return Path(
        "blocked", f"{hidden} hidden numbers are computed a few queries at a time, and {obstacle}"
    )


def choose_flash(q: Tensor, k: Tensor, v: Tensor) -> Path:
    """Either "tiled" or "triton"."""
    obstacle = _no_triton(q, k, v)
    if obstacle is None and not (q.shape[-1] == v.shape[-1] <= 128):
        obstacle = (
            "the Triton kernel takes equal head dimensions of up to 128, "
            f"not {q.shape[-1]} and {v.shape[-1]}"
        )
    if obstacle is None:
        return Path("triton", "the GPU keeps each tile of scores on the chip")
    return Path("tiled", f"{obstacle}, so PyTorch goes tile by tile")


def choose_scaled_dot(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, is_causal: bool, dropout_p: float
) -> Path:
    """Always "torch", but "triton" for the one case in which torch would need a (T, S) mask."""
    T, S = q.shape[-2], k.shape[-2]
    shifted = is_causal and 1 < T != S and mask is None and dropout_p == 0
    if shifted and q.is_cuda and choose_flash(q, k, v).name == "triton":
        return Path("triton", "bottom-right causal attention with T ≠ S needs no mask here")
    return Path("torch", f"torch has a fused kernel for {q.device.type}")


def plain_inference(*tensors: Tensor) -> bool:
    """Whether these are plain wide tensors on a CPU, and nobody differentiates, compiles, traces,
    transforms, casts or counts what is done with them: only then may one operation stand in for
    another, or write into memory it is given."""
    return (
        all(type(t) in (Tensor, nn.Parameter) and t.layout == torch.strided for t in tensors)
        and all(t.is_cpu and t.dtype == tensors[0].dtype in WIDE for t in tensors)
        and not (torch.is_grad_enabled() and any(t.requires_grad for t in tensors))
        and not torch.compiler.is_compiling()
        and not torch.jit.is_tracing()
        and not torch._C._are_functorch_transforms_active()
        and not torch._C._len_torch_dispatch_stack()  # a counter of operations, for one
        and not torch.is_autocast_enabled("cpu")
    )


def _no_triton(*tensors: Tensor) -> str | None:
    """Why Triton cannot take these tensors; None when it can."""
    first = tensors[0]
    if first.device.type != "cuda":
        return f"the tensors are on {first.device.type}, not on a CUDA device"
    if not _has_triton():
        return "Triton is not installed (pip install triton)"
    if any(t.dtype not in TRITON_DTYPES for t in tensors):
        return f"the Triton kernel computes in float32 at most, not in {first.dtype}"
    return None


@cache
def _has_triton() -> bool:
    return importlib.util.find_spec("triton") is not None
