"""Greedy and beam search against a search over every sentence, for every kind of decoder."""

import itertools

import pytest
import torch

from course_lib.generation import beam_search, greedy_search
from course_lib.transformer import EncoderDecoder
from course_lib.translation import Seq2Seq
from course_lib.translation.vocabulary import END, PAD, START

SPECIAL = {"end": END, "forbidden": (PAD, START)}
SOURCE = torch.tensor([[4, 5, 6, 7], [8, 4, 0, 0], [5, 5, 5, 0]])
LENGTHS = torch.tensor([4, 2, 3])


@pytest.fixture(params=["luong", "bahdanau", "transformer"])
def model(request):
    torch.manual_seed(3)
    if request.param == "transformer":
        small = {"d_model": 8, "num_heads": 2, "num_layers": 2, "d_hidden": 8}
        model = EncoderDecoder(9, 7, **small)
    else:
        sizes = {"embedding_dim": 6, "hidden_dim": 8, "order": request.param}
        model = Seq2Seq(9, 7, attention="additive", **sizes)
        torch.nn.init.normal_(model.decoder.W_o.weight, std=1.5)
    return model.double().eval()


def greedy(model, source, lengths, *limits):
    return greedy_search(model, *beginning(model, source, lengths), *limits, **SPECIAL)


def beamed(model, source, lengths, *limits, **settings):
    return beam_search(model, *beginning(model, source, lengths), *limits, **SPECIAL, **settings)


def beginning(model, source, lengths):
    start = model.start if isinstance(model, EncoderDecoder) else model.encode
    return torch.full((len(source),), START), start(source, lengths)


def forced(model, i, inputs):
    """Logits and weights when the decoder of sentence i is told what it wrote."""
    source, lengths = SOURCE[i : i + 1, : LENGTHS[i]], LENGTHS[i : i + 1]
    inputs = torch.tensor([inputs])
    if isinstance(model, EncoderDecoder):
        read = model.encode(source, lengths)
        logits, cross = model.decode(inputs, *read, need_weights=True)
        weights = cross[-1].mean(1)
    else:
        logits, weights = model(source, lengths, inputs)
    logits[..., [PAD, START]] = -torch.inf
    return logits[0], weights[0]


@torch.no_grad()
def score(model, i, ids):
    """log p of a sentence of numbers, <end> included, under the model."""
    logits, _ = forced(model, i, [START, *ids[:-1]])
    return logits.log_softmax(-1)[range(len(ids)), ids].sum().item()


@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_a_wide_beam_finds_the_best_sentence(model, penalty):
    words = [1, 4, 5, 6]
    ids, _ = beamed(model, SOURCE, LENGTHS, 3, beam=200, length_penalty=penalty)
    for i in range(3):
        candidates = [(*w, END) for n in range(3) for w in itertools.product(words, repeat=n)]
        best = max(
            candidates, key=lambda c: score(model, i, list(c)) / ((5 + len(c)) / 6) ** penalty
        )
        assert ids[i] == [w for w in best if w != END]


def test_a_beam_of_one_is_greedy(model):
    ids, weights = greedy(model, SOURCE, LENGTHS, 6)
    beam_ids, beam_weights = beamed(model, SOURCE, LENGTHS, 6, beam=1)
    assert ids == beam_ids
    for i, row in enumerate(ids):
        torch.testing.assert_close(weights[i, : len(row)], beam_weights[i, : len(row)])


def test_each_sentence_is_decoded_as_if_alone(model):
    for search in (greedy, lambda *a: beamed(*a, beam=3)):
        together, _ = search(model, SOURCE, LENGTHS, 8)
        for i, n in enumerate(LENGTHS):
            alone, _ = search(model, SOURCE[i : i + 1, :n], LENGTHS[i : i + 1], 8)
            assert alone == [together[i]]


def test_greedy_takes_the_likeliest_word_each_time(model):
    ids, _ = greedy(model, SOURCE, LENGTHS, 5)
    for i, row in enumerate(ids):
        expected = forced(model, i, [START, *row])[0].argmax(-1).tolist()
        assert [*row, END][:5] == expected[: len(row) + 1][:5]


@pytest.mark.parametrize("beam", [1, 4])
def test_the_weights_belong_to_the_words_returned(model, beam):
    ids, weights = beamed(model, SOURCE, LENGTHS, 5, beam=beam)
    for i, row in enumerate(ids):
        if row:
            _, expected = forced(model, i, [START, *row[:-1]])
            torch.testing.assert_close(weights[i, : len(row), : LENGTHS[i]], expected)


class Table:
    """A model of one sentence whose next word depends on the last one alone."""

    def __init__(self, rows):
        self.log_p = torch.full((7, 7), 1e-9)
        for last, following in rows.items():
            for word, p in following.items():
                self.log_p[last, word] = p
        self.log_p = self.log_p.log()

    def reorder(self, index):
        return self

    def step(self, tokens, state):
        return self.log_p[tokens].clone(), self, None


@pytest.mark.parametrize("beam", [2, 3, 4])
def test_a_finished_sentence_is_not_pushed_out_by_longer_ones(beam):
    # After 4 a translation ends with p = 0.4; going on, it never finds so likely an end again.
    going_on = {5: 0.49, 6: 0.49, END: 0.02}
    table = Table({START: {4: 1.0}, 4: {END: 0.4, 5: 0.3, 6: 0.3}, 5: going_on, 6: going_on})
    for longest in (2, 3, 4, 6):
        tokens = torch.tensor([START])
        ids, weights = beam_search(table, tokens, table, longest, beam, **SPECIAL)
        assert ids == [[4]] and weights is None


@pytest.mark.parametrize("beam", [2, 5])
def test_the_best_of_the_finished_is_returned(model, beam):
    """A beam returns a sentence that ended, and wider is at least as good in log p alone."""
    for i, n in enumerate(LENGTHS):
        source, lengths = SOURCE[i : i + 1, :n], LENGTHS[i : i + 1]
        narrow, wide = (
            beamed(model, source, lengths, 5, k, length_penalty=0.0)[0][0] for k in (beam, 400)
        )
        if len(narrow) < 5:
            assert score(model, i, [*wide, END]) >= score(model, i, [*narrow, END]) - 1e-9


def test_a_sentence_that_never_ends_is_cut(model):
    step = model.step

    def endless(tokens, state):
        logits, state, weights = step(tokens, state)
        logits[:, END] = -1e9
        return logits, state, weights

    model.step = endless
    for ids, _ in (greedy(model, SOURCE, LENGTHS, 5), beamed(model, SOURCE, LENGTHS, 5, beam=2)):
        assert [len(row) for row in ids] == [5, 5, 5]


def test_no_step_writes_nothing(model):
    assert greedy(model, SOURCE, LENGTHS, 0) == ([[], [], []], None)
