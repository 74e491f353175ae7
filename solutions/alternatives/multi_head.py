"""Right answers to exercise 08, each written in another way than the reference."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def split_by_view(x, num_heads):
    return x.view(*x.shape[:2], num_heads, -1).permute(0, 2, 1, 3)


def split_by_chunks(x, num_heads):
    """Cut the features into H tensors, and stack them along a new axis."""
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def split_in_a_loop(x, num_heads):
    """Write each head's features to their place."""
    batch, length, d_model = x.size()
    size = d_model // num_heads
    out = x.new_empty(batch, num_heads, length, size)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * size : (h + 1) * size]
    return out


def split_by_unflatten(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).movedim(2, 1).contiguous()


def merge_by_view(x):
    batch, _, length, _ = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(batch, length, -1)


def merge_by_concatenation(x):
    """One tensor for each head, side by side."""
    return torch.cat(x.unbind(dim=1), dim=-1)


def merge_by_flatten(x):
    """`flatten` makes one axis of the last two, and copies where it has to."""
    return x.transpose(1, 2).flatten(2)


class MultiHeadAttentionByTorch(nn.Module):
    """torch's own function for the output; the weights beside it."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
            for layer, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
        )
        eye = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], -1)
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        weights = F.scaled_dot_product_attention(q, k, eye, attn_mask=mask)
        return self.W_o(output.transpose(1, 2).flatten(2)), weights


class MultiHeadAttentionHeadByHead(nn.Module):
    """A loop over heads, each with its rows of the weight matrices."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=True)
        self.W_v = nn.Linear(d_model, d_model, bias=True)
        self.W_k = nn.Linear(d_model, d_model, bias=True)
        self.W_q = nn.Linear(d_model, d_model, bias=True)

    def forward(self, query, key, value, mask=None):
        shape = (query.shape[0], self.num_heads, query.shape[1], key.shape[1])
        masks = None if mask is None else mask.expand(shape)
        outputs, maps = [], []
        size = query.shape[-1] // self.num_heads
        for h in range(self.num_heads):
            rows = slice(h * size, (h + 1) * size)
            q, k, v = (
                F.linear(x, layer.weight[rows], layer.bias[rows])
                for layer, x in ((self.W_q, query), (self.W_k, key), (self.W_v, value))
            )
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(size)
            if masks is not None:
                scores = scores.masked_fill(~masks[:, h], -math.inf)
            weights = scores.softmax(-1).nan_to_num(0.0)
            outputs.append(weights @ v)
            maps.append(weights)
        return self.W_o(torch.cat(outputs, -1)), torch.stack(maps, 1)


class MultiHeadAttentionByEinsum(nn.Module):
    """No axis is ever moved: einsum names them all."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.scale = num_heads, (d_model / num_heads) ** -0.5
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def heads(x):
            return x.reshape(x.shape[0], x.shape[1], self.num_heads, -1)

        q, k, v = heads(self.W_q(query)), heads(self.W_k(key)), heads(self.W_v(value))
        scores = torch.einsum("bthd,bshd->bhts", q, k) * self.scale
        weights = torch.softmax(scores, -1)
        if mask is not None:
            scores = torch.where(mask, scores, torch.full_like(scores, -1e9))
            weights = torch.softmax(scores, -1) * mask.any(-1, keepdim=True)
        mixed = torch.einsum("bhts,bshd->bthd", weights, v)
        return self.W_o(mixed.flatten(2)), weights


def in_use_by_nats(weights, head):
    """The natural logarithm, and e for its base."""
    rows = weights[:, head]
    entropy = -(rows * rows.clamp(min=1e-30).log()).sum(-1)  # (B, T)
    return float(entropy[rows.any(-1)].exp().mean())


def in_use_row_by_row(weights, head):
    """In plain Python, one query after the other."""
    found = []
    for row in weights[:, head].reshape(-1, weights.shape[-1]).tolist():
        if any(row):
            found.append(2 ** -sum(w * math.log2(w) for w in row if w > 0))
    return sum(found) / len(found)


def in_use_by_products(weights, head):
    """Each weight to the power of minus itself, multiplied: the same number without a logarithm."""
    rows = weights.select(1, head)
    keys = rows.pow(-rows).prod(-1)
    return keys.masked_select(rows.sum(-1) > 0).mean().tolist()


ALTERNATIVES = {
    "split_heads": [split_by_chunks, split_in_a_loop, split_by_view, split_by_unflatten],
    "merge_heads": [merge_by_concatenation, merge_by_flatten, merge_by_view],
    "MultiHeadAttention": [
        MultiHeadAttentionHeadByHead,
        MultiHeadAttentionByEinsum,
        MultiHeadAttentionByTorch,
    ],
    "keys_in_use": [in_use_by_nats, in_use_row_by_row, in_use_by_products],
}
