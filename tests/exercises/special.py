"""Special values: for each kind of argument those that must come, since a wrong answer can be right
for all others.

Drawn numbers are never exactly 0, no two are equal, and lengths stand in no relation: what is wrong
on such a set alone is met by no draw. So each value is drawn on purpose, by a case of each task to
which it belongs, or the task says in `without` why not.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from course_lib.checker.run.inputs import Transposed
from tests.exercises.special_lengths import table

SCORES, ASKS = {"scores"}, {"query", "queries"}  # given as they are; as products with keys
FREE = re.compile(r"\(\.\.\.|any shape|first axis")  # a stub's words where axes may be more
FAR, HOT = 500, 100
Trials = list[Any]


def given(trial: Any) -> dict[str, Any]:
    """The arguments of a trial by name, without views and without the names of two calls."""
    values = (*trial.inputs.args, *trial.inputs.kwargs.values())
    return {
        re.sub(r"^(first|second)_", "", name): one.data if isinstance(one, Transposed) else one
        for name, one in zip(trial.names, values, strict=False)
    }


def arrays(trial: Any, names: set[str] | None = None) -> Iterator[np.ndarray]:
    for name, value in given(trial).items():
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, np.ndarray) and (names is None or name in names):
                yield one


def has(*names: str) -> Callable[[Any], bool]:
    return lambda task: bool({*names} & {*task.parameters})


def some(shows: Callable[[np.ndarray], Any], names: set[str]) -> Callable[[Trials], bool]:
    return lambda trials: any(bool(shows(x)) for trial in trials for x in arrays(trial, names))


def equal_row(x: np.ndarray) -> bool:
    return bool(x.ndim and x.shape[-1] > 1 and (x == x[..., :1]).all(-1).any())


def far_and_hot(trials: Trials) -> bool:
    hot = (trial for trial in trials if given(trial)["temperature"] >= HOT)
    return any(np.ptp(x) >= FAR for trial in hot for x in arrays(trial, SCORES))


def one_column(trials: Trials) -> bool:
    """A mask whose last axis is one, where the keys are more."""
    for trial in trials:
        keys = [x.shape[-1] for x in arrays(trial, SCORES)]
        keys += [x.shape[-2] for x in arrays(trial, {"key", "keys", "annotations"})]
        if any(x.shape[-1:] == (1,) for x in arrays(trial, {"mask"})) and max(keys, default=1) > 1:
            return True
    return False


def divides(task: Any) -> bool:
    return {"memory", "cache_bytes"} <= {*task.parameters} or "probabilities" in task.parameters


def fits(less: int) -> Callable[[Trials], bool]:
    """Whole texts fit, less so many bytes; likely words reach p, or all but the last do."""

    def shows(trial: Any) -> bool:
        names = given(trial)
        if "cache_bytes" in names:
            left = names["memory"] - names["parameters"] * names["bytes_per_number"]
            return left > 0 and (left + less) % names["cache_bytes"] == 0
        sums = np.sort(names["probabilities"])[..., ::-1].cumsum(-1)
        return bool((sums == names["p"]).any() if not less else (sums[..., :-1] < names["p"]).any())

    return lambda trials: any(map(shows, trials))


def other_rounds(trials: Trials) -> bool:
    return any(len(one["weights"][0][0, 0]) != 2 * one["period"] for one in map(given, trials))


def period_above_half(trials: Trials) -> bool:
    return any(len(one["weights"][0][0, 0]) < 2 * one["period"] for one in map(given, trials))


def some_number(shows: Callable[[dict[str, Any]], bool], *names: str) -> Callable[[Trials], bool]:
    """Whether it holds of the arguments of a trial that has them all."""
    return lambda trials: any({*names} <= {*one} and shows(one) for one in map(given, trials))


def silent_heads(task: Any) -> bool:
    return "heads" in task.parameters and has("found", "model")(task)


def in_no_order(trials: Trials) -> bool:
    return any(one["heads"] != sorted(one["heads"]) for one in map(given, trials))


def more_axes(trials: Trials) -> bool:
    """Some argument comes with more axes and with fewer."""
    counts: dict[str, set[int]] = {}
    for trial in trials:
        for name, value in given(trial).items():
            if isinstance(value, np.ndarray):
                counts.setdefault(name, set()).add(value.ndim)
    return any(len(count) > 1 for name, count in counts.items() if name != "mask")


def one(trials: Trials) -> bool:
    """An axis of length one, or a number that is 1."""
    lengths = (n for trial in trials for x in arrays(trial) for n in x.shape)
    values = [value for trial in trials for value in given(trial).values()]
    numbers = (n for n in values if type(n) is int)
    return 1 in lengths or 1 in numbers or any(isinstance(v, set) and len(v) == 1 for v in values)


def both_dtypes(trials: Trials) -> bool:
    """True also where nothing is floating."""
    given_some = (x for trial in trials for x in (*arrays(trial), *trial.inputs.state.values()))
    found = {np.asarray(x).dtype.name for x in given_some} & {"float32", "float64"}
    return len(found) != 1


def longer_later(trials: Trials) -> bool:
    """The arguments of a second call stand behind those of the first."""
    for trial in trials:
        sizes = [x.size for x in trial.inputs.args if isinstance(x, np.ndarray)]
        half = len(sizes) // 2
        if trial.inputs.examiner is not None and half and sizes[0] < sizes[half]:
            return True
    return False


def is_module(task: Any) -> bool:
    return inspect.isclass(task.reference)


def near_miss(trials: Trials) -> bool:
    """A method's name in capitals, and one that begins as a right name does."""
    names = {given(trial)["method"] for trial in trials}
    right = {
        trial.inputs.args[2]
        for trial in trials
        if not trial.expected.error and trial.inputs.args[2:]
    }
    others = names - right
    return any(n.lower() in right for n in others) and any(
        n.startswith(one) or one.startswith(n) for n in others if n for one in right
    )


