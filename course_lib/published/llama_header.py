"""The header of a GGUF file of Llama's architecture: every setting followed, harmless or refused.

Which settings there are, and what they are where a header is silent, is in docs/gguf.md of the
project ggml.
"""

from collections.abc import Sequence
from typing import Any

from course_lib.published.gguf import GGUFFile

ARCHITECTURE = "llama"
NEEDED = (
    "embedding_length",
    "attention.head_count",
    "block_count",
    "feed_forward_length",
    "context_length",
    "attention.layer_norm_rms_epsilon",
)
# Settings that we follow, and what they are where the header has none.
SILENT = {"rope.freq_base": 10000.0, "rope.scaling.type": "linear", "rope.scaling.factor": 1.0}
# Settings that we do not follow, and the value at which they change nothing.
NEUTRAL = {
    "attention.causal": True,
    "attention.clamp_kqv": 0,
    "attention.max_alibi_bias": 0,
    "attention.sliding_window": 0,
    "expert_count": 0,
    "expert_used_count": 0,
    "rope.scale_linear": 1,
    "rope.scaling.attn_factor": 1,
    "rope.scaling.yarn_attn_factor": 1,
    "rope.scaling.yarn_beta_fast": 32,
    "rope.scaling.yarn_beta_slow": 1,
    "rope.scaling.yarn_ext_factor": 1,
    "rope.scaling.yarn_log_multiplier": 0,
    "tensor_data_layout": "Meta AI original pth",  # pairs of neighbours are turned, as ours are
    "use_parallel_residual": False,
}
HARMLESS = {"rope.scaling.finetuned"}  # said of how the model was trained
KNOWN = "If you know that it changes nothing, name it in accept=."
QUANTIZATION = 2  # the version of the blocks that gguf.py reads
SCALINGS = ("none", "linear", "yarn")
PREFIX = f"{ARCHITECTURE}."
# What else a header has: whose the file is, in how many parts, how it was rounded; and what
# byte_pairs.py reads, of the tokenizer.
GROUPS = (PREFIX, "GGUF.", "general.", "split.", "quantize.", "tokenizer.")


def header(file: GGUFFile, accept: Sequence[str] = ()) -> dict[str, Any]:
    """The settings that we follow, by their names without "llama.".

    Raises:
        ValueError: for another architecture, a part of a model, a setting that is missing or that
            we do not follow (but for those of `accept`), and sizes that contradict one another.
    """
    _check_kind(file)
    if strange := [x for x in file.fields() if not x.startswith(GROUPS) and x not in accept]:
        raise ValueError(
            f"the header of {file.path} has {', '.join(strange)}, of which this reader knows "
            f"nothing. {KNOWN}"
        )
    named = [name for name in file.fields() if name.startswith(PREFIX)]
    stated = {name.removeprefix(PREFIX): _one_value(file, name) for name in named}
    if lacking := [name for name in NEEDED if name not in stated]:
        raise ValueError(f"the header of {file.path} lacks {_listed(lacking)}.")
    said = SILENT | _silent(file, stated)
    followed = {*NEEDED, *said, *HARMLESS}
    for name, value in stated.items():
        if name in followed or PREFIX + name in accept:
            continue
        if name not in NEUTRAL or value != NEUTRAL[name]:
            at = f"only {NEUTRAL[name]!r} changes nothing" if name in NEUTRAL else "unknown here"
            raise ValueError(
                f"the header of {file.path} says {PREFIX}{name} = {value!r}, which this reader "
                f"does not follow ({at}): the model would be another one. {KNOWN}"
            )
    said |= stated
    _check_sizes(file, said)
    return said


def _silent(file: GGUFFile, stated: dict[str, Any]) -> dict[str, Any]:
    """What sizes are where the header has none: they follow from others."""
    heads = stated["attention.head_count"]
    head_dim = stated.get("attention.key_length", stated["embedding_length"] // max(heads, 1))
    table = file.shape("token_embd.weight") if "token_embd.weight" in file.names() else (0,)
    return {
        "vocab_size": table[0],
        "attention.head_count_kv": heads,
        "attention.key_length": head_dim,
        "attention.value_length": head_dim,
        "rope.dimension_count": head_dim,
        "rope.scaling.original_context_length": stated["context_length"],
    }


def _check_kind(file: GGUFFile) -> None:
    """Refuse what is no whole model of this architecture."""
    about = {"general.architecture": None, "general.type": "model", "split.count": 1}
    about["general.quantization_version"] = QUANTIZATION
    about |= {name: file.field(name) for name in about if name in file.fields()}
    if about["general.architecture"] != ARCHITECTURE:
        raise ValueError(
            f"{file.path} is of the architecture {about['general.architecture']!r}: read here is "
            f"{ARCHITECTURE!r}, which other blocks, biases and orders of features do not follow."
        )
    if about["general.type"] != "model":
        raise ValueError(f"{file.path} is no model by itself but {about['general.type']!r}.")
    if about["general.quantization_version"] != QUANTIZATION:
        raise ValueError(
            f"the header of {file.path} says general.quantization_version = "
            f"{about['general.quantization_version']}: read here is {QUANTIZATION}, which says how "
            "blocks of rounded weights are laid out."
        )
    if about["split.count"] > 1:
        raise ValueError(
            f"{file.path} is one of {about['split.count']} parts of a model: join them first, with "
            "llama-gguf-split --merge."
        )


def _one_value(file: GGUFFile, name: str) -> Any:
    """A setting that is the same in every layer, however it is written."""
    value = file.field(name)
    if not isinstance(value, list):
        return value
    if not value or any(one != value[0] for one in value):
        raise ValueError(
            f"the header of {file.path} says {name} = {value}: layers that differ are not read."
        )
    return value[0]


def _check_sizes(file: GGUFFile, said: dict[str, Any]) -> None:
    """Refuse sizes that no model of ours has, with the settings' names."""
    d, value, turned = (
        said[x] for x in ("attention.key_length", "attention.value_length", "rope.dimension_count")
    )
    layers = sum(name.endswith(".attn_norm.weight") for name in file.names())
    if layers != said["block_count"]:
        raise ValueError(
            f"{file.path} has {layers} layers (attn_norm.weight), and its header says "
            f"{said['block_count']}."
        )
    if value != d:
        raise ValueError(
            f"{file.path} has keys of {d} features and values of {value} "
            f"({PREFIX}attention.key_length and value_length): equal ones are read here."
        )
    if turned > d or turned % 2:
        raise ValueError(
            f"{file.path} turns {turned} of {d} features ({PREFIX}rope.dimension_count): an even "
            "number of those of a head is needed."
        )
    if said["rope.scaling.type"] not in SCALINGS:
        raise ValueError(
            f"{file.path} stretches its positions by {said['rope.scaling.type']!r} "
            f"({PREFIX}rope.scaling.type): read here are {', '.join(SCALINGS)}."
        )
    if not said["rope.scaling.factor"] > 0:
        raise ValueError(
            f"{file.path} divides its positions by {said['rope.scaling.factor']} "
            f"({PREFIX}rope.scaling.factor): a number above 0 is needed."
        )


def _listed(names: list[str]) -> str:
    return ", ".join(f"{PREFIX}{name}" for name in names)
