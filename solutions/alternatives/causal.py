"""Right answers to exercise 09, each written in another way than the reference."""

import math

import torch
import torch.nn.functional as F


def mask_by_tril(n_queries, n_keys=None):
    """A triangle whose diagonal ends in the last corner."""
    if n_keys is None:
        n_keys = n_queries
    return torch.tril(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries).bool()


def mask_by_triu(n_queries, n_keys=None):
    n_keys = n_keys or n_queries
    return ~torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries + 1)


def mask_in_loops(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = [[s <= t + n_keys - n_queries for s in range(n_keys)] for t in range(n_queries)]
    return torch.tensor(rows)


def mask_from_the_end(n_queries, n_keys=None):
    """Counted backwards from the newest query and the newest key, both at 0."""
    queries = torch.arange(n_queries).flip(0).unsqueeze(-1)
    keys = torch.arange(n_queries if n_keys is None else n_keys).flip(0)
    return keys.ge(queries)


def causal_by_torch(query, key, value):
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)
    eye = torch.eye(n_keys, dtype=key.dtype).expand(*key.shape[:-1], n_keys)
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return output, F.scaled_dot_product_attention(query, key, eye, attn_mask=mask)


def causal_query_by_query(query, key, value):
    """Query by query: a softmax over the keys up to its own, then zeros for those ahead."""
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    rows = []
    for t in range(n_queries):
        seen = max(n_keys - n_queries + t + 1, 0)
        row = key[..., :0].sum(-1) * query[..., t, :1]  # zeros (..., S), tied to both inputs
        if seen:
            scores = (key[..., :seen, :] @ query[..., t, :, None]).squeeze(-1)
            row = F.pad(torch.softmax(scores / math.sqrt(query.shape[-1]), -1), (0, n_keys - seen))
        rows.append(row)
    weights = torch.stack(rows, dim=-2)
    return weights @ value, weights


def causal_by_einsum(query, key, value):
    """The forbidden triangle in place of the allowed one, and `nan_to_num` for empty rows."""
    scores = torch.einsum("...td,...sd->...ts", query, key) / query.shape[-1] ** 0.5
    n_queries, n_keys = scores.shape[-2:]
    future = torch.full((n_queries, n_keys), True).triu(1 + n_keys - n_queries)
    weights = torch.nan_to_num(scores.masked_fill(future, -math.inf).softmax(-1), nan=0.0)
    return torch.einsum("...ts,...sv->...tv", weights, value), weights


def cache_by_torch(query, key, value, cache):
    past = 0 if cache is None else cache[0].size(-2)
    if past:
        key = torch.cat((cache[0], key), -2)
        value = torch.cat((cache[1], value), -2)
    mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril(past)
    return F.scaled_dot_product_attention(query, key, value, mask), (key, value)


def cache_position_by_position(query, key, value, cache):
    """The new positions one by one, as in generation."""
    if cache is None:
        cache = key[..., :0, :], value[..., :0, :]
    keys, values = cache
    outputs = []
    for t in range(query.shape[-2]):
        keys = torch.cat([keys, key[..., t : t + 1, :]], dim=-2)
        values = torch.cat([values, value[..., t : t + 1, :]], dim=-2)
        scores = query[..., t : t + 1, :] @ keys.mT / math.sqrt(query.shape[-1])
        outputs.append(torch.softmax(scores, -1) @ values)
    return torch.cat(outputs, dim=-2), (keys, values)


def cache_with_two_softmaxes(query, key, value, cache):
    """Old and new scores side by side; only the new ones need a mask."""
    scale = query.shape[-1] ** -0.5
    new = (query @ key.mT * scale).masked_fill(
        torch.ones(query.shape[-2], key.shape[-2]).triu(1).bool(), -1e9
    )
    if cache is None:
        return torch.softmax(new, -1) @ value, (key.clone(), value.clone())
    old_keys, old_values = cache
    weights = torch.cat([query @ old_keys.mT * scale, new], -1).softmax(-1)
    past = old_keys.shape[-2]
    output = weights[..., :past] @ old_values + weights[..., past:] @ value
    return output, tuple(torch.cat(pair, -2) for pair in ((old_keys, key), (old_values, value)))


def far_by_rollout(query, key, mask, distance):
    """The layers are linear in their input: multiply their matrices, and read the last row."""
    n = query.shape[1]
    whole = torch.eye(n, dtype=query.dtype)
    for q, k in zip(query, key, strict=True):
        scores = torch.where(mask, q @ k.T / q.shape[1] ** 0.5, -math.inf)
        whole = whole + scores.softmax(-1) @ whole
    back = torch.arange(n - 1, -1, -1)
    return float(whole[-1][back > distance].sum() / whole[-1].sum())


def far_by_nudges(query, key, mask, distance):
    """Change one word after the other, and look how far the last output moves."""
    weights = F.softmax((query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~mask, -1e30), -1)
    n = query.size(1)

    def last(x):
        for layer in weights:
            x = x + layer @ x
        return x[-1].item()

    start = torch.zeros(n, dtype=query.dtype)
    moved = []
    for t in range(n):
        other = start.clone()
        other[t] = 0.01
        moved.append((last(other) - last(start)) / 0.01)
    return sum(moved[t] for t in range(n) if n - 1 - t > distance) / sum(moved)


def far_by_backward(query, key, mask, distance):
    """Text of several features, a loss, and `backward`."""
    words = torch.randn(query.shape[1], 4, dtype=query.dtype, requires_grad=True)
    with torch.enable_grad():
        hidden = words
        for i in range(len(query)):
            bias = torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -math.inf)
            hidden = hidden + F.scaled_dot_product_attention(query[i], key[i], hidden, bias)
        hidden[-1, 0].backward()
    arrived = words.grad[:, 0].flip(0)  # by distance
    return arrived[distance + 1 :].sum().div(arrived.sum()).item()


ALTERNATIVES = {
    "causal_mask": [mask_by_tril, mask_from_the_end, mask_by_triu, mask_in_loops],
    "causal_attention": [causal_by_einsum, causal_query_by_query, causal_by_torch],
    "attend_with_cache": [cache_position_by_position, cache_with_two_softmaxes, cache_by_torch],
    "far_share": [far_by_rollout, far_by_nudges, far_by_backward],
}
