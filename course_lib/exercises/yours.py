"""SmolLM2 with functions of yours in the place of ours, in all of its 30 layers.

    smollm2_writes(attention=scaled_dot_product_attention)

The functions are those of exercises 07, 08, 09, 11 and 12, as their instructions describe them.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor

from course_lib.gate.masks import causal_mask
from course_lib.modules import multi_head
from course_lib.transformer.language_model import LanguageModel

PROMPT = "The capital of France is Paris. The capital of Italy is"
SHARE, TEMPERATURE = 0.5, 1.0  # of top-p


@functools.cache
def loaded() -> tuple[LanguageModel, Any]:
    """The model and its tokenizer, which need packages that the exercises do without."""
    from course_lib.published import smollm2

    return smollm2()


def smollm2_writes(
    *,
    attention: Callable | None = None,
    split_heads: Callable | None = None,
    merge_heads: Callable | None = None,
    attend_with_cache: Callable | None = None,
    rotate: Callable | None = None,
    top_p: Callable | None = None,
    prompt: str = PROMPT,
    num_tokens: int = 3,
) -> None:
    """Print how SmolLM2 continues the prompt with these functions in place of ours.

    The prompt but for its last token is read at once, and then one token at a time. The likeliest
    token is taken, or with `top_p` one of those that it keeps (0.5). Where the file of the
    model, a package or memory is missing, a sentence that says what to do is printed instead.
    """
    try:
        model, tokenizer = loaded()
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is missing here: python -m pip install {missing.name}")
        return
    except (FileNotFoundError, MemoryError) as missing:
        print(missing)
        return
    tokens = torch.tensor([tokenizer.encode(prompt).ids])
    first = tokens.shape[1]
    generator = torch.Generator().manual_seed(0)
    replaced = in_place_of_ours(
        model, attention, split_heads, merge_heads, attend_with_cache, rotate
    )
    with replaced, torch.no_grad():
        _, state = model.read(tokens[:, :-1], model.start())
        for _ in range(num_tokens):
            logits, state, _ = model.step(tokens[:, -1], state)
            if top_p is None:
                new = logits.argmax(-1, keepdim=True)
            else:
                kept = top_p((logits / TEMPERATURE).softmax(-1), SHARE)
                new = kept.multinomial(1, generator=generator)
            tokens = torch.cat([tokens, new], dim=1)
    print(f"{prompt} …{tokenizer.decode(tokens[0, first:].tolist())}")


@contextmanager
def in_place_of_ours(
    model: LanguageModel,
    attention: Callable | None = None,
    split_heads: Callable | None = None,
    merge_heads: Callable | None = None,
    attend_with_cache: Callable | None = None,
    rotate: Callable | None = None,
) -> Iterator[None]:
    """Inside it every `MultiHeadAttention` runs these functions; afterwards ours again."""
    config, ours = model.config, multi_head.scaled_dot_product_attention
    caches: list[Any] = [None] * config.num_layers
    calls = 0

    def attend(
        q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, **options: Any
    ) -> tuple[Tensor, Tensor | None]:
        nonlocal calls
        layer, calls = calls % config.num_layers, calls + 1
        T, S = q.shape[-2], k.shape[-2]
        weights = None
        if attention is None and attend_with_cache is None:
            heads, weights = ours(q, k, v, mask, **options)
        else:  # each head of keys serves a group of heads
            k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
            if attend_with_cache is not None:  # yours keeps the old keys and values itself
                old = None if S == T else caches[layer]
                heads, caches[layer] = attend_with_cache(q, k[..., -T:, :], v[..., -T:, :], old)
            else:
                heads, weights = attention(q, k, v, causal_mask(T, S))
        if merge_heads is not None:  # ours will merge: give it what makes yours
            heads = merge_heads(heads).unflatten(-1, (config.num_heads, -1)).transpose(1, 2)
        return heads, weights

    def split(module: Any, x: Tensor) -> Tensor:
        return split_heads(x, x.shape[-1] // module.head_dim)

    def turn(_: Any, q: Tensor, k: Tensor, *first: int) -> tuple[Tensor, ...]:
        both = zip((q, k), first, strict=True)
        return tuple(
            rotate(x, at + torch.arange(x.shape[-2]), config.rotary_base) for x, at in both
        )

    replaced = [patch.object(multi_head, "scaled_dot_product_attention", attend)]
    if split_heads is not None:
        replaced.append(patch.object(multi_head.MultiHeadAttention, "_split_heads", split))
    if rotate is not None:
        replaced.append(patch.object(multi_head.MultiHeadAttention, "_rotate", turn))
    for one in replaced:
        one.start()
    try:
        yield
    finally:
        for one in replaced:
            one.stop()
