"""What a page says of a model that it trained, held to a range wherever the page is run."""

import json
import os
from typing import SupportsFloat

# `make portable` sets it: every claim that a page makes is appended to this file, a line each.
RECORD = "COURSE_CLAIMS_FILE"


def claim(
    name: str,
    value: SupportsFloat,
    *,
    at_least: SupportsFloat | None = None,
    at_most: SupportsFloat | None = None,
) -> None:
    """Hold a trained number to its range; a page's hidden checks are calls of this function.

    The margin is the distance from `value` to the nearest limit, and is negative where the claim
    fails. `make portable` collects it over processors and seeds: a claim needs room to spare.

    Raises AssertionError, with name, value and range, where the value lies outside (NaN does),
    and ValueError where no limit is given.
    """
    if at_least is None and at_most is None:
        raise ValueError(f"The claim {name!r} needs a limit: at_least, at_most or both.")
    value = float(value)
    at_least = None if at_least is None else float(at_least)
    at_most = None if at_most is None else float(at_most)
    margins = [] if at_least is None else [value - at_least]
    margins += [] if at_most is None else [at_most - value]
    record = {"name": name, "value": value, "at_least": at_least, "at_most": at_most}
    record["margin"] = min(margins)
    if path := os.environ.get(RECORD):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    lower = "" if at_least is None else f" at least {at_least:g}"
    upper = "" if at_most is None else f" at most {at_most:g}"
    joined = " and".join(filter(None, (lower, upper)))
    assert min(margins) >= 0, f"{name}: {value:g}, and the page says{joined}."
