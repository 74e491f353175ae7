"""Kinds of files that state their sizes otherwise: nested, by old names, as lists, of sound."""

import pytest

from course_lib.estimates import measure

pytest.importorskip("transformers")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

TEXT = {
    "model_type": "mistral",
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "intermediate_size": 96,
    "vocab_size": 100,
    "sliding_window": None,
    "dtype": "bfloat16",
}
EYE = {
    "model_type": "clip_vision_model",
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "patch_size": 14,
    "image_size": 56,
}
OUTER = {
    "llava": {"vision_config": EYE, "vision_feature_layer": -2},
    "mistral3": {"vision_config": EYE | {"model_type": "pixtral"}, "vision_feature_layer": -1},
    "voxtral": {"audio_config": {"model_type": "voxtral_encoder", "num_hidden_layers": 1}},
}


def nested(outer: str, text: dict) -> dict:
    return {"model_type": outer, **OUTER[outer], "text_config": text}


@pytest.mark.parametrize("outer", sorted(OUTER))
def test_a_language_model_counts_the_same_inside_another(outer):
    alone, inside = measure(TEXT), measure(nested(outer, TEXT))
    assert inside.parameters == alone.parameters and inside.active == alone.active
    assert inside.by_part["pictures"] > 0
    assert [inside.cache_bytes(n) for n in (1, 900)] == [alone.cache_bytes(n) for n in (1, 900)]


@pytest.mark.parametrize("outer", sorted(OUTER))
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"num_key_value_heads": None, "num_key_value_head": 2}, "num_key_value_head is no field"),
        ({"num_hidden_layers": None}, "num_hidden_layers is missing"),
        ({"routed_expert_hidden_size": 37}, "routed_expert_hidden_size: stated in the file"),
        ({"hidden_size": "64"}, "hidden_size is '64', a text"),
    ],
)
def test_what_is_refused_alone_is_refused_inside(outer, change, words):
    text = {n: v for n, v in {**TEXT, **change}.items() if v is not None}
    with pytest.raises(ValueError, match=words):
        measure(nested(outer, text))


def test_sizes_of_the_text_outside_of_it_are_not_passed_over():
    flat = {**OUTER["llava"], **TEXT, "model_type": "llava"}
    with pytest.raises(ValueError, match="hidden_size"):
        measure(flat)
    old = {n: v for n, v in TEXT.items() if n != "head_dim"}  # this class looks outside
    eye = {"depth": 1, "embed_dim": 32, "num_heads": 4, "hidden_size": 64}
    read = measure({**old, "model_type": "qwen2_vl", "vision_config": eye})
    assert read.parameters == measure({**old, "model_type": "qwen2"}).parameters
    with pytest.raises(ValueError, match="num_hidden_layers is missing"):
        fewer = {n: v for n, v in old.items() if n != "num_hidden_layers"}
        measure({**fewer, "model_type": "qwen2_vl", "vision_config": eye})


def test_tables_are_tied_as_the_text_says_where_the_whole_says_nothing():
    tied, apart = (
        measure(nested("mistral3", TEXT | {"tie_word_embeddings": t})) for t in (True, False)
    )
    assert apart.parameters - tied.parameters == 100 * 64
    unsaid = measure(nested("mistral3", TEXT))
    assert unsaid.parameters == apart.parameters
    assert "tie_word_embeddings is stated nowhere: False, as mistral has it." in unsaid.notes


@pytest.mark.parametrize("chosen", [2, [2, 2]])
def test_chosen_experts_as_a_number_or_one_for_each_layer(chosen):
    more = {"model_type": "hunyuan_v1_moe", "num_experts": 8, "moe_topk": chosen}
    found = measure({**TEXT, **more, "tie_word_embeddings": False})
    experts = found.by_part["experts"]
    assert found.active == found.parameters - 100 * 64 - experts * 6 // 8
    assert found.experts == (8, 2)


def test_experts_whose_fields_and_weights_are_in_one_piece():
    sizes = {"d_model": 64, "n_heads": 4, "n_layers": 2, "vocab_size": 100, "max_seq_len": 90}
    attention = {"kv_n_heads": 2, "rope_theta": 10000.0}
    network = {"ffn_hidden_size": 96, "moe_num_experts": 8, "moe_top_k": 2}
    found = measure(
        {"model_type": "dbrx", **sizes, "attn_config": attention, "ffn_config": network}
    )
    assert found.by_part["experts"] == 2 * 8 * 3 * 64 * 96 and found.experts == (8, 2)
    assert found.active == found.parameters - 100 * 64 - found.by_part["experts"] * 6 // 8


