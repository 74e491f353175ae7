"""Causal attention and attention with a cache, each written in five right ways."""

import math

import torch
import torch.nn.functional as F


def causal(query, key, value):
    """as in the formula"""
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    seen = torch.ones(n_queries, n_keys, dtype=torch.bool)
    seen = seen.tril(n_keys - n_queries)
    scores = scores.masked_fill(~seen, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(~seen, 0.0)
    output = weights @ value
    return output, weights


def causal_by_places(query, key, value):
    """places compared, the smallest number in place of −∞"""
    places = torch.arange(query.shape[-2]) + key.shape[-2] - query.shape[-2]
    ahead = torch.arange(key.shape[-2]) > places[:, None]
    scores = torch.einsum("...td,...sd->...ts", query, key) * query.shape[-1] ** -0.5
    scores = torch.where(ahead, torch.finfo(scores.dtype).min, scores)
    weights = torch.where(ahead, 0.0, F.softmax(scores, dim=-1))
    return torch.einsum("...ts,...sv->...tv", weights, value), weights


def causal_by_torch(query, key, value):
    """by torch's own function, twice"""
    seen = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
    seen = seen.tril(key.shape[-2] - query.shape[-2])
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    eye = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    return output, F.scaled_dot_product_attention(query, key, eye, attn_mask=seen)


def causal_query_by_query(query, key, value):
    """one query after the other, on what it may see"""
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    rows = []
    for t in range(n_queries):
        seen = max(n_keys - n_queries + t + 1, 0)
        row = key[..., :0].sum(-1) * query[..., t, :1]  # zeros (..., S)
        if seen:
            scores = (key[..., :seen, :] @ query[..., t, :, None]).squeeze(-1)
            row = torch.softmax(scores / math.sqrt(query.shape[-1]), dim=-1)
            row = F.pad(row, (0, n_keys - seen))
        rows.append(row)
    weights = torch.stack(rows, dim=-2)
    return weights @ value, weights


def causal_by_sums(query, key, value):
    """exponentials divided by their sum"""
    scores = query / math.sqrt(query.shape[-1]) @ key.mT
    ahead = torch.ones(scores.shape[-2:]).triu(key.shape[-2] - query.shape[-2] + 1) == 1
    scores = scores.masked_fill(ahead, -math.inf)
    lowest = torch.finfo(scores.dtype).min
    powers = (scores - scores.amax(-1, keepdim=True).clamp(min=lowest)).exp()
    weights = powers / powers.sum(-1, keepdim=True).clamp(min=1e-30)
    return weights @ value, weights


def attend(query, key, value, cache=None):
    """as in the formula"""
    if cache is not None:
        key = torch.cat([cache[0], key], dim=-2)
        value = torch.cat([cache[1], value], dim=-2)
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    seen = torch.ones(n_queries, n_keys, dtype=torch.bool)
    seen = seen.tril(n_keys - n_queries)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~seen, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, (key, value)


def attend_by_torch(query, key, value, cache=None):
    """by torch's own function"""
    past = 0 if cache is None else cache[0].size(-2)
    if past:
        key = torch.cat((cache[0], key), -2)
        value = torch.cat((cache[1], value), -2)
    seen = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril(past)
    return F.scaled_dot_product_attention(query, key, value, seen), (key, value)


def attend_position_by_position(query, key, value, cache=None):
    """the new positions one by one"""
    keys, values = (key[..., :0, :], value[..., :0, :]) if cache is None else cache
    outputs = []
    for t in range(query.shape[-2]):
        keys = torch.cat([keys, key[..., t : t + 1, :]], dim=-2)
        values = torch.cat([values, value[..., t : t + 1, :]], dim=-2)
        scores = query[..., t : t + 1, :] @ keys.mT / math.sqrt(query.shape[-1])
        outputs.append(torch.softmax(scores, dim=-1) @ values)
    return torch.cat(outputs, dim=-2), (keys, values)


def attend_old_and_new(query, key, value, cache=None):
    """old and new scores side by side"""
    if cache is None:
        cache = (key[..., :0, :], value[..., :0, :])
    scale = query.shape[-1] ** -0.5
    ahead = torch.ones(query.shape[-2], key.shape[-2]).triu(1).bool()
    new = (query @ key.mT * scale).masked_fill(ahead, -math.inf)
    weights = torch.cat([query @ cache[0].mT * scale, new], -1).softmax(-1)
    past = cache[0].shape[-2]
    output = weights[..., :past] @ cache[1] + weights[..., past:] @ value
    return output, (torch.cat([cache[0], key], -2), torch.cat([cache[1], value], -2))


def attend_in_a_buffer(query, key, value, cache=None):
    """written into a buffer of the right length"""
    old = (key[..., :0, :], value[..., :0, :]) if cache is None else cache
    past, total = old[0].shape[-2], old[0].shape[-2] + key.shape[-2]
    keys = key.new_empty(*key.shape[:-2], total, key.shape[-1])
    values = value.new_empty(*value.shape[:-2], total, value.shape[-1])
    keys[..., :past, :], keys[..., past:, :] = old[0], key
    values[..., :past, :], values[..., past:, :] = old[1], value
    ahead = torch.arange(total) > torch.arange(past, total)[:, None]
    scores = torch.einsum("...td,...sd->...ts", query, keys) / query.shape[-1] ** 0.5
    weights = scores.masked_fill(ahead, -math.inf).softmax(-1)
    return weights.matmul(values), (keys, values)


CAUSAL = (
    causal,
    causal_by_places,
    causal_by_torch,
    causal_query_by_query,
    causal_by_sums,
)
CACHED = (
    attend,
    attend_by_torch,
    attend_position_by_position,
    attend_old_and_new,
    attend_in_a_buffer,
)
