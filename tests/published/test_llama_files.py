"""Any file of Llama's architecture: the logits of transformers' class, or a sentence."""

import gguf
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from course_lib.published.byte_pairs import byte_pair_tokenizer
from course_lib.published.gguf import GGUFFile
from course_lib.published.llama import config_of_file, language_model
from course_lib.transformer.stretched import llama3_frequencies, partial_frequencies

SIZES = {
    "vocab_size": 50, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5, "tie_word_embeddings": True, "attn_implementation": "eager",
}  # fmt: skip
PLACES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}  # fmt: skip
BASE = 10000.0
WHOLE = ("general.", "split.", "quantize.", "maker.", "clip.", "tokenizer.")  # not of Llama's


def reference(rope=None, **changed):
    """A small model of transformers' class, with random weights."""
    torch.manual_seed(0)
    rope = {"rope_type": "default", "rope_theta": BASE} | (rope or {})
    model = LlamaForCausalLM(LlamaConfig(**SIZES | changed, rope_parameters=rope)).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, 0.3, 0.3)
    return model


def tensors(model):
    """Its weights by the names of a file; pairs of features that turn together are neighbours."""
    config, found = model.config, {}
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    for name, weight in model.model.layers.state_dict().items():
        i, rest = name.split(".", 1)
        part, kind = rest.rsplit(".", 1)
        theirs = PLACES[part]
        if theirs in heads:
            weight = weight.unflatten(0, (heads[theirs], 2, -1)).transpose(1, 2).flatten(0, 2)
        found[f"blk.{i}.{theirs}.{kind}"] = weight
    found["token_embd.weight"] = model.model.embed_tokens.weight
    found["output_norm.weight"] = model.model.norm.weight
    if not config.tie_word_embeddings:
        found["output.weight"] = model.lm_head.weight
    return {name: weight.detach().numpy() for name, weight in found.items()}


def write(path, model, extra=None, header=None, without=(), kind=None, tokenizer=None):
    """A file of this model, and what is added to it, or left out."""
    config, out = model.config, gguf.GGUFWriter(str(path), "llama")
    said = {
        "embedding_length": config.hidden_size, "block_count": config.num_hidden_layers,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.key_length": config.head_dim, "attention.value_length": config.head_dim,
        "feed_forward_length": config.intermediate_size, "rope.freq_base": BASE,
        "context_length": 64, "attention.layer_norm_rms_epsilon": 1e-5, "vocab_size": 50,
    }  # fmt: skip
    for name, value in (said | (header or {})).items():
        if name not in without:
            put = {int: out.add_uint32, float: out.add_float32, str: out.add_string}
            put |= {bool: out.add_bool, list: out.add_array}
            whole = name.startswith(WHOLE)
            put[type(value)](name if whole else f"llama.{name}", value)
    for name, value in (tokenizer or {}).items():
        getattr(out, f"add_{name}")(*(value if isinstance(value, tuple) else [value]))
    for name, weight in (tensors(model) | (extra or {})).items():
        if name in without:
            continue
        if kind is None or weight.ndim == 1:
            out.add_tensor(name, weight)
        else:
            kinds = gguf.GGMLQuantizationType[kind]
            out.add_tensor(name, gguf.quantize(weight, kinds), raw_dtype=kinds)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return path


