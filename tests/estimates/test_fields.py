"""What a configuration says, and the sentence for one that says too little or too much."""

import json
import re

import pytest

from course_lib.estimates import kv_cache_bytes, read_config, state_bytes

LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 128,
    "vocab_size": 100,
    "tie_word_embeddings": False,
}
HYBRID = LLAMA | {
    "model_type": "qwen3_next",
    "num_hidden_layers": 8,
    "full_attention_interval": 4,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_conv_kernel_dim": 4,
}


def test_a_file_and_the_part_for_text_are_read(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"model_type": "seen", "text_config": LLAMA}), encoding="utf-8")
    assert read_config(path) == read_config(LLAMA)
    assert read_config(LLAMA)[1] == []


def test_what_is_assumed_is_said():
    fields = {k: v for k, v in LLAMA.items() if k not in ("head_dim", "num_key_value_heads")}
    config, assumed = read_config(fields)
    assert (config.d_head, config.n_kv_heads) == (16, 4)
    assert assumed == [
        "num_key_value_heads is missing: 4 was assumed, one for each query head.",
        "head_dim is missing: 16 was assumed, hidden_size / num_attention_heads.",
    ]


@pytest.mark.parametrize("name", ["num_hidden_layers", "hidden_size", "vocab_size"])
def test_what_cannot_be_assumed_is_named(name):
    fields = {k: v for k, v in LLAMA.items() if k != name}
    with pytest.raises(ValueError, match=f"^{name} is missing: add it"):
        read_config(fields)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"compress_ratios": [4, 128]}, "compress_ratios: not known here, and by its name a size"),
        ({"num_key_value_head": 2}, "num_key_value_head: not known here"),
        ({"hidden_size": "64"}, "hidden_size is '64', a text: a number is needed"),
        ({"hidden_size": 64.5}, "hidden_size is 64.5: a whole number is needed"),
        ({"num_hidden_layers": True}, "num_hidden_layers is True: a whole number is needed"),
        ({"num_hidden_layers": -2}, "num_hidden_layers is -2: at least 1 is needed"),
        ({"num_key_value_heads": 3}, "kv_heads must divide heads: 4 heads cannot share 3"),
        ({"model_type": "deepseek_v4"}, "model_type is 'deepseek_v4', which is not known here"),
        ({"layer_types": ["full_attention", "conv"]}, "layer_types has conv: not known here"),
        ({"layer_types": ["full_attention"]}, "layer_types has 1 entries for 2 layers"),
        ({"layer_types": ["sliding_attention"] * 2}, "sliding_window is missing: add it"),
        ({"model_type": "olmo2", "sliding_window": 8}, "layer_types is missing: add layer_types"),
        ({"num_experts": 8}, "num_experts_per_tok is missing: add it"),
        ({"kv_lora_rank": 16}, "qk_rope_head_dim is missing: add it"),
        ({"enable_moe_block": True}, "enable_moe_block is set: such layers are not counted"),
    ],
)
def test_numbers_for_another_model_are_never_given(change, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        read_config(LLAMA | change)


def test_a_field_that_the_reader_knows_to_be_harmless_is_passed_over():
    fields = LLAMA | {"my_size": 2}
    assert read_config(fields, ignore=("my_size",)) == read_config(LLAMA)


def test_a_name_that_is_no_size_stops_nobody():
    harmless = {"resid_pdrop": 0.1, "my_note": 1, "num_beams": 4, "return_dict": True}
    assert read_config(LLAMA | harmless) == read_config(LLAMA)


@pytest.mark.parametrize("tied", [True, False])
def test_tables_may_be_tied_outside_of_the_part_for_text(tied):
    inner = {k: v for k, v in LLAMA.items() if k != "tie_word_embeddings"}
    config, assumed = read_config({"text_config": inner, "tie_word_embeddings": tied})
    assert config.tied == tied and assumed == []


def test_a_default_is_that_of_the_family():
    lacks = ("head_dim", "num_key_value_heads", "tie_word_embeddings")
    short = {k: v for k, v in LLAMA.items() if k not in lacks}
    config, assumed = read_config(short | {"model_type": "gemma2", "num_attention_heads": 8})
    assert (config.head_dim, config.kv_heads, config.tied) == (256, 4, True)
    assert sum("the default of the family's class" in sentence for sentence in assumed) >= 3


@pytest.mark.parametrize(
    ("change", "full", "local"),
    [
        ({}, 2, 0),
        ({"model_type": "mistral", "sliding_window": 8}, 0, 2),
        ({"sliding_window": 8, "use_sliding_window": False}, 2, 0),
        ({"sliding_window": 8, "sliding_window_pattern": 2}, 1, 1),
        ({"attention_chunk_size": 8, "no_rope_layers": [1, 0]}, 1, 1),
        ({"layer_types": ["indexed_attention", "chunked_attention"], "sliding_window": 8}, 1, 1),
    ],
)
def test_which_layers_see_a_window(change, full, local):
    config, _ = read_config(LLAMA | change)
    assert (config.global_layers, config.n_local) == (full, local)


def test_a_state_takes_the_place_of_a_cache_and_keeps_its_size():
    config, _ = read_config(HYBRID)
    assert (config.global_layers, config.state_layers) == (2, 6)
    assert kv_cache_bytes(config, 10) == 2 * 10 * 2 * 2 * 16 * 2
    state, convolution = 4 * 8 * 8, 3 * (2 * 2 * 8 + 4 * 8)
    assert state_bytes(config) == 6 * (state + convolution) * 4


def test_shared_layers_keep_nothing():
    pattern = {"sliding_window": 8, "sliding_window_pattern": 2, "num_hidden_layers": 6}
    alone, _ = read_config(LLAMA | pattern)
    shared, _ = read_config(LLAMA | pattern | {"num_kv_shared_layers": 4})
    assert shared.shared_layers == (2, 2)
    assert kv_cache_bytes(alone, 100) == 3 * kv_cache_bytes(shared, 100)
