"""What a head does, asked of the model: silence it, exchange what it found, follow it to a reader.

A model is a `LanguageModel` (or has its `stack`), and a head is (layer, head), both from 0. What a
head *found* is its weighted sum of values, d numbers a token; W_o[:, head] · found is all that the
head adds to the residual stream. Wang et al. (2022), "Interpretability in the wild",
https://arxiv.org/abs/2211.00593, call the functions ablation, patching, direct logit attribution
and path patching.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils.hooks import RemovableHandle

from course_lib.transformer.language_model import LanguageModel

Head = tuple[int, int]  # layer, head


@contextmanager
def _while_hooked(hooks: Sequence[RemovableHandle]) -> Iterator[None]:
    """The hooks act inside the block, and are gone after it, also when it fails."""
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def found_by_heads(
    model: LanguageModel, tokens: Int[Tensor, "B T"]
) -> list[Float[Tensor, "B T H d"]]:
    """What every head found, a tensor (B, T, H, d) for each layer."""
    kept = []

    def keep(module: Any, inputs: tuple[Tensor]) -> None:
        kept.append(inputs[0].unflatten(-1, (model.config.num_heads, -1)))

    attentions = [layer.self_attention for layer in model.stack.layers]
    with _while_hooked([a.W_o.register_forward_pre_hook(keep) for a in attentions]):
        model(tokens)
    return kept


def patch(model: LanguageModel, found: Mapping[Head, Tensor], last: int | None = None) -> Any:
    """A block in which these heads have found something else: `with patch(model, {(18, 6): x}):`.

    Args:
        model: a `LanguageModel`.
        found: for each (layer, head) what it is to have found, (B, T, d) or a number for all.
        last: exchange it at the last so many positions only; None is everywhere.
    """
    for layer, head in found:
        if not (0 <= layer < len(model.stack.layers) and 0 <= head < model.config.num_heads):
            raise IndexError(
                f"head {layer}.{head} is not one of {len(model.stack.layers)} layers of "
                f"{model.config.num_heads} heads, counted from 0."
            )
    places = slice(None) if last is None else slice(-last, None)
    hooks = []
    for (layer, head), new in found.items():

        def exchange(
            module: Any, inputs: tuple[Tensor], head: int = head, new: Tensor = new
        ) -> Any:
            joined = inputs[0].clone().unflatten(-1, (model.config.num_heads, -1))
            joined[:, places, head] = new if new.ndim == 0 else new[:, places]
            return (joined.flatten(2),)

        output = model.stack.layers[layer].self_attention.W_o
        hooks.append(output.register_forward_pre_hook(exchange))
    return _while_hooked(hooks)


def silence(model: LanguageModel, heads: Sequence[Head]) -> Any:
    """A block in which these heads have found nothing: `with silence(model, [(18, 6)]):`."""
    return patch(model, dict.fromkeys(heads, torch.tensor(0.0)))


def attribute(
    model: LanguageModel, tokens: Int[Tensor, "1 T"], direction: Float[Tensor, " d_model"]
) -> tuple[Float[Tensor, "L H"], Float[Tensor, " L"]]:
    """What each head and each feed-forward layer adds to a logit, or to a difference of two.

    The last norm divides the sum of all by one number r. With that r held fixed, a part p of the
    sum adds (g ⊙ p / r) · direction, g the norm's weights. All parts and the embedding's sum to
    the logit. It is the direct part: what others make of p is theirs.

    Args:
        model: with an RMSNorm at its end (`norm="rms"`), as another norm also subtracts a mean.
        tokens: one text; the logit is that after its last token.
        direction: the row of a token in the embedding, or one row minus another.

    Raises ValueError for a model with another norm.
    """
    if not isinstance(norm := model.stack.norm, torch.nn.RMSNorm):
        raise ValueError(f"the last norm is {norm}; attribute divides by an RMSNorm's root alone.")
    feeds, ends = [], []
    hooks = [
        layer.feed_forward.register_forward_hook(lambda m, i, out: feeds.append(out[0, -1]))
        for layer in model.stack.layers
    ]
    hooks.append(norm.register_forward_pre_hook(lambda m, inputs: ends.append(inputs[0][0, -1])))
    with _while_hooked(hooks):
        found = found_by_heads(model, tokens)
    root = (ends[0].square().mean() + (norm.eps or torch.finfo(ends[0].dtype).eps)).sqrt()
    reader = norm.weight * direction / root
    heads = [
        torch.einsum("hd,ohd->ho", f[0, -1], weights_out(model, layer)) @ reader
        for layer, f in enumerate(found)
    ]
    return torch.stack(heads), torch.stack(feeds) @ reader


def weights_out(model: LanguageModel, layer: int) -> Float[Tensor, "d_model H d"]:
    """The columns of a layer's W_o, those of each head together."""
    W_o = model.stack.layers[layer].self_attention.W_o.weight
    return W_o.unflatten(1, (model.config.num_heads, -1))


def path(
    model: LanguageModel, sender: Head, change: Float[Tensor, "B T d"], layer: int, into: str = "k"
) -> Any:
    """A block in which one layer reads a head's finding as changed, and everybody else as it was.

    The maps named by `into` ("q", "k", "v" or several) read Norm(x + W_o[:, head] · change) in
    place of Norm(x); `change` is minus what the sender found, to remove it from this path alone.

    Raises ValueError where the layer is not above the sender's.
    """
    above, head = sender
    if not above < layer < len(model.stack.layers):
        raise ValueError(f"layer {layer} does not read head {above}.{head}: take one above it.")
    receiver = model.stack.layers[layer]
    added = torch.einsum("btd,od->bto", change, weights_out(model, above)[:, head])
    read = []

    def exchange(module: Any, inputs: Any) -> tuple[Tensor]:
        return (receiver.self_norm.forward(read[-1] + added),)  # .forward: no hook sees it

    hooks = [receiver.self_norm.register_forward_pre_hook(lambda m, i: read.append(i[0]))]
    for name in into:
        linear = getattr(receiver.self_attention, f"W_{name}")
        hooks.append(linear.register_forward_pre_hook(exchange))
    return _while_hooked(hooks)
