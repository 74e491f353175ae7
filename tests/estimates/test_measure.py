"""`measure` on released files, on wrong ones, and against the arithmetic of `read_config`."""

import json

import pytest

from book.helpers.configurations import measured, models_of_2026, released_models
from course_lib.estimates import (
    kv_cache_bytes,
    measure,
    parameter_count,
    read_config,
    state_bytes,
)
from course_lib.estimates.size_names import NEEDED

pytest.importorskip("transformers")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # of the library, at import
MODELS = released_models()
SMALL = {
    "model_type": "qwen3_moe",
    "architectures": ["Qwen3MoeForCausalLM"],
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "intermediate_size": 96,
    "moe_intermediate_size": 48,
    "num_experts": 8,
    "num_experts_per_tok": 2,
    "decoder_sparse_step": 1,
    "vocab_size": 100,
    "tie_word_embeddings": False,
    "dtype": "bfloat16",
}
DAILY = ["gpt-oss 20b", "DeepSeek-V3", "Qwen3.5 27B", "Gemma 2 9B", "GLM-5"]


def agree(name: str) -> None:
    fields = MODELS[name].fields
    built, (ruled, _) = measure(fields), read_config(fields)
    assert parameter_count(ruled) == pytest.approx(built.parameters, rel=2e-3)
    for length in (1, 100, 5_000, 131_072):
        assert kv_cache_bytes(ruled, length, 3) == built.cache_bytes(length, 3)
    assert state_bytes(ruled) == pytest.approx(built.state_bytes, rel=0.03)
    full, window, state = built.kinds.values()
    assert (ruled.global_layers, ruled.n_local, ruled.state_layers) == (full, window, state)


@pytest.mark.parametrize("name", DAILY)
def test_prediction_by_rule_and_check_by_construction_agree(name):
    agree(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(set(MODELS) - set(DAILY)))
def test_all_of_the_table_agree(name):
    agree(name)


def built_as_counted(name: str) -> None:
    model = models_of_2026()[name]
    assert measured(model.fields, bits=model.whole) == model.counts


@pytest.mark.parametrize("name", ["MiniMax-M3", "Mistral Small 4 119B"])
def test_a_class_of_2026_has_the_counts_of_the_table(name):
    built_as_counted(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(models_of_2026()))
def test_every_class_of_2026_has_the_counts_of_the_table(name):
    built_as_counted(name)


def test_parts_and_bytes_by_hand():
    found = measure(SMALL)
    attention = 64 * 32 * (2 * 4 + 2 * 2) + 2 * 32
    experts, router, norms = 8 * 3 * 64 * 48, 64 * 8, 2 * 64
    layers = 2 * (attention + experts + router + norms)
    assert found.parameters == layers + 2 * 100 * 64 + 64
    assert found.by_part["experts"] == 2 * experts and found.experts == (8, 2)
    assert found.active == found.parameters - 100 * 64 - 2 * experts * 6 // 8
    assert found.cache_bytes(10, batch=3) == 3 * 10 * 2 * 2 * 2 * 32 * 2
    assert found.weight_bytes == 2 * found.parameters
    assert found.read_bytes + found.expert_bytes + 2 * 100 * 64 == found.weight_bytes
    assert found.certain and not found.unread and found.state_bytes == 0


def test_a_window_counts_no_more_than_it_keeps():
    fields = {k: v for k, v in SMALL.items() if "expert" not in k and k[:3] != "moe"}
    fields |= {
        "model_type": "mistral",
        "architectures": ["MistralForCausalLM"],
        "sliding_window": 9,
    }
    found = measure(fields)
    token = 2 * 2 * 2 * 32 * 2
    assert [found.cache_bytes(n) for n in (1, 9, 10, 1000)] == [token, *[9 * token] * 3]


@pytest.mark.parametrize(
    ("quantization", "matrices", "label"),
    [
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, None, "8 bits (fp8, blocks"),
        ({"quant_method": "mxfp4"}, 4.25, "4.25 bits (mxfp4)"),
        ({"quant_algo": "NVFP4", "quant_method": "modelopt"}, 4.5, "4.5 bits (nvfp4)"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, 4.15625, "4.156 bits (gptq)"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, 4.5, "4.5 bits (bitsandbytes)"),
        (
            {
                "quant_method": "compressed-tensors",
                "format": "pack-quantized",
                "config_groups": {
                    "a": {"weights": {"num_bits": 4, "group_size": 32, "type": "int"}}
                },
            },
            4.5,
            "4.5 bits (pack-quantized)",
        ),
    ],
)
def test_bits_of_a_weight(quantization, matrices, label):
    found = measure(SMALL | {"quantization_config": quantization})
    layer = 64 * 32 * (2 * 4 + 2 * 2) + 8 * 3 * 64 * 48
    packed = next(size for name, size in found.stored.items() if name.startswith(label))
    if matrices is not None:
        assert packed == 2 * layer * matrices / 8
    assert found.stored["16 bits"] == 2 * (found.parameters - 2 * layer)
    assert found.weight_bytes == packed + found.stored["16 bits"]


