"""Exchanged weights: the trained ones give what the model says, others give what they would."""

import pytest
import torch

from book.helpers.exchange import ExchangeWeights
from course_lib.translation import ParallelCorpus, make_batch, train

PAIRS = ParallelCorpus().pairs(12, clauses=(1, 1))
TINY = {"embedding_dim": 6, "hidden_dim": 8, "epochs": 1, "progress": False}


def test_the_trained_weights_give_what_the_model_says():
    for attention, settings in (("general", {}), ("additive", {"order": "luong"}),
                                ("dot", {"aids": ["source_end"]})):  # fmt: skip
        translator = train(PAIRS, attention, **TINY, **settings)
        batch = make_batch(PAIRS, translator.source, translator.target)
        with torch.no_grad():
            logits, _ = translator.model(batch.source, batch.lengths, batch.inputs)
        exchange = ExchangeWeights(translator, PAIRS)
        expected = logits.softmax(-1)
        torch.testing.assert_close(exchange(exchange.weights), expected, rtol=1e-4, atol=1e-5)
        assert exchange.is_word.sum() == sum(len(p.target) for p in PAIRS)
        lengths = exchange.mask[:, 0].sum(-1).tolist()
        extra = "source_end" in translator.model.aids
        assert lengths == [len(p.source) + extra for p in PAIRS]


def test_other_weights_change_the_answer_and_gradients_reach_them_alone():
    translator = train(PAIRS, "general", **TINY)
    exchange = ExchangeWeights(translator, PAIRS)
    other = exchange.weights.roll(1, -1).clone().requires_grad_(True)
    translator.model.zero_grad()
    answer = exchange(other)
    assert not torch.allclose(answer, exchange(exchange.weights))
    answer[..., 4].sum().backward()
    assert other.grad.abs().sum() > 0
    assert all(p.grad is None or not p.grad.any() for p in translator.model.parameters())
    with pytest.raises(ValueError, match=r"have shape \(1, 2, 3\), the model's own"):
        exchange(torch.ones(1, 2, 3))
