"""Configurations of released models, as facts: what each field is, and where that stands.

The fields are called as the `config.json` of the model calls them; where `whole` is set they are
the maker's file, unchanged, else an extract of the sizes. `total` and `active` are the parameters
in 10⁹ that the makers publish, or None.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

LATER = Path(__file__).with_name("models_of_2026.json")
SPREAD = re.compile(r"\[([^\[\]{}]*)\]")


class Released(NamedTuple):
    """One model."""

    year: int
    source: str
    whole: bool
    total: float | None
    active: float | None
    fields: dict


def released_models() -> dict[str, Released]:
    """All models by name, in the order of their years."""
    text = Path(__file__).with_name("released_models.json").read_text(encoding="utf-8")
    return {name: Released(**found) for name, found in json.loads(text).items()}


class Counted(NamedTuple):
    """A model of 2026 whose layers `read_config` does not know: its class was built and counted.

    `counts` is what `measured` gives for `fields`; a test builds the classes again.
    """

    source: str
    whole: bool
    fields: dict
    counts: dict


def models_of_2026() -> dict[str, Counted]:
    """The rest of 2026, by name, in the order of the table."""
    text = LATER.read_text(encoding="utf-8")
    return {name: Counted(**found) for name, found in json.loads(text).items()}


def measured(fields: dict, *, bits: bool) -> dict:
    """What `measure` counts: parameters, layers by kind, bytes that are kept.

    Args:
        fields: a configuration.
        bits: whether it says in how many bits the weights are stored; if not, their bytes are None.
    """
    from course_lib.estimates import measure

    found = measure(fields)
    return {
        "parameters": found.parameters,
        "active": found.active,
        "weight_bytes": found.weight_bytes if bits else None,
        "layers": list(found.kinds.values()),
        "first_token": found.cache_bytes(1),
        "at_131072": found.cache_bytes(131_072),
        "state_bytes": found.state_bytes,
    }


def count_again() -> None:
    """Builds every class of the file and writes what was counted (minutes)."""
    found = json.loads(LATER.read_text(encoding="utf-8"))
    for model in found.values():
        model["counts"] = measured(model["fields"], bits=model["whole"])
    text = json.dumps(found, indent=1, ensure_ascii=False)
    text = SPREAD.sub(lambda one: "[" + " ".join(one[1].split()) + "]", text)  # a list, one line
    LATER.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    count_again()
