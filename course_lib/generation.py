"""Writing token by token: choosing from the logits, and the loop around it.

Every decoder of this course steps alike, whatever it is made of:

    logits, state, weights = model.step(tokens, state)

`tokens` (B,) are the last ones, `logits` (B, V) those of the next ones, and `weights` (B, S) say
where the decoder looked in its source, or are None. `state.reorder(index)` returns the state of
the rows `index` of the batch; rows may repeat, so beam search needs nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.checks import check_floating


class State(Protocol):
    """What a decoder carries from one token to the next."""

    def reorder(self, index: Tensor) -> "State":
        """The state of the rows `index` (N,) of the batch."""


class Decoder(Protocol):
    """What greedy decoding, sampling and beam search need of a model."""

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        """Read one token per row: logits (B, V), the new state, weights (B, S) or None."""


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
        ValueError: for a negative temperature, a top_k below 1, a top_p outside (0, 1], NaN.
        TypeError: for logits that are not floats.

    Holtzman et al. (2020), "The curious case of neural text degeneration",
    https://arxiv.org/abs/1904.09751
    """
    if temperature == 0:
        return sampling_probabilities(logits, top_k=top_k, top_p=top_p).argmax(-1)
    p = sampling_probabilities(logits, temperature=temperature, top_k=top_k, top_p=top_p)
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
    if temperature <= 0:
        raise ValueError(f"temperature must be positive here, got {temperature}.")
    if (top_k is not None and top_k < 1) or (top_p is not None and not 0 < top_p <= 1):
        raise ValueError(f"need top_k ≥ 1 and 0 < top_p ≤ 1, got {top_k} and {top_p}.")
    if logits.isnan().any():
        raise ValueError("logits contain NaN: there is no likeliest token.")
    wide = torch.promote_types(logits.dtype, torch.float32)
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
    with evaluating(model):
        for _ in range(num_tokens):
            if not use_cache:
                logits = model(tokens)[0][:, -1]
            elif state is None:
                logits, state = model.prefill(prompt)
            else:
                logits, state, _ = model.step(tokens[:, -1], state)
            tokens = torch.cat([tokens, sample(logits, **choose)[:, None]], dim=1)
    return tokens


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Evaluation mode, without dropout, inside; afterwards every module is as it was."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
