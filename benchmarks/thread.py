"""One small language model, and what each setting of its attention does to it.

The model of the page on causal attention: the same text, pieces and steps, three seeds; only its
attention differs. Each row says how well it predicts held-out text and what its cache holds. The
plain model, once trained, is also computed in other ways, read through a window that it was not
trained with, and converted to fewer KV heads.

    python -m benchmarks thread [NAME]...     all models, or those named; their old rows go
    python -m benchmarks thread converted     the plain model again, and only what is converted
"""

import copy
import sys
from contextlib import contextmanager
from unittest import mock

import torch
from torch import nn

from benchmarks.measure import merge
from book.helpers.text import TextData, python_help, text_loss, train_language_model
from course_lib.gate.attention import scaled_dot_product_attention as formula
from course_lib.kernels import flash_attention
from course_lib.modules.latent import LatentAttention
from course_lib.transformer import LanguageModel

SIZES = {"d_model": 64, "num_heads": 8, "num_layers": 2, "d_hidden": 128, "positions": "rotary"}
LENGTH, STEPS, SEEDS = 64, 400, (0, 1, 2)
PLAIN = "8 heads, rotary"
FURTHER = {1e-3: "5 %", 3e-3: "5 %, 0.003"}  # step sizes of the further steps
MODELS = {
    PLAIN: {},
    "no positions": {"positions": "none"},
    "learned": {"positions": "learned", "max_length": LENGTH},
    "sinusoidal": {"positions": "sinusoidal"},
    "grouped, 4": {"num_kv_heads": 4},
    "grouped, 2": {"num_kv_heads": 2},
    "multi-query, 1": {"num_kv_heads": 1},
    "latent, 24 + 8": {},
    "window 16": {"window": 16},
    "window 16, then all": {"window": [16, None]},
    "QK-norm": {"qk_norm": True},
    "gate": {"gate": True},
}


def new_model(name: str, data: TextData, seed: int) -> LanguageModel:
    """The untrained model of this name."""
    torch.manual_seed(seed)
    model = LanguageModel(len(data.vocabulary), **(SIZES | MODELS[name]))
    if name.startswith("latent"):
        for layer in model.stack.layers:
            layer.self_attention = LatentAttention(64, 8, latent_dim=24, rotary_dim=8)
    return model


def read_with(model: LanguageModel, **settings) -> LanguageModel:
    """The same weights under a window."""
    other = LanguageModel(model.embedding.tokens.num_embeddings, **SIZES, **settings)
    other.load_state_dict(model.state_dict())
    return other


def shared(model: LanguageModel, groups: int) -> LanguageModel:
    """Its KV heads, averaged within each group (Ainslie et al. 2023)."""
    state = copy.deepcopy(model.state_dict())
    for name in state:
        if ".W_k." in name or ".W_v." in name:
            heads = state[name].unflatten(0, (groups, SIZES["num_heads"] // groups, -1))
            state[name] = heads.mean(1).flatten(0, 1)
    vocabulary = model.embedding.tokens.num_embeddings
    other = LanguageModel(vocabulary, **SIZES, num_kv_heads=groups)
    other.load_state_dict(state)
    return other


def written_out(query, key, value, mask=None, **settings):
    """The formula, with its matrix of weights."""
    return formula(query, key, value, mask, **settings | {"need_weights": True})


def in_tiles(query, key, value, mask=None, *, is_causal=False, need_weights=False, **others):
    """Flash attention, for models without a window, a bias or dropout."""
    assert mask is None and not need_weights and not any(others.values())
    return flash_attention(query, key, value, is_causal=is_causal), None


@contextmanager
def computed(how):
    """Every `MultiHeadAttention` takes this way, and not torch's fused kernel."""
    with mock.patch("course_lib.modules.multi_head.scaled_dot_product_attention", how):
        yield


@torch.no_grad()
def cache_bytes(model: LanguageModel, length: int) -> int | str:
    """Bytes of all caches after a text of this length; "" where the model knows no such place."""
    table = model.embedding.table
    if table is not None and length > table.num_embeddings:
        return ""
    _, state = model.prefill(torch.zeros(1, length, dtype=torch.long))
    return sum(cache.nbytes for cache in state.caches)


def writes(model: LanguageModel, data: TextData) -> str:
    """How it goes on, at temperature 0.6."""
    prompt = torch.tensor([data.vocabulary.encode("The value of")])
    draw = torch.Generator().manual_seed(0)
    written = model.generate(prompt, 24, temperature=0.6, generator=draw)
    return data.vocabulary.decode(written[0].tolist()).replace("\n", " ")


def row(name: str, seed: int, model: nn.Module, data: TextData) -> dict[str, object]:
    """What is measured once the model is trained."""
    return {
        "model": name,
        "seed": seed,
        "loss": round(text_loss(model, data.valid, length=LENGTH, pieces=192), 4),
        "parameters": sum(p.numel() for p in model.parameters()),
        "bytes_64": cache_bytes(model, LENGTH),
        "bytes_1024": cache_bytes(model, 1024),
        "text": writes(model, data),
    }


def changed(model: LanguageModel, seed: int, data: TextData) -> list[dict[str, object]]:
    """The plain model computed otherwise, under a window, with fewer KV heads."""
    found = [row("without a cache", seed, model, data) | {"bytes_64": 0, "bytes_1024": 0}]
    for name, how in (("written out", written_out), ("flash, in tiles", in_tiles)):
        with computed(how):
            found.append(row(name, seed, model, data))
    for sinks in (0, 4):
        other = read_with(model, window=16, sinks=sinks)
        found.append(row(f"read: 16, {sinks} sinks", seed, other, data))
    return found + converted(model, seed, data)


def converted(model: LanguageModel, seed: int, data: TextData) -> list[dict[str, object]]:
    """With fewer KV heads, and trained 5 % further, as is the model that keeps its heads."""
    found = []
    for groups in (4, 2, 1):
        found.append(row(f"converted to {groups}", seed, shared(model, groups), data))
    for groups in (SIZES["num_heads"], 4, 2, 1):
        for rate, name in FURTHER.items():
            other = shared(model, groups)
            train(other, data, seed, steps=STEPS // 20, learning_rate=rate)
            found.append(row(f"converted to {groups}, {name}", seed, other, data))
    return found


def train(model: LanguageModel, data: TextData, seed: int, **more) -> None:
    train_language_model(model, data, batch=16, length=LENGTH, seed=seed, **more)


def main() -> None:
    data = python_help(size=2000)
    for name in sys.argv[1:] or MODELS:
        for seed in SEEDS:
            plain = PLAIN if name == "converted" else name
            model = new_model(plain, data, seed)
            train(model, data, seed, steps=STEPS)
            if name == "converted":
                rows = converted(model, seed, data)
            else:
                rows = [row(name, seed, model, data)]
                rows += changed(model, seed, data) if name == PLAIN else []
            merge("thread", rows, ("model", "seed"), trained=str(LENGTH), steps=str(STEPS))
