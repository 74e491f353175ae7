"""One forward of a class without numbers, and the tensors that it keeps of the text."""

import functools
from dataclasses import fields
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class NoCache(ValueError):
    """The class runs, and keeps what it keeps elsewhere."""


class AsIfOne(TorchDispatchMode):
    """Answers 1 where a class asks a tensor without numbers for its number."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        # What `item()` becomes here has no public name, and the public tag `data_dependent_output`
        # has more operations: `equal` would be answered, too.
        if func is torch.ops.aten._local_scalar_dense.default:
            return 1
        return func(*args, **(kwargs or {}))


def writes(model: Any) -> bool:
    """Whether a text can be continued with it: else there is nothing to keep."""
    from transformers.models.auto import modeling_auto as auto

    declared = {f.name for f in fields(model.config)}  # old files of any model state is_decoder
    either = model.config.is_decoder if "is_decoder" in declared else True
    kinds = (
        auto.MODEL_FOR_CAUSAL_LM_MAPPING,
        auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
        auto.MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING,
        auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
    )
    return either and any(type(model.config) in kind for kind in kinds)


def first_argument(hidden: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
    return hidden


@functools.singledispatch
def _tensors(found: Any) -> list[torch.Tensor]:
    """Every tensor of more than one number in a value."""
    return []


@_tensors.register
def _(found: torch.Tensor) -> list[torch.Tensor]:
    return [found] if found.numel() > 1 else []


@_tensors.register
def _(found: dict) -> list[torch.Tensor]:
    return [tensor for value in found.values() for tensor in _tensors(value)]


@_tensors.register(list)
@_tensors.register(tuple)
def _(found: list | tuple) -> list[torch.Tensor]:
    return [tensor for value in found for tensor in _tensors(value)]


def kept(model: Any, length: int) -> list[tuple[int | None, dict[str, tuple]]]:
    """For each layer of the cache its window, and (bytes, shape) by the name they have there."""
    tokens = torch.zeros(1, length, dtype=torch.long, device="meta")
    with torch.no_grad(), torch.device("meta"):
        beside = {}
        if model.config.is_encoder_decoder and hasattr(model, "get_encoder"):
            beside = {"decoder_input_ids": tokens}
        elif model.config.is_encoder_decoder:
            width = model.config.hidden_size
            beside = {"encoder_hidden_states": torch.zeros(1, 8, width, device="meta")}
        out = model(tokens, use_cache=True, **beside)
    cache = getattr(out, "past_key_values", None) or getattr(out, "cache_params", None)
    if cache is None:
        if not writes(model):
            return []  # an encoder
        raise NoCache("it hands out no cache")
    cache = getattr(cache, "self_attention_cache", cache)  # an encoder's keys are another text's
    layers = getattr(cache, "layers", None)
    if layers is None:
        raise ValueError(f"its cache is a {type(cache).__name__}, which has no layers")
    return [(getattr(layer, "sliding_window", None), _sizes(layer)) for layer in layers]


def _sizes(layer: Any) -> dict[str, tuple]:
    found, seen = {}, set()
    for name, value in vars(layer).items():
        tensors = [t for t in _tensors(value) if id(t) not in seen]
        seen.update(id(t) for t in tensors)  # keys that are the values are kept once
        if tensors:
            size = sum(t.numel() * t.element_size() for t in tensors)
            found[name] = (size, tensors[0].shape)
    return found
