"""Speculative decoding: a small model drafts, the large one judges several tokens at once."""

from functools import partial

import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lib.generation.decoder import Reader, check_prompt, evaluating
from course_lib.generation.sampling import sampling_probabilities
from course_lib.validation.arguments import integer
from course_lib.validation.choices import check_generator
from course_lib.validation.tensors import check_floating


def judge(
    drafted: Int[Tensor, " γ"],
    q: Float[Tensor, "γ V"],
    p: Float[Tensor, "γ+1 V"],
    generator: torch.Generator | None = None,
) -> Int[Tensor, " n"]:
    """Tokens that are distributed as p says, out of a draft that is distributed as q says.

        accept x_i while r_i < p_i(x_i) / q_i(x_i),  r_i uniform in [0, 1)
        then one more: x ~ max(0, p_i − q_i), renormalised, at the first refusal,
                       x ~ p_{γ+1} when all were accepted

    A token x comes out by draft with probability min(p(x), q(x)), after a refusal with
    max(0, p(x) − q(x)): together p(x), whatever q is. A better q is refused less often.

    Args:
        drafted: (γ,), the tokens x_1 … x_γ.
        q: (γ, V), what each of them was drawn from.
        p: (γ + 1, V), what the large model would have drawn each from, and one more.

    Returns:
        The accepted tokens and one more, between 1 and γ + 1 of them.

    Raises:
        TypeError: for a draft that is no tensor of integers, and p or q that are not floats.
        ValueError: for shapes that do not fit, and for p or q that are no probabilities.
    """
    _check_draft(drafted, q, p)
    check_generator(generator)
    each = torch.arange(len(drafted), device=p.device)
    r = torch.rand(len(drafted), dtype=p.dtype, device=p.device, generator=generator)
    accepted = r * q[each, drafted] < p[each, drafted]
    n = int(accepted.long().cumprod(0).sum())  # up to the first refusal
    left = p[n] if n == len(drafted) else (p[n] - q[n]).clamp(min=0)
    left = left if left.any() else p[n]  # p = q but for rounding
    return torch.cat([drafted[:n], torch.multinomial(left, 1, generator=generator)])


@torch.no_grad()
def speculative_decode(
    target: Reader,
    draft: Reader,
    prompt: Int[Tensor, "1 T"],
    num_tokens: int,
    *,
    ahead: int = 4,
    temperature: float = 0.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "1 length"]:
    """The prompt as `target` would continue it, in fewer calls of `target`.

    `draft` writes `ahead` tokens one by one, `target` reads them all in one call, and `judge`
    says which stay. The others are cropped from both caches. What comes out is distributed as
    `generate(target, ...)`; with temperature 0 it is the same text, but for ties and rounding.

    Args:
        target, draft: each a `Reader`, as `LanguageModel` is one; with the same vocabulary.
        prompt: one text, (1, T) with T ≥ 1: several would not accept equally many.
        num_tokens: how many tokens are added.
        ahead: γ, how many tokens are drafted for each call of `target`.
        temperature, top_k, top_p, generator: as in `generate`, for both models.

    Raises:
        ValueError: for several texts, ahead < 1, different vocabularies, and for a window that
            has forgotten what a refusal needs again.

    Leviathan, Kalman & Matias (2023), "Fast inference from Transformers via speculative decoding",
    https://arxiv.org/abs/2211.17192, algorithm 1; Chen et al. (2023), "Accelerating large language
    model decoding with speculative sampling", https://arxiv.org/abs/2302.01318, algorithm 2.
    """
    check_prompt(prompt)
    check_generator(generator)
    num_tokens, ahead = integer("num_tokens", num_tokens, 0), integer("ahead", ahead, 1)
    if len(prompt) != 1:
        raise ValueError(f"speculative decoding continues one text: got {len(prompt)} texts.")
    _check_vocabularies(*(getattr(model, "vocab_size", None) for model in (target, draft)))
    settings = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
    probabilities = partial(sampling_probabilities, **settings)
    text, end = prompt.clone(), prompt.shape[1] + num_tokens
    with evaluating(target), evaluating(draft):
        p_state, q_state = target.start(), draft.start()
        while (length := text.shape[1]) < end:
            guess, q = text, []
            for _ in range(min(ahead, end - length - 1)):
                logits, q_state = draft.read(guess[:, q_state.length :], q_state)
                q.append(probabilities(logits[0, -1]))  # (V,)
                x = torch.multinomial(q[-1], 1, generator=generator)
                guess = torch.cat([guess, x[None]], dim=1)
            logits, p_state = target.read(guess[:, p_state.length :], p_state)
            p = probabilities(logits[0, -len(q) - 1 :])  # (γ + 1, V)
            q = torch.stack(q) if q else p[:0]
            _check_vocabularies(p.shape[-1], q.shape[-1])
            new = judge(guess[0, length:], q, p, generator)
            text = torch.cat([text, new[None]], dim=1)
            for state in (p_state, q_state):  # the last token is new to both
                state.crop(min(state.length, text.shape[1] - 1))
    return text


def _check_draft(drafted: Tensor, q: Tensor, p: Tensor) -> None:
    """Refuse what `judge` cannot compare."""
    check_floating(q=q, p=p)
    if not isinstance(drafted, Tensor) or drafted.dtype not in (torch.int64, torch.int32):
        kind = drafted.dtype if isinstance(drafted, Tensor) else type(drafted).__name__
        raise TypeError(f"drafted must be a tensor of integers, torch.int64, got {kind}.")
    n = len(drafted) if drafted.ndim == 1 else -1
    if p.ndim != 2 or p.shape[0] != n + 1 or q.shape != (n, p.shape[-1]):
        raise ValueError(
            "need drafted (γ,), q (γ, V) and p (γ + 1, V), got drafted "
            f"{tuple(drafted.shape)}, q {tuple(q.shape)} and p {tuple(p.shape)}."
        )
    for name, rows in {"q": q, "p": p}.items():
        if not (rows.isfinite() & (rows >= 0)).all():
            raise ValueError(f"{name} must be probabilities, got some that are negative or NaN.")


def _check_vocabularies(target: int | None, draft: int | None) -> None:
    """Refuse models that number other tokens: before a word is asked that one of them has not."""
    if None not in (target, draft) and target != draft:
        raise ValueError(
            f"target and draft need the same vocabulary: they have {target} and {draft} tokens."
        )
