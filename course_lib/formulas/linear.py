"""Attention without a softmax: a state of fixed size in the place of a cache that grows.

Both functions compute the same numbers in two ways. The *parallel* form makes all outputs at once
from a (T, S) matrix, as attention does; the *recurrent* form (`recurrent=True`) reads one position
after another and keeps one matrix (d_k, d_v), which is all that it remembers.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.formulas.precision import product, wide


def linear_attention(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... S d"],
    v: Float[Tensor, "... S d_v"],
    *,
    is_causal: bool = False,
    recurrent: bool = False,
) -> Float[Tensor, "... T d_v"]:
    """The softmax's exp(qᵀk) replaced by φ(q)ᵀφ(k), which can be summed before q is known.

        o_t = Σ_s φ(q_t)ᵀφ(k_s) v_s / Σ_s φ(q_t)ᵀφ(k_s),   φ(x) = elu(x) + 1 > 0

    φ(x) is x + 1 above zero and exp(x) below. It is computed as that: elu(x) + 1 is exp(x) − 1 + 1
    below zero, which float32 rounds to 0 from x = −17 on.

    Recurrent: S ← S + φ(k_s) v_sᵀ,  z ← z + φ(k_s),  o_t = Sᵀφ(q_t) / zᵀφ(q_t).

    Args:
        q, k, v: queries (..., T, d), keys (..., S, d) and values (..., S, d_v).
        is_causal: hide the future, aligned bottom-right as in `causal_mask`. A query that sees no
            key gets zeros; in float32 so does one whose keys have no feature above −87 less than
            the largest of a later key.
        recurrent: read the keys one after another.

    Returns:
        (..., T, d_v). Half precision is summed in float32.

    Katharopoulos et al. (2020), "Transformers are RNNs: fast autoregressive Transformers with
    linear attention", https://arxiv.org/abs/2006.16236.
    """
    T, S = q.shape[-2], k.shape[-2]
    # A factor common to a query's features, or to all keys, cancels in the quotient.
    phi_q, phi_k, values = _phi(wide(q), (-1,)), _phi(wide(k), (-2, -1)), wide(v)
    if recurrent:
        sums, totals = _recurrent_sums(phi_q, phi_k, values, S - T if is_causal else S)
    else:
        weights = product(phi_q, phi_k.mT)  # (..., T, S)
        if is_causal:
            weights = weights.tril(S - T)
        sums, totals = product(weights, values), weights.sum(-1, keepdim=True)
    return (sums / torch.where(totals > 0, totals, 1)).to(v.dtype)


def _phi(x: Tensor, dims: tuple[int, ...]) -> Tensor:
    """φ(x) > 0, times a factor common to `dims` with which the largest is 1: none overflows."""
    if x.numel() == 0:
        return x
    largest = x.detach().amax(dims, keepdim=True)
    above = largest.clamp(min=0) + 1
    return torch.where(x > 0, x + 1, (x.clamp(max=0) - largest.clamp(max=0)).exp()) / above


def _recurrent_sums(phi_q: Tensor, phi_k: Tensor, v: Tensor, offset: int) -> tuple[Tensor, Tensor]:
    """Σ_s φ(q_t)ᵀφ(k_s) v_s and Σ_s φ(q_t)ᵀφ(k_s) over the keys s ≤ t + offset."""
    T, S = phi_q.shape[-2], phi_k.shape[-2]
    state = phi_k.new_zeros(*phi_k.shape[:-2], phi_k.shape[-1], v.shape[-1])  # (..., d, d_v)
    total = phi_k.new_zeros(phi_k.shape[:-2] + phi_k.shape[-1:])  # (..., d)
    sums, totals, read = [product(phi_q[..., :0, :], state)], [phi_q[..., :0, :1]], 0
    for t in range(T):
        while read < min(S, t + offset + 1):
            state = state + phi_k[..., read, :, None] * v[..., read, None, :]
            total = total + phi_k[..., read, :]
            read += 1
        row = phi_q[..., t : t + 1, :]  # (..., 1, d)
        sums.append(product(row, state))
        totals.append((row * total[..., None, :]).sum(-1, keepdim=True))
    return torch.cat(sums, -2), torch.cat(totals, -2)


def delta_rule(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... T d"],
    v: Float[Tensor, "... T d_v"],
    beta: Float[Tensor, "... T"],
    *,
    recurrent: bool = False,
) -> Float[Tensor, "... T d_v"]:
    """A memory that is corrected, not only added to: what it says for k moves towards v.

        S_t = S_{t−1} + β_t k_t (v_t − S_{t−1}ᵀ k_t)ᵀ,   o_t = S_tᵀ q_t

    One step of gradient descent on ½ ‖Sᵀk − v‖² with rate β. The parallel form first solves for
    what is written at each position, u_t = v_t − S_{t−1}ᵀ k_t, which depends on what was written
    before: a triangular system.

        (I + tril(K Kᵀ, −1) diag(β)) U = V,   O = tril(Q Kᵀ) diag(β) U

    Args:
        q, k: (..., T, d). The keys should have length 1: with β = 1 a key then recalls exactly the
            value that was written last.
        v: (..., T, d_v).
        beta: (..., T), how far each correction goes; 0 writes nothing.
        recurrent: read the positions one after another.

    Returns:
        (..., T, d_v), always causal. Half precision is summed in float32.

    Yang et al. (2024), "Parallelizing linear Transformers with the delta rule over sequence
    length", https://arxiv.org/abs/2406.06484.
    """
    query, key, value, rate = (wide(x) for x in (q, k, v, beta[..., None]))
    if not recurrent:
        earlier = product(key, key.mT).tril(-1) * rate.mT  # the 1 of each diagonal is not stored
        written = torch.linalg.solve_triangular(earlier, value, upper=False, unitriangular=True)
        return product(product(query, key.mT).tril(), rate * written).to(v.dtype)
    state = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])  # (..., d, d_v)
    outputs = [product(query[..., :0, :], state)]
    for t in range(key.shape[-2]):
        k_t = key[..., t, :, None]  # (..., d, 1)
        error = value[..., t, None, :] - product(k_t.mT, state)  # (..., 1, d_v)
        state = state + product(rate[..., t, None, :] * k_t, error)
        outputs.append(product(query[..., t, None, :], state))
    return torch.cat(outputs, -2).to(v.dtype)
