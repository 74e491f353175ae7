"""The eight short programs of lab 2 as they should be, which the cells of the notebook hold."""

import math

import torch
import torch.nn.functional as F


def next_token_loss(logits, tokens):
    """The loss of a model that reads tokens and predicts the next.

    logits   float tensor (B, T, V), one row for each token that was read
    tokens   int64 tensor (B, T)
    returns  a tensor without axes, the mean over all predictions
    """
    predicted = logits[:, :-1]  # after each token but the last
    labels = tokens[:, 1:]  # the token that comes next
    return F.cross_entropy(predicted.flatten(0, 1), labels.flatten())


def attend_to_words(query, key, value, mask):
    """Attention over texts of different lengths.

    query    float tensor (B, T, d), scaled by 1/sqrt(d) here
    key      float tensor (B, S, d)
    value    float tensor (B, S, d_v)
    mask     boolean tensor (B, 1, S); False where there is padding
    returns  float tensor (B, T, d_v)
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value


def attend_in_heads(query, key, value, num_heads):
    """Attention in several heads, without projections.

    query      float tensor (B, T, d_model); head h owns the features
               h*d to (h+1)*d
    key        float tensor (B, S, d_model)
    value      float tensor (B, S, d_model)
    num_heads  divides d_model; d is d_model / num_heads
    returns    float tensor (B, T, d_model)
    """
    q = query.unflatten(-1, (num_heads, -1)).transpose(1, 2)  # (B, H, T, d)
    k = key.unflatten(-1, (num_heads, -1)).transpose(1, 2)  # (B, H, S, d)
    v = value.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    output = torch.softmax(scores, dim=-1) @ v  # (B, H, T, d)
    return output.transpose(1, 2).reshape(query.shape)


def recent_keys(n_queries, n_keys, window):
    """Which keys a query sees: the last `window` up to its own place.

    n_queries  the number of queries T, the newest of the S tokens
    n_keys     the number of keys S
    window     an int >= 1
    returns    boolean tensor (T, S); True = may attend
    """
    places = torch.arange(n_queries)[:, None] + n_keys - n_queries
    back = places - torch.arange(n_keys)  # how far back each key lies
    return (back >= 0) & (back < window)


def add_positions(x, table, cached):
    """Add each token's position to its embedding.

    x        float tensor (B, T, d), T new tokens
    table    float tensor (L, d), one row for each position
    cached   how many tokens came before, an int >= 0
    returns  float tensor (B, T, d)
    """
    length = x.shape[1]
    rows = table[cached : cached + length]
    return x + rows


def layer_norm(x, gain, bias):
    """Layer normalization (Ba, Kiros and Hinton, 2016).

    x        float tensor (B, T, d)
    gain     float tensor (d,)
    bias     float tensor (d,)
    returns  float tensor (B, T, d)
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x - mean).square().mean(dim=-1, keepdim=True)
    return gain * (x - mean) / torch.sqrt(variance + 1e-5) + bias


def weigh_with_dropout(scores, value, p, training):
    """Weighted sums, with dropout on the weights.

    scores    float tensor (B, T, S)
    value     float tensor (B, S, d_v)
    p         the probability that a weight is dropped, a float
    training  whether the model is in training
    returns   float tensor (B, T, d_v)
    """
    weights = torch.softmax(scores, dim=-1)
    weights = F.dropout(weights, p, training)
    return weights @ value


def attend_to_past(query, key, value):
    """Causal attention of the newest tokens to all so far.

    query    float tensor (B, T, d) of the newest T tokens
    key      float tensor (B, S, d), S >= T
    value    float tensor (B, S, d_v)
    returns  float tensor (B, T, d_v)
    """
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    seen = torch.ones(n_queries, n_keys, device=query.device).bool()
    seen = seen.tril(n_keys - n_queries)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~seen, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value
