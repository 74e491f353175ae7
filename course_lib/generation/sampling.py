"""Choosing the next token from its logits."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import one_hot

from course_lib.arguments import integer, number
from course_lib.checks import check_floating, exact_dtype, may_look
from course_lib.given_tensors import check_generator


def check_logits(logits: Tensor) -> None:
    """Refuse logits of which no softmax is left, as a model that diverged gives them.

    A compiled graph or a transform is not stopped to look.
    """
    check_floating(logits=logits)
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"logits must be (..., V), got shape {tuple(logits.shape)}.")
    if may_look(logits) and not logits.amax(-1).isfinite().all():
        raise ValueError(
            "logits contain NaN, +inf, or nothing but -inf in a row: there is no likeliest token."
        )


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
            p (nucleus sampling); the token that crosses is kept, and of equally likely ones the
            first. A sum that misses p by rounding alone reaches it; 1 keeps all.
        generator: of the same device as the logits.

    Returns:
        The numbers of the tokens, (...).

    Raises:
        ValueError: for a temperature that is negative or not finite, a top_k below 1, a top_p
            outside (0, 1], and logits with NaN, +inf, or nothing but −inf in a row.
        TypeError: for logits that are not floats.

    Holtzman et al. (2020), "The curious case of neural text degeneration",
    https://arxiv.org/abs/1904.09751.
    """
    check_generator(generator)
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
    temperature = number("temperature", temperature, least=0)
    top_k = None if top_k is None else integer("top_k", top_k, 1)
    if top_p is not None:
        top_p = number("top_p", top_p, above=0, most=1)
    check_logits(logits)
    wide = torch.promote_types(logits.dtype, torch.float32)
    if temperature == 0:
        return one_hot(logits.argmax(-1), logits.shape[-1]).to(wide)
    # The largest first: divided by a small temperature, others overflow to -inf, as they should.
    below = logits.to(wide) - logits.to(wide).amax(-1, keepdim=True)
    p = (below / max(temperature, torch.finfo(wide).tiny)).softmax(-1)
    if top_k is None and top_p in (None, 1):
        return p
    ordered, tokens = torch.sort(p, dim=-1, descending=True, stable=True)
    keep = torch.ones_like(ordered, dtype=torch.bool)
    if top_k is not None:
        keep[..., top_k:] = False
    if top_p is not None and top_p < 1:
        left = (ordered * keep).to(exact_dtype(p.device))
        reached = left.cumsum(-1) / left.sum(-1, keepdim=True)
        before = reached.roll(1, -1)  # what the likelier tokens reach without this one
        before[..., 0] = -1.0
        keep &= before < top_p - 8 * torch.finfo(wide).eps * top_p
    p = p * torch.zeros_like(keep).scatter(-1, tokens, keep)
    return p / p.sum(-1, keepdim=True)
