"""Fields that a file states and the library's class passes over in silence."""

import re
from typing import Any

from course_lib.estimates.field_checks import Level, changes, derived, misspelled
from course_lib.estimates.size_names import is_size

# Classes read these though some declare none of them.
ASKED = {"head_dim", "v_head_dim", "num_key_value_heads", "moe_intermediate_size"}
PERIODS = re.compile(r"\w*_(interval|pattern|period|offset|freq)|first_k_dense_replace")
LISTS = {"layer_types", "indexer_types", "mlp_layer_types", "moe_layer_freq"}


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
        numbers |= _taken(level)
        for name, value in level.fields.items():
            if name in level.declared or name in heard or not is_size(name):
                continue
            if _says_little(value) or isinstance(value, dict) or _repeats(level, name, value):
                continue
            if PERIODS.fullmatch(name) and any(
                isinstance(level.fields.get(n), list) for n in LISTS - {name}
            ):
                continue  # a list says it already, layer by layer
            if "window" in name and _sees_everything(level):
                continue
            if name == "head_dim" and value == _width(level):
                continue  # of no use where keys are latents, and other sizes say it
            if derived(level, name, value) or changes(level, name, value):
                continue
            listed = value if isinstance(value, list) else [value]
            here = all(
                v in (0, 1) or v in numbers for v in listed if not isinstance(v, dict | list)
            )
            nested = any(isinstance(v, dict | list) for v in listed)
            outside = not level.language and level is not levels[-1]  # beside the part for text
            (idle if outside or (here and not nested) else unread).append(name)
    return unread, idle


def _sees_everything(level: Level) -> bool:
    """Whether the file says that no layer has a window."""
    fields = level.fields
    return (
        fields.get("use_sliding_window", True) is False or fields.get("sliding_window", 1) is None
    )


def _width(level: Level) -> int | None:
    """Of one head, if the heads share the model's width."""
    width, heads = level.stated("hidden_size"), level.stated("num_attention_heads")
    return width // heads if isinstance(width, int) and isinstance(heads, int) else None


def _taken(level: Level) -> set:
    """Numbers that the class takes from names that it neither declares nor keeps."""
    names = [n for n in level.fields if n not in level.declared and is_size(n)]
    taken = [level.fields[n] for n in names if changes(level, n, level.fields[n])]
    return set(_numbers(taken))


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
