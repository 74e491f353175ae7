"""Relations of lengths that must come: an answer with a way of its own for a single query, a single
key or a square is right for all other lengths."""

from collections.abc import Callable
from typing import Any

import numpy as np

Lengths = tuple[int, int, bool]  # queries, keys with those of a cache, and whether a mask hides


def of_attention(task: Any) -> bool:
    """Tasks in which any number of queries meets any number of keys."""
    return task.name in {
        "attend",
        "scaled_dot_product_attention",
        "MultiHeadAttention",
        "causal_attention",
        "streaming_attention",
        "attention_backward",
        "grouped_query_attention",
    }


def of_places(task: Any) -> bool:
    return {"n_queries", "n_keys"} <= {*task.parameters}


def some(shows: Callable[[int, int, bool], bool], given: Callable) -> Callable[[list], bool]:
    def found(trials: list) -> bool:
        return any(shows(*one) for trial in trials if (one := lengths(given(trial))))

    return found


def lengths(arguments: dict[str, Any]) -> Lengths | None:
    """T, S and whether the mask hides a place; None for a trial with other arguments."""
    if {"n_queries", "n_keys"} <= {*arguments}:
        return arguments["n_queries"], arguments["n_keys"], False
    query, key = (
        next((arguments[name] for name in names if name in arguments), None)
        for names in (("query", "queries"), ("key", "keys"))
    )
    if not isinstance(query, np.ndarray) or not isinstance(key, np.ndarray):
        return None
    mask = arguments.get("mask")
    hides = isinstance(mask, np.ndarray) and not mask.all()
    return query.shape[-2], key.shape[-2], hides


def table(given: Callable[[Any], dict]) -> dict[str, tuple[Callable, Callable]]:
    """Rows as in `special.TABLE`."""

    def row(belongs: Callable, shows: Callable[[int, int, bool], bool]) -> tuple:
        return belongs, some(shows, given)

    return {
        "lengths: one query, several keys": row(
            of_attention, lambda queries, keys, _: queries == 1 < keys
        ),
        "lengths: one query and a mask": row(
            lambda task: of_attention(task) and "mask" in task.parameters,
            lambda queries, keys, hides: queries == 1 < keys and hides,
        ),
        "lengths: one key, several queries": row(
            lambda task: of_attention(task) or of_places(task),
            lambda queries, keys, _: keys == 1 < queries,
        ),
        "lengths: as many queries as keys": row(
            lambda task: of_attention(task) or of_places(task),
            lambda queries, keys, _: queries == keys > 1,
        ),
    }
