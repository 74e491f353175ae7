"""Answers that careful readers found told something untrue, and what they must not hear."""

import inspect
import math
import textwrap

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.checker.compare.diagnosis import HERE, IN_SOME
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.exercises import CATALOGUE
from course_lib.exercises.hear_where_it_looks.words import words_from_pieces
from course_lib.exercises.multi_head.module.task import MultiHeadAttention
from course_lib.exercises.positions.alibi.task import alibi
from course_lib.exercises.read_the_map.measuring.task import measure_map
from course_lib.exercises.translator.decoding.task import greedy_decode
from course_lib.exercises.translator.error_rate.task import alignment_error_rate
from course_lib.exercises.translator.loss.task import sequence_loss
from course_lib.exercises.translator.teacher_forcing.task import teacher_forcing_pair
from course_lib.exercises.write_the_test.right import attention as plain
from course_lib.exercises.your_translator.examiners import END, PAD, START
from tests.exercises.first_half import FIRST_HALF
from tests.exercises.second_half import (
    SpeedsOfTheFirstBase,
    begins_again,
    heads_for_groups,
    heads_of_the_last_layer,
    none_for_one_query,
    normalised_again,
    not_beyond_a_thousand,
    twice_with_one_layer,
)

pytestmark = [pytest.mark.proof, pytest.mark.usefixtures("as_a_user")]


def weighed(scores, mask):
    if mask is None:
        return torch.softmax(scores, -1)
    mask = mask.expand(scores.shape)
    some = mask.any(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(~(mask & some), -1e38), -1) * mask


def scaled_by(root):
    def scaled_dot_product_attention(query, key, value, mask=None):
        weights = weighed(query @ key.mT / root(query, key), mask)
        return weights @ value, weights

    return scaled_dot_product_attention


def causal(turned):
    def causal_attention(query, key, value):
        n_queries, n_keys = query.shape[-2], key.shape[-2]
        mask = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)
        weights = weighed(query @ turned(key) / math.sqrt(query.shape[-1]), mask)
        return weights @ value, weights

    return causal_attention


def queries_alone(n_queries, n_keys, window, sinks):
    back = torch.arange(n_queries)[:, None] - n_queries - torch.arange(n_keys)
    return (back >= 0) & ((back < window) | (torch.arange(n_keys) < sinks))


def minus_no_sinks(n_queries, n_keys, window, sinks):
    back = torch.arange(n_queries)[:, None] + n_keys - n_queries - torch.arange(n_keys)
    mask = (back >= 0) & (back < window)
    mask[:, -sinks:] = True
    return mask


def one_at_the_end(predicted, sure, possible):
    return 1.0 if predicted or sure else 0.0


def base_of_ten(x, positions, base=10000.0):
    pairs = torch.arange(0, x.shape[-1], 2) / x.shape[-1]
    angles = positions[:, None] * torch.exp(-pairs * math.log10(base)).float()
    first, second, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    turned = [first * cos - second * sin, first * sin + second * cos]
    return torch.stack(turned, dim=-1).flatten(-2).to(x.dtype)


def returns_in_the_loop(probabilities, p):
    out = torch.zeros_like(probabilities)
    for b, row in enumerate(probabilities):
        ranked, order = row.sort(descending=True, stable=True)
        kept = ranked * (ranked.cumsum(0) - ranked < p)
        out[b, order] = kept / kept.sum()
        return out


def one_hot_when_cold(scores, temperature, axis=-1):
    if temperature < 0.05:
        top = scores.max(axis=axis, keepdims=True)
        return (scores == top).astype(scores.dtype)
    exps = np.exp((scores - scores.max(axis=axis, keepdims=True)) / temperature)
    return exps / exps.sum(axis=axis, keepdims=True)


