"""Inputs of a module whose layers have each other's numbers."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

from course_lib.checker.run.inputs import Inputs


def other_layers(given: Inputs) -> Iterator[tuple[str, str, bool, Inputs]]:
    """For each two layers of the same shapes: (one, two, whether they change places, the inputs).
    Where they do not, `two` has the numbers of `one` as well."""
    layers: dict[str, dict[str, Any]] = {}
    for key, value in given.state.items():
        name, is_of_a_layer, part = key.rpartition(".")
        if is_of_a_layer:
            layers.setdefault(name, {})[part] = value
    for (one, of_one), (two, of_two) in permutations(layers.items(), 2):
        if {k: v.shape for k, v in of_one.items()} != {k: v.shape for k, v in of_two.items()}:
            continue
        state = given.state | {f"{two}.{part}": value for part, value in of_one.items()}
        yield one, two, False, replace(given, state=state)
        if one < two:
            state = state | {f"{one}.{part}": value for part, value in of_two.items()}
            yield one, two, True, replace(given, state=state)
