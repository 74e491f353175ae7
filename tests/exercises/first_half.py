"""Wrong answers to exercises 01 to 07, of which nothing untrue may be said."""

import math

import numpy as np
import torch

from course_lib.exercises.bahdanau.module.task import BahdanauAttention
from course_lib.exercises.translator.decoding.task import greedy_decode
from course_lib.exercises.translator.teacher_forcing.task import teacher_forcing_pair


def divided_by_the_largest(scores, axis=-1):
    e = np.exp(scores / scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def light_is_nothing(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    w = e / e.sum(axis=axis, keepdims=True)
    w[w < 1e-4] = 0
    return w


def times_mask(scores, mask, axis=-1):
    s = scores * mask
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def exps_times_mask(scores, mask, axis=-1):
    e = np.exp(scores) * mask
    return e / (e.sum(axis=axis, keepdims=True) + 1e-9)


def nearest_of_equals(attention_matrix, source_words, target_words):
    pairs = []
    for t, (word, row) in enumerate(zip(target_words, attention_matrix, strict=True)):
        best = min(np.flatnonzero(row == row.max()), key=lambda s, t=t: abs(s - t))
        pairs.append((word, source_words[best]))
    return pairs


def one_maximum_where_close(context, state, W_c, W_o, b_o):
    z = np.tanh(np.concatenate([context, state], -1) @ W_c.T) @ W_o.T + b_o
    e = np.exp(z - (z.max() if np.ptp(z) < 600 else z.max(-1, keepdims=True)))
    return e / e.sum(-1, keepdims=True)


class OverTheBatch(BahdanauAttention):
    def forward(self, state, annotations, mask=None):
        scores = self.v_a(torch.tanh(self.W_a(state)[:, None] + self.U_a(annotations)))[..., 0]
        weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), 0)
        return (weights[:, None] @ annotations).squeeze(1), weights


def start_for_pad(target_ids, start_id, end_id, pad_id):
    inputs, labels = teacher_forcing_pair(target_ids, start_id, end_id, pad_id)
    last = labels[:, -1]
    labels[:, -1] = torch.where(last == end_id, last, start_id)
    return inputs, labels


def bounded_probabilities(logits, labels, pad_id):
    log_p = torch.softmax(logits, -1).clamp(min=1e-12).log()
    return -log_p.gather(-1, labels[..., None])[..., 0][labels != pad_id].mean()


def end_in_the_last_column(*args, **named):
    said = greedy_decode(*args, **named)
    said[:, -1] = args[3] if len(args) > 3 else named["end_id"]
    return said


def decoded_from(change):
    def decode(step, state, start_id, end_id, max_length):
        def changed(tokens, state):
            logits, state = step(tokens, state)
            return change(logits), state

        return greedy_decode(changed, state, start_id, end_id, max_length)

    return decode


def one_maximum(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = (scores - scores.max()).exp()
    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)
    weights = weights if mask is None else weights.masked_fill(~mask, 0.0)
    return weights @ value, weights


def of_angles(angles):
    def positions(length, d_model):
        even = torch.arange(0, d_model, 2, dtype=torch.float64)
        angle = angles(torch.arange(length, dtype=torch.float64)[:, None], even, d_model)
        table = torch.zeros(length, d_model)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : d_model // 2]
        return table

    return positions


# task, answer, what would be untrue
FIRST_HALF = [
    ("softmax", divided_by_the_largest, "in others not"),
    ("masked_softmax", times_mask, "in others not"),
    ("masked_softmax", exps_times_mask, "in others not"),
    ("BahdanauAttention", OverTheBatch, "in others not"),
    ("softmax", light_is_nothing, "loop"),
    ("align", nearest_of_equals, "Perhaps the right one"),
    ("decoder_output", one_maximum_where_close, "`return`"),
    ("decoder_output", one_maximum_where_close, "index 0"),
    ("teacher_forcing_pair", start_for_pad, "`roll` turns round"),
    ("sequence_loss", bounded_probabilities, "You add"),
    ("sequence_loss", bounded_probabilities, "no loss is quite right"),
    ("greedy_decode", end_in_the_last_column, "loop"),
    ("greedy_decode", decoded_from(torch.abs), "a loop or a slice stops"),
    ("greedy_decode", decoded_from(torch.relu), "a number of your own limits"),
    ("scaled_dot_product_attention", one_maximum, "exp overflows for large scores. "),
    ("sinusoidal_positions", of_angles(lambda t, e, d: t * 10000 ** (e / d)), "in others not"),
    (
        "sinusoidal_positions",
        of_angles(lambda t, e, d: t / 10000 ** (e / max(d - 2, 1))),
        "doubles twice",
    ),
]