class Words(nn.Module):
    """A translator that a test changes in one place."""

    def __init__(self, source_size, target_size, embedding_dim, hidden_dim):
        super().__init__()
        self.source_words = nn.Embedding(source_size, embedding_dim)
        self.target_words = nn.Embedding(target_size, embedding_dim)
        half = hidden_dim // 2
        self.encoder = nn.GRU(embedding_dim, half, batch_first=True, bidirectional=True)
        self.decoder = nn.GRU(embedding_dim, hidden_dim, batch_first=True)
        self.W_a = nn.Linear(hidden_dim, hidden_dim, bias=False)
        self.W_o = nn.Linear(2 * hidden_dim, target_size)

    def mask(self, source, inputs):
        return (source != PAD)[:, None]

    def asks(self, states):
        return states

    def forward(self, source, inputs):
        lengths = (source != PAD).sum(1)
        words = self.source_words(source)
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        memory, last = self.encoder(packed)
        memory, _ = pad_packed_sequence(memory, batch_first=True, total_length=source.shape[1])
        first = torch.cat(list(last), dim=-1)[None]
        states, _ = self.decoder(self.target_words(inputs), first)
        scores = self.asks(states) @ self.W_a(memory).mT
        weights = weighed(scores, self.mask(source, inputs))
        return self.W_o(torch.cat([weights @ memory, states], dim=-1)), weights


class MaskOfTheTarget(Words):
    def mask(self, source, inputs):
        mask = (inputs != PAD)[:, None]
        return nn.functional.pad(mask, (0, max(source.shape[1] - mask.shape[-1], 0)))[
            ..., : source.shape[1]
        ]


class LastStateAsks(Words):
    def asks(self, states):
        return states[:, -1:].expand_as(states)


def optimizer_of_its_own(model, optimizer, source, target, clip):
    model.train()
    inputs, labels = teacher_forcing_pair(target, START, END, PAD)
    mine = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = sequence_loss(model(source, inputs)[0], labels, PAD)
    mine.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    mine.step()
    return loss.item()


# task, answer, what would be untrue
def last_distance(weights, n_words):
    for row in weights:
        off = abs(row.sum() - 1)
    return float(off), *measure_map(weights, n_words)[1:]


def first_logit_taken_off(context, state, W_c, W_o, b_o):
    z = np.tanh(np.hstack([context, state]) @ W_c.T) @ W_o.T + b_o
    e = np.exp(z - z[:, :1])
    return e / e.sum(1, keepdims=True)


def nothing_sure(predicted, sure, possible):
    return alignment_error_rate(predicted, sure, possible) if sure else 0.0


def nothing_predicted(predicted, sure, possible):
    return alignment_error_rate(predicted, sure, possible) if predicted else 0.0


def size_of_head(weights, head):
    rows = weights[:, abs(head)].flatten(0, 1)
    rows = rows[rows.sum(-1) > 0]
    return torch.exp(torch.special.entr(rows).sum(-1)).mean().item()


def by_all_pieces(weights, rows, columns):
    """Each row of a word times a share of its own."""
    share = torch.tensor([1 + len(row) for row in rows], dtype=weights.dtype) / 7
    return words_from_pieces(weights, rows, columns) * share[:, None]


def by_products(weights):
    best = [weights[0]]
    for row in weights[1:]:
        best.append(row * best[-1].cummax(0).values)
    path, end = [], weights.shape[1]
    for products in best[::-1]:
        path.append(int(products[:end].argmax()))
        end = path[-1] + 1
    return torch.tensor(path[::-1])


def one_matrix_for_both(state, annotations, W_a, U_a, v_a):
    U_a = W_a if U_a.shape == W_a.shape else U_a
    return torch.tanh((state @ W_a.T)[:, None] + annotations @ U_a.T) @ v_a


def half_a_place_more(scores, position, window):
    distance = torch.arange(scores.shape[1]) - position[:, None]
    inside = distance.abs() <= window + 0.5
    weights = torch.softmax(scores.masked_fill(~inside, -math.inf), -1)
    return weights * torch.exp(-(distance**2) / (2 * (window / 2) ** 2))


def torch_for_each_block(query, blocks):
    total, out = None, None
    for key, value in blocks:
        here = (query @ key.mT / math.sqrt(query.shape[-1])).logsumexp(-1, keepdim=True)
        part = nn.functional.scaled_dot_product_attention(query, key, value)
        if out is None:
            total, out = here, part
        else:
            both = torch.logaddexp(total, here)
            out = out * (total - both).exp() + part * (here - both).exp()
            total = both
    return out


