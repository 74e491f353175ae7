"""Additive attention without the (T, S, a) tensor: checks, choice of path, and the result."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.precision import no_autocast
from course_lib.checks import autocasts, check_attention_inputs, check_last_dim
from course_lib.kernels.additive_blocked import BlockedAdditive, readable_additive
from course_lib.kernels.additive_recomputed import recomputed_additive
from course_lib.kernels.choose import choose_additive


def additive_attention(
    query_proj: Float[Tensor, "... T a"],
    key_proj: Float[Tensor, "... S a"],
    v_a: Float[Tensor, " a"],
    values: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "... T d_v"]:
    """Additive attention with memory linear in T and in S.

        out_t = Σ_s softmax_s(v_aᵀ tanh(q_t + k_s)) values_s

    query_proj = W_a s (..., T, a), key_proj = U_a h (..., S, a), v_a (a,), values (..., S, d_v)
    → (..., T, d_v). Half precision is computed in float32.

    Large inputs on a CPU go through an identity of the exponential (`additive_blocked`) while no
    score is off by more than eps · Σ|v_a| ≤ 256 eps, 3e-5 in float32; where that bound or the
    range of the exponential would be left, each pair takes its own tanh. The last bits of a
    result therefore depend on what else is in the batch, keys behind the mask included. Second
    derivatives, and all that `torch.func` asks for, are those of the readable formula, with its
    memory.

    Args:
        mask: boolean, broadcastable to (..., T, S), True = may attend; a query with nothing to
            attend to gets zeros.

    Raises:
        ValueError: for shapes and devices that do not fit.
        TypeError: for what is not floating point, for different dtypes, and for a mask that is
            not boolean.

    Bahdanau, Cho & Bengio (2015), "Neural machine translation by jointly learning to align and
    translate", https://arxiv.org/abs/1409.0473. `explain(..., score="additive")` says which path
    runs.
    """
    names = "query_proj", "key_proj", "values"
    check_attention_inputs(query_proj, key_proj, values, mask, names=names, v_a=v_a)
    if v_a.ndim != 1:
        raise ValueError(f"v_a must have shape (a,), got {tuple(v_a.shape)}.")
    for name, tensor in (("query_proj", query_proj), ("key_proj", key_proj)):
        check_last_dim(name, tensor, v_a.shape[0], "v_a", v_a)
    context = additive_context(query_proj, key_proj, v_a, values, mask)
    if context is not None:
        return context
    if not autocasts(values):
        return readable_additive(query_proj, key_proj, v_a, values, mask)
    with no_autocast(values):
        out = readable_additive(query_proj, key_proj, v_a, values, mask)
        return out.to(torch.get_autocast_dtype(values.device.type))


def additive_context(
    query_proj: Tensor, key_proj: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None = None
) -> Tensor | None:
    """The context by the path that `choose_additive` names; None when that is the formula."""
    path = choose_additive(query_proj, key_proj, v_a, values, mask).name
    if path == "readable":
        return None
    *lead, T, a = query_proj.shape
    S, d_v = values.shape[-2:]
    if mask is not None:
        mask = mask.expand(*lead, T, S).reshape(-1, T, S)
    q, k, val = query_proj.reshape(-1, T, a), key_proj.reshape(-1, S, a), values.reshape(-1, S, d_v)
    dtype = torch.get_autocast_dtype(values.device.type) if autocasts(values) else values.dtype
    with no_autocast(values):
        if path == "triton":
            from course_lib.kernels.additive_operator import triton_additive as attend
        else:
            attend = BlockedAdditive.apply if path == "blocked" else recomputed_additive
            wide = torch.promote_types(torch.float32, values.dtype)
            q, k, v_a, val = (x.to(wide) for x in (q, k, v_a, val))
        out = attend(q, k, v_a, val, mask)
    return out.to(dtype).reshape(*lead, T, d_v)
