"""A model that is built and run without numbers: its parts, its cache, and its three checks."""

from dataclasses import replace
from typing import Any

from course_lib.estimates.cache_by_running import as_stated, cache_layers
from course_lib.estimates.config_file import INNER, Source
from course_lib.estimates.construction import (
    ask,
    build_config,
    build_model,
    known_types,
    listening,
    quiet,
)
from course_lib.estimates.field_checks import Level, levels, refuse_bad_fields
from course_lib.estimates.parts import totals, weights_of
from course_lib.estimates.released import Released
from course_lib.estimates.size_names import is_size
from course_lib.estimates.stored_bits import find_quantization, stored_bytes
from course_lib.estimates.unread import unread_sizes

PREDICTED = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")


def by_construction(
    kind: str, fields: dict, source: Source, notes: list[str], accept: tuple[str, ...] = ()
) -> Released:
    """Builds the class on the meta device, counts it, and asks what of the file it never read."""
    parts = list(levels(kind, fields))
    for part in parts:
        refuse_bad_fields(part)
    layers, certain = None, True
    fields = _with_tied(fields, parts, notes)
    config = build_config(kind, fields)
    with listening() as heard, quiet():
        try:
            model = build_model(config)
        except ValueError as error:
            if found := _part_alone(kind, fields):
                alone, fields, name = found
                notes.append(f"{name} alone was built, as {alone}, for the whole cannot: {error}")
                found = by_construction(alone, fields, source, notes, accept)
                return replace(found, certain=False)
            raise
        weights = weights_of(model, config)
        try:
            layers, copied, certain = as_stated(cache_layers(model), config)
            notes += [copied] if copied else []
        except ValueError as error:
            notes.append(f"The cache was not measured: {error}.")
            certain = False
    unread, idle = unread_sizes(parts, heard)
    unread += _lost(parts, config)
    if strange := [name for name in unread if name not in accept]:
        raise ValueError(
            f"{', '.join(strange)}: stated in the file, and never read by {type(model).__name__}, "
            "so its numbers would be another model's. If you know that a field changes no size, "
            "name it in accept=."
        )
    if config.is_encoder_decoder and layers:
        notes.append("The keys and values that the decoder makes of the source are not counted.")
        certain = False
    if layers == ():
        notes.append("The class keeps no cache: it reads a whole text at once.")
    if idle:
        notes.append(f"Stated and without effect on the class: {', '.join(idle)}.")
        certain = certain and not [name for name in idle if name not in accept]
    notes += _said(parts, config.get_text_config(decoder=True), heard)
    quantization = find_quantization(fields, source)
    dtype = next(
        (part.fields[n] for part in parts for n in ("dtype", "torch_dtype") if part.fields.get(n)),
        None,
    )
    stored = stored_bytes(weights, quantization, dtype)
    return Released(
        kind=kind,
        weight_bytes=stored.size,
        stored=stored.by_format,
        read_bytes=stored.read,
        expert_bytes=stored.experts,
        layers=layers,
        notes=(*notes, *stored.notes),
        unread=(*unread, *idle),
        certain=certain and not [note for note in stored.notes if "not known here" in note],
        **totals(weights, config),
    )


def _lost(parts: list[Level], config: Any) -> list[str]:
    """Sizes of the text that stand outside of it, where the class does not look for them."""
    text = config.get_text_config(decoder=True)
    return [
        name
        for part in parts
        if part.language and not part.inner and text is not config
        for name, value in part.fields.items()
        if name in part.declared and is_size(name) and type(value) is int and "window" not in name
        if ask(text, name) != value
    ]


def _with_tied(fields: dict, parts: list[Level], notes: list[str]) -> dict:
    """With what the text says of its tables where the whole says nothing of them.

    The outer class has a default of its own, which is not that of the text's family.
    """
    inner = next((part for part in parts if part.language and part.inner), None)
    if inner is None or fields.get("tie_word_embeddings") is not None:
        return fields
    tied = inner.fields.get("tie_word_embeddings")
    if tied is None:
        tied = bool(inner.declared.get("tie_word_embeddings"))
        kind = inner.cls.model_type
        notes.append(f"tie_word_embeddings is stated nowhere: {tied}, as {kind} has it.")
    return {**fields, "tie_word_embeddings": tied}


def _part_alone(kind: str, fields: dict) -> tuple[str, dict, str] | None:
    """The type, fields and name of the part that writes, where a file has one."""
    for name in (*INNER, "thinker_config"):
        inner = fields.get(name)
        if isinstance(inner, dict) and inner.get("model_type") in known_types() - {kind}:
            outer = ("tie_word_embeddings", "quantization_config", "dtype", "torch_dtype")
            return inner["model_type"], {n: fields[n] for n in outer if n in fields} | inner, name
    return None


def _said(parts: list[Level], text: Any, heard: dict[str, list]) -> list[str]:
    """What was taken from the class because the file lacks it, and what no class builds."""
    notes = []
    for part in parts:
        if not part.language:
            continue
        missing = [
            f"{name} {default:,}"
            for name, default in part.declared.items()
            if is_size(name)
            and name in heard
            and ask(text, name) == default
            and isinstance(default, int)
            and not isinstance(default, bool)
            and default > 1
            and part.stated(name) is None
            and name not in part.fields
        ]
        if missing:
            taken = ", ".join(sorted(missing))
            notes.append(
                f"Taken from the class {part.cls.model_type}, as the file lacks it: {taken}."
            )
        if predicted := [n for n in PREDICTED if part.fields.get(n)]:
            notes.append(
                f"The modules that predict further tokens ({predicted[0]}) are not counted."
            )
    return notes
