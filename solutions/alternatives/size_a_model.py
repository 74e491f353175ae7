"""Right answers to lab 5, each written in another way than the reference."""

import math


def parameters_with_norms(layers, d_model, heads, kv_heads, d_ff, vocabulary, tied):
    """With the norms' gains, which are less than a thousandth."""
    share = heads // kv_heads
    layer = 2 * d_model**2 * (1 + 1 / share) + 3 * d_model * d_ff + 2 * d_model
    return layers * layer + (2 - tied) * vocabulary * d_model + d_model


def parameters_by_matrix(layers, d_model, heads, kv_heads, d_ff, vocabulary, tied):
    """A list of shapes, whose areas are added up."""
    narrow = d_model // heads * kv_heads
    shapes = [(d_model, n) for n in (d_model, d_model, narrow, narrow, d_ff, d_ff, d_ff)]
    one_layer = sum(math.prod(shape) for shape in shapes)
    return sum([one_layer] * layers, start=vocabulary * d_model * (1 if tied else 2))


def texts_by_divmod(memory, parameters, bytes_per_number, cache_bytes):
    """`divmod` gives the texts and what is left over."""
    texts, _rest = divmod(memory - parameters * bytes_per_number, cache_bytes)
    return texts if texts > 0 else 0


def texts_by_floor(memory, parameters, bytes_per_number, cache_bytes):
    """First the case in which nothing fits, then an ordinary division."""
    left = memory - parameters * bytes_per_number
    return 0 if left < cache_bytes else math.floor(left / cache_bytes)


def prefill_by_parts(parameters, layers, d_model, length, batch, flops):
    """The pairs are counted exactly, with the diagonal."""
    pairs = length * (length + 1) / 2  # the diagonal is seen as well
    scores = 2 * d_model * pairs * layers
    return batch * (2 * parameters * length + 2 * scores) / flops


def prefill_token_by_token(parameters, layers, d_model, length, batch, flops):
    """The mean token sees half of the text."""
    a_token = 2 * parameters + layers * 4 * d_model * length / 2
    return batch * length * (a_token / flops)


def decode_sorted(parameters, bytes_per_number, cache_bytes, batch, flops, bandwidth):
    """Both times in order; the last one is the longer."""
    memory = parameters * bytes_per_number / bandwidth + batch * (cache_bytes / bandwidth)
    return sorted([memory, batch / flops * 2 * parameters])[-1]


def decode_by_if(parameters, bytes_per_number, cache_bytes, batch, flops, bandwidth):
    """The comparison asked aloud: which of the two does the chip wait for?"""
    compute = 2 * parameters * batch / flops
    read = (parameters * bytes_per_number + batch * cache_bytes) / bandwidth
    if compute > read:
        return compute
    return read


ALTERNATIVES = {
    "count_parameters": [parameters_with_norms, parameters_by_matrix],
    "most_texts": [texts_by_divmod, texts_by_floor],
    "prefill_seconds": [prefill_by_parts, prefill_token_by_token],
    "decode_seconds": [decode_sorted, decode_by_if],
}
