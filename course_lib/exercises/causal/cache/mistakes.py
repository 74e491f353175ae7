"""What goes wrong in `attend_with_cache`, in the order in which it is looked for."""

import torch

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.attention_mistakes import WEIGH, constant_mistakes, score_mistakes
from course_lib.exercises.causal.cache.task import attend_with_cache
from course_lib.exercises.causal.mask.mistakes import MISTAKES as MASKS
from course_lib.exercises.causal.mask.task import causal_mask
from course_lib.exercises.common import called_wrongly, family


def _past(n_queries, n_keys):
    seen = torch.arange(n_keys) < max(n_keys - n_queries, 1)
    return causal_mask(n_queries, n_keys) & seen


def _old_alone(n_queries, n_keys):
    old = n_keys - n_queries
    return causal_mask(n_queries, n_keys) & (torch.arange(n_keys) < (old or n_keys))


def _triangle_in_front(n_queries, n_keys):
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool)
    mask[:, :n_queries] = causal_mask(n_queries, n_queries)
    return mask


MASK = "causal_mask(query.shape[-2], key.shape[-2])"
ROOT = "math.sqrt(query.shape[-1])"
GIVES = "return weights @ value, (key, value)"
MISTAKES = Mistakes(attend_with_cache, globals())
score_mistakes(MISTAKES)
MISTAKES.change("cache-not-used", "cache is not None", "False").says("""
    The new queries see only the new keys. Join the cached keys and values in front of the new ones,
    and attend to all.
""")
MISTAKES.by(
    "cache-not-attended",
    lambda q, k, v, cache: (
        attend_with_cache(q, k, v, None)[0],
        attend_with_cache(q, k, v, cache)[1],
    ),
).says("""
    Your cache grows, but the queries see only the new keys. Attend to the joined keys and values.
""")
MISTAKES.change("not-appended", GIVES, "return weights @ value, cache or (key, value)").says("""
    You return the old cache. Return the joined keys and values, or the next step will not know
    these positions.
""")
MISTAKES.by(
    "only-the-new", lambda q, k, v, cache: (attend_with_cache(q, k, v, cache)[0], (k, v))
).says("""
    You return only the new keys and values. Return all of them, the old ones first.
""")
MISTAKES.change(
    "prepended", "[cache[0], key]", "[key, cache[0]]", "[cache[1], value]", "[value, cache[1]]"
).says("""
    You put the new positions before the old ones. Time runs forward: append them at the end.
""")
MISTAKES.change(
    "masked-at-first-alone", WEIGH, "parts.weigh(scores, mask if cache is None else None)"
).says("""
    You mask at the first step alone. Of several new positions none may see those after it, with a
    cache either.
""")
sentence = """
    You join what does not fit. Old keys go before new keys and old values before new values, along
    axis -2, the positions, however many axes stand before it.
"""
MISTAKES.change(
    "wrong-axis", "key], dim=-2", "key], dim=-1", "value], dim=-2", "value], dim=-1"
).says(sentence)
MISTAKES.change(
    "second-axis", "key], dim=-2", "key], dim=1", "value], dim=-2", "value], dim=1"
).says(sentence)
MISTAKES.change(
    "first-axis", "key], dim=-2", "key], dim=0", "value], dim=-2", "value], dim=0"
).says(sentence)
MISTAKES.change("values-not-joined", "torch.cat([cache[1], value], dim=-2)", "value").says("""
    You join the keys and not the values, so there are more weights than values. Put the old values
    before the new ones, as the old keys.
""")
MISTAKES.change("keys-not-joined", "torch.cat([cache[0], key], dim=-2)", "key").says("""
    You join the values and not the keys, so there are fewer weights than values. Put the old keys
    before the new ones, as the old values.
""")
MISTAKES.change("offset-ignored", "causal_mask(", "MASKS['aligned-top-left'](").says("""
    Your mask ignores the cached positions: its triangle starts at the first key, as that of torch's
    `is_causal` does. New query t sees P + t + 1 keys, all P old ones among them; if your
    `causal_mask` makes the mask, repair it there.
""")
MISTAKES.change("not-causal", WEIGH, "parts.weigh(scores, None)").says("""
    New positions see each other's future. Among themselves they are causal: forbid the keys that
    come after each.
""")
called_wrongly(MISTAKES, MASKS, "strictly-before")
MISTAKES.change(
    "strictly-before-and-nan",
    "causal_mask(",
    "MASKS['strictly-before'](",
    WEIGH,
    "parts.filled(scores, mask, -parts.INF)",
).says("""
    A new position does not see itself; the very first one then has nothing to attend to and becomes
    NaN. It sees every position up to and including its own.
""")
MISTAKES.change("only-the-past", "causal_mask(", "_past(").says("""
    The new positions do not see each other. Among themselves they are causal: query t sees the new
    keys up to its own.
""")
MISTAKES.change("values-before-keys", GIVES, "return weights @ value, (value, key)").says("""
    You return (values, keys). The order is (keys, values), as in the cache you are given.
""")
constant_mistakes(MISTAKES)
MISTAKES.change("cache-first", GIVES, "return (key, value), weights @ value").says("""
    You return the cache first. The order is (output, (keys, values)).
""")
MISTAKES.change("list", GIVES, "return weights @ value, [key, value]").says("""
    You return keys and values in a list. Return a tuple, (output, (keys, values)).
""")
MISTAKES.change("flat", GIVES, "return weights @ value, key, value").says("""
    You return three things in a row. Return two: the output, and the pair (keys, values).
""")
MISTAKES.change("weights-too", GIVES, "return weights @ value, weights, (key, value)").says("""
    You return the weights as well. Return two things: the output, and the pair (keys, values).
""")
MISTAKES.change("output-alone", GIVES, "return weights @ value").says("""
    You return the output alone. Return the pair (output, (keys, values)): the next step needs the
    new cache.
""")


