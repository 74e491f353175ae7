"""The Transformer's parts hold the properties that define them."""

import copy

import pytest
import torch

from course_lib import KeyValueCache
from course_lib.transformer import EncoderDecoder, LanguageModel

VOCAB, WIDTH = 11, 16
SMALL = {"d_model": WIDTH, "num_heads": 2, "num_layers": 2, "d_hidden": 24}


@pytest.fixture
def language_model():
    torch.manual_seed(0)
    return LanguageModel(VOCAB, **SMALL).double().eval()


@pytest.fixture
def translator():
    torch.manual_seed(0)
    return EncoderDecoder(VOCAB, VOCAB + 2, **SMALL).double().eval()


def tokens(*shape, high=VOCAB):
    return torch.randint(high, shape, generator=torch.Generator().manual_seed(1))


def test_a_changed_future_leaves_earlier_logits_bit_identical(language_model):
    before = tokens(2, 9)
    after = before.clone()
    after[:, 6:] = (after[:, 6:] + 1) % VOCAB
    assert torch.equal(language_model(before)[0][:, :6], language_model(after)[0][:, :6])
    assert not torch.equal(language_model(before)[0][:, 6:], language_model(after)[0][:, 6:])


def test_padding_does_not_change_a_translation(translator):
    source, target = tokens(1, 6), tokens(1, 4)
    padded = torch.cat([source, torch.zeros(1, 3, dtype=torch.long)], dim=1)
    alone = translator(source, torch.tensor([6]), target)
    assert alone.shape == (1, 4, VOCAB + 2)
    torch.testing.assert_close(
        translator(padded, torch.tensor([6]), target), alone, rtol=0, atol=1e-12
    )


def test_cross_attention_weights_by_layer(translator):
    memory, mask = translator.encode(tokens(2, 6), torch.tensor([6, 4]))
    _, weights = translator.decode(tokens(2, 3), memory, mask, need_weights=True)
    assert [w.shape for w in weights] == [(2, 2, 3, 6)] * 2
    assert weights[0][1, :, :, 4:].abs().max() == 0


POSITIONS = ["sinusoidal", "learned", "rotary", "alibi", "t5", "none"]
positions = pytest.mark.parametrize("kind", POSITIONS)


@positions
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"window": 3},
        {"num_kv_heads": 1, "window": [None, 2], "sinks": 2, "qk_norm": True, "gate": True},
    ],
)
def test_the_cache_writes_what_the_whole_text_would(kind, settings):
    if kind in ("alibi", "t5"):
        settings = {**settings, "sinks": 0}
    model = LanguageModel(VOCAB, **SMALL, positions=kind, dropout=0.5, **settings).double()
    prompt = tokens(2, 5)
    cached = model.generate(prompt, 8)  # in training mode: generation switches dropout off
    assert model.training and model.stack.layers[0].dropout.training
    assert torch.equal(cached, model.generate(prompt, 8, use_cache=False))
    assert torch.equal(cached[:, :5], prompt)
    one = prompt[:, :1]
    assert torch.equal(model.generate(one, 3), model.generate(one, 3, use_cache=False))
    model.eval()
    whole, _ = model(cached)
    logits, state = model.prefill(cached[:, :7])
    parts = [logits] + [model.step(cached[:, t], state)[0] for t in range(7, 13)]
    torch.testing.assert_close(torch.stack(parts, 1), whole[:, 6:], rtol=0, atol=1e-12)


@positions
def test_every_kind_of_positions_knows_order_but_none(kind):
    """Not causal: a causal mask by itself tells a model about order."""
    model = LanguageModel(VOCAB, **SMALL, positions=kind, causal=False).double()
    text, order = tokens(2, 7), torch.tensor([3, 1, 0, 2, 6, 5, 4])
    straight = model(text)[0][:, order]
    assert torch.allclose(model(text[:, order])[0], straight) == (kind == "none")


@positions
def test_translators_with_every_kind_of_positions(kind):
    model = EncoderDecoder(VOCAB, VOCAB, **SMALL, positions=kind).double().eval()
    source, lengths, target = tokens(2, 6), torch.tensor([6, 4]), tokens(2, 5)
    whole, cross = model.decode(target, *model.encode(source, lengths), need_weights=True)
    state = model.start(source, lengths)
    for t in range(5):
        logits, state, weights = model.step(target[:, t], state)
        torch.testing.assert_close(logits, whole[:, t], rtol=0, atol=1e-12)
        torch.testing.assert_close(weights, cross[-1].mean(1)[:, t], rtol=0, atol=1e-12)


def test_a_state_is_reordered_whole(translator):
    source, lengths, target = tokens(3, 6), torch.tensor([6, 4, 2]), tokens(3, 3)
    index = torch.tensor([2, 0, 0, 1])
    state = translator.start(source, lengths)
    translator.step(target[:, 0], state)
    state = state.reorder(index)
    logits, state, _ = translator.step(target[index, 1], state)
    expected = translator(source[index], lengths[index], target[index, :2])[:, -1]
    torch.testing.assert_close(logits, expected, rtol=0, atol=1e-12)


def test_sampling_repeats_with_its_generator(language_model):
    runs = [
        language_model.generate(
            tokens(2, 3), 9, temperature=1.0, top_p=0.9, generator=torch.Generator().manual_seed(s)
        )
        for s in (3, 3, 4)
    ]
    assert torch.equal(runs[0], runs[1]) and not torch.equal(runs[0], runs[2])


def test_a_wrong_start_is_a_wrong_place(language_model):
    text, caches = tokens(1, 6), language_model.new_caches()
    language_model(text[:, :4], caches=caches)
    whole, _ = language_model(text)
    right, _ = language_model(text[:, 4:], caches=[copy.deepcopy(c) for c in caches])
    wrong, _ = language_model(text[:, 4:], caches=caches, positions=0)
    torch.testing.assert_close(right, whole[:, 4:], rtol=0, atol=1e-12)
    assert (wrong - whole[:, 4:]).abs().max() > 1e-3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LanguageModel(VOCAB, **SMALL, positions="roary"), "rotary.*got 'roary'"),
        (lambda: LanguageModel(VOCAB, **SMALL, window=[2]), "1 windows for 2 layers"),
        (lambda: LanguageModel(VOCAB, **SMALL, sinks=2), "sinks belong to a window"),
        (
            lambda: LanguageModel(VOCAB, **SMALL, window=2, sinks=1, positions="alibi"),
            "no ALiBi or T5",
        ),
        (
            lambda: LanguageModel(VOCAB, **SMALL, window=2)(
                tokens(1, 3), caches=[KeyValueCache(), KeyValueCache()]
            ),
            r"needs a cache like KeyValueCache\(window=2",
        ),
    ],
)
def test_bad_settings(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_every_parameter_of_a_translator_gets_a_gradient(translator):
    translator(tokens(2, 6), torch.tensor([6, 4]), tokens(2, 3)).square().mean().backward()
    assert all(p.grad is not None for p in translator.parameters())


@positions
def test_every_parameter_of_a_language_model_gets_a_gradient(kind):
    model = LanguageModel(VOCAB, **SMALL, positions=kind, qk_norm=True, gate=True, window=2)
    model(tokens(2, 6))[0].square().mean().backward()
    assert all(p.grad is not None for p in model.parameters())
