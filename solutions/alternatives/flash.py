"""Right answers to exercise 10, each written in another way than the reference."""

import math

import torch


def streaming_in_place(query, key, value, block_size):
    """Accumulators that are overwritten, as a kernel would."""
    n_keys, scale = key.shape[-2], query.shape[-1] ** -0.5
    top = torch.full(query.shape[:-1], -math.inf, dtype=query.dtype)
    total = torch.zeros(query.shape[:-1], dtype=query.dtype)
    mixed = torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype)
    for start in range(0, n_keys, block_size):
        stop = min(start + block_size, n_keys)
        scores = scale * torch.einsum("...td,...sd->...ts", query, key[..., start:stop, :])
        new = torch.maximum(top, scores.max(dim=-1).values)
        powers = (scores - new[..., None]).exp()
        shrink = (top - new).exp()
        total *= shrink
        total += powers.sum(-1)
        mixed *= shrink[..., None]
        mixed += torch.einsum("...ts,...sv->...tv", powers, value[..., start:stop, :])
        top = new
    return mixed / total[..., None]


def streaming_normalised(query, key, value, block_size):
    """A normalised output at every step: the old one counts with its share of the sum."""
    output, log_total = None, None
    blocks = zip(key.split(block_size, dim=-2), value.split(block_size, dim=-2), strict=True)
    for k, v in blocks:
        scores = query @ k.mT / math.sqrt(query.shape[-1])
        log_block = torch.logsumexp(scores, -1, keepdim=True)
        block = torch.softmax(scores, -1) @ v
        if output is None:
            output, log_total = block, log_block
            continue
        both = torch.logaddexp(log_total, log_block)
        output = output * (log_total - both).exp() + block * (log_block - both).exp()
        log_total = both
    return output


def streaming_with_a_constant_maximum(query, key, value, block_size):
    """The maximum changes no output, so no gradient has to run through it."""
    query = query / math.sqrt(query.shape[-1])
    top, total, mixed = torch.full_like(query[..., :1], -math.inf), 0.0, 0.0
    for k, v in zip(key.split(block_size, -2), value.split(block_size, -2), strict=True):
        scores = query @ k.mT
        new = torch.maximum(top, scores.detach().amax(-1, keepdim=True))
        powers, shrink = torch.exp(scores - new), torch.exp(top - new)
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed, top = mixed * shrink + powers @ v, new
    return mixed / total


def streaming_in_two_passes(query, key, value, block_size):
    """First the log of each row's sum, then the output: no block is ever mended."""
    keys, values = key.split(block_size, -2), value.split(block_size, -2)
    query = query / math.sqrt(query.shape[-1])
    sums = torch.full_like(query[..., 0], -math.inf)
    for k in keys:
        sums = torch.logaddexp(sums, torch.logsumexp(query @ k.mT, -1))
    return sum(
        torch.exp(query @ k.mT - sums[..., None]) @ v for k, v in zip(keys, values, strict=True)
    )


def streaming_blocks_in_place(query, blocks):
    """The first block makes the sums; a loop goes on with what is left."""
    scale = query.shape[-1] ** -0.5
    blocks = iter(blocks)
    keys, values = next(blocks)
    scores = query @ keys.mT * scale
    top = scores.amax(-1)
    powers = (scores - top[..., None]).exp()
    total, mixed = powers.sum(-1), powers @ values
    for keys, values in blocks:
        scores = query @ keys.mT * scale
        new = torch.maximum(top, scores.amax(-1))
        powers, shrink = (scores - new[..., None]).exp(), (top - new).exp()
        total = total * shrink + powers.sum(-1)
        mixed = mixed * shrink[..., None] + torch.einsum("...ts,...sv->...tv", powers, values)
        top = new
    return mixed / total[..., None]


def streaming_blocks_normalised(query, blocks):
    """A right output after each block: two are merged by the logs of their sums."""
    output, log_total = 0.0, None
    for keys, values in blocks:
        scores = query @ keys.transpose(-1, -2) / math.sqrt(query.shape[-1])
        log_block = scores.logsumexp(-1, keepdim=True)
        both = log_block if log_total is None else torch.logaddexp(log_total, log_block)
        old = 0.0 if log_total is None else (log_total - both).exp()
        output = output * old + scores.softmax(-1) @ values * (log_block - both).exp()
        log_total = both
    return output


def backward_from_the_output(query, key, value, grad_output):
    """FlashAttention's form: D is the row sum of output times its gradient."""
    scale = query.shape[-1] ** -0.5
    weights = (query @ key.mT * scale).softmax(-1)
    row_sum = (weights @ value * grad_output).sum(-1, keepdim=True)
    grad_scores = weights * (grad_output @ value.mT - row_sum)
    return (grad_scores @ key) * scale, (grad_scores.mT @ query) * scale, weights.mT @ grad_output


def backward_by_einsum(query, key, value, grad_output):
    query = query / math.sqrt(query.size(-1))
    weights = torch.softmax(torch.einsum("...td,...sd->...ts", query, key), dim=-1)
    grad_weights = torch.einsum("...tv,...sv->...ts", grad_output, value)
    products = weights * grad_weights
    grad_scores = products - weights * products.sum(dim=-1, keepdim=True)
    grad_query = torch.einsum("...ts,...sd->...td", grad_scores, key / math.sqrt(key.size(-1)))
    grad_key = torch.einsum("...ts,...td->...sd", grad_scores, query)
    return grad_query, grad_key, torch.einsum("...ts,...tv->...sv", weights, grad_output)


def backward_by_the_jacobian(query, key, value, grad_output):
    """The softmax's whole Jacobian, diag(w) - w wᵀ, row by row."""
    d_k = query.shape[-1]
    weights = torch.softmax(query @ key.transpose(-1, -2) / d_k**0.5, -1)
    jacobian = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    grad_weights = grad_output @ value.transpose(-1, -2)
    grad_scores = (jacobian @ grad_weights[..., None]).squeeze(-1) / d_k**0.5
    grad_key = grad_scores.transpose(-1, -2) @ query
    return grad_scores @ key, grad_key, weights.transpose(-1, -2) @ grad_output


ALTERNATIVES = {
    "streaming_attention": [
        streaming_blocks_in_place,
        streaming_blocks_normalised,
        streaming_normalised,
        streaming_in_two_passes,
        streaming_in_place,
        streaming_with_a_constant_maximum,
    ],
    "attention_backward": [
        backward_from_the_output,
        backward_by_the_jacobian,
        backward_by_einsum,
    ],
}
