"""Translating with a trained model: greedy, or with a beam; whole batches at a time."""

import torch
from torch import Tensor

from course_lib.translation.model import Encoded, Seq2Seq, State
from course_lib.translation.vocabulary import END, PAD, START

NEVER = (PAD, START)  # what a translation cannot contain


def greedy_decode(
    model: Seq2Seq, source: Tensor, lengths: Tensor, max_length: int
) -> tuple[list[list[int]], Tensor | None]:
    """Take the likeliest word at each step.

        y_t = argmax_y p(y | y_1 … y_{t-1}, x)

    source (B, S) with `lengths` (B,). A sentence ends with its <end>; the batch with its last.
    Returns B lists of at most `max_length` numbers without <end>, and weights (B, T, S) or None.
    """
    encoded, state = model.encode(source, lengths)
    tokens = torch.full_like(lengths, START).to(source.device)
    words, rows = [], []
    done = torch.zeros_like(tokens, dtype=torch.bool)
    for _ in range(max_length):
        logits, state, weights = model.step(tokens, state, encoded)
        logits[:, NEVER] = -torch.inf
        tokens = torch.where(done, END, logits.argmax(-1))
        done |= tokens == END
        words.append(tokens)
        rows.append(weights)
        if done.all():
            break
    ids = _cut(torch.stack(words, dim=1))
    return ids, None if rows[0] is None else torch.stack(rows, dim=1)


def beam_decode(
    model: Seq2Seq,
    source: Tensor,
    lengths: Tensor,
    max_length: int,
    beam: int,
    length_penalty: float = 1.0,
) -> tuple[list[list[int]], Tensor | None]:
    """Keep the `beam` likeliest beginnings of each sentence; return the best finished one.

        score(y) = log p(y | x) / |y|^length_penalty,   |y| counting <end>

    Without the division a beam prefers short sentences. A beginning that never ended counts with
    the score it has. Arguments and results as in `greedy_decode`; beam 1 gives the same words.
    Wu et al. (2016), section 7, on the penalty.
    """
    B, K = source.shape[0], beam
    encoded, state = model.encode(source, lengths)
    spread = torch.arange(B, device=source.device).repeat_interleave(K)
    encoded, state = _take(encoded, spread), _take_state(state, spread)
    tokens = torch.full((B * K,), START, device=source.device)
    # All K beams of a sentence begin alike: only the first may be continued at the first step.
    scores = torch.full((B, K), -torch.inf, device=source.device)
    scores[:, 0] = 0
    ids = torch.empty(B * K, 0, dtype=torch.long, device=source.device)
    rows, sizes = None, torch.zeros(B, K, device=source.device)
    done = torch.zeros(B, K, dtype=torch.bool, device=source.device)
    first = torch.arange(B, device=source.device)[:, None] * K  # (B, 1)
    for _ in range(max_length):
        logits, state, weights = model.step(tokens, state, encoded)
        logits[:, NEVER] = -torch.inf
        log_p = logits.log_softmax(-1).view(B, K, -1)  # (B, K, V)
        only_end = torch.full_like(log_p, -torch.inf)
        only_end[..., END] = 0  # a finished beam stays as it is
        log_p = torch.where(done[..., None], only_end, log_p)
        total = scores[..., None] + log_p  # (B, K, V)
        grown = sizes + ~done  # (B, K)
        ranked = total / grown[..., None] ** length_penalty
        _, best = ranked.flatten(1).topk(K, dim=1)  # (B, K)
        parent, tokens = best // log_p.shape[-1], best % log_p.shape[-1]
        scores = total.flatten(1).gather(1, best)
        sizes = grown.gather(1, parent)
        done = done.gather(1, parent) | (tokens == END)
        keep = (first + parent).flatten()
        tokens = tokens.flatten()
        ids = torch.cat([ids[keep], tokens[:, None]], dim=1)  # (B K, t)
        state = _take_state(state, keep)
        if weights is not None:
            rows = weights[:, None] if rows is None else torch.cat([rows, weights[:, None]], dim=1)
            rows = rows[keep]  # (B K, t, S)
        if done.all():
            break
    chosen = first[:, 0] + (scores / sizes**length_penalty).argmax(dim=1)
    return _cut(ids[chosen]), None if rows is None else rows[chosen]


def _cut(ids: Tensor) -> list[list[int]]:
    """Each row up to its <end>."""
    return [row[: row.index(END)] if END in row else row for row in ids.tolist()]


def _take(encoded: Encoded, index: Tensor) -> Encoded:
    return Encoded(*(None if part is None else part[index] for part in encoded))


def _take_state(state: State, index: Tensor) -> State:
    fed = None if state.fed is None else state.fed[index]
    return State(state.carry[:, index], fed, state.step)