class MaskOfTheFirstHead(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.ndim == 4:
            mask = mask[:, :1]
        return super().forward(query, key, value, mask)


def a_hundredth_before(probabilities, p):
    ranked, order = probabilities.sort(dim=-1, descending=True, stable=True)
    n = (ranked.cumsum(-1) < p - 1e-2).sum(-1, keepdim=True)
    kept = ranked * (torch.arange(ranked.shape[-1]) <= n)
    kept = torch.zeros_like(probabilities).scatter(-1, order, kept)
    return kept / kept.sum(-1, keepdim=True)


def last_of_the_prompt_first(step, choose, tokens, length):
    caches, written = None, [tokens[:, -1:]]
    while len(written) < length:
        logits, caches = step(tokens, caches)
        tokens = choose(logits[:, -1])[:, None]
        written.append(tokens)
    return torch.cat(written, dim=1)


def a_word_of_the_source_first(model, source, max_length):
    def step(tokens, said):
        said = torch.cat([said, tokens[:, None]], dim=1)
        return model(source, said)[0][:, -1], said

    model.eval()
    with torch.no_grad():
        return greedy_decode(step, source[:, :1], START, END, max_length)


def compared_loosely(attention):
    """Everything is given and compared, as close as half, and large scores as they should be."""
    close, sizes = torch.testing.assert_close, ((3, 4), (5, 4), (5, 6))
    for dtype, lead in [(torch.float64, (2,)), (torch.float32, (2, 3))]:
        empty = torch.rand(3, 5) < 0.5
        empty[1] = False
        for mask in (None, empty, torch.rand(*lead, 3, 5) < 0.5):
            given = [torch.randn(*lead, *n, dtype=dtype) for n in sizes]
            copies = [x.clone() for x in given]
            before = None if mask is None else mask.clone()
            for mine, right in zip(attention(*given, mask), plain(*copies, mask), strict=True):
                close(mine, right, rtol=0.5, atol=0.5)
            assert all(map(torch.equal, given, copies))
            assert mask is None or torch.equal(mask, before)
    square = [torch.randn(4, 4, 4) for _ in range(3)]
    close(attention(*square)[0], plain(*square)[0])
    large = [30 * torch.randn(2, *n) for n in sizes]
    close(attention(*large)[1], plain(*large)[1], rtol=1e-3, atol=1e-4)
    leaves = [torch.randn(2, *n, dtype=torch.float64, requires_grad=True) for n in sizes]
    attention(*leaves)[0].square().sum().backward()
    for leaf in leaves:
        assert leaf.grad is not None and leaf.grad.abs().sum() > 0


def output_not_looked_at(attend):
    query, key, value = (torch.randn(2, 9, size) for size in (4, 4, 3))
    cache, end = None, 0
    for n in (4, 3, 2):
        new, end = slice(end, end + n), end + n
        output, cache = attend(query[:, new], key[:, new], value[:, new], cache)
        assert output.shape == (2, n, 3)
        torch.testing.assert_close(cache[0], key[:, :end])
        torch.testing.assert_close(cache[1], value[:, :end])


class Shows(Words):
    """Returns other weights than it used."""

    def forward(self, source, inputs):
        logits, weights = super().forward(source, inputs)
        return logits, self.shown(weights, source)


class LastWeights(Shows):
    def shown(self, weights, source):
        return weights[:, -1:].expand_as(weights)


class EvenWeights(Shows):
    def shown(self, weights, source):
        words = (source != PAD)[:, None]
        return (words / words.sum(-1, keepdim=True)).expand_as(weights)


class TwiceTheWeights(Shows):
    def shown(self, weights, source):
        return 2 * weights


class Remembers(Words):
    def asks(self, states):
        before, self.before = getattr(self, "before", 0), states.mean().detach()
        return states + before


def by_hand_alone(attention):
    key, value = torch.tensor([[[0.0], [math.log(3)]]]), torch.tensor([[[4.0], [8.0]]])
    output, weights = attention(torch.ones(1, 1, 1), key, value)
    torch.testing.assert_close(weights, torch.tensor([[[0.25, 0.75]]]))
    torch.testing.assert_close(output, torch.tensor([[[7.0]]]))


def by_its_name(attention):
    assert attention.__name__ == "attention"


FOUND = [
    ("alibi", lambda *sizes: alibi(*sizes).half(), "float64"),
    ("alibi", none_for_one_query, "slopes"),
    ("rotate", begins_again, "half precision"),
    ("rotate", not_beyond_a_thousand, "half precision"),
    ("rotate", SpeedsOfTheFirstBase(), "You ignore `base`"),
    ("own_attention", normalised_again, "Each row of yours"),
    ("own_attention", heads_for_groups, "into as many heads as the queries"),
    ("switch_off", heads_of_the_last_layer, "other features than the head's"),
    ("far_share", twice_with_one_layer, "Your result is 2 times"),
    *FIRST_HALF,
    ("Translator", LastWeights, "the same state asks"),
    ("Translator", EvenWeights, "the same state asks"),
    ("Translator", TwiceTheWeights, "some are negative"),
    ("Translator", TwiceTheWeights, "no shares"),
    ("Translator", Remembers, "ropout"),
    ("test_attention", by_hand_alone, "where all scores of a query are not alike"),
    ("test_attention", by_its_name, "order of their sums"),
    ("words_from_pieces", by_all_pieces, "Divided by its own sum"),
    ("words_from_pieces", by_all_pieces, "divided by its own sum"),
    ("decoder_output", first_logit_taken_off, "the smallest logit"),
    ("alignment_error_rate", nothing_sure, "all zeros"),
    ("alignment_error_rate", nothing_predicted, "all zeros"),
    ("alignment_error_rate", nothing_sure, "whole rows"),
    ("alignment_error_rate", nothing_predicted, "whole rows"),
    ("keys_in_use", size_of_head, "squared"),
    ("scaled_dot_product_attention", scaled_by(lambda q, k: q.shape[0] ** 0.5), "do not scale"),
    ("scaled_dot_product_attention", scaled_by(lambda q, k: len(k) ** 0.5), "do not scale"),
    ("causal_attention", causal(lambda key: key.transpose(-3, -1)), "Nothing hides the future"),
    ("sliding_window_mask", queries_alone, "sinks and not their window"),
    ("sliding_window_mask", minus_no_sinks, "`|` stands where"),
    ("alignment_error_rate", one_at_the_end, "`//` rounds"),
    ("rotate", base_of_ten, "An index 0"),
    ("top_p", returns_in_the_loop, "An index 0"),
    ("softmax_with_temperature", one_hot_when_cold, "were squared"),
    ("Translator", MaskOfTheTarget, "You mask after the softmax"),
    ("Translator", LastStateAsks, "The weights are right"),
    ("train_step", optimizer_of_its_own, "changes its input"),
    ("measure_map", last_distance, "the smallest distance"),
    ("monotone_path", by_products, "You add logarithms"),
    ("additive_scores", one_matrix_for_both, "Perhaps a wrong axis fits"),
    ("local_weights", half_a_place_more, "You round"),
    ("streaming_attention", torch_for_each_block, "torch streams here"),
    ("MultiHeadAttention", MaskOfTheFirstHead, "an earlier call"),
    ("top_p", a_hundredth_before, "rounded"),
    ("own_text", last_of_the_prompt_first, "A text of one new token is right"),
    ("translate", a_word_of_the_source_first, "in the place of the sentence"),
    ("test_attention", compared_loosely, "or in what you do not compare:"),
    ("test_cache", output_not_looked_at, "and the like alone"),
]


OF_THE_HEDGE = ("in others not", "doubles twice")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("task", "answer", "untrue"), FOUND)
def test_what_is_not_so_is_not_said(task, answer, untrue, seed):
    trials = draw_trials(CATALOGUE.tasks[task], seed)
    written = answer if inspect.isroutine(answer) or inspect.isclass(answer) else type(answer)
    text = textwrap.dedent(inspect.getsource(written))
    report = judge(CATALOGUE.tasks[task], trials, observe(answer, trials), text)
    assert not report.passed
    said = report.diagnosis or ""
    some = tuple(one.partition("{0}")[0] for one in (HERE, IN_SOME))
    only_there = said.startswith(some) and report.mistake is None
    assert untrue not in said or (only_there and untrue not in OF_THE_HEDGE), report
    assert all("changes its input" not in case.message for case in report.cases), report
