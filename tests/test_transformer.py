"""The Transformer's parts hold the properties that define them."""

import pytest
import torch

from course_lib.transformer import Embedding, EncoderDecoder, LanguageModel, Stack

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


def test_generation_with_a_cache_is_generation_without(language_model):
    prompt = tokens(3, 4)
    cached = language_model.generate(prompt, 12)
    assert cached.shape == (3, 16)
    assert torch.equal(cached, language_model.generate(prompt, 12, use_cache=False))
    assert torch.equal(cached[:, :4], prompt)


def test_generation_from_one_token(language_model):
    prompt = tokens(1, 1)
    assert torch.equal(
        language_model.generate(prompt, 3), language_model.generate(prompt, 3, use_cache=False)
    )


def test_language_model_weights_are_causal_rows_that_sum_to_one(language_model):
    _, weights = language_model(tokens(2, 5), need_weights=True)
    assert [w.shape for w in weights] == [(2, 2, 5, 5)] * 2
    for layer in weights:
        torch.testing.assert_close(layer.sum(-1), torch.ones(2, 2, 5, dtype=torch.float64))
        assert layer.triu(1).abs().max() == 0


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


def test_decoder_steps_with_caches_equal_the_whole(translator):
    from course_lib.multihead import KeyValueCache

    memory, mask = translator.encode(tokens(2, 6), torch.tensor([6, 4]))
    target = tokens(2, 5)
    whole, _ = translator.decode(target, memory, mask)
    caches = [KeyValueCache() for _ in translator.decoder.layers]
    steps = [
        translator.decode(target[:, t : t + 1], memory, mask, caches=caches, start=t)[0]
        for t in range(5)
    ]
    torch.testing.assert_close(torch.cat(steps, 1), whole, rtol=0, atol=1e-12)


def test_without_positions_an_encoder_does_not_know_order():
    torch.manual_seed(0)
    embed, stack = Embedding(VOCAB, WIDTH, positions=False), Stack(2, WIDTH, 2, 24)
    source, order = tokens(2, 7), torch.randperm(7)
    straight = stack(embed(source))[0]
    torch.testing.assert_close(stack(embed(source[:, order]))[0], straight[:, order])
    placed = Embedding(VOCAB, WIDTH)
    assert not torch.allclose(
        stack(placed(source[:, order]))[0], stack(placed(source))[0][:, order]
    )


def test_every_parameter_gets_a_gradient(translator):
    translator(tokens(2, 6), torch.tensor([6, 4]), tokens(2, 3)).square().mean().backward()
    missing = [name for name, p in translator.named_parameters() if p.grad is None]
    assert not missing
