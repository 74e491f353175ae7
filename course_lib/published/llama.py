"""A GGUF file of Llama's architecture as our `LanguageModel`: read as it is meant, or refused.

    file = GGUFFile("mine.gguf")
    model, tokenizer = language_model(file), byte_pair_tokenizer(file)

Every tensor of the file has a place in our model, and every setting of its header is one that we
follow or one that changes nothing. What is neither is named in an error: passed over, it would make
a model that answers, and is another one.

Touvron et al. (2023), "LLaMA: open and efficient foundation language models",
https://arxiv.org/abs/2302.13971.
"""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.published.gguf import GGUFFile
from course_lib.published.llama_header import header
from course_lib.published.unfilled import Unfilled
from course_lib.transformer.config import TransformerConfig
from course_lib.transformer.language_model import LanguageModel
from course_lib.transformer.stretched import partial_frequencies, yarn_frequencies

# Our names of a layer's parts, and the file's.
NAMES = {
    "self_norm": "attn_norm",
    "self_attention.W_q": "attn_q",
    "self_attention.W_k": "attn_k",
    "self_attention.W_v": "attn_v",
    "self_attention.W_o": "attn_output",
    "feed_norm": "ffn_norm",
    "feed_forward.W_1": "ffn_gate",
    "feed_forward.W_2": "ffn_down",
    "feed_forward.W_3": "ffn_up",
}
OUTPUT = "output.weight"  # of a model whose output matrix is not its embedding
KINDS = ("", "_kv")  # of heads, as the header names their numbers
FACTORS = "rope_freqs.weight"  # what Llama 3 divides its angles by


def config_of_file(file: GGUFFile, *, accept: Sequence[str] = ()) -> TransformerConfig:
    """The settings of the file's header as ours.

    Args:
        file: one of Llama's architecture.
        accept: names of settings that you know to change nothing.

    Raises:
        ValueError: for another architecture, and a setting that we do not follow, with its name.
    """
    said = header(file, accept)
    return TransformerConfig(
        d_model=said["embedding_length"],
        num_heads=said["attention.head_count"],
        num_kv_heads=said["attention.head_count_kv"],
        head_dim=said["attention.key_length"],
        num_layers=said["block_count"],
        d_hidden=said["feed_forward_length"],
        rotary_base=said["rope.freq_base"],
        max_length=said["context_length"],
        positions="rotary",
        scale_embedding=False,
        norm="rms",
        norm_eps=said["attention.layer_norm_rms_epsilon"],
        feed_forward="gated",
        bias=False,
        tied=OUTPUT not in file.names(),
    )


def language_model(file: GGUFFile, *, accept: Sequence[str] = ()) -> LanguageModel:
    """Our model with the file's weights, in float32 and evaluation mode.

    A matrix has a bias where the file has one. Texts beyond the file's context are refused. What
    `accept` is stands in `config_of_file`.

    Raises:
        ValueError: for a header as in `config_of_file`; for a tensor that is missing, one that has
            no place in the model, and one of another shape or of a format that is not read here.
    """
    config, said = config_of_file(file, accept=accept), header(file, accept)
    _check_tensors(file, config, said)  # before a model of these sizes takes memory
    with Unfilled():
        model = LanguageModel(said["vocab_size"], config)
    places = _places(model, file)
    state = dict(model.named_buffers())  # the rotary angles; all else comes from the file
    state |= {ours: file.tensor(theirs) for ours, theirs in places.items()}
    angles, scale = _rotary(file, said)
    for i in range(config.num_layers):
        attention = f"stack.layers.{i}.self_attention"
        state[f"{attention}.rotary_frequencies"] = angles
        for ours in (f"{attention}.W_q.weight", f"{attention}.W_q.bias"):
            if scale != 1 and ours in state:
                heads = state[ours].unflatten(0, (config.num_heads, -1))
                heads[:, : said["rope.dimension_count"]] *= scale
    model.load_state_dict(state, assign=True)
    model.register_forward_pre_hook(_within_context, with_kwargs=True)
    return model.eval().requires_grad_(False)


