"""A prompt, continued token by token."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.functional import pad

from course_lib.formulas.masks import token_positions
from course_lib.generation.decoder import Writer, check_left_padding, check_prompt, evaluating
from course_lib.generation.sampling import sample
from course_lib.validation.arguments import flag, integer, integers
from course_lib.validation.choices import check_generator


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
    min_p: float | None = None,
    repetition_penalty: float = 1.0,
    logit_bias: Tensor | None = None,
    stop: int | Sequence[int] = (),
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
        temperature, top_k, top_p, min_p, repetition_penalty, logit_bias, generator: as in `sample`;
            temperature 0, the default, is greedy. A penalty is for the tokens of the prompt, too,
            without its padding.
        stop: a token, or several, with which a text ends. It is written, and repeated behind its
            text until all texts have ended, or num_tokens are written.

    Returns:
        (B, T + num_tokens), the prompt included; fewer where every text ended before.

    Raises:
        TypeError: for a prompt that is not of integers, and a mask that is not boolean.
        ValueError: for a prompt that is not (B, T), a mask with padding elsewhere than on the left,
            a negative num_tokens or stop, and what `sample` refuses.
    """
    choose = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "generator": generator}
    choose |= {"min_p": min_p, "logit_bias": logit_bias, "repetition_penalty": repetition_penalty}
    ends = integers("stop", stop if isinstance(stop, Iterable) else [stop], 0)
    check_prompt(prompt)
    num_tokens, use_cache = integer("num_tokens", num_tokens, 0), flag("use_cache", use_cache)
    check_generator(generator)
    if mask is not None:
        check_left_padding(mask, prompt)
    tokens, state = prompt.clone(), None
    over = torch.zeros(len(prompt), dtype=torch.bool, device=prompt.device)
    end_tokens = torch.tensor(ends, device=prompt.device)
    with evaluating(model):
        for _ in range(num_tokens):
            if not use_cache:
                logits = _whole(model, tokens, mask)
            elif state is None:
                logits, state = model.prefill(*([prompt] if mask is None else [prompt, mask]))
            else:
                logits, state, _ = model.step(tokens[:, -1], state)
            new = sample(logits, previous=_own(tokens, mask), **choose)
            new = torch.where(over, tokens[:, -1], new)
            tokens = torch.cat([tokens, new[:, None]], dim=1)
            over |= torch.isin(new, end_tokens)
            if ends and over.all():
                break
    return tokens


def _own(tokens: Tensor, mask: Tensor | None) -> Tensor:
    """The tokens of each text; the last one, once more, where padding stands."""
    if mask is None:
        return tokens
    mask = pad(mask[:, 0], (0, tokens.shape[1] - mask.shape[-1]), value=True)
    return torch.where(mask, tokens, tokens[:, -1:])


def _whole(model: Any, tokens: Tensor, mask: Tensor | None) -> Tensor:
    """The logits of the next token (B, V), the whole text being read again."""
    if mask is None:
        return model(tokens)[0][:, -1]
    mask = pad(mask, (0, tokens.shape[1] - mask.shape[-1]), value=True)  # what was written is real
    return model(tokens, mask=mask, positions=token_positions(mask))[0][:, -1]
