"""What a test in lab 3 may never try, and which mutants show only there."""

from collections.abc import Sequence

from course_lib.exercises.write_the_test.masks import MASKS
from course_lib.exercises.write_the_test.use import (
    Gap,
    Use,
    batch,
    deep,
    dtype,
    large,
    length,
    width,
)


def _unseen(use: Use) -> bool:
    """Nothing that a call has could tell: the mutants' survival says it alone."""
    return True


def _one_key(use: Use) -> bool:
    return use.never(lambda key: length(key) > 1, "key")


def _sometimes_other(use: Use) -> bool:
    return not use.never(lambda q, k: length(q) != length(k), "query", "key")


def shown(gaps: Sequence[Gap], name: str) -> str:
    """Where a mutant shows, as a sentence; "" where that is not said."""
    return next((f" It shows {gap.shows}." for gap in gaps if name in gap.mutants), "")


def _keys_alike(use: Use) -> bool:
    return _one_key(use) or use.never(lambda one: "constant" not in one.marks, "key")


KEYS_ALIKE = (
    "All your keys are alike, or there is one alone, so every query weighs them alike, however it "
    "is scored. Draw keys with `torch.randn`, several of them."
)
SCALED = "where d_k is not 1 and the scores of a query are not alike"
ALIKE = (
    Gap(
        "where values are not keys",
        (
            "keys and values are confused in the output",
            "keys and values are confused in the scores",
            "keys and values are confused",
            "keys and values change places in the cache",
        ),
        lambda use: use.never(lambda value: "like key" not in value.marks, "value"),
        "Your values are the same numbers as your keys, so one can stand for the other and nobody "
        "sees it. Draw query, key and value each for itself, with d_k and d_v different.",
    ),
    Gap(
        "where queries are not keys",
        ("queries and keys are confused", "keys are compared with themselves"),
        lambda use: use.never(lambda key: "like query" not in key.marks, "key"),
        "Your keys are the same numbers as your queries, so one can stand for the other and nobody "
        "sees it. Draw them each for itself, and give T and S different lengths.",
    ),
    Gap(
        "where all scores of a query are not alike",
        ("softmax runs over the queries",),
        _keys_alike,
        KEYS_ALIKE,
    ),
    Gap(SCALED, ("the scores are not scaled",), _keys_alike, KEYS_ALIKE),
    Gap(
        SCALED,
        (
            "the scores are not scaled",
            "the scores are multiplied by √d",
            "the scores are divided by d",
        ),
        lambda use: use.never(lambda query: width(query) > 1, "query"),
        "Your d_k is 1, and √1 is 1: no scale shows. Take another, as 4.",
    ),
    Gap(
        "in float64",
        ("float64 becomes float32", "the cache is float32 whatever comes in"),
        lambda use: use.never(dtype("float64"), "query"),
        "You never hand in float64. Give it, and look at the dtype of what comes.",
    ),
    Gap(
        "in float32",
        ("float32 becomes float64",),
        lambda use: use.never(dtype("float32"), "query"),
        "You never hand in float32. Give it, and look at the dtype of what comes.",
    ),
    Gap(
        "where scores are in the hundreds",
        ("large scores overflow",),
        lambda use: use.never(large, "query", "key"),
        "Your scores are all small. Multiply the inputs by 30 once: scores in the hundreds may not "
        "overflow.",
    ),
    Gap(
        "in the gradients",
        ("no gradient reaches the query", "no gradient reaches the keys"),
        lambda use: use.never(lambda one: "gradient" in one.marks, "query"),
        "You never ask for a gradient. Give inputs with `requires_grad`, step back from the output "
        "and look whether each `grad` is there and is not zero.",
    ),
    Gap(
        "in the inputs after the call",
        (
            "the mask is written to",
            "the query is written to",
            "the key is written to",
            "the value is written to",
            "the old cache is cleared",
        ),
        _unseen,
        "You do not see what is written into some of your inputs. Keep a `clone()` of each before "
        "the call, the mask too, and compare with it afterwards.",
    ),
)
BATCH = Gap(
    "where there are several texts",
    (
        "only the first text is masked",
        "the weights of the first text are given for all",
        "new keys are added to the first text alone",
        "softmax runs over the first axis",
        "the first text's mask holds for all texts",
    ),
    lambda use: use.never(batch, "query"),
    "You give one text alone. Give a batch: an axis before T, and one more before that.",
)
AXES = Gap(
    "where two axes or more come before T",
    (
        "the key is transposed as if there were three axes",
        "pieces are joined along axis 1, however many come before it",
    ),
    lambda use: not use.never(batch, "query") and use.never(deep, "query"),
    "You never give more than one axis before T. With heads there are two: try (2, 3, T, d), too.",
)
ATTENTION = (
    *MASKS,
    Gap(
        "where d_v is not d_k",
        ("the scale is that of the values' width",),
        lambda use: use.never(lambda q, v: width(q) != width(v), "query", "value"),
        "Your d_k and d_v are equal, so one can stand for the other and nobody sees it. Give T, S, "
        "d_k and d_v different lengths.",
    ),
    Gap(
        "where S is not d_k",
        ("the scale is that of the number of keys",),
        lambda use: use.never(lambda key: length(key) != width(key), "key"),
        "Your S and d_k are equal, so one can stand for the other and nobody sees it. Give T, S, "
        "d_k and d_v different lengths.",
    ),
    Gap(
        "where T is not S",
        ("queries and keys are confused", "the mask is transposed"),
        lambda use: use.never(lambda q, k: length(q) != length(k), "query", "key"),
        "You always give as many queries as keys, so one can stand for the other and nobody sees "
        "it. Give T, S, d_k and d_v different lengths.",
    ),
    *ALIKE, BATCH, AXES,
)  # fmt: skip
CAUSAL = (
    Gap(
        "where T is not S",
        ("the first query stands beside the first key", "queries are moved the wrong way",
         "a query that sees nothing gets nan", "a query that sees nothing sees all",
         "a single query is masked like the first one"),
        lambda use: use.never(lambda q, k: length(q) != length(k), "query", "key"),
        "You test with as many queries as keys alone. In generation one query meets many keys; the "
        "last query then stands beside the last key.",
    ),
    Gap(
        "where there are more queries than keys",
        ("a query that sees nothing gets nan", "a query that sees nothing sees all",
         "the first key is always seen"),
        lambda use: _sometimes_other(use)
        and use.never(lambda q, k: length(q) > length(k), "query", "key"),
        "You never give more queries than keys, where the first queries see nothing.",
    ),
    Gap(
        "where one query meets several keys",
        ("a single query is masked like the first one",),
        lambda use: _sometimes_other(use)
        and use.never(lambda q, k: length(q) == 1 < length(k), "query", "key"),
        "You never give one query on several keys, as a model writes.",
    ),
    Gap(
        "where there are more than four keys",
        ("what lies more than three positions back is forgotten",),
        lambda use: use.never(lambda key: length(key) > 4, "key"),
        "Your texts are too short: what goes wrong far back never shows.",
    ),
    *ALIKE, BATCH, AXES,
)  # fmt: skip
CACHE = (
    Gap(
        "where a cache is handed in",
        ("the cache is ignored", "new positions stand before old ones"),
        lambda use: bool(use.calls) and not any(use.all("cache[0]")),
        "You never hand a cache in: nothing old is ever used. Call it again with the next "
        "positions and the cache that it returned.",
    ),
    Gap(
        "where several new positions come to a cache",
        ("later pieces are not masked",),
        lambda use: use.never(lambda q, _: length(q) > 1, "query", "cache[0]"),
        "Only one position at a time comes to a cache. Several new ones at once must not see each "
        "other's future: hand in two or three with a cache.",
    ),
    Gap(
        "where several positions come without a cache",
        ("the first piece is not masked",),
        lambda use: not any("cache[0]" not in one and length(one["query"]) > 1
                            for one in use.calls if "query" in one),
        "Your first piece is always one position. Let several come at once, without a cache.",
    ),
    Gap(
        "where a single position comes to a cache",
        ("a single new position sees itself alone",),
        lambda use: use.never(lambda q, _: length(q) == 1, "query", "cache[0]"),
        "A single new position never comes to a cache. That is how a model writes: one by one.",
    ),
    Gap(
        "where more than six positions are cached",
        ("what lies more than six positions back is forgotten",),
        lambda use: use.never(lambda k, old: length(k) + length(old) > 6, "key", "cache[0]"),
        "Your texts are too short: what goes wrong far back never shows. Take nine positions.",
    ),
    *ALIKE, BATCH, AXES,
)  # fmt: skip
