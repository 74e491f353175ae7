"""The one place that decides which path runs, and says why."""

import importlib.util
from typing import Literal, NamedTuple

import torch
import torch.autograd.forward_ad as forward_ad
from torch import Tensor, nn

from course_lib.formulas.precision import HALF
from course_lib.kernels.additive_blocked import why_inexact

MAX_READABLE = 2**17  # hidden numbers up to which the readable formula is quickest
GPU = "cuda"  # where Triton's kernels run; the tests put the interpreter's "cpu" here
OLDEST = (8, 0)  # the first cards whose tensor cores take bfloat16 and TF32
HAS_TRITON = importlib.util.find_spec("triton") is not None
TRITON_DTYPES = (torch.float16, torch.bfloat16, torch.float32)


class Path(NamedTuple):
    name: Literal["readable", "blocked", "recomputed", "tiled", "torch", "triton"]
    reason: str


def choose_scaled_dot(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
    *,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    dropout_p: float = 0.0,
) -> Path:
    """One of "readable", "torch" and, where torch would need a (T, S) mask, "triton"."""
    if isinstance(scale, Tensor):
        return Path("readable", "torch's fused kernels take no tensor for the scale")
    obstacle = _no_kernel(q, k, v, mask, score_bias)
    if obstacle is not None:
        return Path("readable", obstacle)
    T, S = q.shape[-2], k.shape[-2]
    shifted = is_causal and 1 < T != S and mask is None and score_bias is None and dropout_p == 0
    if shifted and choose_flash(q, k, v).name == "triton":
        return Path("triton", "bottom-right causal attention with T ≠ S needs no mask here")
    wide = ", in float32 beside a bias" if score_bias is not None and q.dtype in HALF else ""
    return Path("torch", f"torch has a fused kernel for {q.device.type}{wide}")


def choose_flash(q: Tensor, k: Tensor, v: Tensor) -> Path:
    """One of "readable", "torch", "tiled" and "triton"."""
    obstacle = _no_kernel(q, k, v)
    if obstacle is not None:
        return Path("readable", obstacle)
    obstacle = _no_triton(q, k, v)
    if obstacle is None and not (q.shape[-1] == v.shape[-1] <= 128):
        obstacle = (
            "the Triton kernel takes equal head dimensions of up to 128, "
            f"not {q.shape[-1]} and {v.shape[-1]}"
        )
    if obstacle is None:
        return Path("triton", "the GPU keeps each tile of scores on the chip")
    if torch.compiler.is_compiling():
        return Path("torch", "a compiled graph takes torch's fused kernel as one operation")
    return Path("tiled", f"{obstacle}, so PyTorch goes tile by tile")


def choose_additive(
    query_proj: Tensor,
    key_proj: Tensor,
    v_a: Tensor | None,
    values: Tensor,
    mask: Tensor | None = None,
) -> Path:
    """One of "readable", "blocked", "recomputed" and "triton"."""
    if torch.compiler.is_compiling():  # without a look at the lengths, which may be symbols
        if _no_triton_additive(query_proj, key_proj, values) is None:
            return Path("triton", "a compiled graph keeps the Triton kernel as one operation")
        return Path("readable", "the compiler fuses the formula by itself")
    hidden = query_proj.numel() * key_proj.shape[-2]
    if hidden <= MAX_READABLE:
        return Path("readable", f"{hidden} hidden numbers fit in the cache at once")
    obstacle = _no_kernel(query_proj, key_proj, v_a, values, mask)
    if obstacle is not None:
        return Path("readable", obstacle)
    obstacle = _no_triton_additive(query_proj, key_proj, values)
    if obstacle is None:
        return Path("triton", f"{hidden} hidden numbers are computed tile by tile on the GPU")
    reason = f"{hidden} hidden numbers are computed a few queries at a time, and {obstacle}"
    doubt = why_inexact(query_proj, key_proj, v_a)
    if doubt is None:
        return Path("blocked", reason)
    return Path("recomputed", f"{reason}; each takes its own tanh, as {doubt}")


def _no_triton_additive(query_proj: Tensor, key_proj: Tensor, values: Tensor) -> str | None:
    obstacle = _no_triton(query_proj, key_proj, values)
    if obstacle is not None:
        return obstacle
    if values.shape[-1] > 256:
        return f"the Triton kernel takes values of up to 256 numbers, not {values.shape[-1]}"
    if torch.are_deterministic_algorithms_enabled():
        return "the Triton kernel adds its gradients in an order that changes"
    return None


def _no_kernel(*tensors: Tensor | None) -> str | None:
    """Why only the readable formula will do for these tensors; None when a kernel may run."""
    if torch.compiler.is_compiling():
        return None  # the graph is what torch transforms, not what is seen here
    if is_wrapped(*tensors):
        return "torch.func transforms the formula, not a kernel"
    given = [x for x in tensors if x is not None]
    if given[0].is_meta:
        return "meta tensors hold no numbers"
    if any(forward_ad.unpack_dual(x).tangent is not None for x in given if x.is_floating_point()):
        return "the kernels have no forward-mode derivative"
    return None


def _no_triton(*tensors: Tensor) -> str | None:
    """Why Triton cannot take these tensors; None when it can."""
    first = tensors[0]
    if first.device.type != GPU:
        return f"the tensors are on {first.device.type}, not on a CUDA device"
    if not HAS_TRITON:
        return "Triton is not installed (pip install triton)"
    if any(t.dtype not in TRITON_DTYPES for t in tensors):
        return f"the Triton kernel computes in float32 at most, not in {first.dtype}"
    if capability(first.device) < OLDEST:
        return (
            "the Triton kernels are compiled for compute capability {}.{} and later, and this "
            "card has {}.{}".format(*OLDEST, *capability(first.device))
        )
    return None


def is_wrapped(*tensors: Tensor | None) -> bool:
    """Whether these tensors have numbers only behind something else, or none.

    Subclasses such as fake tensors; and `torch.func` hands over what has no memory of its own.
    """
    try:
        for tensor in (x for x in tensors if x is not None):
            if type(tensor) not in (Tensor, nn.Parameter):
                return True
            tensor.untyped_storage()
    except NotImplementedError:
        return True
    return False


def capability(device: torch.device) -> tuple[int, int]:
    """Of the card, or, for the interpreter on a CPU, that of the oldest."""
    if device.type != "cuda":
        return OLDEST
    card = torch.cuda.get_device_properties(device)  # a constant to the compiler
    return card.major, card.minor
