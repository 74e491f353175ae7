"""One frozen object holds the settings; today's block is what its equations say."""

import dataclasses

import pytest
import torch
from test_transformer import SMALL, tokens
from torch.nn import functional as F

from course_lib.estimates import ModelConfig, parameter_count
from course_lib.transformer import (
    TODAY,
    EncoderDecoder,
    GatedFeedForward,
    LanguageModel,
    Layer,
    Stack,
    TransformerConfig,
)


def test_a_config_is_frozen_and_settings_take_its_place():
    config = TransformerConfig(**SMALL)
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.d_model = 8
    model = LanguageModel(11, config, gate=True)
    assert model.config == dataclasses.replace(config, gate=True) and not config.gate
    assert LanguageModel(11, **SMALL).config == config


def test_an_unknown_setting_is_named(as_a_user):
    with pytest.raises(TypeError, match="num_head"):
        LanguageModel(11, num_head=2)
    for make in (Layer, Stack, TransformerConfig):
        with pytest.raises(ValueError, match="norm is one of layer, rms, got 'batch'"):
            make(norm="batch")


def test_a_gated_network_lets_one_product_through_by_another():
    torch.manual_seed(0)
    network, x = GatedFeedForward(4, 6), torch.randn(3, 4)
    inner = F.silu(x @ network.W_1.weight.T) * (x @ network.W_3.weight.T)
    torch.testing.assert_close(network(x), inner @ network.W_2.weight.T)
    assert [p.shape for p in network.parameters()] == [(6, 4), (4, 6), (6, 4)]


def test_gelu_takes_the_place_of_relu():
    torch.manual_seed(0)
    layer, x = Layer(d_model=4, num_heads=1, d_hidden=6, feed_forward="gelu"), torch.randn(3, 4)
    first, _, _, last = layer.feed_forward
    torch.testing.assert_close(layer.feed_forward(x), last(F.gelu(first(x))))


def test_todays_block_normalises_by_the_root_of_the_mean_square():
    torch.manual_seed(0)
    model = LanguageModel(11, TODAY, **SMALL)
    norm = model.stack.layers[0].feed_norm
    three_four = F.pad(torch.tensor([3.0, 4.0]), (0, 14))
    expected = three_four / (25 / 16) ** 0.5  # no mean is subtracted
    torch.testing.assert_close(norm(three_four), expected)
    assert not [name for name, _ in model.named_parameters() if name.endswith("bias")]


def test_todays_model_is_causal_and_writes_the_same_with_a_cache():
    torch.manual_seed(0)
    model = LanguageModel(11, TODAY, **SMALL, num_kv_heads=1).double().eval()
    before, after = tokens(2, 9), tokens(2, 9)
    after[:, 6:] = (after[:, 6:] + 1) % 11
    assert torch.equal(model(before)[0][:, :6], model(after)[0][:, :6])
    written = model.generate(before, 5)
    assert torch.equal(written, model.generate(before, 5, use_cache=False))


def test_the_calculator_counts_todays_block():
    model = LanguageModel(50, TODAY, **SMALL)
    config = ModelConfig(2, 16, 2, 24, 50, gated=True, tied=True, attention_gate=True)
    assert parameter_count(config) == sum(p.numel() for p in model.parameters() if p.ndim == 2)


def test_a_translator_takes_todays_block_whole():
    torch.manual_seed(0)
    model = EncoderDecoder(9, 11, TODAY, **SMALL, num_kv_heads=1, window=3).double().eval()
    source, lengths, target = tokens(2, 6, high=9), torch.tensor([6, 4]), tokens(2, 5)
    whole = model(source, lengths, target)
    state = model.start(source, lengths)
    for t in range(5):
        logits, state, _ = model.step(target[:, t], state)
        torch.testing.assert_close(logits, whole[:, t], rtol=0, atol=1e-12)
    for stack in (model.encoder, model.decoder):
        assert isinstance(stack.layers[0].feed_forward, GatedFeedForward)
        assert stack.layers[0].self_attention.num_kv_heads == 1
    assert EncoderDecoder(9, 11).config.dropout == 0.1  # as it was without a config


@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_the_epsilon_of_every_norm_is_that_of_the_config(norm):
    model = LanguageModel(11, **SMALL, norm=norm, qk_norm=True, norm_eps=0.25)
    norms = [m for m in model.modules() if hasattr(m, "eps")]
    assert len(norms) == 2 * 4 + 1 and all(m.eps == 0.25 for m in norms)
    plain = [m.eps for m in LanguageModel(11, **SMALL, norm=norm).modules() if hasattr(m, "eps")]
    assert set(plain) == ({1e-5} if norm == "layer" else {None})


def test_token_vectors_may_enter_as_they_are():
    model = LanguageModel(11, **SMALL, positions="none", scale_embedding=False)
    text = tokens(2, 3)
    assert torch.equal(model.embedding(text), model.embedding.tokens(text))
