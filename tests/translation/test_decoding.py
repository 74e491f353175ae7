"""Greedy and beam decoding against a search over every sentence."""

import itertools

import pytest
import torch

from course_lib.translation import Seq2Seq
from course_lib.translation.decoding import beam_decode, greedy_decode
from course_lib.translation.vocabulary import END, START


@pytest.fixture
def model():
    torch.manual_seed(3)
    model = Seq2Seq(9, 7, attention="dot", embedding_dim=6, hidden_dim=8).double().eval()
    torch.nn.init.normal_(model.decoder.W_o.weight, std=1.5)
    return model


SOURCE = torch.tensor([[4, 5, 6, 7], [8, 4, 0, 0], [5, 5, 5, 0]])
LENGTHS = torch.tensor([4, 2, 3])


@torch.no_grad()
def score(model, i, ids):
    """log p of a sentence of numbers, <end> included, under the model."""
    inputs = torch.tensor([[START, *ids[:-1]]])
    logits, _ = model(SOURCE[i : i + 1, : LENGTHS[i]], LENGTHS[i : i + 1], inputs)
    logits[..., [0, 2]] = -torch.inf
    return logits[0].log_softmax(-1)[range(len(ids)), ids].sum().item()


@torch.no_grad()
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_a_wide_beam_finds_the_best_sentence(model, penalty):
    words = [1, 4, 5, 6]
    ids, _ = beam_decode(model, SOURCE, LENGTHS, 3, beam=200, length_penalty=penalty)
    for i in range(3):
        candidates = [(*w, END) for n in range(3) for w in itertools.product(words, repeat=n)]
        best = max(
            candidates, key=lambda c: score(model, i, list(c)) / ((5 + len(c)) / 6) ** penalty
        )
        assert ids[i] == [w for w in best if w != END]


@torch.no_grad()
def test_a_beam_of_one_is_greedy(model):
    greedy, weights = greedy_decode(model, SOURCE, LENGTHS, 6)
    beam, beam_weights = beam_decode(model, SOURCE, LENGTHS, 6, beam=1)
    assert greedy == beam
    for i, ids in enumerate(greedy):
        torch.testing.assert_close(weights[i, : len(ids)], beam_weights[i, : len(ids)])


@torch.no_grad()
def test_each_sentence_is_decoded_as_if_alone(model):
    for decode in (greedy_decode, lambda *a: beam_decode(*a, beam=3)):
        together, _ = decode(model, SOURCE, LENGTHS, 8)
        for i, n in enumerate(LENGTHS):
            alone, _ = decode(model, SOURCE[i : i + 1, :n], LENGTHS[i : i + 1], 8)
            assert alone == [together[i]]


@torch.no_grad()
def test_greedy_takes_the_likeliest_word_each_time(model):
    ids, _ = greedy_decode(model, SOURCE, LENGTHS, 5)
    for i, row in enumerate(ids):
        inputs = torch.tensor([[START, *row]])
        logits, _ = model(SOURCE[i : i + 1, : LENGTHS[i]], LENGTHS[i : i + 1], inputs)
        logits[..., [0, 2]] = -torch.inf
        expected = logits[0].argmax(-1).tolist()
        assert [*row, END][:5] == expected[: len(row) + 1][:5]


@torch.no_grad()
def test_beam_weights_belong_to_the_words_returned(model):
    ids, weights = beam_decode(model, SOURCE, LENGTHS, 5, beam=4)
    for i, row in enumerate(ids):
        if row:
            inputs = torch.tensor([[START, *row[:-1]]])
            _, expected = model(SOURCE[i : i + 1], LENGTHS[i : i + 1], inputs)
            torch.testing.assert_close(weights[i, : len(row)], expected[0])


class Table(Seq2Seq):
    """A model of one sentence whose next word depends on the last one alone."""

    def __init__(self, rows):
        torch.nn.Module.__init__(self)
        self.log_p = torch.full((7, 7), 1e-9)
        for last, following in rows.items():
            for word, p in following.items():
                self.log_p[last, word] = p
        self.log_p = self.log_p.log()

    def encode(self, source, lengths):
        return self

    def reorder(self, index):
        return self

    def step(self, tokens, state):
        return self.log_p[tokens].clone(), self, None


@pytest.mark.parametrize("beam", [2, 3, 4])
def test_a_finished_sentence_is_not_pushed_out_by_longer_ones(beam):
    # After 4 a translation ends with p = 0.4; going on, it never finds so likely an end again.
    going_on = {5: 0.49, 6: 0.49, END: 0.02}
    table = Table({START: {4: 1.0}, 4: {END: 0.4, 5: 0.3, 6: 0.3}, 5: going_on, 6: going_on})
    source, lengths = torch.tensor([[4]]), torch.tensor([1])
    for longest in (2, 3, 4, 6):
        ids, weights = beam_decode(table, source, lengths, longest, beam)
        assert ids == [[4]] and weights is None


@torch.no_grad()
@pytest.mark.parametrize("beam", [2, 5])
def test_the_best_of_the_finished_is_returned(model, beam):
    """A beam returns a sentence that ended, and wider is at least as good in log p alone."""
    for i, n in enumerate(LENGTHS):
        source, lengths = SOURCE[i : i + 1, :n], LENGTHS[i : i + 1]
        narrow, wide = (
            beam_decode(model, source, lengths, 5, k, length_penalty=0.0)[0][0] for k in (beam, 400)
        )
        if len(narrow) < 5:
            assert score(model, i, [*wide, END]) >= score(model, i, [*narrow, END]) - 1e-9


@torch.no_grad()
def test_a_sentence_that_never_ends_is_cut(model):
    model.decoder.W_o.bias[END] = -1e9
    for ids, _ in (greedy_decode(model, SOURCE, LENGTHS, 5),
                   beam_decode(model, SOURCE, LENGTHS, 5, beam=2)):  # fmt: skip
        assert [len(row) for row in ids] == [5, 5, 5]
