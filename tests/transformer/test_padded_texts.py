"""Texts that do not begin at the first place of their row: padded on the left, or packed."""

import copy

import pytest
import torch
from test_transformer import POSITIONS, SMALL, VOCAB, tokens

from course_lib import KeyValueCache, LatentAttention, MultiHeadAttention
from course_lib.formulas.masks import token_positions
from course_lib.transformer import LanguageModel

LENGTHS = (5, 2, 4)
SETTINGS = [{}, {"window": 3}, {"window": [None, 2], "num_kv_heads": 1, "gate": True}]


def padded(texts):
    """Texts on the right of their rows, and where they stand."""
    longest = max(len(t) for t in texts)
    rows = torch.randint(VOCAB, (len(texts), longest))  # whatever stands in the padding
    mask = torch.zeros(len(texts), 1, longest, dtype=torch.bool)
    for row, seen, text in zip(rows, mask, texts, strict=True):
        row[longest - len(text) :] = text
        seen[0, longest - len(text) :] = True
    return rows, mask


@pytest.mark.parametrize("kind", POSITIONS)
@pytest.mark.parametrize("settings", SETTINGS)
def test_prompts_of_different_lengths_are_continued_as_if_alone(kind, settings):
    model = LanguageModel(VOCAB, **SMALL, positions=kind, **settings).double().eval()
    texts = [tokens(9)[:n] for n in LENGTHS]
    rows, mask = padded(texts)
    for use_cache in (True, False):
        written = model.generate(rows, 7, mask=mask, use_cache=use_cache)
        for row, text in zip(written, texts, strict=True):
            alone = model.generate(text[None], 7)[0]
            assert row[rows.shape[1] - len(text) :].tolist() == alone.tolist()
    # Token by token, the state reordered and cropped on the way, the logits are the same.
    logits, state = model.prefill(rows, mask)
    index = torch.tensor([2, 0, 1, 1])
    state, next_words = copy.deepcopy(state).reorder(index), tokens(4, 3)
    for t in range(3):
        logits, state, _ = model.step(next_words[:, t], state)
    for i, row in zip(index, range(4), strict=True):
        alone = torch.cat([texts[i], next_words[row]])[None]
        torch.testing.assert_close(logits[row], model(alone)[0][0, -1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", POSITIONS)
def test_texts_packed_into_one_row_are_read_as_if_alone(kind):
    model = LanguageModel(VOCAB, **SMALL, positions=kind).double().eval()
    texts = [tokens(9)[:n] for n in LENGTHS]
    which = torch.repeat_interleave(torch.arange(3), torch.tensor(LENGTHS))
    places = torch.cat([torch.arange(n) for n in LENGTHS])
    packed, _ = model(torch.cat(texts)[None], mask=which[:, None] == which, positions=places)
    apart = torch.cat([model(text[None])[0] for text in texts], 1)
    torch.testing.assert_close(packed, apart, rtol=0, atol=1e-12)
    if kind in ("sinusoidal", "learned", "rotary"):
        shifted, _ = model(texts[0][None], positions=torch.tensor([0, 3, 4, 5, 9]))
        assert (shifted - apart[:, :5]).abs().max() > 1e-3
        first_only, _ = model(texts[0][None], positions=3)
        in_a_row, _ = model(texts[0][None], positions=torch.arange(3, 8)[None])
        assert torch.equal(first_only, in_a_row)


def test_positions_are_counted_from_the_first_real_token():
    mask = torch.tensor([[[False, False, True, True]], [[True] * 4]])
    assert token_positions(mask).tolist() == [[0, 0, 0, 1], [0, 1, 2, 3]]


@pytest.mark.parametrize("kind", ["plain", "latent"])
def test_positions_of_an_attention_with_a_cache(kind):
    x, place = torch.randn(2, 5, 8), torch.tensor([[0, 1, 2, 3, 4], [3, 4, 9, 10, 11]])
    attention = MultiHeadAttention(8, 2, rotary_base=100.0).eval()
    if kind == "latent":
        attention = LatentAttention(8, 2, latent_dim=4, rotary_dim=2)
    whole, _ = attention(x, is_causal=True, positions=place)
    cache = KeyValueCache()
    parts = [
        attention(x[:, s], is_causal=True, cache=cache, positions=place[:, s])[0]
        for s in (slice(0, 2), slice(2, 3), slice(3, 5))
    ]
    torch.testing.assert_close(torch.cat(parts, 1), whole, rtol=0, atol=1e-5)
    torch.testing.assert_close(whole[:1], attention(x[:1], is_causal=True)[0], rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"positions": torch.arange(3)}, r"integers \(T,\) or \(B, T\)"),
        ({"positions": torch.arange(4.0)}, "got torch.float32"),
        ({"positions": 0, "key": torch.randn(2, 5, 8)}, "4 queries, 5 keys"),
    ],
)
def test_positions_that_do_not_fit(given, words, as_a_user):
    for attention in (
        MultiHeadAttention(8, 2, rotary_base=100.0),
        LatentAttention(8, 2, latent_dim=4, rotary_dim=2),
    ):
        with pytest.raises(ValueError, match=words):
            attention(torch.randn(2, 4, 8), **given)
    with pytest.raises(ValueError, match="no rotary angles"):
        MultiHeadAttention(8, 2)(torch.randn(2, 4, 8), positions=0)


@pytest.mark.parametrize("use_cache", [True, False])
@pytest.mark.parametrize(
    ("mask", "error", "words"),
    [
        (torch.tensor([[[True, True, True]], [[True, True, False]]]), ValueError, "on the left"),
        (torch.tensor([[[True, False, True]], [[True, True, True]]]), ValueError, "on the left"),
        (torch.ones(2, 3, dtype=torch.bool), ValueError, r"\(B, 1, T\) = \(2, 1, 3\)"),
        (torch.ones(2, 1, 3), TypeError, "boolean .* got torch.float32"),
    ],
)
def test_a_mask_that_is_no_left_padding(mask, error, words, use_cache, as_a_user):
    with pytest.raises(error, match=words):
        LanguageModel(VOCAB, **SMALL).generate(tokens(2, 3), 3, mask=mask, use_cache=use_cache)


def test_padding_where_sinks_would_be_is_refused(as_a_user):
    model = LanguageModel(VOCAB, **SMALL, window=2, sinks=1)
    with pytest.raises(ValueError, match="sinks are the first positions"):
        model.generate(tokens(2, 4), 3, mask=torch.ones(2, 1, 4, dtype=torch.bool))


def test_a_text_beyond_the_table_of_positions():
    model = LanguageModel(VOCAB, **SMALL, positions="learned", max_length=4)
    for ask in (
        lambda: model.generate(tokens(1, 2), 5),
        lambda: model(tokens(1, 2), positions=torch.tensor([1, 4])),
    ):
        with pytest.raises(IndexError, match=r"text of 5 positions .* max_length = 4"):
            ask()
