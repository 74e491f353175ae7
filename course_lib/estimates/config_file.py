"""From a file to the fields of a `config.json`, or to the sentence that says what the file is."""

import json
from os import PathLike
from pathlib import Path
from typing import Any

Source = dict | str | PathLike

# How files begin that are no text; a pickle inside a zip is what torch.save writes.
BINARY = {
    b"GGUF": "a GGUF file: it holds the weights and has its sizes in a header of its own",
    b"PK\x03\x04": "a zip archive, as torch.save writes weights",
    b"\x80\x02": "a pickle, which holds weights and could run code",
    b"\x80\x04": "a pickle, which holds weights and could run code",
    b"\x1f\x8b": "a gzip archive",
    b"\x89HDF": "an HDF5 file of weights",
}
INNER = ("text_config", "llm_config", "language_config")  # the language model of a composite one


def read_fields(source: Source) -> dict:
    """The fields of a file, checked to be those of a model's configuration.

    Args:
        source: a path to the file or to the folder that holds it, or the fields themselves.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for anything else than a JSON object that a model is built from; the sentence
            says what it is and where the sizes are.
        TypeError: for what is neither a path nor fields.
    """
    if not isinstance(source, dict | str | PathLike):
        raise TypeError(f"path must be that of a config.json, or its fields, got {source!r}.")
    fields = source if isinstance(source, dict) else _object(config_path(source).read_bytes())
    if sentence := _another_file(fields):
        raise ValueError(sentence)
    return {name: _floats(value) for name, value in fields.items()}


def _floats(value: Any) -> Any:
    """With {"__float__": "Infinity"}, as transformers 5 writes it, as the number that it is."""
    if isinstance(value, list):
        return [_floats(v) for v in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"__float__"}:
        return float(value["__float__"])
    return {name: _floats(v) for name, v in value.items()}


def config_path(source: str | PathLike) -> Path:
    """The file itself, also where its folder is given."""
    path = Path(source)
    path = path / "config.json" if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}: give the path of a config.json.")
    return path


def _object(data: bytes) -> dict:
    if not data.strip():
        raise ValueError("The file is empty: the download did not arrive. Fetch it again.")
    for start, what in BINARY.items():
        if data.startswith(start):
            raise ValueError(f"This is {what}. Give the config.json of the model.")
    if b'{"__metadata__"' in data[8:32] or (b'"dtype"' in data[8:200] and data[4:8] == bytes(4)):
        raise ValueError("This is a safetensors file of weights. Give the config.json beside it.")
    try:
        text = data.decode(json.detect_encoding(data)).lstrip("\ufeff").strip()
    except UnicodeDecodeError:
        raise ValueError("This is no text, so no config.json: it holds other bytes.") from None
    if text.startswith("<"):
        raise ValueError(
            "This is a web page, not a config.json: the download met a login or the page of the "
            "file. Save the raw file, logged in if the model is gated."
        )
    if text.startswith("version https://git-lfs"):
        raise ValueError("This is a Git LFS pointer, not the file: run git lfs pull.")
    try:
        found = json.loads(text, object_pairs_hook=_once)  # also reads Infinity, which makers write
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"Not JSON: {where}: {error.msg}. Was the download cut?") from None
    except RecursionError:
        raise ValueError("Not a config.json: its brackets are nested too deeply.") from None
    if not isinstance(found, dict):
        kind = type(found).__name__
        raise ValueError(f"The file holds a {kind}, and a config.json is an object with fields.")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict:
    found: dict = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            raise ValueError(f"{name} stands twice, as {found[name]!r} and {value!r}: keep one.")
        found[name] = value
    return found


def _another_file(fields: dict) -> str | None:
    """What other JSON file of a repository this is, and where the sizes are."""
    has = fields.__contains__
    if has("peft_type") or (has("base_model_name_or_path") and not has("model_type")):
        base, kind = fields.get("base_model_name_or_path"), fields.get("peft_type", "PEFT")
        rank = f" (rank {fields['r']})" if has("r") else ""
        return (
            f"This is the adapter_config.json of a {kind} adapter{rank}: the sizes are in the "
            f"config.json of its base model, {base!r}."
        )
    if has("_class_name") or has("_diffusers_version"):
        name = fields.get("_class_name", "a pipeline")
        return (
            f"This is a diffusers part ({name}), not a language model: it has no cache of keys "
            "and values and is not counted here."
        )
    if {"dim", "n_layers"} <= set(fields) and not has("model_type"):
        sizes = ", ".join(n for n in ("dim", "n_layers", "n_heads", "n_kv_heads") if has(n))
        return (
            f"This is the params.json of a maker's own code ({sizes}): take the config.json from "
            "the same repository."
        )
    if has("model_type") or has("architectures") or any(has(name) for name in INNER):
        return None
    others = {
        ("error",): "an error message of a server, not the file: {error}",
        ("weight_map",): "the index of the weights' files",
        ("added_tokens_decoder",): "a tokenizer_config.json",
        ("tokenizer_class",): "a tokenizer_config.json",
        ("added_tokens", "model"): "a tokenizer.json",
        ("image_processor_type",): "a preprocessor_config.json",
        ("feature_extractor_type",): "a preprocessor_config.json",
        ("processor_class",): "a processor_config.json",
        ("producer", "quantization"): "an hf_quant_config.json, which says how weights are stored",
        ("_from_model_config",): "a generation_config.json",
        ("log_history",): "a trainer_state.json",
        ("zero_optimization",): "a configuration of DeepSpeed",
    }
    for names, what in others.items():
        if all(has(name) for name in names):
            return f"This is {what.format_map(fields)}. The sizes are in the model's config.json."
    if not fields:
        return "The file has no fields: it is an empty object."
    if set(fields) <= _generation():
        return "This is a generation_config.json. The sizes are in the model's config.json."
    return (
        "model_type is missing, so nothing says which model this is. The file states "
        f"{', '.join(list(fields)[:5])}: take the config.json that stands beside the weights."
    )


def language_fields(fields: dict) -> dict:
    """Of a model with pictures the part for text; whether tables are tied may stand outside."""
    inner = next((fields[n] for n in INNER if isinstance(fields.get(n), dict)), None)
    if inner is None:
        return fields
    return {n: fields[n] for n in ("tie_word_embeddings",) if n in fields} | inner


def _generation() -> set[str]:
    names = "temperature top_p top_k do_sample max_length max_new_tokens repetition_penalty"
    tokens = "bos_token_id eos_token_id pad_token_id transformers_version trust_remote_code"
    return set(f"{names} {tokens}".split())
