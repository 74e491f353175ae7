"""Whisper as `transformers` has it, filled from the arrays of the same file; and such a file."""

import struct

import numpy as np
import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration

from course_lib.published.whisper import Whisper, from_arrays

PARTS = {
    "self_attention/layer_norm": "self_attn_layer_norm",
    "self_attention/linear_1": "self_attn.out_proj",
    "attention/layer_norm": "encoder_attn_layer_norm",
    "attention/linear_0": "encoder_attn.q_proj",
    "attention/linear_2": "encoder_attn.out_proj",
    "ffn/layer_norm": "final_layer_norm",
    "ffn/linear_0": "fc1",
    "ffn/linear_1": "fc2",
}
JOINED = {
    "self_attention/linear_0": [f"self_attn.{x}_proj" for x in "qkv"],
    "attention/linear_1": [f"encoder_attn.{x}_proj" for x in "kv"],
}
ROLES = {"gamma": "weight", "beta": "bias", "encodings": "weight"}
SMALL = {"layers": 2, "heads": 3, "width": 12, "hidden": 20, "vocabulary": 31, "bands": 5}
SMALL |= {"states": 14, "text": 9}


def reference(arrays: dict[str, torch.Tensor], sizes: dict[str, int]):
    """`WhisperForConditionalGeneration` with these arrays; every one of its weights is one."""
    state = {}
    for name, array in arrays.items():
        if not array.ndim:
            continue
        side, place, *rest, role = name.split("/")
        role = ROLES.get(role, role)
        if not place.startswith("layer_") or place == "layer_norm":
            new = {"position_encodings": "embed_positions", "embeddings": "embed_tokens"}
            state[f"model.{side}.{new.get(place, place)}.{role}"] = array
            continue
        layer, part = f"model.{side}.layers.{place[6:]}", "/".join(rest)
        if part in PARTS:
            state[f"{layer}.{PARTS[part]}.{role}"] = array
            continue
        for theirs, piece in zip(JOINED[part], array.chunk(len(JOINED[part])), strict=True):
            if theirs.endswith("k_proj") and role == "bias":
                assert not piece.any()  # theirs has none
            else:
                state[f"{layer}.{theirs}.{role}"] = piece
    state["proj_out.weight"] = state["model.decoder.embed_tokens.weight"]
    options = {f"{side}_layers": sizes["layers"] for side in ("encoder", "decoder")}
    options |= {f"{side}_attention_heads": sizes["heads"] for side in ("encoder", "decoder")}
    options |= {f"{side}_ffn_dim": sizes["hidden"] for side in ("encoder", "decoder")}
    config = WhisperConfig(
        vocab_size=sizes["vocabulary"],
        num_mel_bins=sizes["bands"],
        d_model=sizes["width"],
        max_source_positions=sizes["states"],
        max_target_positions=sizes["text"],
        attn_implementation="eager",
        **{f"{x}_token_id": 0 for x in ("pad", "bos", "eos", "decoder_start")},
        **options,
    )
    with torch.device("meta"):
        model = WhisperForConditionalGeneration(config)
    model.load_state_dict(state, assign=True)
    return model.eval()


def small_arrays() -> dict[str, np.ndarray]:
    """Random arrays of a small model, by the names of such a file."""
    rng, d, hidden = np.random.default_rng(0), SMALL["width"], SMALL["hidden"]
    shapes = {f"encoder/conv1/{k}": s for k, s in {"weight": (d, 5, 3), "bias": (d,)}.items()}
    shapes |= {"encoder/conv2/weight": (d, d, 3), "encoder/conv2/bias": (d,)}
    shapes["encoder/position_encodings/encodings"] = (SMALL["states"], d)
    shapes["decoder/position_encodings/encodings"] = (SMALL["text"], d)
    shapes["decoder/embeddings/weight"] = (SMALL["vocabulary"], d)
    for side in ("encoder", "decoder"):
        linears = {"self_attention/linear_0": (3 * d, d), "self_attention/linear_1": (d, d)}
        linears |= {"ffn/linear_0": (hidden, d), "ffn/linear_1": (d, hidden)}
        norms = ["self_attention/layer_norm", "ffn/layer_norm"]
        if side == "decoder":
            linears |= {f"attention/linear_{i}": (n * d, d) for i, n in enumerate((1, 2, 1))}
            norms.append("attention/layer_norm")
        for i in range(SMALL["layers"]):
            for part, shape in linears.items():
                shapes[f"{side}/layer_{i}/{part}/weight"] = shape
                shapes[f"{side}/layer_{i}/{part}/bias"] = shape[:1]
            shapes |= {f"{side}/layer_{i}/{n}/{k}": (d,) for n in norms for k in ("gamma", "beta")}
        shapes |= {f"{side}/layer_norm/{k}": (d,) for k in ("gamma", "beta")}
    arrays = {n: rng.normal(0, 0.5, s).astype(np.float16) for n, s in shapes.items()}
    for name, array in arrays.items():  # keys have no bias
        if name.endswith("self_attention/linear_0/bias"):
            array[d : 2 * d] = 0
        elif name.endswith("/attention/linear_1/bias"):
            array[:d] = 0
    return arrays | {f"{s}/num_heads": np.int16(SMALL["heads"]) for s in ("encoder", "decoder")}


def small_model() -> Whisper:
    """Ours with these arrays."""
    arrays = {name: torch.tensor(array) for name, array in small_arrays().items()}
    return from_arrays({n: a.float() if a.ndim else a for n, a in arrays.items()})


def ctranslate2_bytes(arrays: dict[str, np.ndarray]) -> bytes:
    """The file of these arrays, as the format's own library writes it."""
    kinds = ("float32", "int8", "int16", "int32", "float16")

    def text(name: str) -> bytes:
        return struct.pack("<H", len(name) + 1) + name.encode() + b"\0"

    out = struct.pack("<I", 6) + text("WhisperSpec") + struct.pack("<II", 3, len(arrays))
    for name, value in arrays.items():
        array = np.asarray(value)
        out += text(name) + struct.pack("<B", array.ndim)
        out += struct.pack(f"<{array.ndim}I", *array.shape)
        out += struct.pack("<BI", kinds.index(array.dtype.name), array.nbytes) + array.tobytes()
    aliases = text("decoder/projection/weight") + text("decoder/embeddings/weight")
    return out + struct.pack("<I", 1) + aliases
