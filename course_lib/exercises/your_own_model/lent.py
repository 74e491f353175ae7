"""What is lent to a student who has not written it: the parts of exercises 01 to 12 that a language
model is made of, and the two of its pieces that no exercise asks for.

Each function is text that enters a notebook; it needs the imports of `IMPORTS` alone.
"""

import math

import numpy as np
import torch

IMPORTS = "import math\n\nimport numpy as np\nimport torch\n"


def softmax_with_temperature(scores, temperature, axis=-1):
    scores = scores / temperature
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # nothing but -inf
    return weights @ value, weights


def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    x = x.reshape(batch, length, num_heads, d_model // num_heads)
    return x.transpose(1, 2)  # (B, H, T, d/H)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)  # (B, T, d)


def causal_mask(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    queries = torch.arange(n_queries)[:, None] + n_keys - n_queries
    return torch.arange(n_keys) <= queries  # (T, S)


def attend_with_cache(query, key, value, cache):
    if cache is not None:
        key = torch.cat([cache[0], key], dim=-2)
        value = torch.cat([cache[1], value], dim=-2)
    T, S = query.shape[-2], key.shape[-2]
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    ahead = torch.arange(S) > torch.arange(T)[:, None] + S - T
    scores = scores.masked_fill(ahead, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, (key, value)


def rotate(x, positions, base=10000.0):
    d = x.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2) / d)
    angles = positions[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return pairs.flatten(-2).to(x.dtype)


def top_p(probabilities, p):
    ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)
    ranked = ranked * (ranked.cumsum(dim=-1) - ranked < p)
    kept = torch.zeros_like(probabilities).scatter(-1, order, ranked)
    return kept / kept.sum(dim=-1, keepdim=True)


def rms_norm(x, gain, eps=1e-5):
    """Each vector divided by the root of its mean square, times a gain."""
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * gain


def feed_forward(x, layer):
    """The gated feed-forward network of today's models."""
    gate = torch.nn.functional.silu(x @ layer["gate"].T)
    return (gate * (x @ layer["up"].T)) @ layer["down"].T


PARTS = {
    "softmax_with_temperature": "01_softmax",
    "scaled_dot_product_attention": "07_scaled_dot_product",
    "split_heads": "08_multi_head",
    "merge_heads": "08_multi_head",
    "causal_mask": "09_causal",
    "attend_with_cache": "09_causal",
    "rotate": "11_positions",
    "top_p": "12_generation",
}
OWN = ("own_attention", "own_logits", "own_choice", "own_text")
