"""Right answers to exercise 07, each written in another way than the reference."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def attention_by_einsum(query, key, value, mask=None):
    """Letters in place of transposes, and `nan_to_num` for the rows that see nothing."""
    scores = torch.einsum("...td,...sd->...ts", query, key) * query.size(-1) ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    weights = torch.nan_to_num(scores.softmax(dim=-1))
    return torch.einsum("...ts,...sv->...tv", weights, value), weights


def attention_by_torch(query, key, value, mask=None):
    """torch's own function, once for the output and once for the weights."""
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    eye = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    return output, F.scaled_dot_product_attention(query, key, eye, attn_mask=mask)


def attention_in_loops(query, key, value, mask=None):
    """One query at a time; a query with no allowed key is left at zero."""
    lead, n_queries, n_keys = query.shape[:-2], query.shape[-2], key.shape[-2]
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool) if mask is None else mask
    mask = mask.expand(*lead, n_queries, n_keys)
    weights = query.new_zeros(*lead, n_queries, n_keys)
    for place in np.ndindex(*lead, n_queries):
        allowed = mask[place]
        if allowed.any():
            scores = key[place[:-1]][allowed] @ query[place] / math.sqrt(query.shape[-1])
            row = torch.zeros_like(weights[place])
            row[allowed] = torch.softmax(scores, dim=0)
            weights[place] = row
    return weights @ value, weights


def attention_by_where(query, key, value, mask=None):
    """The scale on the query, -inf by torch.where, and a row of zeros by torch.where again."""
    scores = (query / query.shape[-1] ** 0.5).matmul(key.mT)
    if mask is None:
        weights = F.softmax(scores, -1)
    else:
        finite = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        weights = F.softmax(finite, -1) * mask
    return weights.matmul(value), weights


def attention_in_batches(query, key, value, mask=None):
    """Leading axes folded into one for torch.bmm."""
    lead, (n_queries, d_k), n_keys = query.shape[:-2], query.shape[-2:], key.shape[-2]
    q, k, v = (x.view(-1, *x.shape[-2:]) for x in (query, key, value))
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(d_k)
    scores = scores.view(*lead, n_queries, n_keys)
    if mask is not None:
        scores = torch.where(mask, scores, scores.new_tensor(-math.inf))
    top = scores.detach().amax(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    powers = torch.exp(scores - top)
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total == 0, torch.ones_like(total), total)
    output = torch.bmm(weights.view(-1, n_queries, n_keys), v)
    return output.view(*lead, n_queries, -1), weights


def positions_by_slices(length, d_model):
    """A table of zeros; every other column gets the sines, the rest the cosines."""
    table = torch.zeros(length, d_model)
    positions = torch.arange(length).unsqueeze(1)
    rates = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(positions * rates)
    table[:, 1::2] = torch.cos(positions * rates)[:, : d_model // 2]
    return table


def positions_in_loops(length, d_model):
    """The formula, entry by entry."""

    def entry(position, column):
        angle = position / 10000 ** (2 * (column // 2) / d_model)
        return math.cos(angle) if column % 2 else math.sin(angle)

    rows = [[entry(position, column) for column in range(d_model)] for position in range(length)]
    return torch.tensor(rows, dtype=torch.float32)


def positions_by_numpy(length, d_model):
    columns = np.arange(d_model)[None, :]
    angles = np.arange(length)[:, None] * np.power(10000.0, -2 * (columns // 2) / d_model)
    angles[:, 1::2] += np.pi / 2  # cos x = sin(x + π/2)
    return torch.from_numpy(np.sin(angles)).float()


def positions_by_stacking(length, d_model):
    half = (d_model + 1) // 2
    rates = 1.0 / torch.pow(10000.0, 2 * torch.arange(half).float() / d_model)
    angles = torch.outer(torch.arange(length).float(), rates)
    both = torch.stack([angles.sin(), angles.cos()], dim=-1)
    return both.reshape(length, 2 * half)[:, :d_model]


def response_by_formula(query, key, divisor):
    """The slope of a softmax in its own score is w(1 − w)."""
    weights = torch.softmax(query @ key.T / divisor, -1).amax(-1)
    return float((weights * (1 - weights)).mean())


def response_by_autograd(query, key, divisor):
    """The gradient of each largest weight with respect to its score."""
    scores = torch.einsum("td,sd->ts", query, key).div(divisor).detach().requires_grad_()
    with torch.enable_grad():
        torch.softmax(scores, -1).amax(-1).sum().backward()
    slopes = scores.grad.gather(-1, scores.argmax(-1, keepdim=True))
    return sum(slopes.flatten().tolist()) / len(slopes)


def response_query_by_query(query, key, divisor):
    """A nudge in both directions, one query after the other."""
    slopes = []
    for row in query @ key.mT / divisor:
        best = int(row.argmax())
        up, down = row.clone(), row.clone()
        up[best] += 0.005
        down[best] -= 0.005
        slopes.append((up.softmax(0)[best] - down.softmax(0)[best]).item() / 0.01)
    return sum(slopes) / len(slopes)


ALTERNATIVES = {
    "scaled_dot_product_attention": [
        attention_by_einsum,
        attention_in_loops,
        attention_by_torch,
        attention_by_where,
        attention_in_batches,
    ],
    "sinusoidal_positions": [
        positions_by_slices,
        positions_in_loops,
        positions_by_numpy,
        positions_by_stacking,
    ],
    "response": [response_by_formula, response_by_autograd, response_query_by_query],
}
