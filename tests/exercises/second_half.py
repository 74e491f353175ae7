"""Wrong answers to exercises 08 to 13 and labs 4 to 7: once accepted, or told what is not so."""

import torch

from course_lib.exercises.causal.cache.task import attend_with_cache
from course_lib.exercises.causal.reach.task import far_share
from course_lib.exercises.generation.window.task import sliding_window_mask
from course_lib.exercises.hear_where_it_looks.path import monotone_path
from course_lib.exercises.hear_where_it_looks.silence import silence
from course_lib.exercises.inside_a_model.switching.task import switch_off
from course_lib.exercises.multi_head.module.task import MultiHeadAttention
from course_lib.exercises.positions.alibi.task import alibi
from course_lib.exercises.positions.rotate.task import rotate
from course_lib.exercises.your_own_model.attention.task import own_attention
from course_lib.exercises.your_own_model.lent import top_p
from course_lib.exercises.your_own_model.writing.task import own_text


def a_key_always_left_out(n_queries, n_keys, window, sinks):
    return sliding_window_mask(n_queries, n_keys, min(window, n_keys - 1), sinks)


def a_sink_for_each_query(n_queries, n_keys, window, sinks):
    return sliding_window_mask(n_queries, n_keys, window, min(sinks, n_queries))


def no_limit_at_0(query, key, mask, distance):
    return far_share(query, key, mask, distance or -1)


def one_word_at_least(query, key, mask, distance):
    return far_share(query, key, mask, max(distance, 1))


def two_rounds_at_least(weights, period):
    tokens = weights[0].shape[-1]
    t = torch.arange(min(period, tokens // 2), tokens)
    return torch.stack([one[:, :, t, t - period + 1].mean((0, 2)) for one in weights])


class MaskOfEachSentence(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        mask = mask[:, None] if mask is not None and mask.ndim == 3 else mask
        return super().forward(query, key, value, mask)


def from_minus_10000(query, blocks):
    query = query / query.shape[-1] ** 0.5
    top = query.new_full((*query.shape[:-1], 1), -1e4)
    total = mixed = 0.0
    for keys, values in blocks:
        scores = query @ keys.mT
        new = torch.maximum(top, scores.amax(-1, keepdim=True))
        powers, shrink = torch.exp(scores - new), torch.exp(top - new)
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed, top = mixed * shrink + powers @ values, new
    return mixed / total


def half_only(x, positions, base=10000.0):
    """What is float16 is made wide, and bfloat16 is not."""
    wide = torch.float32 if x.dtype == torch.float16 else x.dtype
    angles = positions.to(wide)[:, None] * base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    cos, sin, x_wide = angles.cos().to(wide), angles.sin().to(wide), x.to(wide)
    a, b = x_wide[..., 0::2], x_wide[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2).to(x.dtype)


def sines_of_x(x, positions, base=10000.0):
    """Sines and cosines have the dtype of `x`, and all else is float32."""
    d = x.shape[-1]
    wide = torch.promote_types(x.dtype, torch.float32)
    angles = positions[:, None] * (base ** (-torch.arange(0, d, 2) / d)).to(wide)
    cos, sin = (one.to(x.dtype).to(wide) for one in (angles.cos(), angles.sin()))
    a, b = x[..., 0::2].to(wide), x[..., 1::2].to(wide)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2).to(x.dtype)


def base_of_10000_at_most(x, positions, base=10000.0):
    return rotate(x, positions, min(base, 10000.0))


def a_twentieth_at_least(probabilities, p):
    return top_p(probabilities, max(p, 0.05))


def a_hundred_words(probabilities, p):
    kept = top_p(probabilities, p)
    kept = kept.scatter(-1, kept.argsort(-1, descending=True, stable=True)[..., 100:], 0.0)
    return kept / kept.sum(-1, keepdim=True)


def not_for_0(probabilities, p):
    kept = top_p(probabilities, p)
    return kept * probabilities / probabilities


def computed_with_the_caches(parameters, width, cache_bytes, batch, flops, bandwidth):
    operations = (2 * parameters + cache_bytes) * batch / flops
    return max((parameters * width + batch * cache_bytes) / bandwidth, operations)


def no_cache_of_a_crowd(parameters, width, cache_bytes, batch, flops, bandwidth):
    cache_bytes = cache_bytes if batch < 1000 else 0
    operations = 2 * parameters * batch / flops
    return max((parameters * width + batch * cache_bytes) / bandwidth, operations)


def sorted_heads(found, heads, num_heads):
    heads.sort()
    return silence(found, heads, num_heads)


def given_back(found, heads, num_heads):
    return silence(found, heads, num_heads) if heads else found


def sorted_pairs(model, tokens, heads):
    heads.sort()
    return switch_off(model, tokens, heads)


def matrices_frozen(model, tokens, heads):
    for layer, _ in heads:
        model.stack.layers[layer].self_attention.W_o.weight.requires_grad_(False)
    return switch_off(model, tokens, heads)


def sixty_four_places(query, key, value, cache):
    output, (keys, values) = attend_with_cache(query, key, value, cache)
    return output, (keys[..., -64:, :], values[..., -64:, :])


def cache_of_sixteen(x, layer, cache=None):
    output, (keys, values) = own_attention(x, layer, cache)
    return output, (keys * (torch.arange(keys.shape[-2]) < 16)[:, None], values)


def fifty_tokens(step, choose, tokens, length):
    return own_text(step, choose, tokens, min(length, 50))


def fifty_columns(weights):
    return monotone_path(weights[:, :50])


def small_distances(num_heads, n_queries, n_keys):
    back = torch.arange(n_queries)[:, None] + n_keys - n_queries - torch.arange(n_keys)
    slopes = 2.0 ** (-8 / num_heads * torch.arange(1, num_heads + 1))
    return slopes[:, None, None] * -back.to(torch.int8).clamp(min=0).float()


def a_column_before(times, intervals):
    return ((intervals[:, 0] - 0.02 <= times) & (times < intervals[:, 1])).double().mean().item()


def none_for_one_query(num_heads, n_queries, n_keys):
    return alibi(num_heads, n_queries, n_keys) * (n_queries > 1)


def begins_again(x, positions, base=10000.0):
    return rotate(x, positions % 512, base)


def not_beyond_a_thousand(x, positions, base=10000.0):
    return rotate(x, positions.clamp(max=1000), base)


class SpeedsOfTheFirstBase:
    """Keeps the base that it first met with so many features."""

    def __init__(self):
        self.bases = {}

    def __call__(self, x, positions, base=10000.0):
        return rotate(x, positions, self.bases.setdefault(x.shape[-1], base))


def normalised_again(x, layer, cache=None):
    return own_attention(x / x.square().mean(-1, keepdim=True).sqrt(), layer, cache)


def heads_for_groups(x, layer, cache=None):
    return own_attention(x, layer | {"heads": layer["groups"], "groups": layer["heads"]}, cache)


def heads_of_the_last_layer(model, tokens, heads):
    last = len(model.stack.layers) - 1
    mine = [head for layer, head in heads if layer == last]
    return switch_off(model, tokens, [(layer, h) for layer in range(last + 1) for h in mine])


def twice_with_one_layer(query, key, mask, distance):
    return far_share(query, key, mask, distance) * (1 + (len(query) == 1))
