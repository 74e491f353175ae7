"""What is wrong with the fields of a file before a model is built from them: one sentence each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from course_lib.estimates.construction import ask, build_config
from course_lib.estimates.size_names import (
    NEEDED,
    is_size,
    is_worth_spelling,
    looks_like,
    refuse_no_numbers,
)

DIVIDED = [
    ("num_attention_heads", "num_key_value_heads"),
    ("swa_num_attention_heads", "swa_num_key_value_heads"),
    ("num_attention_heads", "num_global_key_value_heads"),
    ("linear_num_value_heads", "linear_num_key_heads"),
]
AT_MOST = [
    ("num_experts_per_tok", "num_experts"),
    ("num_experts_per_tok", "num_local_experts"),
    ("num_experts_per_tok", "n_routed_experts"),
    ("first_k_dense_replace", "num_hidden_layers"),
    ("num_kv_shared_layers", "num_hidden_layers"),
]


class Level(NamedTuple):
    """The fields of one part of a file, and the class that they are given to."""

    fields: dict
    cls: Any
    language: bool  # whether these are the sizes of the language model
    inner: bool

    @property
    def whole(self) -> frozenset[str]:
        """Names of which the class takes whole numbers and nothing else."""
        from dataclasses import fields

        default = {f.name: (f.default, str(f.type)) for f in fields(self.cls)}
        return frozenset(
            name
            for name, (value, kind) in default.items()
            if type(value) is int and not any(other in kind for other in ("str", "list", "dict"))
        )

    @property
    def declared(self) -> dict[str, Any]:
        """Names that the class knows, with their defaults; others that it reads are not here."""
        return defaults(self.cls)

    def stated(self, name: str) -> Any:
        """A field by the library's name or by the maker's; None if it is missing."""
        names = {name, self.cls.attribute_map.get(name, name)}
        names |= {theirs for theirs, ours in self.cls.attribute_map.items() if ours in names}
        return next((self.fields[n] for n in names if self.fields.get(n) is not None), None)


def defaults(cls: Any) -> dict[str, Any]:
    """The fields of a configuration class and their defaults, those it renames included."""
    from dataclasses import MISSING, fields

    found = {f.name: None if f.default is MISSING else f.default for f in fields(cls)}
    renamed = {ours: found.get(theirs) for ours, theirs in cls.attribute_map.items()}
    return dict.fromkeys(cls.attribute_map.values()) | found | renamed


def levels(kind: str, fields: dict) -> Iterator[Level]:
    """The file's own level, and each part that has a class: text, pictures, sound."""
    from transformers import CONFIG_MAPPING, PretrainedConfig

    cls = CONFIG_MAPPING[kind]
    parts = {}
    for name, spec in cls.sub_configs_defaults.items():
        given = fields.get(name)
        part = spec.config_class
        if part is PretrainedConfig or not issubclass(part, PretrainedConfig):
            named = (given or {}).get("model_type") if isinstance(given, dict) else None
            own = named or spec.model_type  # `get` finds none: they are loaded when indexed
            part = CONFIG_MAPPING[own] if own in CONFIG_MAPPING else PretrainedConfig  # noqa: SIM401
        parts[name] = (given, part)
    inner = next((n for n in ("text_config", "decoder", "thinker_config") if n in parts), None)
    flat = inner is None or not isinstance(parts[inner][0], dict)
    if inner is not None and flat:  # an older file, which states the sizes of the text outside
        text = type("Flat", (parts[inner][1],), {})
        outer = set(defaults(cls)) - set(defaults(text))
        yield Level({n: v for n, v in fields.items() if n not in outer}, text, True, False)
        fields, flat = {n: v for n, v in fields.items() if n in outer}, False
    yield Level(fields, cls, flat, False)
    for name, (given, part) in parts.items():
        if isinstance(given, dict):
            yield Level(given, part, name == inner, True)


def refuse_bad_fields(level: Level) -> None:
    """Raises the sentence of the first thing that is wrong."""
    pictures = level.inner and not level.language  # makers prefix their names, as `vt_`
    for check in (_numbers,) if pictures else (_numbers, _spelling, _missing, _division):
        check(level)


def misspelled(level: Level, known: set[str]) -> None:
    """Refuses a name that is no field, and nearly one that the file lacks."""
    for name, value in level.fields.items():
        if name in known or not is_worth_spelling(name):
            continue
        for other in sorted(known):
            missing = is_worth_spelling(other) and level.stated(other) is None
            if missing and looks_like(name, other) and not changes(level, name, value):
                raise ValueError(
                    f"{name} is no field of {level.cls.model_type}, and {other} is missing: a "
                    "typing error? The library would pass over it in silence and take the default "
                    f"of {other}."
                )


def derived(level: Level, name: str, value: Any) -> bool:
    """Whether the class sets this attribute itself, to the same value, if it is not stated."""
    rest = {n: v for n, v in level.fields.items() if n != name}
    try:
        return ask(build_config(level.cls.model_type, rest), name) == value
    except ValueError:
        return False


def changes(level: Level, name: str, value: Any) -> bool:
    """Whether the class takes something from a field that it does not keep: perturb it and see."""
    if value is None or isinstance(value, bool | dict):
        return False
    other = value * 2 if isinstance(value, int | float) else value[::-1]
    kind = level.cls.model_type
    try:
        before = build_config(kind, level.fields).to_dict()
        after = build_config(kind, {**level.fields, name: other}).to_dict()
    except ValueError:  # the class holds it against something, so it is read
        return True
    return {**before, name: None} != {**after, name: None}


def _numbers(level: Level) -> None:
    refuse_no_numbers(level.fields, frozenset(filter(is_size, level.fields)), level.whole)


def _spelling(level: Level) -> None:
    misspelled(level, set(level.declared))


def _missing(level: Level) -> None:
    sizes = [name for name in NEEDED if name != "vocab_size"]
    if not level.language or (level.inner and all(level.stated(n) is None for n in sizes)):
        return  # a part of which only what differs from its class was written
    for name in NEEDED[:2] if level.inner else NEEDED:
        default = level.declared.get(name)
        if not isinstance(default, int) or not default or level.stated(name) is not None:
            continue
        if not _otherwise(level, name, default):
            raise ValueError(
                f"{name} is missing: the library would fill in {default:,} and count another model."
            )


def _otherwise(level: Level, name: str, default: int) -> bool:
    """Whether the class takes this size from a name of long ago, as BLOOM's `n_embed`."""
    try:
        return ask(build_config(level.cls.model_type, level.fields), name) != default
    except ValueError:
        return False


def _division(level: Level) -> None:
    for whole, part in DIVIDED:
        many, few = level.stated(whole), level.stated(part)
        if isinstance(many, int) and isinstance(few, int) and few and many % few:
            raise ValueError(
                f"{part} is {few} and does not divide {whole}, {many}: each KV head serves as many "
                "query heads as the others."
            )
    for few, many in AT_MOST:
        small, large = level.stated(few), level.stated(many)
        if isinstance(small, int) and isinstance(large, int) and small > large:
            raise ValueError(f"{few} is {small}, more than {many}, {large}.")
