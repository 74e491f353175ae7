"""Right answers to exercise 13, each written in another way than the reference."""

import torch

from course_lib.exercises.your_own_model.attention.task import own_attention
from course_lib.exercises.your_own_model.lent import (
    attend_with_cache,
    feed_forward,
    merge_heads,
    rms_norm,
    rotate,
    softmax_with_temperature,
    split_heads,
    top_p,
)


def attention_by_the_cache(x, layer, cache=None):
    """One way for both: without a cache `attend_with_cache` begins one."""
    past = 0 if cache is None else len(cache[0][0, 0])
    places = torch.arange(past, past + x.shape[1])
    q, k, v = (x @ layer[name].mT for name in ("W_q", "W_k", "W_v"))
    q = rotate(split_heads(q, layer["heads"]), places, layer["base"])
    k = rotate(split_heads(k, layer["groups"]), places, layer["base"])
    v = split_heads(v, layer["groups"])
    index = torch.arange(layer["heads"]) * layer["groups"] // layer["heads"]
    found, cache = attend_with_cache(q, k[:, index], v[:, index], cache)
    return torch.nn.functional.linear(merge_heads(found), layer["W_o"]), cache


def attention_with_few_keys_kept(x, layer, cache=None):
    """The cache holds a key for each group, and is spread for the heads at each step."""
    H, G, T = layer["heads"], layer["groups"], x.shape[1]
    q = split_heads(x @ layer["W_q"].T, H)
    k, v = (split_heads(x @ layer[name].T, G) for name in ("W_k", "W_v"))
    P = 0 if cache is None else cache[0].shape[2]
    q, k = (rotate(one, P + torch.arange(T), layer["base"]) for one in (q, k))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    spread = [one[:, :, None].expand(-1, -1, H // G, -1, -1).flatten(1, 2) for one in (k, v)]
    old = None if cache is None else tuple(one[:, :, :P] for one in spread)
    found, _ = attend_with_cache(q, spread[0][:, :, P:], spread[1][:, :, P:], old)
    return merge_heads(found) @ layer["W_o"].T, (k, v)


def logits_in_a_zip(model, tokens, caches=None):
    """The caches beside the layers."""
    layers = model["layers"]
    caches = [None] * len(layers) if caches is None else caches
    x, new = torch.nn.functional.embedding(tokens, model["embedding"]), ()
    for layer, cache in zip(layers, caches, strict=True):
        found, cache = own_attention(rms_norm(x, layer["norm_1"]), layer, cache)
        middle = x + found
        x = middle + feed_forward(rms_norm(middle, layer["norm_2"]), layer)
        new += (cache,)
    return torch.einsum("btd,vd->btv", rms_norm(x, model["norm"]), model["embedding"]), new


def logits_in_a_dictionary(model, tokens, caches=None):
    """The caches by the number of their layer, in the dictionary that comes in or in a new one."""
    caches = dict(caches or {})
    x = model["embedding"][tokens]
    for i in range(len(model["layers"])):
        layer = model["layers"][i]
        found, caches[i] = own_attention(rms_norm(x, layer["norm_1"]), layer, caches.get(i))
        x = found + x
        x = feed_forward(rms_norm(x, layer["norm_2"]), layer) + x
    return rms_norm(x, model["norm"]) @ model["embedding"].mT, caches


def choice_row_by_row(logits, temperature, p):
    """Each text for itself."""
    rows = [softmax_with_temperature(row.numpy(), temperature) for row in logits]
    return torch.cat([top_p(torch.tensor(row)[None], p) for row in rows])


def choice_by_torch(logits, temperature, p):
    """NumPy by another door."""
    weights = softmax_with_temperature(logits.detach().cpu().numpy(), temperature, axis=1)
    return top_p(torch.as_tensor(weights), p)


def text_into_a_tensor(step, choose, tokens, length):
    """Written into its place, and the prompt read before the loop."""
    written = tokens.new_zeros(len(tokens), length)
    logits, caches = step(tokens, None)
    for place in range(length):
        written[:, place] = choose(logits[:, -1])
        if place + 1 < length:
            logits, caches = step(written[:, place : place + 1], caches)
    return written


def text_that_grows(step, choose, tokens, length):
    """The whole text grows, and its last token is read."""
    text = tokens
    logits, caches = step(text, None)
    while text.shape[1] < tokens.shape[1] + length:
        text = torch.cat([text, choose(logits[:, -1]).unsqueeze(1)], dim=1)
        logits, caches = step(text[:, -1:], caches)
    return text[:, tokens.shape[1] :]


ALTERNATIVES = {
    "own_attention": [attention_by_the_cache, attention_with_few_keys_kept],
    "own_logits": [logits_in_a_zip, logits_in_a_dictionary],
    "own_choice": [choice_row_by_row, choice_by_torch],
    "own_text": [text_into_a_tensor, text_that_grows],
}
