"""The calculator against what the makers of 30 models publish, and the counts of 2026."""

import re

import pytest

from book.helpers.configurations import models_of_2026, released_models
from course_lib.estimates import (
    MACHINES,
    ModelConfig,
    active_parameters,
    kv_cache_bytes,
    parameter_count,
    read_config,
    step_time,
)

MODELS = released_models()
# Bytes a token at two a number. Qwen3: report, tables 1 and 2. DeepSeek-V3, Llama 3.1 405B: Zhao et
# al. (2025), table 1. Gemma 2 and 3: sizes of the reference code. gpt-oss: sizes of the card.
TOKEN = {
    "Qwen3 8B": 147_456,
    "Qwen3 30B-A3B": 98_304,
    "Qwen3 235B-A22B": 192_512,
    "DeepSeek-V3": 70_272,
    "Kimi K2": 70_272,
    "Llama 3.1 405B": 516_096,
    "Gemma 2 9B": 2 * 172_032,
    "Gemma 3 4B": 20_480 + 118_784,
    "Gemma 3 27B": 81_920 + 425_984,
    "gpt-oss 120b": 2 * 36_864,
    "Qwen3-Next 80B-A3B": 24_576,
    "MiniMax-M2": 253_952,
}


def sizes(name: str) -> ModelConfig:
    return read_config(MODELS[name].fields)[0]


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.total])
def test_parameters_within_one_percent(name):
    assert parameter_count(sizes(name)) / 1e9 == pytest.approx(MODELS[name].total, rel=0.01)


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.active])
def test_active_parameters_up_to_the_tables_that_some_makers_count(name):
    """Makers count the input's table, or not, and round; the published number lies between."""
    config = sizes(name)
    table = config.vocabulary * config.d_model
    least, most = active_parameters(config) / 1e9, (active_parameters(config) + table) / 1e9
    published = MODELS[name].active
    rounded = 1 if published == round(published) else 0.03 * published
    assert least - rounded < published < most + rounded


@pytest.mark.parametrize(("name", "size"), TOKEN.items())
def test_the_cache_of_a_token_is_exact(name, size):
    assert kv_cache_bytes(sizes(name), 1) == size


def test_caches_of_layers_that_differ():
    assert kv_cache_bytes(sizes("Gemma 4 31B"), 131_072) == 11_576_279_040  # two kinds of KV heads
    indexed, plain = sizes("DeepSeek-V3.2"), sizes("DeepSeek-V3")
    assert kv_cache_bytes(indexed, 1) - kv_cache_bytes(plain, 1) == 61 * 128 * 2


def test_an_indexer_makes_a_long_step_short_and_still_grows():
    h200 = MACHINES["H200"]

    def attention(name: str, length: int) -> float:
        config = sizes(name)
        return step_time(config, h200, length, batch=8) - step_time(config, h200, 0, batch=8)

    assert attention("DeepSeek-V3.2", 131_072) < attention("DeepSeek-V3", 131_072) / 2
    more = attention("DeepSeek-V3.2", 262_144) - attention("DeepSeek-V3.2", 131_072)
    assert more > 0.3 * attention("DeepSeek-V3.2", 131_072)


def test_a_larger_batch_needs_more_experts():
    """One token reads its own experts; a large batch reads nearly all."""
    config, machine = sizes("Qwen3 30B-A3B"), MACHINES["H100"]
    alone = step_time(config, machine, 0) * machine.bandwidth / 2
    assert alone == pytest.approx(active_parameters(config))
    many = step_time(config, machine, 0, batch=128) * machine.bandwidth / 2
    assert many == pytest.approx(parameter_count(config), rel=0.02)


def test_a_weight_of_one_byte_is_fetched_in_half_the_time():
    config, machine = sizes("Llama 3.1 8B"), MACHINES["H100"]
    whole = step_time(config, machine, 0)
    assert step_time(config, machine, 0, bytes_per_weight=1) == pytest.approx(whole / 2)


LATER = models_of_2026()
# Bytes a token by hand, at two a number: layers, KV heads, sizes as each file states them.
FIRST_TOKEN = {
    "Kimi K2.5": 61 * 576 * 2,
    "Qwen3.5 397B-A17B": 15 * 2 * 2 * 256 * 2,
    "GLM-5.2": 78 * 576 * 2 + 21 * 128 * 2,  # index keys where an indexer is of its own
    "Gemma 4 26B-A4B": 5 * 2 * 2 * 512 * 2 + 25 * 2 * 8 * 256 * 2,
    "Mistral Small 4 119B": 36 * (256 + 64) * 2,
    "MiniMax-M2.7": 62 * 2 * 8 * 128 * 2,
    "MiniMax-M3": 60 * 2 * 4 * 128 * 2 + 57 * 128 * 2,
    "Nemotron 3 Super 120B-A12B": 8 * 2 * 2 * 128 * 2,
    "Nemotron 3 Ultra 550B-A55B": 12 * 2 * 2 * 128 * 2,
}
IN_THE_NAME = re.compile(r"(\d+)B")


@pytest.mark.parametrize("name", [name for name in LATER if IN_THE_NAME.search(name)])
def test_a_model_of_2026_has_the_parameters_that_its_name_states(name):
    stated = float(IN_THE_NAME.findall(name)[0])
    found = LATER[name].counts["parameters"] / 1e9
    assert abs(found - stated) < max(0.8, 0.01 * stated)


@pytest.mark.parametrize(("name", "size"), FIRST_TOKEN.items())
def test_the_cache_of_a_token_of_2026_is_exact(name, size):
    assert LATER[name].counts["first_token"] == size


@pytest.mark.parametrize("name", LATER)
def test_bits_are_told_where_the_file_states_them(name):
    fields = LATER[name].fields
    names = {*fields, *fields.get("text_config", {})}
    stated = {"quantization_config", "torch_dtype", "dtype"} & names
    assert bool(stated) == LATER[name].whole == (LATER[name].counts["weight_bytes"] is not None)


def test_entries_and_windows_of_deepseek_v4_by_hand():
    """One entry of 512 numbers for 4 tokens or 128, index keys of 128, a window of 128 entries."""
    for name, layers, fours in (("DeepSeek-V4-Flash", 43, 21), ("DeepSeek-V4-Pro", 61, 30)):
        ratios = LATER[name].fields["compress_ratios"][:layers]
        assert (ratios.count(4), len(ratios)) == (fours, layers)
        token = 2 * (fours * (512 + 128) / 4 + ratios.count(128) * 512 / 128)
        window = layers * 128 * 512 * 2
        assert LATER[name].counts["at_131072"] == pytest.approx(131_072 * token + window, rel=1e-3)
