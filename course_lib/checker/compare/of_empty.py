"""Where an answer is wrong for nothing but arguments that hold nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from course_lib.checker.run.inputs import Observation

ONLY = "Your answer is wrong only where {0} nothing. "
NEVER_MADE = (
    "What you return seems to be made inside a loop or an `if`, which is passed over there: make "
    "it before, and change it inside."
)
BY_HAND = (
    "Work out by hand what is right there, and look what a sum of nothing, a loop that is passed "
    "over or an `if` of yours makes of it."
)


def where_empty(
    trials: Sequence[Any], seen: Sequence[Observation], wrong: Sequence[int], is_made: bool
) -> str | None:
    """The sentence for arguments that are empty on every wrong trial, and on some right one are
    not: of what is never made, a result of None or a name without a value, or of what is."""
    never = all(_is_missing(seen[i]) for i in wrong)
    if never is is_made or any(trials[i].inputs.init is not None for i in wrong):
        return None
    empty = [dict(_sizes(trial)) for trial in trials]
    right = [i for i in range(len(trials)) if i not in wrong]
    names = [
        name
        for name in empty[wrong[0]]
        if all(empty[i].get(name) == 0 for i in wrong) and any(empty[i].get(name) for i in right)
    ]
    if not names:
        return None
    called = " and ".join(f"`{name}`" for name in names)
    holds = f"{called} {'hold' if len(names) > 1 else 'holds'}"
    return ONLY.format(holds) + (BY_HAND if is_made else NEVER_MADE)


def _is_missing(got: Observation) -> bool:
    return got.error == "UnboundLocalError" or (not got.error and got.value is None)


def _sizes(trial: Any) -> Iterator[tuple[str, int]]:
    """How much each argument holds that may hold nothing."""
    values = (*trial.inputs.args, *trial.inputs.kwargs.values())
    for name, value in zip(trial.names, values, strict=False):
        if isinstance(value, list | tuple | set | frozenset | dict):
            yield name, len(value)
        elif hasattr(value, "size") and hasattr(value, "ndim") and value.ndim:
            yield name, value.size
