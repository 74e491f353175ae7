"""Right answers to lab 2, each written in another way than the reference."""

import math

import torch
import torch.nn.functional as F

from course_lib.exercises.find_the_bug.planted import Program
from course_lib.exercises.find_the_bug.search_program import beam_search
from course_lib.exercises.find_the_bug.training_program import train_language_model

TRAINING, SEARCH = Program(train_language_model), Program(beam_search)


def loss_by_classes(logits, tokens):
    """`cross_entropy` takes the classes on axis 1, so nothing is flattened."""
    return F.cross_entropy(logits.mT[..., :-1], tokens[:, 1:])


def loss_by_hand(logits, tokens):
    """The loss written out: minus the mean log-probability of the right tokens."""
    chosen = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:, None])
    return -chosen.mean()


def words_by_torch(query, key, value, mask):
    """Torch has it all, and masks before the softmax."""
    return F.scaled_dot_product_attention(query, key, value, mask)


def words_rescaled(query, key, value, mask):
    """After the softmax is right, too, if what is left is divided by its sum."""
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, scores.min() - 9.0), dim=-1) * mask
    return (weights / weights.sum(-1, keepdim=True)).to(value.dtype) @ value


def heads_by_torch(query, key, value, num_heads):
    """Torch attends in all heads at once; only splitting and merging is left to do."""
    split = [x.unflatten(-1, (num_heads, -1)).transpose(1, 2) for x in (query, key, value)]
    return F.scaled_dot_product_attention(*split).transpose(1, 2).flatten(2)


def heads_one_by_one(query, key, value, num_heads):
    """Each head is a slice of the features, so no axis has to be moved."""
    parts = zip(*(x.chunk(num_heads, -1) for x in (query, key, value)), strict=True)
    heads = [(q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v for q, k, v in parts]
    return torch.cat(heads, dim=-1)


def recent_by_triangles(n_queries, n_keys, window):
    """Two triangles: nothing ahead, and nothing too far back."""
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool)
    return ones.tril(n_keys - n_queries).triu(n_keys - n_queries - window + 1)


def recent_in_loops(n_queries, n_keys, window):
    """The sentence in the docstring, word for word."""
    places = range(n_keys - n_queries, n_keys)
    return torch.tensor([[t - window < s <= t for s in range(n_keys)] for t in places])


def positions_by_index(x, table, cached):
    """Positions as numbers, looked up one by one; this also serves where they have gaps."""
    return x + table[torch.arange(x.shape[1]) + cached]


def positions_by_narrow(x, table, cached):
    """`narrow` takes a start and a length, which is what is known here."""
    return table.narrow(0, cached, x.shape[1]) + x


def norm_by_torch(x, gain, bias):
    """Torch is told which axes are the features."""
    return F.layer_norm(x, gain.shape, gain, bias, 1e-5)


def norm_by_var(x, gain, bias):
    """Both statistics at once; `correction=0` divides by d and not by d − 1."""
    variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return (x - mean) * (variance + 1e-5).rsqrt() * gain + bias


def dropout_by_if(scores, value, p, training):
    """The question asked aloud: drop in training, otherwise do not."""
    weights = torch.softmax(scores, dim=-1)
    return (F.dropout(weights, p) if training else weights) @ value


def dropout_by_probability(scores, value, p, training):
    """When the model is used the probability of dropping is 0."""
    return F.dropout(F.softmax(scores, -1), p * training) @ value


def dropout_by_hand(scores, value, p, training):
    """Drawn by hand; what is left is divided by 1 − p."""
    weights = torch.softmax(scores, dim=-1)
    if training:
        left = torch.rand_like(weights) >= p
        weights = torch.where(left, weights / max(1 - p, 1e-9), 0.0)
    return weights @ value


def past_by_torch(query, key, value):
    """The mask is made bottom-right by hand: `is_causal=True` of torch is top-left."""
    seen = torch.ones(query.shape[1], key.shape[1]).tril(key.shape[1] - query.shape[1]).bool()
    return F.scaled_dot_product_attention(query, key, value, seen)


def past_by_one(query, key, value):
    """One query at a time, as a model writes: each sees a slice of the keys."""
    rows = []
    for t in range(query.shape[1]):
        end = key.shape[1] - query.shape[1] + t + 1
        scores = query[:, t : t + 1] @ key[:, :end].mT / query.shape[-1] ** 0.5
        rows.append(scores.softmax(-1) @ value[:, :end])
    return torch.cat(rows, dim=1)


masked_by_triu = TRAINING.changed(
    "square.tril().bool()",
    "~square.triu(1).bool()",
    'scores.masked_fill(~seen, float("-inf"))',
    "torch.where(seen, scores, -1e30)",
)
mean_of_the_real = TRAINING.changed("(each * real).sum() / real.sum()", "each[real].mean()")
ignored_by_torch = TRAINING.changed('reduction="none"', 'ignore_index=PADDING, reduction="none"')
cleared_after_the_step = TRAINING.changed(
    "            optimizer.zero_grad()\n",
    "",
    "            optimizer.step()\n",
    "            optimizer.step()\n            optimizer.zero_grad()\n",
)
held_by_where = SEARCH.changed(
    'scores[ended] = float("-inf")\n    scores[ended, END] = 0.0',
    "only_end = torch.full_like(scores, -math.inf)\n    only_end[:, END] = 0.0\n"
    "    scores = torch.where(ended[:, None], only_end, scores)",
)
followed_by_index_select = SEARCH.changed("part[origin]", "part.index_select(0, origin)")
masked_in_one_place = SEARCH.changed(
    "source = memory.expand(len(x), *memory.shape)",
    "source = memory[mask].expand(len(x), -1, -1)",
    "source, source, mask)",
    "source, source)",
)


ALTERNATIVES = {
    "next_token_loss": [loss_by_classes, loss_by_hand],
    "attend_to_words": [words_by_torch, words_rescaled],
    "attend_in_heads": [heads_by_torch, heads_one_by_one],
    "recent_keys": [recent_by_triangles, recent_in_loops],
    "add_positions": [positions_by_index, positions_by_narrow],
    "layer_norm": [norm_by_torch, norm_by_var],
    "weigh_with_dropout": [dropout_by_if, dropout_by_probability, dropout_by_hand],
    "attend_to_past": [past_by_torch, past_by_one],
    "train_language_model": [
        masked_by_triu,
        mean_of_the_real,
        ignored_by_torch,
        cleared_after_the_step,
    ],
    "beam_search": [held_by_where, followed_by_index_select, masked_in_one_place],
}
