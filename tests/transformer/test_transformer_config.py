"""One frozen object holds the settings; today's block is what its equations say."""

import dataclasses

import pytest
import torch
from test_transformer import SMALL, tokens
from torch.nn import functional as F

from course_lib.estimates import ModelConfig, parameter_count
from course_lib.transformer import TODAY, GatedFeedForward, LanguageModel, Layer, TransformerConfig


def test_a_config_is_frozen_and_settings_take_its_place():
    config = TransformerConfig(**SMALL)
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.d_model = 8
    model = LanguageModel(11, config, gate=True)
    assert model.config == dataclasses.replace(config, gate=True) and not config.gate
    assert LanguageModel(11, **SMALL).config == config


def test_an_unknown_setting_is_named():
    with pytest.raises(TypeError, match="num_head"):
        LanguageModel(11, num_head=2)
    with pytest.raises(ValueError, match="norm is one of layer, rms"):
        Layer(8, 2, 16, norm="batch")


def test_a_gated_network_lets_one_product_through_by_another():
    torch.manual_seed(0)
    network, x = GatedFeedForward(4, 6), torch.randn(3, 4)
    inner = F.silu(x @ network.W_1.weight.T) * (x @ network.W_3.weight.T)
    torch.testing.assert_close(network(x), inner @ network.W_2.weight.T)
    assert [p.shape for p in network.parameters()] == [(6, 4), (4, 6), (6, 4)]


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
