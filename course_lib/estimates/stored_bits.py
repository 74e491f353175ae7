"""How many bits a released model's weights take, from what its files say about quantization."""

import json
import math
import re
from collections.abc import Callable
from fnmatch import fnmatch
from os import PathLike
from typing import Any, NamedTuple

from course_lib.estimates.config_file import INNER, config_path
from course_lib.estimates.parts import Weight

Size = Callable[[tuple[int, ...]], float]  # from the shape of a weight to its bytes
DTYPES = {"float32": 32, "float64": 64, "float16": 16, "bfloat16": 16}
ALGORITHMS = {"FP8": 8, "FP8_PER_CHANNEL_PER_TOKEN": 8, "MXFP8": 8.25, "NVFP4": 4.5, "W4A16": 4.25}
# Bits a weight of formats whose scales are fixed; bitsandbytes' four bits have 32 for each 64.
METHODS = {"mxfp4": 4.25, "fbgemm_fp8": 8, "eetq": 8, "bitnet": 2}


class Stored(NamedTuple):
    """Bytes of all weights and by format, of what every token reads, of experts, and sentences."""

    size: int
    by_format: dict[str, int]
    read: int
    experts: int
    notes: tuple[str, ...]


def find_quantization(fields: dict, source: Any = None) -> dict:
    """What the file says, in its `text_config` or outside, or hf_quant_config.json beside it."""
    inner = [fields[name] for name in INNER if isinstance(fields.get(name), dict)]
    found: dict = {}
    for level in (fields, *inner):
        for name in ("quantization_config", "compression_config"):
            if isinstance(level.get(name), dict):
                found = found or level[name]
        mlx = level.get("quantization")
        if isinstance(mlx, dict) and "bits" in mlx:
            found = found or {"quant_method": "mlx", **mlx}
        if level.get("expert_dtype"):
            found = {**found, "expert_dtype": level["expert_dtype"]}
    if isinstance(source, str | PathLike):
        beside = config_path(source).with_name("hf_quant_config.json")
        if beside.is_file() and not found:
            found = dict(json.loads(beside.read_text("utf-8")).get("quantization", {}))
    return found


def stored_bytes(weights: list[Weight], quantization: dict, dtype: Any = None) -> Stored:
    """Sums bits over the weights of a model that was built.

    Args:
        weights: all of them, each once.
        quantization: what `find_quantization` found; empty for weights as they were trained.
        dtype: the file's `dtype` or `torch_dtype`.
    """
    plain = DTYPES.get(str(dtype).removeprefix("torch."), 16)
    formats = _formats(quantization)
    left = _left_out(quantization)
    by_format: dict[str, float] = {}
    read, experts = 0.0, 0.0
    for weight in weights:
        label, size = f"{plain} bits", _per_weight(plain)
        module = weight.name.removesuffix(".weight")
        if weight.quantizable and not any(_names(pattern, module) for pattern in left):
            label, size = formats(module, weight.expert) or (label, size)
        by_format[label] = by_format.get(label, 0.0) + size(weight.shape)
        if weight.language and weight.expert:
            experts += size(weight.shape)
        elif weight.language and not weight.looked_up:
            read += size(weight.shape)
    rounded = {label: round(size) for label, size in by_format.items()}
    notes = tuple(_notes(quantization, dtype, rounded))
    return Stored(sum(rounded.values()), rounded, round(read), round(experts), notes)


def _formats(said: dict) -> Callable[[str, bool], tuple[str, Size] | None]:
    """From a module's name, and whether it is of experts, to its format."""
    experts = {"fp4": ("4.25 bits (mxfp4)", _per_weight(4.25))}.get(str(said.get("expert_dtype")))
    listed = said.get("quantized_layers")
    if isinstance(listed, dict):
        each = {name: _format({**said, **spec}) for name, spec in listed.items()}

        def by_name(module: str, expert: bool) -> tuple[str, Size] | None:
            inside = module[: module.rindex(".experts") + 8] + "." if expert else None
            close = (n for n in each if inside and n.startswith(inside))
            return each.get(module) or each.get(next(close, ""))

        return by_name
    everywhere = _format(said)
    return lambda module, expert: (experts if expert else None) or everywhere