@MISTAKES.says("""
    You write into the cache you were given; it belongs to the caller, who may want to go on from it
    twice. Join old and new into fresh tensors.
""")
def cache_changed(query, key, value, cache):
    output, (keys, values) = attend_with_cache(query, key, value, cache)
    if cache is not None:
        cache[0].data, cache[1].data = keys, values
    return output, (keys, values)


MISTAKES.change("cache-needed", "cache is not None", "True").says("""
    At the first step there is no cache: it is None. Then the new keys and values are all there is.
""")
family(
    MISTAKES,
    """You take the cache apart in the wrong order: it is (keys, values), so `keys, values =
    cache`. Old values meet new keys in your answer.""",
    unpacked_in_the_wrong_order=(
        "[cache[0], key]",
        "[cache[1], key]",
        "[cache[1], value]",
        "[cache[0], value]",
    ),
)
family(
    MISTAKES,
    """Each query sees one key too many, the one after its own place. It sees the keys up to
    itself: `tril(S − T)`, with S the old and the new ones.""",
    one_ahead=(
        "causal_mask(query.shape[-2], key.shape[-2])",
        "torch.ones(query.shape[-2], n := key.shape[-2]).tril(n - query.shape[-2] + 1).bool()",
    ),
)
family(
    MISTAKES,
    """The old positions take part in the softmax, and then their weights are set to 0. New
    queries see all old positions.""",
    old_weights_zeroed=(
        "return weights @ value",
        "weights = weights.masked_fill("
        "torch.arange(key.shape[-2]) < key.shape[-2] - query.shape[-2], 0)\n"
        "    return weights @ value",
    ),
)
family(
    MISTAKES,
    """You count the old positions along axis 1, which with heads is the axis of the heads.
    Positions are axis −2.""",
    counted_along_heads=(
        "    if cache is not None:\n",
        "    old = 0 if cache is None else cache[0].shape[1]\n    if cache is not None:\n",
        "causal_mask(query.shape[-2], key.shape[-2])",
        "torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril(old)",
    ),
)
family(
    MISTAKES,
    """Your softmax runs over the queries. Each query shares its attention among the keys: take
    the last axis.""",
    over_queries=("parts.weigh(scores, mask)", "parts.weigh(scores, mask, -2)"),
)
family(
    MISTAKES,
    """Your output is that of the last new position alone. There is one for each new
    position.""",
    last_alone=("return weights @ value,", "return (weights @ value)[..., -1:, :],"),
)
MISTAKES.change(
    "old-keys-for-values",
    "[cache[1], value]",
    "[cache[cache[0].shape[-1] < value.shape[-1]][..., : value.shape[-1]], value]",
).says("""
    Old keys stand where old values belong. `cache` holds (keys, values): join `cache[1]` with the
    new values.
""")
MISTAKES.change("first-call-open", MASK, f"({MASK} | torch.tensor(cache is None))").says("""
    At the first call, where `cache` is None, your queries see keys that come later. The new
    positions are causal among themselves then, too.
""")
MISTAKES.change("old-alone", MASK, "_old_alone(query.shape[-2], key.shape[-2])").says("""
    With a cache your queries see the old positions alone. Join the new keys and values behind them
    first, then attend to all.
""")
MISTAKES.change(
    "triangle-in-front", MASK, "_triangle_in_front(query.shape[-2], key.shape[-2])"
).says("""
    Your triangle lies over the first T keys, which are old ones. The new keys are the last T: with
    P old ones it is `tril(P)`.
""")
MISTAKES.change("first-call-not-scaled", ROOT, f"({ROOT} if cache else 1)").says("""
    At the first call, where `cache` is None, your scores are not divided by √d_k.
""")
MISTAKES.change("one-position-not-scaled", ROOT, f"({ROOT} if query.shape[-2] > 1 else 1)").says("""
    With one new position your scores are not divided by √d_k.
""")
LATEST = "cache[1][..., -query.shape[-2] :, :]"
MISTAKES.change(
    "last-values-again",
    "cache[1], value]",
    f"cache[1], {LATEST} if {LATEST}.shape == value.shape else value]",
).says("""
    Old values stand where the new ones belong. Join `cache[1]` with `value`.
""")