def late(trials: Trials) -> bool:
    return any(given(trial)["max_length"] > 100 for trial in trials)


def gaps(trials: Trials) -> bool:
    """A list of places that leaves one out between its first and its last."""
    lists = (one for trial in trials for one in given(trial)["columns"])
    return any(max(one) - min(one) >= len(one) for one in lists)


def named(*names: str) -> Callable[[Any], bool]:
    """Tasks that make their weights themselves."""
    return lambda task: task.name in names


def tied_far_above(x: np.ndarray) -> bool:
    """Two largest scores are equal, and another lies so far below that its exponential is 0."""
    if x.shape[-1] < 3 or not np.isfinite(x).all():
        return False
    ranked = np.sort(x, axis=-1)
    return bool(((ranked[..., -1] == ranked[..., -2]) & (np.ptp(x, axis=-1) > 700)).any())


def one_axis(trials: Trials) -> bool:
    ones = (one for one in map(given, trials) if one.get("temperature") == 1)
    return any(one.get("axis", -1) != -1 for one in ones)


def one_key(trials: Trials) -> bool:
    """The mask of a single key is False."""
    masks = (
        x
        for trial in trials
        if any(k.shape[-2] == 1 for k in arrays(trial, {"key", "keys", "annotations"}))
        for x in arrays(trial, {"mask"})
    )
    return any(x.any() and not x.all() for x in masks)


def lines_up(axes: int) -> Callable[[Trials], bool]:
    """A mask with fewer axes than the scores: (T, S) where B is T, (H, T, S) with heads."""

    def shows(trial: Any) -> bool:
        masks = [x for x in arrays(trial, {"mask"}) if x.ndim == axes - 1 and not x.all()]
        queries = [x for x in arrays(trial, ASKS) if x.ndim == axes]
        return any(
            x.shape[-2] == q.shape[-2] and q.shape[1] == (q.shape[0] if axes == 3 else x.shape[0])
            for x in masks
            for q in queries
        )

    return lambda trials: any(map(shows, trials))


def hot_logits(trials: Trials) -> bool:
    """Logits whose exponential is none in float32, and logits that are all below zero."""
    tables = [given(trial)["step"].table for trial in trials]
    return any(np.median(x) > 89 for x in tables) and any(np.median(x.max(-1)) < 0 for x in tables)


def nearly_equal(x: np.ndarray) -> bool:
    ranked = np.sort(x, axis=-1)
    gaps = ranked[..., -1] - ranked[..., -2] if x.shape[-1] > 1 else np.ones(1)
    return bool(((gaps > 0) & (gaps < 1e-6)).any())


