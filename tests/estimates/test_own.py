"""A model of ours in the calculator: parameters, cache and operations are what it has."""

import pytest
import torch

from course_lib.estimates import config_of, kv_cache_bytes, parameter_count
from course_lib.transformer import TODAY, EncoderDecoder, LanguageModel, TransformerConfig
from course_lib.translation import Seq2Seq

SIZES = {"d_model": 16, "num_heads": 4, "num_layers": 3, "d_hidden": 24}
CONFIGS = [
    TransformerConfig(**SIZES),
    TransformerConfig(**SIZES, num_kv_heads=2, positions="learned", max_length=30),
    TransformerConfig(**SIZES, positions="t5", window=4, bias=False),
    TransformerConfig(**SIZES, window=[4, None, 4], sinks=2, norm="rms", feed_forward="gated"),
    TransformerConfig(**{**SIZES, "num_heads": 2}, positions="rotary", gate=True, qk_norm=True),
    TransformerConfig(**SIZES, num_kv_heads=2, head_dim=6, tied=False, gate=True),
]


@pytest.mark.parametrize("config", [*CONFIGS, TODAY], ids=range(7))
@pytest.mark.parametrize("kind", [LanguageModel, EncoderDecoder])
def test_every_parameter_is_counted(config, kind):
    model = LanguageModel(50, config) if kind is LanguageModel else EncoderDecoder(40, 50, config)
    sizes = config_of(model)
    assert parameter_count(sizes) == sum(p.numel() for p in model.parameters())
    if kind is LanguageModel:  # all that the rule does not know are vectors and tables of positions
        tables = [model.embedding.table, getattr(model.stack.bias, "table", None)]
        vectors = [p for p in model.parameters() if p.ndim == 1]
        vectors += [table.weight for table in tables if table is not None]
        assert sizes.other_weights == sum(p.numel() for p in vectors)


@pytest.mark.parametrize("config", CONFIGS, ids=range(6))
@pytest.mark.parametrize("length", [1, 5, 9])
def test_the_cache_is_the_one_that_is_kept(config, length):
    model = LanguageModel(50, config).eval()
    with torch.no_grad():
        _, state = model.prefill(torch.ones(2, length, dtype=torch.long))
    kept = sum(cache.nbytes for cache in state.caches)
    assert kept == kv_cache_bytes(config_of(model), length, 2, bytes_per_number=4)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Seq2Seq(9, 9, hidden_dim=8), "Seq2Seq has none"),
        (torch.nn.Linear(2, 2), "Linear has none"),
        (LanguageModel(9, **SIZES, window=[2, 3, None]), "one size of window"),
    ],
)
def test_what_has_no_such_sizes_is_refused(model, words):
    with pytest.raises(ValueError, match=words):
        config_of(model)
