"""What goes wrong in `own_attention`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.your_own_model.attention.task import own_attention

K = 'k = split_heads(x @ layer["W_k"].T, layer["groups"])  # (B, G, T, d)'
TURN_Q = 'q = rotate(q, positions, layer["base"])'
TURN_K = '    k = rotate(k, positions, layer["base"])\n'


def _places(x, cache):
    return (0 if cache is None else cache[0].shape[-2]) + torch.arange(x.shape[1])


MISTAKES = Mistakes(own_attention, globals())
MISTAKES.change("nothing-turned", TURN_Q, "pass", TURN_K, "").says("""
    Nothing tells your heads where a word is. Turn queries and keys to their positions with
    `rotate`.
""")
MISTAKES.change("queries-alone", TURN_K, "").says("""
    You turn the queries and not the keys. Both have to be turned: only then does a score hang on
    their distance.
""")
MISTAKES.change("keys-alone", TURN_Q, "pass").says("""
    You turn the keys and not the queries. Both have to be turned: only then does a score hang on
    their distance.
""")
MISTAKES.change(
    "values-too", TURN_K, TURN_K + '    v = rotate(v, positions, layer["base"])\n'
).says("""
    You turn the values, too. Positions belong into the scores alone: turn queries and keys.
""")
MISTAKES.change("positions-from-zero", "cache[0].shape[-2]", "0").says("""
    With a cache your positions begin at 0 again. The new tokens come after those in the cache:
    begin at `cache[0].shape[-2]`.
""")
MISTAKES.change(
    "positions-one-further",
    "0 if cache",
    "1 if cache",
    "cache[0].shape[-2]",
    "cache[0].shape[-2] + 2",
).says("""
    Behind a cache your positions leave one out. The first new token stands at
    `cache[0].shape[-2]`, when the text begins at 0.
""")
MISTAKES.change(
    "usual-base", TURN_Q, "q = rotate(q, positions)", TURN_K, "    k = rotate(k, positions)\n"
).says("""
    You turn with the usual base. This layer has its own: `rotate(…, layer["base"])`.
""")
MISTAKES.change(
    "groups-in-turns",
    "one.repeat_interleave(share, dim=1)",
    "one.repeat(1, share, 1, 1)",
).says("""
    Your heads take the groups in turns, 0, 1, 0, 1. Neighbours share a group, 0, 0, 1, 1:
    `repeat_interleave(H // G, dim=1)`.
""")
MISTAKES.change("not-causal", "k, v, mask)", "k, v)").says("""
    Without a cache your words see those after them. Give the attention a `causal_mask`.
""")
MISTAKES.change("cache-not-read", "(q, k, v, cache)", "(q, k, v, None)").says("""
    Your new tokens do not see those before them. Return the keys and values with the output, from
    the first call on, and hand them on to `attend_with_cache`.
""")
WITH_CACHE = "found, cache = attend_with_cache(q, k, v, cache)"
MISTAKES.change(
    "kept-in-the-layer",
    "cache = (k, v)",
    'cache = layer["kept"] = (k, v)',
    WITH_CACHE,
    'found, cache = attend_with_cache(q, k, v, layer["kept"])\n        layer["kept"] = cache',
).says("""
    Two texts that are read in turns mix: the keys and values of one are kept where the next call
    for the other finds them, in `layer` or in a global name. Return them as the cache, and go on
    from the cache that is handed in.
""")
MISTAKES.change(
    "not-projected-back", 'merge_heads(found) @ layer["W_o"].T', "merge_heads(found)"
).says("""
    You return the heads side by side. The last matrix, W_o, mixes them:
    `merge_heads(…) @ layer["W_o"].T`.
""")
MISTAKES.change("output-not-transposed", 'layer["W_o"].T', 'layer["W_o"]').says("""
    You multiply by W_o and not by its transpose. A row of a matrix makes one feature, as in
    `nn.Linear`: `@ layer["W_o"].T`.
""")
MISTAKES.change("queries-not-transposed", 'layer["W_q"].T', 'layer["W_q"]').says("""
    You multiply by W_q and not by its transpose. A row of a matrix makes one feature, as in
    `nn.Linear`: `@ layer["W_q"].T`.
""")
GIVES = 'return merge_heads(found) @ layer["W_o"].T, cache'
MISTAKES.change("output-alone", GIVES, GIVES.removesuffix(", cache")).says("""
    You return the output alone. Return what belongs to the next call, too: `return output, cache`.