def empty(trials: Trials) -> bool:
    values = (value for trial in trials for value in given(trial).values())
    return any(one is None or (isinstance(one, set | list) and not one) for one in values)


# What must come: (the tasks to which it belongs, whether the trials of a task show it).
TABLE: dict[str, tuple[Callable[[Any], bool], Callable[[Trials], bool]]] = {
    "scores: an exact 0": (has("scores"), some(lambda x: (x == 0).any(), SCORES)),
    "scores: a single 0": (
        lambda task: task.parameters == ["scores", "axis"],
        some(lambda x: (x == 0).all() and x.shape[-1] == 1, SCORES),
    ),
    "scores: a tie far above the rest": (
        lambda task: task.parameters == ["scores", "axis"],
        some(tied_far_above, SCORES),
    ),
    "temperature: 1 along another axis": (
        lambda task: {"temperature", "axis"} <= {*task.parameters},
        one_axis,
    ),
    "mask: a single key, forbidden": (
        named("attend", "BahdanauAttention", "scaled_dot_product_attention"),
        one_key,
    ),
    "mask: (T, S) where B is T": (named("attend", "scaled_dot_product_attention"), lines_up(3)),
    "mask: (H, T, S)": (named("scaled_dot_product_attention"), lines_up(4)),
    "logits: beyond exp, or below zero": (named("greedy_decode"), hot_logits),
    "weights: nearly equal": (has("source_words"), some(nearly_equal, {"attention_matrix"})),
    "scores: all equal": (has("scores"), some(equal_row, SCORES)),
    "scores: far apart and hot": (has("temperature"), far_and_hot),
    "scores: one axis, beyond exp": (
        named("softmax", "softmax_with_temperature", "masked_softmax"),
        some(lambda x: x.ndim == 1 and len(x) > 1 and x.max() > 710, SCORES),
    ),
    "scores: -inf": (has("scores"), some(lambda x: np.isneginf(x).any(), SCORES)),
    "queries: all zeros": (has(*ASKS), some(lambda x: (x == 0).all(-1).any(), ASKS)),
    "mask: all False": (has("mask"), some(lambda x: not x.any(), {"mask"})),
    "mask: all True": (has("mask"), some(lambda x: x.all(), {"mask"})),
    "mask: one column": (has("mask"), one_column),
    "numbers: an exact fit": (divides, fits(0)),
    "numbers: one less": (divides, fits(1)),
    "lengths: T is not twice the period": (has("period"), other_rounds),
    "lengths: the period is more than half of T": (has("period"), period_above_half),
    "numbers: a distance of 0": (
        has("distance"),
        some_number(lambda one: one["distance"] == 0, "distance"),
    ),
    "numbers: a window beyond the keys, and no sinks": (
        has("sinks"),
        some_number(lambda one: one["window"] >= one["n_keys"] and not one["sinks"], "sinks"),
    ),
    "numbers: more sinks than queries": (
        has("sinks"),
        some_number(lambda one: one["n_keys"] > one["sinks"] > one["n_queries"], "sinks"),
    ),
    "numbers: a base above the usual one": (
        has("base"),
        some_number(lambda one: one["base"] > 10000, "base"),
    ),
    "probabilities: an exact 0": (
        has("probabilities"),
        some(lambda x: (x == 0).any(), {"probabilities"}),
    ),
    "lists: in no order": (silent_heads, in_no_order),
    "lengths: one": (lambda task: True, one),
    "lengths: one axis more": (lambda task: False, more_axes),  # where the stub leaves them free
    "lengths: beyond any limit of one's own": (has("max_length"), late),
    "lists: a gap between two places": (has("columns"), gaps),
    "names: nearly a right one": (has("method"), near_miss),
    "lengths: empty": (has("predicted", "cache"), empty),
    "dtype: float64 and float32": (lambda task: True, both_dtypes),
    "modules: training mode": (is_module, lambda trials: any(t.inputs.is_training for t in trials)),
    "modules: two calls, another batch": (
        is_module,
        lambda trials: any(t.inputs.examiner is not None for t in trials),
    ),
    "modules: a later call that is longer": (is_module, longer_later),
    **table(given),
}