def _places(model: LanguageModel, file: GGUFFile) -> dict[str, str]:
    """Our parameters' names, and those of the file's tensors that they take."""
    places = {"embedding.tokens.weight": "token_embd.weight"}
    places["stack.norm.weight"] = "output_norm.weight"
    if not model.config.tied:
        places["output.weight"] = OUTPUT
    found = set(file.names())
    for i in range(model.config.num_layers):
        for ours, theirs in NAMES.items():
            part, name = f"stack.layers.{i}.{ours}", f"blk.{i}.{theirs}"
            places[f"{part}.weight"] = f"{name}.weight"
            linear = model.get_submodule(part)
            if f"{name}.bias" in found and isinstance(linear, nn.Linear):
                linear.bias = nn.Parameter(torch.empty(linear.out_features))
                places[f"{part}.bias"] = f"{name}.bias"
    return places


def _shapes(file: GGUFFile, config: TransformerConfig, said: dict[str, Any]) -> dict[str, tuple]:
    """The tensors that the model needs, and what shapes the header gives them.

    Factors of the angles, an output matrix and biases of the linear maps: where the file has them.
    """
    wide, hidden = config.d_model, config.d_hidden
    queries, keys = (said["attention.key_length"] * said[f"attention.head_count{x}"] for x in KINDS)
    each = {
        "attn_norm": (wide,), "attn_q": (queries, wide), "attn_k": (keys, wide),
        "attn_v": (keys, wide), "attn_output": (wide, queries), "ffn_norm": (wide,),
        "ffn_gate": (hidden, wide), "ffn_up": (hidden, wide), "ffn_down": (wide, hidden),
    }  # fmt: skip
    table = (said["vocab_size"], wide)
    shapes = {"token_embd.weight": table, "output_norm.weight": (wide,)}
    optional = {OUTPUT: table, FACTORS: (said["rope.dimension_count"] // 2,)}
    for i in range(config.num_layers):
        shapes |= {f"blk.{i}.{name}.weight": shape for name, shape in each.items()}
        optional |= {f"blk.{i}.{n}.bias": s[:1] for n, s in each.items() if len(s) == 2}
    found = set(file.names())
    return shapes | {name: shape for name, shape in optional.items() if name in found}


def _check_tensors(file: GGUFFile, config: TransformerConfig, said: dict[str, Any]) -> None:
    """Refuse a file that lacks a tensor, has one that no place is for, or one of another shape."""
    shapes, found = _shapes(file, config, said), file.names()
    if lacking := [name for name in shapes if name not in found]:
        raise ValueError(f"{file.path} lacks {_some(lacking)}: half a model, or another one.")
    if strange := [name for name in found if name not in shapes]:
        raise ValueError(
            f"{file.path} has {_some(strange)}, which this reader knows no place for: without it "
            "the model would be another one."
        )
    for name, shape in shapes.items():
        if file.shape(name) != shape:
            raise ValueError(
                f"{name} of {file.path} has shape {file.shape(name)}, and its header says {shape}."
            )


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 4} more tensors" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more


def _rotary(file: GGUFFile, said: dict[str, Any]) -> tuple[Tensor, float]:
    """The angles (d/2,) in float64, and what the queries' turned features are multiplied by.

    linear       θ_i / s
    yarn         as `yarn_frequencies`; queries and keys are multiplied by 0.1 · ln s + 1 each, that
                 is the queries alone by its square
    rope_freqs   θ_i / f_i with the file's f, as Llama 3 has it

    Features beyond the first `rope.dimension_count` of a head are not turned.
    """
    d, r = said["attention.key_length"], said["rope.dimension_count"]
    base, s = said["rope.freq_base"], said["rope.scaling.factor"]
    angles, scale = partial_frequencies(d, r, base=base), 1.0
    if said["rope.scaling.type"] == "linear":
        angles = angles / s
    elif said["rope.scaling.type"] == "yarn":
        trained = said["rope.scaling.original_context_length"]
        angles[: r // 2] = yarn_frequencies(r, s, trained, base=base, ramp="pairs")
        scale = (0.1 * math.log(max(s, 1)) + 1) ** 2
    if FACTORS in file.names():
        angles[: r // 2] /= file.tensor(FACTORS).double()
    return angles, scale


def _within_context(model: LanguageModel, arguments: tuple, options: dict) -> None:
    """Refuse a text that is longer than any that the model was trained on."""
    caches = options.get("caches")
    read = 0 if caches is None else len(caches[0])
    length = read + (arguments[0] if arguments else options["tokens"]).shape[1]
    if length > model.config.max_length:
        raise ValueError(
            f"The text has {length:,} tokens, and this model reads at most "
            f"{model.config.max_length:,}: shorten it, or keep its last tokens only."
        )
