"""The likeliest sentence: greedy, or with a beam; whole batches at a time, of any decoder."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_lib.generation.decoder import Decoder, State


@torch.no_grad()
def greedy_search(
    model: Decoder,
    tokens: Int[Tensor, " B"],
    state: State,
    max_length: int,
    *,
    end: int,
    forbidden: Sequence[int] = (),
) -> tuple[list[list[int]], Float[Tensor, "B T S"] | None]:
    """Take the likeliest token at each step.

        y_t = argmax_y p(y | y_1 … y_{t-1}, x)

    A sentence ends with its `end` token; the batch with its last sentence.

    Args:
        model: steps as `course_lib.generation` says.
        tokens: the token before the first of each row, such as <start>.
        state: what the model has read before it, a row for each of the tokens.
        max_length: how many tokens are written at most.
        end: the token that ends a sentence.
        forbidden: tokens that are never written.

    Returns:
        B lists of at most `max_length` tokens without `end`, and weights (B, T, S) or None.
    """
    done = torch.zeros_like(tokens, dtype=torch.bool)
    written, rows = [], []
    for _ in range(max_length):
        logits, state, weights = model.step(tokens, state)
        logits[:, forbidden] = -torch.inf
        tokens = torch.where(done, end, logits.argmax(-1))
        done |= tokens == end
        written.append(tokens)
        rows.append(weights)
        if done.all():
            break
    if not written:
        return [[] for _ in tokens], None
    ids = [row[: row.index(end)] if end in row else row for row in torch.stack(written, 1).tolist()]
    return ids, None if rows[0] is None else torch.stack(rows, dim=1)


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
    max_length: int,
    beam: int,
    *,
    end: int,
    forbidden: Sequence[int] = (),
    length_penalty: float = 0.6,
) -> tuple[list[list[int]], Float[Tensor, "B T S"] | None]:
    """Keep the `beam` likeliest beginnings of each sentence; return the best that has ended.

        score(y) = log p(y | x) / lp(y),   lp(y) = ((5 + |y|) / 6)^length_penalty,   |y| with `end`

    Beginnings compete by log p, all being equally long. One that ends leaves the beam and waits in
    a list of its own, so no longer beginning can push it out; a sentence is done when `beam` of
    them wait. Where none has ended after `max_length` tokens the likeliest beginning is returned.
    Arguments and results as in `greedy_search`; a beam of 1 writes the same.

    lp is equation (14) of Wu et al. (2016), "Google's neural machine translation system",
    https://arxiv.org/abs/1609.08144, without its coverage penalty.
    """
    B, K, device = len(tokens), beam, tokens.device
    first = torch.arange(B, device=device)[:, None] * K  # (B, 1)
    state = state.reorder(torch.arange(B, device=device).repeat_interleave(K))
    tokens = tokens.repeat_interleave(K)
    # All K beginnings of a sentence are alike: only the first may be continued at the first step.
    scores = torch.full((B, K), -torch.inf, device=device)
    scores[:, 0] = 0
    ids, rows = torch.empty(B * K, 0, dtype=torch.long, device=device), None
    ended: list[list[Hypothesis]] = [[] for _ in range(B)]
    for length in range(1, max_length + 1):
        logits, state, weights = model.step(tokens, state)
        logits[:, forbidden] = -torch.inf
        log_p = logits.log_softmax(-1)  # (B K, V)
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
            if len(ended[b]) < K:
                found = Hypothesis(best[b, k].item() / penalty, ids[parent].tolist(), row)
                ended[b].append(found)
        scores, kept = best.masked_fill(ends, -torch.inf).topk(K, dim=1)  # (B, K)
        place = place.gather(1, kept)
        index = (first + place // V).flatten()
        tokens = (place % V).flatten()
        ids = torch.cat([ids[index], tokens[:, None]], dim=1)  # (B K, t)
        state = state.reorder(index)
        rows = None if rows is None else rows[index]
        if all(len(waiting) == K for waiting in ended):
            break
    chosen = []
    for b, waiting in enumerate(ended):
        unfinished = Hypothesis(0, ids[b * K].tolist(), None if rows is None else rows[b * K])
        chosen.append(max(waiting, key=lambda h: h.score) if waiting else unfinished)
    weights = None if rows is None else pad_sequence([h.weights for h in chosen], batch_first=True)
    return [h.ids for h in chosen], weights