def assert_same_logits(path, theirs):
    tokens = torch.randint(50, (2, 40), generator=torch.Generator().manual_seed(1))
    ours = language_model(GGUFFile(path))
    with torch.no_grad():
        torch.testing.assert_close(ours(tokens)[0], theirs(tokens).logits, atol=2e-3, rtol=1e-4)
    return ours


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA3["original_max_position_embeddings"] = 16
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}
SCALED = {"rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 16}
WITHOUT = ("vocab_size", "attention.key_length", "attention.value_length", "rope.freq_base")


@pytest.mark.parametrize(
    ("changed", "options"),
    {
        "plain": ({}, {}),
        "a silent header": ({}, {"without": WITHOUT}),
        "the same in a list": ({}, {"header": {"attention.head_count_kv": [2, 2]}}),
        "an output matrix": ({"tie_word_embeddings": False}, {}),
        "biases": ({"attention_bias": True}, {}),
        "more biases": ({"mlp_bias": True, "attention_bias": True}, {}),
        "wide heads": ({"head_dim": 16}, {}),
        "linear": (
            {"rope": {"rope_type": "linear", "factor": 4.0}},
            {"header": SCALED | {"rope.scaling.type": "linear"}},
        ),
        "yarn": ({"rope": YARN}, {"header": SCALED | {"rope.scaling.type": "yarn"}}),
        "scaling that is off": ({}, {"header": SCALED | {"rope.scaling.type": "none"}}),
        "no experts": ({}, {"header": {"expert_count": 0, "attention.causal": True}}),
        "notes": ({}, {"header": {"general.author": "x", "quantize.imatrix.file": "x"}}),
    }.values(),
)  # fmt: skip
def test_the_logits_are_those_of_transformers(tmp_path, changed, options):
    theirs = reference(**changed)
    assert_same_logits(write(tmp_path / "tiny.gguf", theirs, **options), theirs)


def test_llama_3_with_all_that_it_has(tmp_path):
    theirs = reference(LLAMA3, head_dim=16, tie_word_embeddings=False, attention_bias=True)
    plain = BASE ** (-torch.arange(0, 16, 2) / 16)
    factors = (plain / theirs.model.rotary_emb.inv_freq).float().numpy()
    path = write(tmp_path / "tiny.gguf", theirs, {"rope_freqs.weight": factors})
    ours = assert_same_logits(path, theirs)
    assert not ours.config.tied and ours.config.head_dim == 16
    written = ours.generate(torch.tensor([[1, 2]]), 6)
    assert torch.equal(written, ours.generate(torch.tensor([[1, 2]]), 6, use_cache=False))


@pytest.mark.parametrize("kind", ["F16", "BF16", "Q8_0", "Q4_0", "Q4_1"])
def test_rounded_weights_are_read_as_they_are(tmp_path, kind):
    theirs = reference(tie_word_embeddings=False)
    path = write(tmp_path / "tiny.gguf", theirs, kind=kind)
    rounded = {}
    for tensor in gguf.GGUFReader(path).tensors:
        weights = gguf.dequantize(tensor.data, tensor.tensor_type)
        rounded[tensor.name] = torch.tensor(weights.astype(np.float32))
    model = language_model(GGUFFile(path))
    for name in ("token_embd.weight", "output.weight"):
        ours = {"token_embd.weight": model.embedding.tokens, "output.weight": model.output}[name]
        assert torch.equal(ours.weight, rounded[name])
    attention = model.stack.layers[1].self_attention
    assert torch.equal(attention.W_q.weight, rounded["blk.1.attn_q.weight"])


def test_only_the_first_features_turn(tmp_path):
    path = write(tmp_path / "tiny.gguf", reference(), header={"rope.dimension_count": 4})
    angles = language_model(GGUFFile(path)).stack.layers[0].self_attention.rotary_frequencies
    torch.testing.assert_close(angles, partial_frequencies(8, 4, base=BASE))


WIDE = np.ones((2, 2), np.float32)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"extra": {"blk.0.attn_q_norm.weight": WIDE}}, "has blk.0.attn_q_norm.weight, which"),
        ({"extra": {"blk.0.attn_norm.bias": WIDE[0]}}, "has blk.0.attn_norm.bias, which"),
        ({"extra": {"output.weight": WIDE}}, r"output.weight of .* shape \(2, 2\).* \(50, 32\)"),
        ({"extra": {"rope_freqs.weight": WIDE[0]}}, r"rope_freqs.weight .* says \(4,\)"),
        ({"without": ["blk.1.ffn_up.weight"]}, "lacks blk.1.ffn_up.weight"),
        ({"without": ["token_embd.weight"]}, "lacks token_embd.weight"),
        ({"header": {"block_count": 2**31}}, "has 2 layers .* says 2147483648"),
        ({"header": {"vocab_size": 60}}, r"token_embd.weight .* says \(60, 32\)"),
        ({"without": ["block_count", "context_length"]}, "llama.block_count, llama.context_length"),
        ({"header": {"logit_scale": 2.0}}, "llama.logit_scale = 2.0.*unknown here"),
        ({"header": {"expert_count": 8}}, "llama.expert_count = 8.*only 0 changes nothing"),
        ({"header": {"attention.sliding_window": 16}}, "llama.attention.sliding_window = 16"),
        ({"header": {"attention.causal": False}}, "llama.attention.causal = False"),
        ({"header": {"rope.scaling.type": "longrope"}}, "by 'longrope' .*none, linear, yarn"),
        ({"header": {"rope.scaling.factor": 0.0}}, "rope.scaling.factor.*above 0"),
        ({"header": {"rope.scaling.yarn_beta_fast": 16.0}}, "yarn_beta_fast = 16.0"),
        ({"header": {"attention.value_length": 4}}, "keys of 8 features and values of 4"),
        ({"header": {"rope.dimension_count": 16}}, "turns 16 of 8 features"),
        ({"header": {"feed_forward_length": [64, 32]}}, "layers that differ are not read"),
        ({"header": {"split.count": 3}}, "one of 3 parts"),
        ({"header": {"maker.note": "x", "clip.use_gelu": True}}, "has maker.note, clip.use_gelu"),
        ({"header": {"general.quantization_version": 3}}, "quantization_version = 3: read here"),
        ({"kind": "Q5_0"}, "is stored as Q5_0; read here are"),
    ],
)
def test_what_would_be_another_model_is_named(tmp_path, options, words):
    path = write(tmp_path / "mine.gguf", reference(), **options)
    with pytest.raises(ValueError, match=words) as caught:
        language_model(GGUFFile(path))
    assert "mine.gguf" in str(caught.value)


