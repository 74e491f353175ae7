"""Choosing the next token from its logits."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import one_hot

from course_lib.formulas.precision import exact_dtype
from course_lib.validation.arguments import integer, number
from course_lib.validation.choices import check_generator
from course_lib.validation.tensors import check_floating, may_look


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
    min_p: float | None = None,
    repetition_penalty: float = 1.0,
    previous: Int[Tensor, "... T"] | None = None,
    logit_bias: Float[Tensor, " V"] | None = None,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "..."]:
    """Draw one token from each row of logits.

        p = softmax((penalized(logits) + bias) / temperature), then only the likeliest, renormalised

    Args:
        logits: (..., V).
        temperature: below 1 sharpens, above 1 flattens; 0 takes the likeliest token.
        top_k: keep the k likeliest tokens, of equally likely ones the first; more than V keeps all.
        top_p: of what is left, keep the smallest set of likeliest tokens whose probabilities reach
            p (nucleus sampling); the token that crosses is kept, and of equally likely ones the
            first. A sum that misses p by rounding alone reaches it; 1 keeps all.
        min_p: keep the tokens whose probability is at least min_p times that of the likeliest.
        repetition_penalty, previous: as in `penalized`; 1 changes nothing.
        logit_bias: (V,), added to the logits of every row; −inf forbids a token.
        generator: of the same device as the logits.

    Returns:
        The numbers of the tokens, (...).

    Raises:
        ValueError: for a temperature that is negative or not finite, a top_k below 1, a top_p
            outside (0, 1], a min_p outside [0, 1], a penalty without the tokens that it is for, and
            logits with NaN, +inf, or nothing but −inf in a row, the bias added.
        TypeError: for logits or a bias that are not floats.

    Holtzman et al. (2020), "The curious case of neural text degeneration",
    https://arxiv.org/abs/1904.09751; Nguyen et al. (2024), "Turning up the heat: min-p sampling for
    creative and coherent LLM outputs", https://arxiv.org/abs/2407.01082.
    """
    check_generator(generator)
    p = sampling_probabilities(
        logits,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        repetition_penalty=repetition_penalty,
        previous=previous,
        logit_bias=logit_bias,
    )
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
    min_p: float | None = None,
    repetition_penalty: float = 1.0,
    previous: Int[Tensor, "... T"] | None = None,
    logit_bias: Float[Tensor, " V"] | None = None,
) -> Float[Tensor, "... V"]:
    """What `sample` draws from, (..., V) in float32 or wider. Arguments and errors are the same."""
    temperature = number("temperature", temperature, least=0)
    top_k = None if top_k is None else integer("top_k", top_k, 1)
    if top_p is not None:
        top_p = number("top_p", top_p, above=0, most=1)
    if min_p is not None:
        min_p = number("min_p", min_p, least=0, most=1)
    check_logits(logits)
    logits = penalized(logits, previous, repetition_penalty)
    if logit_bias is not None:
        check_floating(logit_bias=logit_bias)
        if logit_bias.shape != logits.shape[-1:]:
            raise ValueError(
                f"logit_bias must be (V,) = {tuple(logits.shape[-1:])}, got shape "
                f"{tuple(logit_bias.shape)}."
            )
        logits = logits + logit_bias.to(logits.device)
        check_logits(logits)
    wide = torch.promote_types(logits.dtype, torch.float32)
    if temperature == 0:
        return one_hot(logits.argmax(-1), logits.shape[-1]).to(wide)
    # The largest first: divided by a small temperature, others overflow to -inf, as they should.
    below = logits.to(wide) - logits.to(wide).amax(-1, keepdim=True)
    p = (below / max(temperature, torch.finfo(wide).tiny)).softmax(-1)
    likely = None if min_p is None else p >= min_p * p.amax(-1, keepdim=True)
    if top_k is None and top_p in (None, 1):
        return p if likely is None else _renormalised(p * likely)
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
    return _renormalised(p if likely is None else p * likely)


def _renormalised(p: Tensor) -> Tensor:
    return p / p.sum(-1, keepdim=True)


def penalized(
    logits: Float[Tensor, "... V"], previous: Int[Tensor, "... T"] | None, penalty: float = 1.0
) -> Float[Tensor, "... V"]:
    """Logits that make tokens less likely which a text has already.

        x_i / θ if x_i > 0, else x_i · θ,   for each token i of the row of `previous`, once

    Args:
        logits: (..., V).
        previous: the tokens of each row, (..., T).
        penalty: θ; 1 changes nothing, below 1 makes repetition likelier.

    Raises:
        ValueError: for a penalty that is not above 0, one without `previous`, and rows or tokens
            that do not fit the logits.

    Keskar et al. (2019), "CTRL: a conditional Transformer language model for controllable
    generation", https://arxiv.org/abs/1909.05858, section 4.1, for logits of either sign.
    """
    penalty = number("repetition_penalty", penalty, above=0)
    if penalty == 1:
        return logits
    whole = isinstance(previous, Tensor) and previous.dtype in (torch.int64, torch.int32)
    if previous is None or not whole or previous.shape[:-1] != logits.shape[:-1]:
        found = tuple(previous.shape) if isinstance(previous, Tensor) else previous
        raise ValueError(
            "a repetition_penalty needs previous=, the integers (..., T) of the tokens of each row "
            f"of logits {tuple(logits.shape)}, got {found}."
        )
    if may_look(previous) and previous.numel():
        least, most = (int(n) for n in previous.aminmax())
        if least < 0 or most >= logits.shape[-1]:
            raise ValueError(
                f"previous has tokens from {least} to {most}, and logits {logits.shape[-1]} tokens."
            )
    found = logits.gather(-1, previous.long())
    found = torch.where(found > 0, found / penalty, found * penalty)
    return logits.scatter(-1, previous.long(), found)
