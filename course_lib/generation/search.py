"""The likeliest sentence: greedy, or with a beam; whole batches at a time, of any decoder."""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_lib.formulas.precision import wide
from course_lib.generation.decoder import Decoder, State, evaluating
from course_lib.generation.sampling import check_logits
from course_lib.validation.arguments import integer, integers, number


@torch.no_grad()
def greedy_search(
    model: Decoder,
    tokens: Int[Tensor, " B"],
    state: State,
    max_length: int | Sequence[int],
    *,
    end: int,
    forbidden: Sequence[int] = (),
) -> tuple[list[list[int]], Float[Tensor, "B T S"] | None]:
    """Take the likeliest token at each step.

        y_t = argmax_y p(y | y_1 … y_{t-1}, x)

    A sentence ends with its `end` token; the batch with its last sentence. The search runs without
    dropout, on a copy of the state, so the same start may be searched again.

    Args:
        model: steps as `course_lib.generation` says.
        tokens: the token before the first of each row, such as <start>.
        state: what the model has read before it, a row for each of the tokens.
        max_length: how many tokens are written at most, or one such number for each row.
        end: the token that ends a sentence.
        forbidden: tokens that are never written.

    Returns:
        B lists of at most `max_length` tokens without `end`, and weights (B, T, S) or None.

    Raises:
        ValueError: for a negative max_length, a token outside the vocabulary, and logits with NaN,
            +inf, or nothing but −inf in a row.
    """
    limits = _limits(max_length, tokens)
    state, limit = copy.copy(state), torch.tensor(limits, device=tokens.device)
    done = limit <= 0
    written, rows = [], []
    with evaluating(model):
        for length in range(1, max(limits, default=0) + 1):
            logits, state, weights = model.step(tokens, state)
            logits = _allowed(logits, end, forbidden)
            tokens = torch.where(done, end, logits.argmax(-1))
            done = done | (tokens == end) | (limit <= length)
            written.append(tokens)
            rows.append(weights)
            if done.all():
                break
    if not written:
        return [[] for _ in tokens], None
    ids = [row[: row.index(end)] if end in row else row for row in torch.stack(written, 1).tolist()]
    ids = [row[:most] for row, most in zip(ids, limits, strict=True)]
    return ids, None if rows[0] is None else torch.stack(rows, dim=1)


def _limits(max_length: int | Sequence[int], tokens: Tensor) -> list[int]:
    """How many tokens each row may have."""
    if not isinstance(tokens, Tensor):
        raise TypeError(f"tokens must be a tensor of integers, got {type(tokens).__name__}.")
    if tokens.ndim != 1 or tokens.is_floating_point() or tokens.dtype == torch.bool:
        raise ValueError(
            f"tokens must be (B,) integers, got {tokens.dtype} of shape {tuple(tokens.shape)}."
        )
    if isinstance(max_length, Sequence | Tensor) and getattr(max_length, "ndim", 1):
        limits = integers("max_length", max_length, 0)
        if len(limits) != len(tokens):
            raise ValueError(f"got {len(limits)} values of max_length for {len(tokens)} rows.")
        return limits
    return [integer("max_length", max_length, 0)] * len(tokens)


def _allowed(logits: Tensor, end: int, forbidden: Sequence[int]) -> Tensor:
    """The logits (B, V) with the forbidden ones at −inf; the model's own stay as they are."""
    V, never = logits.shape[-1], integers("forbidden", forbidden, 0)
    for name, token in (("end", integer("end", end, 0)), *(("forbidden", t) for t in never)):
        if token >= V:
            raise ValueError(f"{name} is token {token}, and the vocabulary has {V} tokens.")
    if len(set(never)) == V:
        raise ValueError(
            f"forbidden holds all {V} tokens of the vocabulary: none is left to write."
        )
    check_logits(logits)
    index = torch.tensor(never, dtype=torch.long, device=logits.device)
    logits = logits.index_fill(1, index, -torch.inf)
    check_logits(logits)
    return logits


class Hypothesis(NamedTuple):
    """A finished sentence: its score, its tokens without `end`, its weights (T, S) or None."""

    score: float
    ids: list[int]
    weights: Tensor | None


