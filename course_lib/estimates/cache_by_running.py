"""What a model keeps of a text: one forward of the full-size class on the meta device."""

import functools
from collections import Counter
from typing import Any, NamedTuple

import torch

SHORT, LONG = 128, 256  # multiples of 128: DeepSeek-V4 pools its keys by 4 and by 128


class Layer(NamedTuple):
    """What `count` equal layers keep, each.

    Attributes:
        number: how many layers.
        growing: bytes for each token of the text, for ever.
        fixed: bytes beside them at any length (of a state, and where a pool begins).
        in_window: bytes for each token in the window.
        window: tokens that are kept in it, or None.
        heads: over how many KV heads the keys can be divided among GPUs.
    """

    number: int
    growing: float | int
    fixed: int
    in_window: int
    window: int | None
    heads: int

    def bytes_at(self, length: int) -> float | int:
        """Bytes of one layer after `length` tokens, without the state."""
        kept = min(length, self.window) if self.window is not None else 0
        return self.growing * length + self.in_window * kept


def cache_layers(model: Any) -> tuple[Layer, ...]:
    """The layers of the cache, equal ones counted; none where the model keeps nothing.

    Runs texts of 128 and of 256 tokens: what differs grows, what does not is a state. Layers with a
    window keep w − 1 tokens after a prompt and are counted as min(L, w).

    Raises:
        ValueError: if the class does not run without numbers.
    """
    for module in model.modules():
        if type(module).__name__.endswith("Experts"):  # they keep nothing, and need data
            module.forward = _first_argument
    failed: Exception | None = None
    for attention in (None, "eager"):
        for part in _language_models(model):
            try:
                if attention is not None:
                    model.set_attn_implementation(attention)
                short, long = (_kept(part, n) for n in (SHORT, LONG))
            except Exception as error:  # classes fail in many ways; the next may run
                failed = failed or error
                continue
            rows = [_row(s, x) for s, x in zip(short, long, strict=True)]
            counted = Counter(row for row in rows if row is not None)
            return tuple(row._replace(number=n) for row, n in counted.items())
    said = " ".join(str(failed).split())[:200]
    raise ValueError(f"the class does not run on the meta device: {said}")


def _language_models(model: Any) -> list[Any]:
    """The decoder alone, if the class says which it is, and the whole."""
    parts: list[Any] = []
    if model.config.is_encoder_decoder:
        return [model]
    for name in ("get_decoder", "get_base_model"):
        part = getattr(model, name, lambda: None)()
        if isinstance(part, torch.nn.Module) and part not in parts:
            parts.append(part)
    return parts if model in parts else [*parts, model]


def _writes(model: Any) -> bool:
    """Whether its configuration is of a family that only writes."""
    return not hasattr(model.config, "is_decoder")


def _first_argument(hidden: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
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


def _kept(model: Any, length: int) -> list[tuple[int | None, dict[str, tuple]]]:
    """For each layer of the cache its window, and (bytes, shape) by the name they have there."""
    tokens = torch.zeros(1, length, dtype=torch.long, device="meta")
    with torch.no_grad(), torch.device("meta"):
        target = {"decoder_input_ids": tokens} if model.config.is_encoder_decoder else {}
        out = model(tokens, use_cache=True, **target)
    cache = getattr(out, "past_key_values", None) or getattr(out, "cache_params", None)
    if cache is None:
        if getattr(model.config, "is_decoder", False) is False and not _writes(model):
            return []  # an encoder
        raise ValueError("it hands out no cache")
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


def _row(short: tuple, long: tuple) -> Layer | None:
    """What one layer keeps, from its tensors at the two lengths."""
    window = long[0]
    growing, fixed, in_window, heads = 0.0, 0, 0, 1
    for name, (after, shape) in long[1].items():
        if name in ("keys", "values") and len(shape) == 4:
            heads = max(heads, shape[1])
        if window is not None and name in ("keys", "values"):
            in_window += after // shape[-2]
            continue
        before = short[1].get(name, (0,))[0]
        slope = (after - before) / (LONG - SHORT)
        growing += slope
        fixed += round(after - slope * LONG)
    if not (growing or fixed or in_window):
        return None
    return Layer(1, growing, fixed, in_window, window if in_window else None, heads)
