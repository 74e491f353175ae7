"""The reference, the cases and the hints of `own_attention`."""

import torch

from course_lib.checker.tasks import Cases
from course_lib.exercises.your_own_model.lent import (
    attend_with_cache,
    causal_mask,
    merge_heads,
    rotate,
    scaled_dot_product_attention,
    split_heads,
)
from course_lib.exercises.your_own_model.small_model import attention_inputs, turns_inputs


def own_attention(x, layer, cache=None):
    """Project, cut into heads, turn queries and keys to their positions, attend, put the heads side
    by side, project again. A cache of P words moves the new ones to the positions from P on, and it
    is their keys after the rotation that are kept: a position never changes.

    Cost: Four projections, and T·(P + T) scores for each head."""
    q = split_heads(x @ layer["W_q"].T, layer["heads"])  # (B, H, T, d)
    k = split_heads(x @ layer["W_k"].T, layer["groups"])  # (B, G, T, d)
    v = split_heads(x @ layer["W_v"].T, layer["groups"])
    start = 0 if cache is None else cache[0].shape[-2]
    positions = start + torch.arange(x.shape[1])
    q = rotate(q, positions, layer["base"])
    k = rotate(k, positions, layer["base"])
    share = layer["heads"] // layer["groups"]
    k, v = (one.repeat_interleave(share, dim=1) for one in (k, v))
    if cache is None:
        mask = causal_mask(x.shape[1])
        found, _weights = scaled_dot_product_attention(q, k, v, mask)
        cache = (k, v)
    else:
        found, cache = attend_with_cache(q, k, v, cache)
    return merge_heads(found) @ layer["W_o"].T, cache


case = Cases(sizes=(1, 2), dtypes=("float32",), atol=1e-4)
case("a single token, one group for all heads", lambda s: attention_inputs(s, 1, 4, (1,)))
case(
    "a single token, heads in two groups",
    lambda s: attention_inputs(s, pieces=(1,)),
    place="With one group for all heads a single token is right, and with two groups it is not. "
    "Look at how heads get their group: head h belongs to group h // (H // G).",
)
case(
    "a text at once, no cache",
    attention_inputs,
    place="A single token is right, and several are not. A single one has the weight 1 whatever "
    "its scores are, and position 0. Look at what several bring: queries and keys, their "
    "positions, and the mask.",
)
case(
    "token by token",
    lambda s: attention_inputs(s, pieces=(1, 1, 1, 1)),
    place="A text that comes at once is right, and token by token, with a cache, it is not. What "
    "is kept has to be as if the text came at once: each key turned once, to its own place, "
    "before what is new; a new token's place is the number of tokens in the cache, and it sees all "
    "that is kept: a mask of the new ones alone leaves some out.",
)
case(
    "a prompt, then one token at a time",
    lambda s: attention_inputs(s, pieces=(4, 1, 1)),
    place="Token by token it is right, and behind a prompt of several tokens it is not. The place "
    "of the next token is the number of tokens in the cache, which is another than the number of "
    "calls; and all of the prompt's keys and values are kept.",
)
case(
    "pieces of several tokens",
    lambda s: attention_inputs(s, pieces=(3, 2, 4)),
    place="With a cache a single new token is right, and several at once are not. Their places go "
    "on counting, and each sees the new ones before it, and none after it.",
)
case("as many groups as heads", lambda s: attention_inputs(s, groups=3, share=1, pieces=(3, 1)))
case.hidden(
    "one group for all heads",
    lambda s: attention_inputs(s, groups=1, pieces=(3 if s.size == 1 else 70, 1)),
)
case.hidden(
    "three heads in each of two groups", lambda s: attention_inputs(s, share=3, pieces=(2, 2))
)
case.hidden("two texts in turns, each with its own cache", turns_inputs)

HINTS = (
    "Write the shape beside each line: x is (B, T, width), queries become (B, H, T, d), keys and "
    "values (B, G, T, d). Which of your functions makes which step?",
    "Positions begin at 0 without a cache, else at the number of keys in it, "
    "`cache[0].shape[-2]`. Turn queries and keys, not values, with the layer's base. Then "
    "`repeat_interleave(H // G, dim=1)` gives each query head its keys.",
    "Without a cache: `scaled_dot_product_attention(q, k, v, causal_mask(T))`, and `(k, v)` is the "
    "cache. With one: `attend_with_cache(q, k, v, cache)`. At the end "
    '`merge_heads(found) @ layer["W_o"].T`.',
)

# Why special values do not come.
WITHOUT = {
    "example": "A layer and its output are too many numbers to print.",
    "lengths: empty": "Each text begins without a cache.",
    "dtype: float64 and float32": "A published model comes in one dtype.",
}
