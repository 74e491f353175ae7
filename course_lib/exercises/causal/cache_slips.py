"""Slips in `attend_with_cache`: how the cache is taken apart, and what of it is seen."""

from course_lib.checker.tasks import Mistakes
from course_lib.exercises.common import family


def cache_slips(mistakes: Mistakes) -> None:
    family(
        mistakes,
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
        mistakes,
        """Each query sees one key too many, the one after its own place. It sees the keys up to
        itself: `tril(S − T)`, with S the old and the new ones.""",
        one_ahead=(
            "causal_mask(query.shape[-2], key.shape[-2])",
            "torch.ones(query.shape[-2], n := key.shape[-2]).tril(n - query.shape[-2] + 1).bool()",
        ),
    )
    family(
        mistakes,
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
        mistakes,
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
        mistakes,
        """Your softmax runs over the queries. Each query shares its attention among the keys: take
        the last axis.""",
        over_queries=("parts.weigh(scores, mask)", "parts.weigh(scores, mask, -2)"),
    )
    family(
        mistakes,
        """Your output is that of the last new position alone. There is one for each new
        position.""",
        last_alone=("return weights @ value,", "return (weights @ value)[..., -1:, :],"),
    )