""")
MISTAKES.change("input-added", "return merge_heads", "return x + merge_heads").says("""
    You add x to the output. That is done around this layer, in `own_logits`.
""")
TURNED_WHOLE = 'rotate(x @ layer["W_q"].T, _places(x, cache), layer["base"])'
MISTAKES.change(
    "turned-before-the-cut",
    'x @ layer["W_q"].T, layer["heads"]',
    f'{TURNED_WHOLE}, layer["heads"]',
    TURN_Q,
    "pass",
).says("""
    You turn the queries before they are cut into heads, and then the speeds fall from the first
    head to the last. Each head turns its own d features: cut first, then turn.
""")
MISTAKES.change(
    "both-turned-before-the-cut",
    'x @ layer["W_q"].T, layer["heads"]',
    f'{TURNED_WHOLE}, layer["heads"]',
    TURN_Q,
    "pass",
    'x @ layer["W_k"].T, layer["groups"]',
    f'{TURNED_WHOLE.replace("W_q", "W_k")}, layer["groups"]',
    TURN_K,
    "",
).says("""
    You turn queries and keys before they are cut into heads, and then the speeds fall from the
    first head to the last. Each head turns its own d features: cut first, then turn.
""")
MISTAKES.change(
    "values-in-turns",
    "k, v = (one.repeat_interleave(share, dim=1) for one in (k, v))",
    "k, v = k.repeat_interleave(share, dim=1), v.repeat(1, share, 1, 1)",
).says("""
    Your heads share the keys as neighbours and take the values in turns. A head takes both from its
    group, 0, 0, 1, 1: `repeat_interleave(H // G, dim=1)` for both.
""")
MISTAKES.change(
    "keys-in-turns",
    "k, v = (one.repeat_interleave(share, dim=1) for one in (k, v))",
    "k, v = k.repeat(1, share, 1, 1), v.repeat_interleave(share, dim=1)",
).says("""
    Your heads share the values as neighbours and take the keys in turns. A head takes both from its
    group, 0, 0, 1, 1: `repeat_interleave(H // G, dim=1)` for both.
""")
MISTAKES.change(
    "one-position-for-all",
    "start + torch.arange(x.shape[1])",
    "start + 0 * torch.arange(x.shape[1])",
).says("""
    All new tokens get one position. They go on counting: `start + torch.arange(T)`.
""")
MISTAKES.change("keys-for-values", 'x @ layer["W_v"]', 'x @ layer["W_k"]').says("""
    You make the values with the matrix of the keys. They have their own, W_v.
""")
MISTAKES.change(
    "scaled-again", TURN_Q, 'q = rotate(q, positions, layer["base"]) / q.shape[-1] ** 0.5'
).says("""
    Your scores are divided by the root of d twice: the attention that you call divides by it
    already.
""")
MISTAKES.change(
    "scale-taken-back", TURN_Q, 'q = rotate(q, positions, layer["base"]) * q.shape[-1] ** 0.5'
).says("""
    Your scores are not divided by the root of d in the end: something multiplies by it what the
    attention divides.
""")
MISTAKES.change(
    "new-keys-alone-kept",
    WITH_CACHE,
    "found, _ = attend_with_cache(q, k, v, cache)\n        cache = (k, v)",
).says("""
    Your cache holds the newest keys and values alone, and forgets those before. Return what
    `attend_with_cache` returns, which holds all.
""")
MISTAKES.change("keys-from-zero", TURN_K, TURN_K.replace("positions", "positions - start")).says("""
    With a cache your keys are turned from position 0 on again, and the queries from where they
    stand. Both get the same positions.
""")
MISTAKES.change(
    "queries-from-zero", TURN_Q, TURN_Q.replace("positions", "positions - start")
).says("""
    With a cache your queries are turned from another beginning than the keys: perhaps from position
    0 on again, or the keys from too far on. A token has one position, in both.
""")
MISTAKES.change(
    "as-many-groups-as-heads",
    'x @ layer["W_k"].T, layer["groups"]',
    'x @ layer["W_k"].T, layer["heads"]',
    'x @ layer["W_v"].T, layer["groups"]',
    'x @ layer["W_v"].T, layer["heads"]',
    'layer["heads"] // layer["groups"]',
    "1",
).says("""
    You cut keys and values into `layer["heads"]`, as many as queries have. They have fewer: cut
    them into `layer["groups"]`, and give each query head a copy of its group.
""")
