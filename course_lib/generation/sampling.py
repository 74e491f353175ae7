"""Choosing the next token from its logits."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import one_hot

from course_lib.attention.checks import check_floating


def sample(
    logits: Float[Tensor, "... V"],
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "..."]:
    """Draw one token from each row of logits.

        p = softmax(logits / temperature), then only the likeliest, renormalised

    Args:
        logits: (..., V).
        temperature: below 1 sharpens, above 1 flattens; 0 takes the likeliest token.
        top_k: keep the k likeliest tokens; more than V keeps all.
        top_p: of what is left, keep the smallest set of likeliest tokens whose probabilities reach
            p (nucleus sampling); the token that crosses is kept.
        generator: of the same device as the logits.

    Returns:
        The numbers of the tokens, (...).

    Raises:
        ValueError: for a negative temperature, a top_k below 1, a top_p outside (0, 1], and logits
            with NaN, +inf, or nothing but −inf in a row.
        TypeError: for logits that are not floats.

    Holtzman et al. (2020), "The curious case of neural text degeneration",
    https://arxiv.org/abs/1904.09751
    """
    p = sampling_probabilities(logits, temperature=temperature, top_k=top_k, top_p=top_p)
    if temperature == 0:
        return p.argmax(-1)
    drawn = torch.multinomial(p.reshape(-1, p.shape[-1]), 1, generator=generator)
    return drawn.view(p.shape[:-1])


def sampling_probabilities(
    logits: Float[Tensor, "... V"],
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Float[Tensor, "... V"]:
    """What `sample` draws from, (..., V) in float32 or wider. Arguments and errors are the same."""
    check_floating(logits=logits)
    if temperature < 0:
        raise ValueError(f"temperature must not be negative, got {temperature}.")
    if (top_k is not None and top_k < 1) or (top_p is not None and not 0 < top_p <= 1):
        raise ValueError(f"need top_k ≥ 1 and 0 < top_p ≤ 1, got {top_k} and {top_p}.")
    if not logits.amax(-1).isfinite().all():
        raise ValueError(
            "logits contain NaN, +inf, or nothing but -inf in a row: there is no likeliest token."
        )
    wide = torch.promote_types(logits.dtype, torch.float32)
    if temperature == 0:
        return one_hot(logits.argmax(-1), logits.shape[-1]).to(wide)
    p = (logits.to(wide) / temperature).softmax(-1)
    ordered, tokens = torch.sort(p, dim=-1, descending=True, stable=True)
    keep = torch.ones_like(ordered, dtype=torch.bool)
    if top_k is not None:
        keep[..., top_k:] = False
    if top_p is not None:
        ordered = ordered * keep / (ordered * keep).sum(-1, keepdim=True)
        before = ordered.cumsum(-1) - ordered  # what the likelier tokens reach without this one
        keep &= before < top_p
    p = p * torch.zeros_like(keep).scatter(-1, tokens, keep)
    return p / p.sum(-1, keepdim=True)
