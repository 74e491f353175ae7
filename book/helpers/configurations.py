"""Configurations of released models, as facts: what each field is, and where that stands.

The fields are called as the `config.json` of the model calls them; where `whole` is set they are
the maker's file, unchanged, else an extract of the sizes. `total` and `active` are the parameters
in 10⁹ that the makers publish, or None.
"""

import json
from pathlib import Path
from typing import NamedTuple


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
