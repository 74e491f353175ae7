"""The English text, its vocabulary, and the training of a small language model."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from book.helpers.text import (
    TextVocabulary,
    batches,
    python_help,
    text_loss,
    train_language_model,
)
from course_lib.transformer import LanguageModel

TEXT = "the cat sat.\nthe dog sat, the end"


@given(st.text(alphabet=TEXT, max_size=30), st.integers(14, 25))
def test_what_it_reads_it_can_say(text, size):
    vocabulary = TextVocabulary(TEXT, size)
    assert vocabulary.decode(vocabulary.encode(text)) == text


def test_frequent_words_are_one_token():
    vocabulary = TextVocabulary(TEXT, len(set(TEXT)) + 2)
    assert vocabulary.tokens[-2:] == [" sat", "the"]
    assert [vocabulary.tokens[i] for i in vocabulary.encode("the sat dog")] == [
        "the",
        " sat",
        *" dog",
    ]


def test_the_help_is_split_and_reversible():
    data = python_help(500)
    assert len(data.vocabulary) == 500
    assert 14 * len(data.valid) > len(data.train) > 6 * len(data.valid) > 10_000
    assert int(max(data.train.max(), data.valid.max())) < 500
    text = data.vocabulary.decode(data.valid[:500].tolist())
    assert data.vocabulary.encode(text)[:200] == data.valid[:200].tolist()
    assert "the" in text


def test_targets_are_inputs_moved_by_one():
    inputs, targets = next(
        batches(torch.arange(50), 4, 6, generator=torch.Generator().manual_seed(0))
    )
    assert inputs.shape == targets.shape == (4, 6) and torch.equal(inputs + 1, targets)


def test_a_model_learns_and_stays_in_its_mode():
    data = python_help(200)
    torch.manual_seed(0)
    model = LanguageModel(200, d_model=32, num_layers=1, d_hidden=64)
    before = text_loss(model.eval(), data.valid, length=16)
    state = torch.random.get_rng_state()
    trained, history = train_language_model(model, data, steps=60, batch=8, length=16)
    assert trained is model and [h["step"] for h in history] == list(range(6, 61, 6))
    assert history[-1]["valid"] < before - 1  # nats: 5.3 is chance
    assert torch.equal(state, torch.random.get_rng_state())
