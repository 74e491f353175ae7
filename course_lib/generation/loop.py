"""A prompt, continued token by token."""

from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from course_lib.generation.decoder import evaluating
from course_lib.generation.sampling import sample


@torch.no_grad()
def generate(
    model: nn.Module,
    prompt: Int[Tensor, "B T"],
    num_tokens: int,
    *,
    use_cache: bool = True,
    temperature: float = 0.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "B length"]:
    """The prompt, continued by `num_tokens` tokens, one after another.

    With the cache the prompt is read at once (prefill) and each new token costs one position
    (decode); without, each new token reads the whole text again. Both write the same.

    Args:
        model: has `prefill(prompt)` → (logits (B, V), state) and `step`, as `LanguageModel`.
        prompt: (B, T) with T ≥ 1.
        num_tokens: how many tokens are added.
        use_cache: False calls `model(tokens)` again and again.
        temperature, top_k, top_p, generator: as in `sample`; 0, the default, is greedy.
    """
    choose = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "generator": generator}
    tokens, state = prompt, None
    decoder: Any = model  # nn.Module itself declares no prefill and no step
    with evaluating(model):
        for _ in range(num_tokens):
            if not use_cache:
                logits = model(tokens)[0][:, -1]
            elif state is None:
                logits, state = decoder.prefill(prompt)
            else:
                logits, state, _ = decoder.step(tokens[:, -1], state)
            tokens = torch.cat([tokens, sample(logits, **choose)[:, None]], dim=1)
    return tokens
