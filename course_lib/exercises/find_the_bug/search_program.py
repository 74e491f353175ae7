"""Program 10 of lab 2 as it should be: a translator's decoder with a cache, and a beam search.

What stands below the imports is the notebook's cell, word for word.
"""

import math

import torch

START, END = 1, 2


def attend_once(query, keys, values, mask=None):
    """One query in each beam, (W, d), over its keys (W, n, d): (W, d)."""
    scores = (keys @ query[..., None])[..., 0] / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (scores.softmax(-1)[:, None] @ values)[:, 0]


def next_word(words, cache, memory, mask, weights):
    """What follows the last words (W,): log-probabilities (W, V), cache.

    cache   the keys and the values of the words so far, each (W, n, d)
    memory  the encoder's states (S, d)
    mask    (S,), False where there is padding
    """
    keys, values = cache
    x = weights["words"][words] + weights["positions"][keys.shape[1]]
    keys = torch.cat([keys, (x @ weights["key"])[:, None]], dim=1)
    values = torch.cat([values, (x @ weights["value"])[:, None]], dim=1)
    x = x + attend_once(x @ weights["query"], keys, values)
    source = memory.expand(len(x), *memory.shape)
    x = x + attend_once(x @ weights["ask_source"], source, source, mask)
    logits = x @ weights["words"].mT + weights["bias"]
    return logits.log_softmax(-1), (keys, values)


def held(scores, ended):
    """A text that has ended goes on with END alone, at no cost: (W, V)."""
    scores = scores.clone()
    scores[ended] = float("-inf")
    scores[ended, END] = 0.0
    return scores


def follow(parts, origin):
    """What belongs to the beams, in the order of those chosen."""
    return tuple(part[origin] for part in parts)


def beam_search(memory, mask, weights, beams, max_length):
    """The likeliest translations that a search with `beams` beams finds.

    memory      float tensor (S, d), the encoder's states of one sentence
    mask        boolean tensor (S,); False where there is padding
    weights     a dictionary of float tensors: words (V, d), positions
                (L, d), query, key, value and ask_source (d, d), bias (V,)
    beams       how many texts are kept at each step, at most V
    max_length  words at most, END counted
    returns     int64 tensor (beams, L), the best text first, filled up
                with END; float tensor (beams,), their log-probabilities
    """
    cache = (memory.new_zeros(beams, 0, memory.shape[-1]),) * 2
    texts = torch.full((beams, 1), START, device=memory.device)
    totals = memory.new_full((beams,), float("-inf"))
    totals[0] = 0.0  # the beams are still alike: only one of them counts
    for _ in range(max_length):
        last = texts[:, -1]
        scores, cache = next_word(last, cache, memory, mask, weights)
        scores = totals[:, None] + held(scores, last == END)
        totals, best = scores.flatten().topk(beams)
        origin, word = best // scores.shape[1], best % scores.shape[1]
        texts = torch.cat([texts[origin], word[:, None]], dim=1)
        cache = follow(cache, origin)
        if (word == END).all():
            break
    return texts[:, 1:], totals
