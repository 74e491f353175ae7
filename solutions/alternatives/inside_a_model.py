"""Right answers to lab 6, each written in another way than the reference."""

import torch


def first_token_by_transpose(weights):
    """All layers in one tensor, and one mean over its texts and queries."""
    return torch.stack(tuple(weights))[..., 1:, 0].mean(dim=(1, 3))


def first_token_in_a_loop(weights):
    """Query by query, added up and divided by their number."""
    rows = []
    for layer in weights:
        B, H, T, _ = layer.shape
        total = layer.new_zeros(H)
        for t in range(1, T):
            total = total + layer[:, :, t, 0].sum(0)
        rows.append(total / (B * (T - 1)))
    return torch.stack(rows)


def previous_by_diagonal(weights):
    """PyTorch names the diagonal below the main one by its offset."""
    return torch.stack([w.diagonal(-1, -2, -1).mean(-1).mean(0) for w in weights])


def previous_by_mask(weights):
    """The map is multiplied by one that is 1 at the token before."""
    stacked = torch.stack(list(weights))
    T = stacked.shape[-1]
    places = torch.eye(T - 1, T, dtype=stacked.dtype)
    return (stacked[..., 1:, :] * places).sum((-1, -2)).mean(1) / (T - 1)


def induction_by_diagonal(weights, period):
    """The diagonal begins at query period - 1, which is left out."""
    return torch.stack([w.diagonal(1 - period, -2, -1)[..., 1:].mean((0, 2)) for w in weights])


def induction_in_a_loop(weights, period):
    """The mean over texts comes first, then query by query."""
    stacked = torch.stack(list(weights)).mean(1)  # (L, H, T, T)
    picked = [stacked[..., t, t - period + 1] for t in range(period, stacked.shape[-1])]
    return sum(picked) / len(picked)


def switch_off_by_columns(model, tokens, heads):
    """The columns of W_o that read a head are set to zero, and put back."""
    kept = {}
    try:
        for layer, head in heads:
            attention = model.stack.layers[layer].self_attention
            weight = attention.W_o.weight
            kept.setdefault(layer, (weight, weight.detach().clone()))
            d = weight.shape[1] // attention.num_heads
            with torch.no_grad():
                weight[:, head * d : (head + 1) * d] = 0
        return model(tokens)[0]
    finally:
        for weight, before in kept.values():
            weight.data.copy_(before)


def switch_off_by_forward(model, tokens, heads):
    """W_o gets another forward for the time of the call."""
    layers = {layer for layer, _ in heads}

    def silent(linear, parts, num_heads):
        keep = torch.ones(num_heads, dtype=linear.weight.dtype)
        keep[parts] = 0
        keep = keep.repeat_interleave(linear.in_features // num_heads)
        return lambda x: torch.nn.functional.linear(x * keep, linear.weight, linear.bias)

    changed = []
    try:
        for layer in layers:
            attention = model.stack.layers[layer].self_attention
            parts = [head for where, head in heads if where == layer]
            attention.W_o.forward = silent(attention.W_o, parts, attention.num_heads)
            changed.append(attention.W_o)
        logits, _ = model(tokens)
    finally:
        for linear in changed:
            del linear.forward
    return logits


def bytes_in_two_parts(layers, kv_heads, head_dim, length, parameters, bytes_per_number):
    """What is read at every step, and what each token of the text adds."""
    a_token = 2 * kv_heads * head_dim * bytes_per_number  # in one layer
    return parameters * bytes_per_number + length * layers * a_token


def bytes_by_layers(layers, kv_heads, head_dim, length, parameters, bytes_per_number):
    """The numbers are counted layer by layer, and become bytes at the end."""
    numbers = parameters
    for _ in range(layers):
        numbers += kv_heads * length * (head_dim + head_dim)
    return bytes_per_number * numbers


ALTERNATIVES = {
    "first_token_share": [first_token_by_transpose, first_token_in_a_loop],
    "previous_token_share": [previous_by_diagonal, previous_by_mask],
    "induction_share": [induction_by_diagonal, induction_in_a_loop],
    "switch_off": [switch_off_by_columns, switch_off_by_forward],
    "bytes_per_step": [bytes_in_two_parts, bytes_by_layers],
}
