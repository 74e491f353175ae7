"""Attention, written in five right ways, from which mutants and students' tests are told apart.

Each docstring says how, since it is what a student reads when the test refuses it.
"""

import math

import torch
import torch.nn.functional as F


def attention(query, key, value, mask=None):
    """as in the formula"""
    d_k = query.shape[-1]
    scores = query @ key.transpose(-2, -1)
    scores = scores / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    output = weights @ value
    return output, weights


def by_einsum(query, key, value, mask=None):
    """by einsum, the smallest number in place of −∞"""
    scores = torch.einsum("...td,...sd->...ts", query, key) * query.size(-1) ** -0.5
    if mask is None:
        weights = F.softmax(scores, dim=-1)
    else:
        lowest = torch.finfo(scores.dtype).min
        weights = F.softmax(torch.where(mask, scores, lowest), dim=-1) * mask
    return torch.einsum("...ts,...sv->...tv", weights, value), weights


def by_torch(query, key, value, mask=None):
    """by torch's own function, twice"""
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.shape[-2])
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    eye = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    return output, F.scaled_dot_product_attention(query, key, eye, attn_mask=mask)


def query_by_query(query, key, value, mask=None):
    """one query after the other"""
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.shape[-2])
    rows = []
    for t in range(query.shape[-2]):
        scores = (key * query[..., t : t + 1, :]).sum(-1) / math.sqrt(query.shape[-1])
        if mask is None:
            rows.append(torch.softmax(scores, dim=-1))
        else:
            allowed = mask[..., t, :]
            row = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
            rows.append(torch.where(allowed, row, 0.0))
    weights = torch.stack(rows, dim=-2)
    return weights @ value, weights


def in_two_blocks(query, key, value, mask=None):
    """the keys in two blocks, rescaled"""
    middle = (key.shape[-2] + 1) // 2
    scores = query / math.sqrt(query.shape[-1]) @ key.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    top = scores.amax(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    first, second = (scores - top).exp().split([middle, key.shape[-2] - middle], dim=-1)
    total = first.sum(-1, keepdim=True) + second.sum(-1, keepdim=True)
    total = total.clamp(min=torch.finfo(scores.dtype).tiny)
    first, second = first / total, second / total
    output = first @ value[..., :middle, :] + second @ value[..., middle:, :]
    return output, torch.cat([first, second], dim=-1)


RIGHT = (attention, by_einsum, by_torch, query_by_query, in_two_blocks)
