"""What a model keeps of a text: one forward of the full-size class on the meta device."""

import contextlib
from collections import Counter
from typing import Any, NamedTuple

import torch

from course_lib.estimates.construction import ask
from course_lib.estimates.run_on_meta import AsIfOne, NoCache, first_argument, kept, writes

LENGTHS = 128, 256  # multiples of 128: DeepSeek-V4 pools its keys by 4 and by 128
# Classes that go through a text token by token; they pool nothing.
SEQUENTIAL = {"falcon_mamba", "jamba", "mamba", "recurrent_gemma", "rwkv", "zamba"}


# KV heads of layers that have other ones than the rest.
OF_SOME_LAYERS = (
    "swa_num_key_value_heads",
    "num_global_key_value_heads",
    "num_key_value_heads_per_layer",
)


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

    Runs a text and one twice as long: what differs grows, what does not is a state. Layers with a
    window keep w − 1 tokens after a prompt and are counted as min(L, w).

    Raises:
        ValueError: if the class does not run without numbers.
    """
    for module in model.modules():
        if type(module).__name__.endswith("Experts"):  # they keep nothing, and need data
            module.forward = first_argument
    failed: Exception | None = None
    lengths = _lengths(model.config)
    ways = ((None, contextlib.nullcontext), ("eager", contextlib.nullcontext), (None, AsIfOne))
    for attention, asked in ways:
        for part in _language_models(model):
            try:
                if attention is not None:
                    model.set_attn_implementation(attention)
                with asked():
                    short, long = (kept(part, n) for n in lengths)
            except Exception as error:  # classes fail in many ways; the next may run
                failed = failed or error
                continue
            rows = [_row(s, x, lengths) for s, x in zip(short, long, strict=True)]
            counted = Counter(row for row in rows if row is not None)
            return tuple(row._replace(number=n) for row, n in counted.items())
        if isinstance(failed, NoCache):
            break
    if not writes(model):
        return ()
    said = " ".join(str(failed).split())[:200]
    raise ValueError(f"the class does not run on the meta device: {said}")


def as_stated(layers: tuple[Layer, ...], config: Any) -> tuple[tuple[Layer, ...], str, bool]:
    """The layers with the KV heads that the file states, a note or "", and whether that is certain.

    Falcon's newer class copies its KV heads to as many as there are queries' before it keeps them;
    copies need no memory. Another class that keeps more than are stated is only told of.
    """
    text = config.get_text_config(decoder=True)
    found = (ask(text, name) for name in ("num_key_value_heads", "num_kv_heads"))
    stated = next((n for n in found if type(n) is int and n > 0), 0)
    most = max((layer.heads for layer in layers), default=0)
    own = [ask(text, name) for name in OF_SOME_LAYERS]
    if not 0 < stated < most or any(most == n or (type(n) is list and most in n) for n in own):
        return layers, "", True
    queries = ask(text, "num_attention_heads")
    if text.model_type != "falcon" or most != queries or most % stated:
        note = f"The class keeps keys of {most} heads, and the file states {stated} KV heads: a "
        return layers, note + "server may keep less.", False
    share = most // stated
    each = (
        x._replace(growing=x.growing / share, in_window=x.in_window // share, heads=stated)
        if x.heads == most
        else x
        for x in layers
    )
    note = (
        f"The class copies {stated} KV heads to {most} before it keeps them: {stated} are counted."
    )
    return tuple(each), note, True


def _lengths(config: Any) -> tuple[int, int]:
    """Of the texts to run: short where the class is slow, or has few positions."""
    if config.model_type in SEQUENTIAL:
        return 8, 16
    text = config.get_text_config(decoder=True)
    names = ("max_position_embeddings", "max_target_positions", "n_positions")
    few = [n for n in (ask(text, name) for name in names) if isinstance(n, int) and 2 <= n < 256]
    return (few[0] // 2, few[0] // 2 * 2) if few else LENGTHS


def _language_models(model: Any) -> list[Any]:
    """The decoder alone, if the class says which it is, and the whole."""
    parts: list[Any] = []
    if model.config.is_encoder_decoder:
        return [model, model.get_decoder()]  # the second where the source is no text
    for name in ("get_decoder", "get_base_model"):
        part = getattr(model, name, lambda: None)()
        if isinstance(part, torch.nn.Module) and part not in parts:
            parts.append(part)
    return parts if model in parts else [*parts, model]


def _row(short: tuple, long: tuple, lengths: tuple[int, int]) -> Layer | None:
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
        slope = (after - before) / (lengths[1] - lengths[0])
        growing += slope
        fixed += round(after - slope * lengths[1])
    if not (growing or fixed or in_window):
        return None
    return Layer(1, growing, fixed, in_window, window if in_window else None, heads)