def test_a_size_under_a_name_of_long_ago():
    sizes = {"n_layer": 2, "num_attention_heads": 4, "vocab_size": 100}
    old, new = ({"model_type": "bloom", **sizes, n: 32} for n in ("n_embed", "hidden_size"))
    assert measure(old).parameters == measure(new).parameters
    with pytest.raises(ValueError, match="hidden_size is missing"):
        measure({"model_type": "bloom", **sizes})


def test_sizes_that_change_nothing_beside_latents_and_without_windows():
    full = {"layer_types": ["full_attention"] * 2, "use_sliding_window": False}
    small = measure(
        {**TEXT, **full, "model_type": "smollm3", "max_window_layers": 37, "pad_token_id": 0}
    )
    assert small.certain and small.cache_bytes(1) == 2 * 2 * 2 * 32 * 2


def test_a_pattern_of_letters_is_one_of_windows():
    fields = {**TEXT, "model_type": "exaone4", "num_hidden_layers": 4, "sliding_window": 9}
    kinds = ["sliding_attention"] * 3 + ["full_attention"]
    more = {"sliding_window_pattern": "LLLG", "layer_types": kinds, "pad_token_id": 0}
    found = measure({**fields, **more})
    assert list(found.kinds.values()) == [1, 3, 0]


def test_what_a_model_of_sound_keeps_and_what_one_of_pictures_does_not():
    heads = {"decoder_attention_heads": 4, "encoder_attention_heads": 4}
    sizes = {"d_model": 64, "decoder_layers": 2, "encoder_layers": 2, "num_hidden_layers": 2}
    sizes |= {"pad_token_id": 0}
    sound = measure({"model_type": "whisper", **sizes, **heads, "vocab_size": 100})
    assert sound.cache_bytes(1) == 2 * 2 * 64 * 2
    seen = measure({**EYE, "model_type": "vit", "num_channels": 3})
    assert seen.layers == () and seen.cache_bytes(100) == 0


def test_a_class_that_asks_its_tensors_for_numbers_is_run_all_the_same():
    scaled = {"type": "longrope", "original_max_position_embeddings": 64}
    scaled |= {"long_factor": [1.0] * 8, "short_factor": [1.0] * 8}
    scaled |= {"long_mscale": 1.2, "short_mscale": 1.2}
    fields = {n: v for n, v in TEXT.items() if n != "head_dim"}
    more = {"model_type": "phimoe", "num_local_experts": 4, "num_experts_per_tok": 2}
    found = measure({**fields, **more, "rope_scaling": scaled, "max_position_embeddings": 512})
    assert found.cache_bytes(1) == 2 * 2 * 2 * 16 * 2


def test_a_short_convolution_keeps_its_last_columns():
    fields = {n: v for n, v in TEXT.items() if n not in ("head_dim", "sliding_window")}
    layers = {"layer_types": ["conv", "full_attention"], "conv_L_cache": 3}
    found = measure({**fields, **layers, "model_type": "lfm2", "pad_token_id": 0})
    assert found.state_bytes == 64 * 3 * 2 and list(found.kinds.values()) == [1, 0, 1]
    assert found.cache_bytes(7) == 7 * 2 * 2 * 16 * 2


def test_lists_say_layer_by_layer_what_a_number_says_of_them():
    fields = {**TEXT, "model_type": "glm_moe_dsa"}
    latent = {"kv_lora_rank": 16, "q_lora_rank": 32, "qk_rope_head_dim": 8, "v_head_dim": 32}
    latent |= {"qk_nope_head_dim": 24, "index_topk": 8, "index_head_dim": 16, "index_n_heads": 2}
    experts = {"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48}
    types = {"indexer_types": ["full", "shared"], "index_topk_freq": 7, "pad_token_id": 0}
    found = measure({**fields, **latent, **experts, **types, "num_key_value_heads": 4})
    assert found.cache_bytes(1) == 2 * 2 * (16 + 8) + 2 * 16  # one of two keeps index keys
