"""Fields that a file states and the library's class passes over in silence."""

import re
from typing import Any

from course_lib.estimates.field_checks import Level, changes, derived, misspelled
from course_lib.estimates.size_names import is_size

# Classes read these though some declare none of them.
ASKED = {"head_dim", "v_head_dim", "num_key_value_heads", "moe_intermediate_size"}
PERIODS = re.compile(r"\w*_(interval|pattern|period|offset)")


def unread_sizes(levels: list[Level], heard: dict[str, list]) -> tuple[list[str], list[str]]:
    """Sizes that are stated and were not read while the class was built and run.

    Args:
        levels: the parts of the file.
        heard: what `listening` heard.

    Returns:
        Names whose value is nowhere in the model, so that it is another one; and names whose value
        was read under another name or is a default: they are stated, and change nothing.

    Raises:
        ValueError: for a name that is nearly one that was read and that the file lacks.
    """
    numbers = {value for values in heard.values() for value in _numbers(values)}
    unread, idle = [], []
    for level in levels:
        if level.inner and not level.language:  # pictures and sound
            continue
        read = set(level.declared) | (ASKED & set(heard) if level.language else set())
        misspelled(level, read)
        for name, value in level.fields.items():
            if name in level.declared or name in heard or not is_size(name):
                continue
            if _says_little(value) or isinstance(value, dict) or _repeats(level, name, value):
                continue
            if "layer_types" in level.fields and PERIODS.fullmatch(name):
                continue  # the list says it already
            if derived(level, name, value) or changes(level, name, value):
                continue
            listed = value if isinstance(value, list) else [value]
            here = all(
                v in (0, 1) or v in numbers for v in listed if not isinstance(v, dict | list)
            )
            nested = any(isinstance(v, dict | list) for v in listed)
            (idle if here and not nested else unread).append(name)
    return unread, idle


def _says_little(value: Any) -> bool:
    """Whether a value is none, a switch, zero or one, or a list of one value repeated."""
    if isinstance(value, list):
        return len(value) < 2 or all(v == value[0] for v in value)
    return value is None or isinstance(value, bool | str) or value in (0, 1)


def _numbers(values: list) -> list:
    listed = [v for value in values for v in (value if isinstance(value, list) else [value])]
    return [v for v in listed if isinstance(v, int | float) and not isinstance(v, bool)]


def _repeats(level: Level, name: str, value: Any) -> bool:
    """Whether the file says the same under a name that the class reads, two words of it shared."""
    words = set(name.split("_"))
    return any(
        level.fields.get(other) == value and len(words & set(other.split("_"))) > 1
        for other in level.declared
        if other != name
    )
