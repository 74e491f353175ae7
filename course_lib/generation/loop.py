"""A prompt, continued token by token."""

from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.functional import pad

from course_lib.arguments import flag, integer
from course_lib.attention.masks import token_positions
from course_lib.generation.decoder import Writer, check_left_padding, check_prompt, evaluating
from course_lib.generation.sampling import sample
from course_lib.given_tensors import check_generator


@torch.no_grad()
def generate(
    model: Writer,
    prompt: Int[Tensor, "B T"],
    num_tokens: int,
    *,
    mask: Bool[Tensor, "B 1 T"] | None = None,
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
        model: a `Writer`, as `LanguageModel` is one.
        prompt: (B, T) integers with T ≥ 1.
        num_tokens: how many tokens are added.
        mask: (B, 1, T), True at the prompt's own tokens, for prompts of different lengths. The
            padding stands on the left, so that the last column holds the last token of each and
            the new ones follow; whatever number stands there is not read, and positions are
            counted from the first token of each. (tokens != pad)[:, None] is such a mask.
        use_cache: False calls `model(tokens)` again and again.
        temperature, top_k, top_p, generator: as in `sample`; 0, the default, is greedy.

    Returns:
        (B, T + num_tokens), the prompt included.

    Raises:
        TypeError: for a prompt that is not of integers, and a mask that is not boolean.
        ValueError: for a prompt that is not (B, T), a mask with padding elsewhere than on the left,
            a negative num_tokens, and what `sample` refuses.
    """
    choose = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "generator": generator}
    check_prompt(prompt)
    num_tokens, use_cache = integer("num_tokens", num_tokens, 0), flag("use_cache", use_cache)
    check_generator(generator)
    if mask is not None:
        check_left_padding(mask, prompt)
    tokens, state = prompt.clone(), None
    with evaluating(model):
        for _ in range(num_tokens):
            if not use_cache:
                logits = _whole(model, tokens, mask)
            elif state is None:
                logits, state = model.prefill(*([prompt] if mask is None else [prompt, mask]))
            else:
                logits, state, _ = model.step(tokens[:, -1], state)
            tokens = torch.cat([tokens, sample(logits, **choose)[:, None]], dim=1)
    return tokens


def _whole(model: Any, tokens: Tensor, mask: Tensor | None) -> Tensor:
    """The logits of the next token (B, V), the whole text being read again."""
    if mask is None:
        return model(tokens)[0][:, -1]
    mask = pad(mask, (0, tokens.shape[1] - mask.shape[-1]), value=True)  # what was written is real
    return model(tokens, mask=mask, positions=token_positions(mask))[0][:, -1]
