"""Estimates against released models, and against a model that is really built."""

import pytest
import torch

from course_lib import KeyValueCache
from course_lib.estimates import (
    Machine,
    ModelConfig,
    flops_per_token,
    kv_cache_bytes,
    parameter_count,
    step_time,
)
from course_lib.transformer import LanguageModel

LLAMA_7B = ModelConfig(32, 4096, 32, 11008, 32000)
H100 = Machine(flops=989e12, bandwidth=3.35e12)


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_a_model_that_is_built(kv_heads):
    model = LanguageModel(50, d_model=32, num_layers=3, d_hidden=64, num_kv_heads=kv_heads)
    config = ModelConfig(3, 32, 4, 64, 50, kv_heads=kv_heads, gated=False, tied=True)
    assert parameter_count(config) == sum(p.numel() for p in model.parameters() if p.ndim == 2)
    caches: list[KeyValueCache] = model.new_caches()
    model(torch.ones(2, 7, dtype=torch.long), caches=caches)
    assert sum(c.nbytes for c in caches) == kv_cache_bytes(config, 7, 2, bytes_per_number=4)


def test_operations():
    from torch.utils.flop_counter import FlopCounterMode

    model = LanguageModel(50, d_model=32, num_layers=3, d_hidden=64)
    config = ModelConfig(3, 32, 4, 64, 50, gated=False, tied=True)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(torch.ones(1, 16, dtype=torch.long), need_weights=True)
    assert counter.get_total_flops() == 16 * flops_per_token(config, 16)  # masked, yet computed
    long = flops_per_token(LLAMA_7B, 100_000) - flops_per_token(LLAMA_7B)
    assert long == 4 * 100_000 * 4096 * 32


def test_the_roofline_has_two_sides():
    weights = parameter_count(LLAMA_7B) - 32000 * 4096
    alone = step_time(LLAMA_7B, H100, 0)
    assert alone == pytest.approx(2 * weights / 3.35e12)  # bound by reading the weights
    ridge = round(989 / 3.35)  # texts at which the products take as long
    assert step_time(LLAMA_7B, H100, 0, batch=ridge - 10) == alone
    assert step_time(LLAMA_7B, H100, 0, batch=2 * ridge) == pytest.approx(2 * alone, rel=0.01)
    prompt = step_time(LLAMA_7B, H100, 2048, prefill=True)
    assert prompt == pytest.approx(2 * weights * 2048 / 989e12, rel=0.05)
    written = 2048 * step_time(LLAMA_7B, H100, 2048)
    assert written > 50 * prompt


def test_a_windows_prefill_counts_what_is_seen():
    small = ModelConfig(1, 8, 2, 16, 10, window=3)
    slow = Machine(flops=1.0, bandwidth=1e30)
    pairs = sum(min(t + 1, 3) for t in range(7))
    products = 2 * 7 * (4 * 8 * 8 + 3 * 8 * 16 + 10 * 8)
    assert step_time(small, slow, 7, prefill=True) == products + 4 * 8 * pairs


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"layers": 0}, "layers must be at least 1, got 0"),
        ({"vocabulary": -1}, "vocabulary must be at least 1"),
        ({"kv_heads": 3}, "4 heads cannot share 3"),
        ({"kv_heads": 0}, "kv_heads must be at least 1"),
        ({"window": 0}, "window must be at least 1"),
        ({"state_layers": -1}, "state_layers must not be negative"),
        ({"d_model": 10, "heads": 3}, "d_model 10 cannot be divided among 3 heads"),
    ],
)
def test_bad_sizes(settings, words):
    sizes = {"layers": 2, "d_model": 8, "heads": 4, "d_ff": 16, "vocabulary": 10}
    with pytest.raises(ValueError, match=words):
        ModelConfig(**{**sizes, **settings})


@pytest.mark.parametrize(
    "count",
    [
        lambda: kv_cache_bytes(LLAMA_7B, -1),
        lambda: kv_cache_bytes(LLAMA_7B, 5, -1),
        lambda: flops_per_token(LLAMA_7B, -1),
        lambda: step_time(LLAMA_7B, H100, -1),
    ],
)
def test_a_negative_length_or_batch_is_refused(count):
    with pytest.raises(ValueError, match=r"(must not be negative|must be at least 1), got -1"):
        count()
