"""Translating with a trained model: greedy, or with a beam; whole batches at a time."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from course_lib.translation.model import Seq2Seq
from course_lib.translation.vocabulary import END, PAD, START

FORBIDDEN = (PAD, START)  # what a translation cannot contain


def greedy_decode(
    model: Seq2Seq, source: Tensor, lengths: Tensor, max_length: int
) -> tuple[list[list[int]], Tensor | None]:
    """Take the likeliest word at each step.

        y_t = argmax_y p(y | y_1 … y_{t-1}, x)

    source (B, S) with `lengths` (B,). A sentence ends with its <end>; the batch with its last.
    Returns B lists of at most `max_length` numbers without <end>, and weights (B, T, S) or None.
    """
    state = model.encode(source, lengths)
    tokens = torch.full((len(source),), START, device=source.device)
    done = torch.zeros_like(tokens, dtype=torch.bool)
    words, rows = [], []
    for _ in range(max_length):
        logits, state, weights = model.step(tokens, state)
        logits[:, FORBIDDEN] = -torch.inf
        tokens = torch.where(done, END, logits.argmax(-1))
        done |= tokens == END
        words.append(tokens)
        rows.append(weights)
        if done.all():
            break
    ids = [row[: row.index(END)] if END in row else row for row in torch.stack(words, 1).tolist()]
    return ids, None if rows[0] is None else torch.stack(rows, dim=1)


class Hypothesis(NamedTuple):
    """A finished translation: its score, its numbers without <end>, its weights (T, S) or None."""

    score: float
    ids: list[int]
    weights: Tensor | None


def beam_decode(
    model: Seq2Seq,
    source: Tensor,
    lengths: Tensor,
    max_length: int,
    beam: int,
    length_penalty: float = 0.6,
) -> tuple[list[list[int]], Tensor | None]:
    """Keep the `beam` likeliest beginnings of each sentence; return the best that has ended.

        score(y) = log p(y | x) / lp(y),   lp(y) = ((5 + |y|) / 6)^length_penalty,   |y| with <end>

    Beginnings compete by log p, all being equally long. One that ends leaves the beam and waits in
    a list of its own, so no longer beginning can push it out; a sentence is done when `beam` of
    them wait. Where none has ended after `max_length` words the likeliest beginning is returned.
    Arguments and results as in `greedy_decode`; beam 1 gives the same words.
    lp is equation (14) of Wu et al. (2016), "Google's neural machine translation system",
    https://arxiv.org/abs/1609.08144, without its coverage penalty.
    """
    B, K = len(source), beam
    device = source.device
    first = torch.arange(B, device=device)[:, None] * K  # (B, 1)
    state = model.encode(source, lengths).reorder(
        torch.arange(B, device=device).repeat_interleave(K)
    )
    tokens = torch.full((B * K,), START, device=device)
    # All K beginnings of a sentence are alike: only the first may be continued at the first step.
    scores = torch.full((B, K), -torch.inf, device=device)
    scores[:, 0] = 0
    ids, rows = torch.empty(B * K, 0, dtype=torch.long, device=device), None
    ended: list[list[Hypothesis]] = [[] for _ in range(B)]
    for length in range(1, max_length + 1):
        logits, state, weights = model.step(tokens, state)
        logits[:, FORBIDDEN] = -torch.inf
        log_p = logits.log_softmax(-1)  # (B K, V)
        total = scores[..., None] + log_p.view(B, K, -1)  # (B, K, V)
        if weights is not None:
            rows = weights[:, None] if rows is None else torch.cat([rows, weights[:, None]], dim=1)
        # 2K candidates hold at least K that go on: each beginning has only one way to end.
        V = total.shape[-1]
        best, place = total.flatten(1).topk(min(2 * K, K * V), dim=1)  # (B, ≤ 2K)
        ends = place % V == END
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
