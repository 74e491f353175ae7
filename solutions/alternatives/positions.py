"""Right answers to exercise 11, each written in another way than the reference."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def rotate_by_complex_numbers(x, positions, base=10000.0):
    """A pair is a complex number, a turn the product with one of length one."""
    wide = x.to(torch.float32).contiguous()
    pairs = torch.view_as_complex(wide.unflatten(-1, (-1, 2)))
    speeds = 1.0 / base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    angles = torch.outer(positions.float(), speeds)
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def rotate_by_swapping(x, positions, base=10000.0):
    """x·cos + (x with each pair (a, b) replaced by (-b, a))·sin, in float64."""
    d = x.shape[-1]
    columns = torch.arange(d)
    speeds = torch.exp(-(columns - columns % 2).double() / d * math.log(base))
    angles = positions.double().unsqueeze(-1) * speeds  # (T, d)
    swapped = x.double()[..., columns ^ 1] * torch.where(columns % 2 == 0, -1.0, 1.0)
    return (x.double() * angles.cos() + swapped * angles.sin()).type_as(x)


def rotate_by_matrices(x, positions, base=10000.0):
    """One rotation matrix (d, d) for each position."""
    length, d = x.shape[-2:]
    matrices = torch.zeros(length, d, d)
    for t in range(length):
        for i in range(d // 2):
            angle = float(positions[t]) * base ** (-2 * i / d)
            matrices[t, 2 * i, 2 * i] = matrices[t, 2 * i + 1, 2 * i + 1] = math.cos(angle)
            matrices[t, 2 * i, 2 * i + 1] = -math.sin(angle)
            matrices[t, 2 * i + 1, 2 * i] = math.sin(angle)
    return (matrices @ x.float().unsqueeze(-1)).squeeze(-1).to(x.dtype)


def rotate_into_a_copy(x, positions, base=10000.0):
    theta = base ** (torch.arange(x.shape[-1] // 2) * (-2 / x.shape[-1]))
    angles = torch.einsum("t,i->ti", positions.float(), theta)
    a, b = x[..., ::2].float(), x[..., 1::2].float()
    out = torch.empty(x.shape, dtype=x.dtype)
    out[..., ::2] = (a * torch.cos(angles) - b * torch.sin(angles)).to(x.dtype)
    out[..., 1::2] = (b * torch.cos(angles) + a * torch.sin(angles)).to(x.dtype)
    return out


def alibi_in_loops(num_heads, n_queries, n_keys):
    """Head by head, pair by pair; what lies ahead keeps its 0."""
    bias = torch.zeros(num_heads, n_queries, n_keys)
    for h in range(num_heads):
        for t in range(n_queries):
            for s in range(n_keys):
                back = t + n_keys - n_queries - s
                if back > 0:
                    bias[h, t, s] = -back * 2 ** (-8 * (h + 1) / num_heads)
    return bias


def alibi_by_numpy(num_heads, n_queries, n_keys):
    first = 2 ** (-8 / num_heads)
    slopes = np.cumprod(np.full(num_heads, first))
    ahead = np.subtract.outer(-np.arange(n_queries)[::-1], -np.arange(n_keys)[::-1])
    return torch.from_numpy(np.multiply.outer(-slopes, np.maximum(ahead, 0))).float()


def alibi_by_outer_product(num_heads, n_queries, n_keys):
    slopes = torch.logspace(-8 / num_heads, -8, num_heads, base=2.0)
    places = torch.arange(n_keys - n_queries, n_keys, dtype=torch.float32).view(-1, 1)
    ahead = torch.arange(n_keys, dtype=torch.float32) - places
    return torch.einsum("h,ts->hts", slopes, -F.relu(-ahead))


def alibi_by_cumulative_sums(num_heads, n_queries, n_keys):
    """Each key behind a query is one step further than its right neighbour."""
    behind = torch.ones(n_queries, n_keys).tril(n_keys - n_queries - 1)
    back = behind.flip(-1).cumsum(-1).flip(-1) * behind
    exponents = [8 * h / num_heads for h in range(1, num_heads + 1)]
    return torch.stack([back * -(0.5**exponent) for exponent in exponents])


ALTERNATIVES = {
    "rotate": [
        rotate_by_complex_numbers,
        rotate_by_matrices,
        rotate_by_swapping,
        rotate_into_a_copy,
    ],
    "alibi": [
        alibi_in_loops,
        alibi_by_cumulative_sums,
        alibi_by_numpy,
        alibi_by_outer_product,
    ],
}