def _format(said: dict) -> tuple[str, Size] | None:
    """The label and the size of what is quantized, or None where the method is not known here."""
    method = str(said.get("quant_method", "")).lower()
    algorithm = str(said.get("quant_algo", "")).upper()
    groups = said.get("config_groups")
    if block := said.get("weight_block_size"):
        return f"8 bits (fp8, blocks of {block[0]} × {block[1]})", _in_blocks(block)
    if isinstance(groups, dict) and groups:
        first = next(iter(groups.values())).get("weights") or {}
        return _grouped(first, str(said.get("format", "")) + algorithm)
    if algorithm in ALGORITHMS:
        return _labelled(ALGORITHMS[algorithm], algorithm.lower())
    if method in METHODS or method == "fp8":
        return _labelled(METHODS.get(method, 8), method)
    if method == "bitsandbytes":
        double = said.get("bnb_4bit_use_double_quant")
        four = 4 + (8 / 64 + 32 / 64 / 256 if double else 32 / 64)
        return _labelled(8 if said.get("load_in_8bit") else four, method)
    bits = said.get("bits") or said.get("w_bit")
    if bits and (method or algorithm):
        group = said.get("group_size") or said.get("q_group_size") or -1
        beside = (32 if method == "mlx" else 16 + bits) / group if group > 0 else 0
        return _labelled(bits + beside, method or algorithm.lower())
    return None


def _grouped(weights: dict, name: str) -> tuple[str, Size]:
    """Of compressed-tensors and modelopt: a scale of 8 bits for floats of 4 bits, else of 16."""
    bits, group = weights.get("num_bits", 8), weights.get("group_size")
    if structure := weights.get("block_structure"):
        return f"{bits} bits (blocks of {structure[0]} × {structure[1]})", _in_blocks(structure)
    scale = 8 if weights.get("type") == "float" and bits == 4 else 16
    return _labelled(bits + (scale / group if group and group > 0 else 0), name.lower() or "groups")


def _labelled(bits: float | int, method: str) -> tuple[str, Size]:
    return f"{bits:.4g} bits ({method})", _per_weight(bits)


def _per_weight(bits: float | int) -> Size:
    return lambda shape: math.prod(shape) * bits / 8


def _in_blocks(block: list[int]) -> Size:
    """A byte a weight, and a scale of four for each block that is begun."""

    def size(shape: tuple[int, ...]) -> float:
        *outer, rows, columns = shape
        blocks = math.ceil(rows / block[0]) * math.ceil(columns / block[1])
        return float(math.prod(outer) * (rows * columns + 4 * blocks))

    return size


def _left_out(said: dict) -> list[str]:
    names = (
        "modules_to_not_convert",
        "ignore",
        "exclude_modules",
        "ignored_layers",
        "llm_int8_skip_modules",
    )
    return [
        pattern for name in names for pattern in said.get(name) or () if isinstance(pattern, str)
    ]


def _names(pattern: str, module: str) -> bool:
    """Whether a pattern of the file is of this module: `re:` and an expression, or a plain name."""
    if pattern.startswith("re:"):
        return bool(re.match(pattern[3:], module))
    return any(
        fnmatch(f".{module}.", f"*.{pattern}{end}")
        for end in (".*", ".", "*" if pattern[-1] == "*" else ".")
    )


def _notes(said: dict, dtype: Any, by_format: dict[str, int]) -> list[str]:
    notes = []
    if not said and dtype is None:
        notes.append(
            "16 bits a weight are assumed: no quantization_config and no dtype. Is there an "
            "hf_quant_config.json?"
        )
    if said and len(by_format) == 1:
        name = said.get("quant_method") or said.get("quant_algo")
        notes.append(
            f"The method {name!r} of quantization_config is not known here: all weights are "
            "counted as if they were not quantized."
        )
    if said.get("kv_cache_quant_algo") or said.get("kv_cache_scheme"):
        notes.append(
            "The file asks for a cache of fewer bits; the bytes of the cache are of 16 here."
        )
    return notes