@pytest.mark.parametrize("pattern", ["*self_attn*", "re:.*self_attn.*", "model.layers.*.self_attn"])
def test_what_is_left_out_of_the_quantization(pattern):
    quantization = {"quant_method": "mxfp4", "modules_to_not_convert": [pattern]}
    packed = measure(SMALL | {"quantization_config": quantization}).stored["4.25 bits (mxfp4)"]
    assert packed == 2 * 8 * 3 * 64 * 48 * 4.25 / 8


def test_a_file_beside_says_how_weights_are_stored(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(SMALL))
    plain = measure(tmp_path).weight_bytes
    said = {"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8"}}
    (tmp_path / "hf_quant_config.json").write_text(json.dumps(said))
    assert measure(tmp_path / "config.json").weight_bytes < 0.6 * plain


def test_an_unknown_method_is_said():
    found = measure(SMALL | {"quantization_config": {"quant_method": "tomorrow"}})
    assert not found.certain and "'tomorrow' of quantization_config is not known" in found.notes[-1]


def test_the_experts_of_deepseek_have_a_field_of_their_own():
    said = {"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}
    assert "4.25 bits (mxfp4)" in measure(SMALL | said | {"expert_dtype": "fp4"}).stored


SIZES = sorted(k for k in SMALL if k not in ("model_type", "architectures", "dtype"))
TYPOS = [
    lambda name: name[:-1],
    lambda name: name + "s",
    lambda name: name[:3] + name[4:],
    lambda name: name[:4] + name[3:],
    lambda name: name[:2] + name[3] + name[2] + name[4:],
    lambda name: name.replace("_", "-"),
    str.upper,
]


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("typo", range(len(TYPOS)))
def test_a_misspelled_size_is_refused_by_name(name, typo):
    wrong = TYPOS[typo](name)
    fields = {wrong if k == name else k: v for k, v in SMALL.items()}
    if wrong == name:
        pytest.skip("no other spelling")
    with pytest.raises(ValueError, match=name):
        measure(fields)


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_size_is_refused_by_name(name):
    with pytest.raises(ValueError, match=f"{name} is missing: the library would fill in"):
        measure({k: v for k, v in SMALL.items() if k != name})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hidden_size": "64"}, "hidden_size is '64', a text: a number is needed"),
        ({"hidden_size": 64.5}, "hidden_size is 64.5: a whole number is needed"),
        ({"num_hidden_layers": True}, "num_hidden_layers is True: a whole number"),
        ({"num_hidden_layers": -1}, "num_hidden_layers is -1: at least 1"),
        ({"num_hidden_layers": 10**8}, "no model is as large as that"),
        ({"num_key_value_heads": 3}, "num_key_value_heads is 3 and does not divide"),
        ({"num_experts_per_tok": 9}, "num_experts_per_tok is 9, more than num_experts, 8"),
        ({"routed_expert_hidden_size": 37}, "routed_expert_hidden_size: stated in the file, and"),
        ({"model_type": "qwen3_mo"}, "The nearest name is 'qwen3_moe'"),
        ({"model_type": None}, "model_type None is not a class of transformers"),
        ({"model_type": "new", "auto_map": {"AutoConfig": "evil.Config"}}, "brings its own code"),
    ],
)
def test_numbers_for_another_model_are_never_given(change, words):
    with pytest.raises(ValueError, match=words):
        measure(SMALL | change)


def test_a_reader_may_know_better():
    found = measure(
        SMALL | {"routed_expert_hidden_size": 37}, accept=("routed_expert_hidden_size",)
    )
    assert found.parameters == measure(SMALL).parameters
    assert found.unread == ("routed_expert_hidden_size",)


def test_a_size_that_changes_nothing_is_said():
    found = measure(SMALL | {"swa_value_dim": 48})  # a number of the model, under another name
    assert found.unread == ("swa_value_dim",) and not found.certain
    assert "Stated and without effect on the class: swa_value_dim." in found.notes