def test_a_reader_may_know_better(tmp_path):
    said = {"maker.note": "x", "logit_scale": 1.0}
    file = GGUFFile(write(tmp_path / "tiny.gguf", reference(), header=said))
    names = ("maker.note", "llama.logit_scale")
    assert language_model(file, accept=names).config == config_of_file(file, accept=names)
    with pytest.raises(ValueError, match=r"logit_scale = 1\.0, .*name it in accept="):
        language_model(file, accept=names[:1])


def test_another_architecture_is_named(tmp_path):
    out = gguf.GGUFWriter(str(tmp_path / "mine.gguf"), "qwen2")
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    with pytest.raises(ValueError, match=r"mine\.gguf is of the architecture 'qwen2'"):
        language_model(GGUFFile(tmp_path / "mine.gguf"))


@pytest.mark.parametrize(
    ("begins", "words"),
    [
        (b"", "is empty"),
        (b"<!doctype html><html>", "a web page"),
        (b"\n <html>", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        (b"\x08\x00\x00\x00tensors", "begins with"),
        (b"GGUF", "is not whole"),
    ],
)
def test_another_file_is_reported_by_its_name(tmp_path, begins, words):
    path = tmp_path / "mine.gguf"
    path.write_bytes(begins)
    with pytest.raises(ValueError, match=f"mine.gguf .*{words}"):
        GGUFFile(path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return write(tmp_path_factory.mktemp("whole") / "whole.gguf", reference()).read_bytes()


@given(share=st.floats(0, 1, exclude_max=True))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_a_file_that_was_cut_off_is_reported_by_its_name(tmp_path, whole, share):
    """The end of a file may be padding, which nothing needs."""
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[: int(share * (len(whole) - 32))])
    with pytest.raises(ValueError, match=r"cut\.gguf"):
        GGUFFile(path)


BYTES = [chr(i) for i in range(33, 127)] + ["Ġ"]
WORDS = [*BYTES, "Ġa", "12", "123", "<think>", "<|end|>", "<s>"]
NUMBER = {word: i for i, word in enumerate(WORDS)}
KINDS = [1] * (len(WORDS) - 3) + [4, 3, 3]
TOKENIZER = {
    "tokenizer_model": "gpt2", "tokenizer_pre": "smollm", "token_list": WORDS,
    "token_types": KINDS, "token_merges": ["Ġ a", "1 2", "12 3"],
}  # fmt: skip


LLAMA_3 = {"tokenizer_pre": "llama-bpe", "bos_token_id": NUMBER["<s>"]}


def tokens(tmp_path, text, split=None, **changed):
    said = {name: value for name, value in (TOKENIZER | changed).items() if value is not None}
    path = write(tmp_path / "mine.gguf", reference(), tokenizer=said)
    tokenizer = byte_pair_tokenizer(GGUFFile(path), split=split)
    return [WORDS[i] for i in tokenizer.encode(text).ids], tokenizer


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        ("x<think>12<|end|>", {}, ["x", "<think>", "1", "2", "<|end|>"]),
        ("1234 a", {"tokenizer_pre": "gpt-2"}, ["123", "4", "Ġa"]),
        ("12312", LLAMA_3, ["<s>", "123", "12"]),
        ("12", {"tokenizer_pre": "llama-bpe", "add_bos_token": False}, ["12"]),
        ("1", {"add_bos_token": True, "bos_token_id": NUMBER["<s>"]}, ["<s>", "1"]),
        ("1", {"add_eos_token": True, "eos_token_id": NUMBER["<|end|>"]}, ["1", "<|end|>"]),
        ("12 a", {"tokenizer_pre": "qwen2"}, ["1", "2", "Ġa"]),
        ("1", {"chat_template": "x", "pad_token_id": 1, "add_space_prefix": False}, ["1"]),
    ],
)  # fmt: skip
def test_a_text_is_split_as_the_file_says(tmp_path, text, changed, expected):
    found, tokenizer = tokens(tmp_path, text, **changed)
    assert found == expected
    ids = [NUMBER[word] for word in found if word not in ("<s>", "<|end|>")]
    assert tokenizer.decode(ids) == text.replace("<|end|>", "")


