"""Right answers to exercise 02, each written in another way than the reference."""

import math

import numpy as np


def scores_by_matmul(query, keys):
    """A matrix product with the query as a single column."""
    return np.squeeze(keys @ query[:, :, np.newaxis], axis=-1)


def scores_by_broadcasting(query, keys, *, axis=-1):
    return (query[:, None, :] * keys).sum(axis=axis)


def scores_in_loops(q, k):
    """A sum for each pair of query and key."""
    out = np.zeros(k.shape[:2], dtype=k.dtype)
    for b, sentence in enumerate(k):
        for s, key in enumerate(sentence):
            out[b, s] = sum(x * y for x, y in zip(q[b], key, strict=True))
    return out


def context_by_matmul(weights, values):
    """The weights as a matrix with a single row."""
    return np.matmul(weights[:, None, :], values)[:, 0]


def context_in_loops(weights, values):
    """The recipe, step by step: add so much of each value."""
    rows = []
    for w, v in zip(weights, values, strict=True):
        total = np.zeros_like(v[0])
        for weight, value in zip(w, v, strict=True):
            total += weight * value
        rows.append(total)
    return np.stack(rows)


def context_by_tensordot(weights, values):
    return np.array([np.tensordot(w, v, axes=1) for w, v in zip(weights, values, strict=True)])


def attend_by_einsum(queries, keys, values, mask=None):
    """Letters in place of transposes; the empty row is caught before the exponential."""
    scores = np.einsum("btd,bsd->bts", queries, keys)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(top == -np.inf, 0, top))
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1, total)
    return np.einsum("bts,bsd->btd", weights, values), weights


def attend_in_loops(queries, keys, values, mask=None):
    """One query at a time, and of its keys only those that it may see."""
    B, T, S = len(queries), queries.shape[1], keys.shape[1]
    allowed = np.broadcast_to(True if mask is None else mask, (B, T, S))
    context = np.zeros((B, T, values.shape[2]), values.dtype)
    weights = np.zeros((B, T, S), queries.dtype)
    for b in range(B):
        for t in range(T):
            places = [s for s in range(S) if allowed[b, t, s]]
            if not places:
                continue
            scores = [float(queries[b, t] @ keys[b, s]) for s in places]
            exps = [math.exp(score - max(scores)) for score in scores]
            for s, e in zip(places, exps, strict=True):
                weights[b, t, s] = e / sum(exps)
                context[b, t] += weights[b, t, s] * values[b, s]
    return context, weights


def attend_with_nan_to_num(queries, keys, values, mask=None, temperature=1.0):
    scores = queries @ np.transpose(keys, (0, 2, 1)) / temperature
    if mask is not None:
        scores = scores + np.where(mask, 0, -np.inf)
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    weights = np.nan_to_num(exps / exps.sum(-1, keepdims=True)).astype(queries.dtype)
    return weights @ values, weights


ALTERNATIVES = {
    "dot_scores": [scores_by_matmul, scores_in_loops, scores_by_broadcasting],
    "context_vector": [context_by_matmul, context_in_loops, context_by_tensordot],
    "attend": [attend_by_einsum, attend_in_loops, attend_with_nan_to_num],
}
