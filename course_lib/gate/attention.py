"""Attention of tensors that are checked here: by the formula, or by a path that is as exact."""

import math

import torch
from jaxtyping import Bool, Float, Num
from torch import Tensor

from course_lib.formulas import scaled_dot_product as formulas
from course_lib.formulas.precision import autocasts, no_autocast
from course_lib.gate.documented import documented_by
from course_lib.gate.softmax import masked_softmax
from course_lib.kernels import additive, choose, flash, fused
from course_lib.kernels.additive_blocked import readable_additive
from course_lib.validation.arguments import flag, number
from course_lib.validation.arrays import Array, check_scores_and_values
from course_lib.validation.tensors import (
    check_attention_inputs,
    check_last_dim,
    check_scale,
    flags,
)

KERNELS = {"torch": fused.fused_attention, "triton": flash.triton_attention}


@documented_by(formulas.attend)
def attend(
    scores: Num[Array, "... T S"],
    values: Num[Array, "... S d_v"],
    mask: Bool[Array, "..."] | None = None,
) -> tuple[Float[Array, "... T d_v"], Float[Array, "... T S"]]:
    """
    NumPy arrays for NumPy arrays.

    Raises:
        ValueError: when the lengths or the mask do not fit, and for scores without a softmax.
        TypeError: for a mask that is not boolean, and for arrays mixed with tensors.
    """
    check_scores_and_values(scores, values)
    weights = masked_softmax(scores, mask)
    return weights @ values, weights


def scaled_dot_product_attention(
    query: Float[Tensor, "... T d"],
    key: Float[Tensor, "... S d"],
    value: Float[Tensor, "... S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    score_bias: Float[Tensor, "..."] | None = None,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    dropout_p: float = 0.0,
    need_weights: bool = True,
) -> tuple[Float[Tensor, "... T d_v"], Float[Tensor, "... T S"] | None]:
    """The attention of the Transformer.

        output = softmax(Q Kᵀ / √d + bias) V

    Args:
        key, value: may have fewer heads than query, (B, H_kv, S, d) beside (B, H, T, d), if H_kv
            divides H: each then serves a group of H / H_kv heads (grouped-query attention).
        mask: broadcastable to (..., T, S), True = may attend; with `is_causal` both must agree.
            Fill padding with finite numbers: as in torch, NaN in a hidden key makes the gradient of
            the query NaN, and on a GPU, without weights, the output too.
        score_bias: finite floats added to the scores, broadcastable to (..., T, S), as
            `alibi_bias` makes them.
        is_causal: hide the future, aligned bottom-right as in `causal_mask`: the last query sees
            every key. Torch's own `is_causal` is aligned top-left, which differs when T ≠ S.
        scale: replaces 1/√d when given; a tensor may be learned.
        dropout_p: share of the weights set to zero, the others scaled up by 1 / (1 − p), also in
            evaluation: a function knows no mode. The weights come back as they were used.
        need_weights: False returns None for the weights and may run a fused kernel, but not while
            `torch.jit.trace` looks, which cannot return None.

    A hidden value must be finite: its weight is 0, and 0 · NaN is NaN.

    Returns:
        (output, weights or None).

    Raises:
        ValueError: when shapes or devices do not fit (batches are not broadcast), for a scale or
            bias that is not finite and a dropout_p outside [0, 1), and when there is no key, S = 0:
            a mask may hide every key, which gives zeros.
        TypeError: for a mask that is not boolean, and for integers.

    Vaswani et al. (2017), "Attention is all you need", https://arxiv.org/abs/1706.03762, equation
    1.
    """
    is_causal, need_weights = flags(is_causal=is_causal, need_weights=need_weights)
    if dropout_p != 0:
        dropout_p = number("dropout_p", dropout_p, least=0, below=1)
    check_scale(scale)
    fits = {"names": ("query", "key", "value"), "dot": True, "grouped": 4}
    check_attention_inputs(query, key, value, mask, score_bias, **fits)
    options = {"is_causal": is_causal, "scale": scale, "dropout_p": dropout_p}
    traced = torch.jit.is_tracing()  # pyright: ignore[reportPrivateImportUsage]
    need_weights = need_weights or traced  # a trace cannot return None
    if not need_weights:
        path = choose.choose_scaled_dot(query, key, value, mask, score_bias, **options)
        if path.name in KERNELS:
            return KERNELS[path.name](query, key, value, mask, score_bias, **options), None
    output, weights = formulas.scaled_dot_product_attention(
        query, key, value, mask, score_bias, **options
    )
    return output, weights if need_weights else None


def flash_attention(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... S d"],
    v: Float[Tensor, "... S d_v"],
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Float[Tensor, "... T d_v"]:
    """Scaled dot-product attention, exact, without the (T, S) matrix.

        O = softmax(scale · Q Kᵀ) V

    q (..., T, d), k (..., S, d), v (..., S, d_v) → (..., T, d_v). The heads, third from the
    right, may be grouped: k and v may have fewer, if their number divides that of q. Half
    precision is computed in float32. The GPU makes a float32 product of three in TF32, where an
    infinite input gives NaN. Second derivatives, and all that `torch.func` asks for, are
    those of the readable formula, with its memory.

    Args:
        is_causal: bottom-right, as in `causal_mask` (torch's own is top-left); a query that sees
            no key gets zeros.
        scale: 1/√d unless given.

    Raises:
        ValueError: for shapes that do not fit.
        TypeError: for what is not floating point, for different dtypes, and for a tensor as the
            scale: `scaled_dot_product_attention` takes one, and learns it.

    Dao et al. (2022), "FlashAttention: fast and memory-efficient exact attention with
    IO-awareness", https://arxiv.org/abs/2205.14135. `explain(..., score="flash")` says which path
    runs.
    """
    is_causal = flag("is_causal", is_causal)
    check_attention_inputs(q, k, v, names=("q", "k", "v"), dot=True, grouped=3)
    if not q.dtype == k.dtype == v.dtype:
        raise TypeError(f"q, k and v need one dtype, got {q.dtype}, {k.dtype} and {v.dtype}.")
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    return flash.flash_context(q, k, v, is_causal, number("scale", scale))


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
    context = additive.additive_context(query_proj, key_proj, v_a, values, mask)
    if context is not None:
        return context
    if not autocasts(values):
        return readable_additive(query_proj, key_proj, v_a, values, mask)
    with no_autocast(values):
        out = readable_additive(query_proj, key_proj, v_a, values, mask)
        return out.to(torch.get_autocast_dtype(values.device.type))