def test_what_a_user_types_may_be_kept_from_being_a_mark(tmp_path):
    found, tokenizer = tokens(tmp_path, "<|end|>")
    assert found == ["<|end|>"]
    tokenizer.encode_special_tokens = True
    assert tokenizer.encode("<|end|>").tokens == list("<|end|>")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"tokenizer_model": "llama"}, "is of the kind 'llama'"),
        ({"tokenizer_pre": "tekken"}, "splits by 'tekken' .*gpt-2, smollm, llama-bpe, qwen2"),
        ({"tokenizer_pre": None}, "does not say how it splits"),
        ({"split": "gpt-2"}, "says that its split is 'smollm'"),
        ({"token_types": [6, *KINDS[1:]]}, r"tokens of kind \[6\]"),
        ({"add_space_prefix": True}, "a space before each text"),
        ({"string": ("tokenizer.huggingface.json", "{}")}, r"says tokenizer\.huggingface\.json, "),
        ({"bool": ("tokenizer.ggml.remove_extra_whitespaces", True)}, "whitespaces = True"),
        ({"string": ("tokenizer.ggml.tomorrow", "x")}, r"says tokenizer\.ggml\.tomorrow, which"),
        ({"add_bos_token": True}, "lacks tokenizer.ggml.bos_token_id"),
        ({"token_merges": None}, "lacks tokenizer.ggml.merges"),
    ],
)
def test_a_tokenizer_that_is_not_read_is_named(tmp_path, changed, words):
    with pytest.raises(ValueError, match=words) as caught:
        tokens(tmp_path, "a", **changed)
    assert "mine.gguf" in str(caught.value)


def test_a_split_that_the_file_does_not_say_is_given(tmp_path):
    assert tokens(tmp_path, "123", "gpt-2", tokenizer_pre=None)[0] == ["123"]


@pytest.mark.parametrize("factor", [8.0, 32.0])
def test_llama_3_s_angles_are_those_of_its_class(factor):
    rope = {
        "rope_type": "llama3", "factor": factor, "original_max_position_embeddings": 8192,
        "low_freq_factor": 1.0, "high_freq_factor": 4.0, "rope_theta": 5e5,
    }  # fmt: skip
    config = LlamaConfig(hidden_size=128, num_attention_heads=1, rope_parameters=rope)
    theirs, _ = ROPE_INIT_FUNCTIONS["llama3"](config, "cpu")
    torch.testing.assert_close(llama3_frequencies(128, factor, 8192).float(), theirs)
