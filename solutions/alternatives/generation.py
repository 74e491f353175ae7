"""Right answers to exercise 12, each written in another way than the reference."""

import math
from functools import reduce
from operator import mul

import torch
import torch.nn.functional as F


def grouped_by_an_axis(query, key, value):
    """Queries (B, G, H/G, T, d) beside keys (B, G, 1, S, d): nothing is copied."""
    query = query.unflatten(1, (key.shape[1], -1))
    scores = query @ key.unsqueeze(2).mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return (weights @ value.unsqueeze(2)).flatten(1, 2), weights.flatten(1, 2)


def grouped_head_by_head(query, key, value):
    """Head by head; `h // share` is its group."""
    share = query.shape[1] // key.shape[1]
    outputs, weights = [], []
    for h in range(query.shape[1]):
        scores = query[:, h] @ key[:, h // share].transpose(-2, -1) / query.shape[-1] ** 0.5
        weights.append(scores.softmax(-1))
        outputs.append(weights[-1] @ value[:, h // share])
    return torch.stack(outputs, 1), torch.stack(weights, 1)


def grouped_by_einsum(query, key, value):
    batch, num_heads, length, d = query.shape
    query = query.reshape(batch, key.shape[1], -1, length, d)
    weights = (torch.einsum("bghtd,bgsd->bghts", query, key) * d**-0.5).softmax(-1)
    output = torch.einsum("bghts,bgsv->bghtv", weights, value)
    return output.reshape(batch, num_heads, length, -1), weights.reshape(
        batch, num_heads, length, -1
    )


def grouped_by_index(query, key, value):
    group = torch.arange(query.shape[1]) // (query.shape[1] // key.shape[1])
    scores = query @ key[:, group].mT / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, -1)
    return weights @ value[:, group], weights


def window_in_loops(n_queries, n_keys, window, sinks):
    """The three questions, for each pair."""
    rows = []
    for t in range(n_keys - n_queries, n_keys):
        rows.append([s <= t and (t - s < window or s < sinks) for s in range(n_keys)])
    return torch.tensor(rows)


def window_by_triangles(n_queries, n_keys, window, sinks):
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool)
    past = ones.tril(n_keys - n_queries)
    far = ones.tril(n_keys - n_queries - window)
    far[:, :sinks] = False
    return past & ~far


def window_row_by_row(n_queries, n_keys, window, sinks):
    """Each row gets two stretches of True: its window, and the sinks."""
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for row in range(n_queries):
        end = row + n_keys - n_queries + 1
        if end > 0:
            mask[row, max(end - window, 0) : end] = True
            mask[row, : min(sinks, end)] = True
    return mask


def top_p_by_sort(probabilities, p):
    ranked, order = torch.sort(probabilities, dim=-1, descending=True, stable=True)
    before = F.pad(ranked.cumsum(-1), (1, 0))[..., :-1]
    ranked = ranked.masked_fill(before >= p, 0)
    ranked = ranked / ranked.sum(-1, keepdim=True)
    return ranked.gather(-1, order.argsort(-1))


def top_p_word_by_word(probabilities, p):
    """Take the likeliest word until the sum has reached p."""
    result = torch.zeros_like(probabilities)
    for row, out in zip(probabilities, result, strict=True):
        total = 0.0
        for i in sorted(range(len(row)), key=lambda i: -row[i].item()):
            if total >= p:
                break
            out[i] = row[i]
            total += row[i].item()
        out /= out.sum()
    return result


def top_p_by_counting(probabilities, p):
    """The sum of the likelier words and of the equal ones to the left, without a sort."""
    mine, other = probabilities.unsqueeze(-1), probabilities.unsqueeze(-2)
    left = torch.ones(probabilities.shape[-1], probabilities.shape[-1]).tril(-1).bool()
    ahead = (other > mine) | ((other == mine) & left)
    before = (ahead * other).sum(-1)
    kept = torch.where(before < p, probabilities, 0)
    return F.normalize(kept, p=1, dim=-1)


def bytes_in_steps(layers, kv_heads, head_dim, length, batch, bytes_per_number):
    """From one position to one text to the batch."""
    a_position = kv_heads * head_dim * bytes_per_number
    a_text = layers * length * (a_position + a_position)
    return batch * a_text


def bytes_by_product(*numbers):
    """A product does not ask for names."""
    return math.prod(numbers) * 2


def bytes_by_reduce(layers, kv_heads, head_dim, length, batch, bytes_per_number):
    return reduce(mul, (layers, kv_heads, head_dim, length, batch, bytes_per_number)) << 1


ALTERNATIVES = {
    "grouped_query_attention": [
        grouped_by_an_axis,
        grouped_head_by_head,
        grouped_by_einsum,
        grouped_by_index,
    ],
    "sliding_window_mask": [window_in_loops, window_row_by_row, window_by_triangles],
    "top_p": [top_p_word_by_word, top_p_by_counting, top_p_by_sort],
    "kv_cache_bytes": [bytes_in_steps, bytes_by_product, bytes_by_reduce],
}