def test_an_unknown_type_may_be_built_as_one_that_it_follows():
    found = measure(SMALL | {"model_type": "mine"}, as_type="qwen3_moe")
    assert found.parameters == measure(SMALL).parameters and "mine is built as" in found.notes[0]
    assert not found.certain, "whether it follows that class, the file does not say"
    with pytest.raises(ValueError, match="as_type 'mine' is no type of the library"):
        measure(SMALL, as_type="mine")


def test_tables_may_be_tied_outside_of_the_part_for_text():
    inner = {k: v for k, v in SMALL.items() if k != "tie_word_embeddings"}
    outer = {"model_type": "tomorrow", "text_config": inner}
    tied, apart = (measure(outer | {"tie_word_embeddings": t}) for t in (True, False))
    assert apart.parameters - tied.parameters == 100 * 64
    assert not tied.certain and "text_config alone was built" in tied.notes[0]


def test_an_encoder_keeps_nothing_and_a_decoder_beside_one_keeps_its_own():
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 90}
    encoder = measure({"model_type": "bert", "architectures": ["BertModel"], **sizes})
    assert encoder.cache_bytes(100) == 0 and encoder.layers == ()
    t5 = {"d_model": 64, "num_layers": 2, "num_heads": 4, "d_kv": 16, "vocab_size": 90}
    both = measure({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], **t5})
    assert both.cache_bytes(1) == 2 * 2 * 4 * 16 * 2
    assert not both.certain and "makes of the source are not counted" in both.notes[0]


def test_without_the_library_the_arithmetic_remains(monkeypatch):
    monkeypatch.setattr("course_lib.estimates.measuring.find_spec", lambda _: None)
    fields = MODELS["gpt-oss 20b"].fields
    found = measure(fields)
    config, _ = read_config(fields)
    assert found.parameters == parameter_count(config) and not found.certain
    assert found.cache_bytes(5_000) == kv_cache_bytes(config, 5_000)
    assert found.notes[0].startswith("transformers is not installed: counted by rule")
    assert found.weight_bytes == pytest.approx(13.76e9, rel=0.01)


FALCON = {
    "model_type": "falcon", "architectures": ["FalconForCausalLM"], "num_hidden_layers": 2,
    "parallel_attn": True, "bias": False, "alibi": False, "vocab_size": 64,
}  # fmt: skip


@pytest.mark.parametrize(("new", "multi_query"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(("heads", "kv", "d"), [(8, 2, 64), (8, 8, 32), (6, 1, 16)])
def test_falcon_keeps_the_heads_that_it_makes(new, multi_query, heads, kv, d):
    """The newer class copies them to as many as there are queries' before it keeps them."""
    sizes = {"hidden_size": heads * d, "num_attention_heads": heads, "num_kv_heads": kv}
    kind = {"new_decoder_architecture": new, "multi_query": multi_query}
    found = measure(FALCON | sizes | kind)
    kept = kv if new else 1
    assert found.cache_bytes(300) == 2 * 2 * kept * d * 2 * 300
    assert found.certain and {x.heads for x in found.layers} == {kept}
    said = any(f"copies {kv} KV heads to {heads}" in note for note in found.notes)
    assert said == (new and kv < heads)


def test_a_class_that_keeps_more_heads_than_are_stated_is_not_certain():
    """As Falcon's would be, if it were another's."""
    from course_lib.estimates.cache_by_running import Layer, as_stated

    class Config:
        model_type, num_key_value_heads, num_attention_heads = "another", 2, 8

        def get_text_config(self, decoder):
            return self

    layers = (Layer(1, 10, 0, 0, None, 8),)
    kept, note, certain = as_stated(layers, Config())
    assert kept == layers and not certain and "8 heads, and the file states 2 KV heads" in note


@pytest.mark.parametrize(
    ("others", "certain"),
    [
        ({}, False),  # six: neither what is stated nor a copy for each of the eight queries
        ({"swa_num_key_value_heads": 6}, True),
        ({"num_key_value_heads_per_layer": [2, 6]}, True),
    ],
)
def test_more_heads_are_certain_where_the_file_states_them_of_some_layers(others, certain):
    from types import SimpleNamespace

    from course_lib.estimates.cache_by_running import Layer, as_stated

    sizes = {"model_type": "another", "num_key_value_heads": 2, "num_attention_heads": 8}
    text = SimpleNamespace(**sizes, **others)
    config = SimpleNamespace(get_text_config=lambda decoder: text)
    kept, note, sure = as_stated((Layer(1, 10, 0, 0, None, 6),), config)
    assert kept[0].heads == 6 and sure == certain and bool(note) != certain