@torch.no_grad()
def beam_search(
    model: Decoder,
    tokens: Int[Tensor, " B"],
    state: State,
    max_length: int | Sequence[int],
    beam: int,
    *,
    end: int,
    forbidden: Sequence[int] = (),
    length_penalty: float = 0.6,
) -> tuple[list[list[int]], Float[Tensor, "B T S"] | None]:
    """Keep the `beam` likeliest beginnings of each sentence; return the best that has ended.

        score(y) = log p(y | x) / lp(y),   lp(y) = ((5 + |y|) / 6)^length_penalty,   |y| with `end`

    A wider beam may return a sentence that scores lower: it ends with `beam` finished ones.

    Beginnings compete by log p, all being equally long. One that ends leaves the beam and waits in
    a list of its own, so no longer beginning can push it out; a sentence is done when `beam` of
    them wait. Where none has ended after `max_length` tokens the likeliest beginning is returned.
    Arguments, results and errors as in `greedy_search`; a beam of 1 writes the same. A
    length_penalty lies between −20 and 20.

    lp is equation (14) of Wu et al. (2016), "Google's neural machine translation system",
    https://arxiv.org/abs/1609.08144, without its coverage penalty.
    """
    limits, beam = _limits(max_length, tokens), integer("beam", beam, 1)
    number("length_penalty", length_penalty, least=-20, most=20)  # beyond, lp overflows
    with evaluating(model):
        chosen = _beams(
            model, tokens, copy.copy(state), limits, beam, end, forbidden, length_penalty
        )
    rows = [h.weights for h in chosen]
    if (some := next((row for row in rows if row is not None), None)) is None:
        return [h.ids for h in chosen], None
    rows = [some[:0] if row is None else row for row in rows]  # nothing was written there
    weights = pad_sequence(rows, batch_first=True)
    return [h.ids for h in chosen], weights


def _beams(
    model: Decoder,
    tokens: Tensor,
    state: State,
    limits: list[int],
    beam: int,
    end: int,
    forbidden: Sequence[int],
    length_penalty: float,
) -> list[Hypothesis]:
    """The best hypothesis of each row."""
    B, K, device = len(tokens), beam, tokens.device
    first = torch.arange(B, device=device)[:, None] * K  # (B, 1)
    state = state.reorder(torch.arange(B, device=device).repeat_interleave(K))
    tokens = tokens.repeat_interleave(K)
    # All K beginnings of a sentence are alike: only the first may be continued at the first step.
    scores = torch.full((B, K), -torch.inf, dtype=torch.float32, device=device)
    scores[:, 0] = 0
    ids, rows = torch.empty(B * K, 0, dtype=torch.long, device=device), None
    ended: list[list[Hypothesis]] = [[] for _ in range(B)]
    chosen = [Hypothesis(0, [], None)] * B
    for length in range(1, max(limits, default=0) + 1):
        logits, state, weights = model.step(tokens, state)
        logits = _allowed(logits, end, forbidden)
        log_p = wide(logits).log_softmax(-1)  # (B K, V)
        total = scores[..., None] + log_p.view(B, K, -1)  # (B, K, V)
        if weights is not None:
            rows = weights[:, None] if rows is None else torch.cat([rows, weights[:, None]], dim=1)
        # 2K candidates hold at least K that go on: each beginning has only one way to end.
        V = total.shape[-1]
        best, place = total.flatten(1).topk(min(2 * K, K * V), dim=1)  # (B, ≤ 2K)
        ends = place % V == end
        penalty = ((5 + length) / 6) ** length_penalty
        for b, k in (ends[:, :K] & best[:, :K].isfinite()).nonzero().tolist():
            parent = b * K + int(place[b, k]) // V
            row = None if rows is None else rows[parent]
            if len(ended[b]) < K and length <= limits[b]:
                found = Hypothesis(best[b, k].item() / penalty, ids[parent].tolist(), row)
                ended[b].append(found)
        scores, kept = best.masked_fill(ends, -torch.inf).topk(K, dim=1)  # (B, K)
        place = place.gather(1, kept)
        index = (first + place // V).flatten()
        tokens = (place % V).flatten()
        ids = torch.cat([ids[index], tokens[:, None]], dim=1)  # (B K, t)
        state = state.reorder(index)
        rows = None if rows is None else rows[index]
        for b, waiting in enumerate(ended):  # the last that this row may be asked for
            if length == limits[b] or (len(waiting) == K and length < limits[b]):
                row = None if rows is None else rows[b * K]
                unfinished = Hypothesis(0, ids[b * K].tolist(), row)
                chosen[b] = max(waiting, key=lambda h: h.score) if waiting else unfinished
        over = (
            len(waiting) == K or length >= most for waiting, most in zip(ended, limits, strict=True)
        )
        if all(over):
            break
    return chosen
