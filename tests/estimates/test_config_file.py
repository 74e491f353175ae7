"""Whatever stands where a config.json should: its fields, or a sentence that says what it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.estimates.config_file import read_fields

FIELDS = {"model_type": "llama", "hidden_size": 64, "layer_types": ["full"], "rope": {"a": 1.5}}


def refusal(tmp_path, content: bytes | str) -> str:
    path = tmp_path / "config.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError) as refused:
        read_fields(path)
    return str(refused.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "The file is empty"),
        (" \n", "The file is empty"),
        ("<!DOCTYPE html><html>", "This is a web page, not a config.json"),
        ("  <?xml version='1.0'?>", "This is a web page"),
        ("version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"),
        (b"GGUF\x03\x00", "This is a GGUF file"),
        (b"PK\x03\x04rest", "a zip archive"),
        (b"\x80\x02}q", "a pickle"),
        (b"\x10\x00\x00\x00\x00\x00\x00\x00" + b'{"__metadata__":{}}', "a safetensors file"),
        (b"\xff\xfe\xff\xff\x00\xd8", "This is no text"),
        ('{\n "a": 1,\n "b" 2}', "Not JSON: line 3, column 6"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "The file holds a list"),
        ("null", "The file holds a NoneType"),
        ("{}", "The file has no fields"),
        ('{"model_type": "llama", "hidden_size": 4, "hidden_size": 8}', "hidden_size stands twice"),
        ('{"peft_type": "LORA", "r": 8, "base_model_name_or_path": "a/b"}', "base model, 'a/b'"),
        ('{"_class_name": "UNet2DConditionModel"}', "This is a diffusers part"),
        ('{"dim": 4096, "n_layers": 32, "n_heads": 32}', "params.json of a maker's own code"),
        ('{"error": "Repository not found"}', "an error message of a server, not the file"),
        ('{"metadata": {}, "weight_map": {}}', "the index of the weights' files"),
        ('{"tokenizer_class": "X"}', "a tokenizer_config.json"),
        ('{"temperature": 0.6, "eos_token_id": 2}', "a generation_config.json"),
        ('{"producer": {}, "quantization": {}}', "an hf_quant_config.json"),
        ('{"hidden_size": 8}', "model_type is missing"),
    ],
)
def test_another_file_is_named(tmp_path, content, words):
    assert words in refusal(tmp_path, content)


def test_what_is_read(tmp_path):
    path = tmp_path / "config.json"
    for text in (json.dumps(FIELDS), "\ufeff" + json.dumps(FIELDS), json.dumps(FIELDS, indent=4)):
        path.write_text(text, encoding="utf-8")
        assert read_fields(path) == read_fields(str(path)) == read_fields(tmp_path) == FIELDS
    path.write_text('{"model_type": "nemotron_h", "limit": [0.0, Infinity]}')  # makers write it
    assert read_fields(path)["limit"][1] == float("inf")
    path.write_text('{"model_type": "mamba2", "limit": [0.0, {"__float__": "Infinity"}]}')
    assert read_fields(path)["limit"][1] == float("inf")


def test_no_file_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read_fields(tmp_path / "absent.json")


def test_every_cut_of_a_file_is_refused(tmp_path):
    whole = json.dumps(FIELDS, indent=1)
    for end in range(len(whole) - 1):
        said = refusal(tmp_path, whole[:end])
        assert said.startswith(("Not JSON: line", "The file is empty"))


@given(st.binary(max_size=60))
def test_any_bytes_give_fields_or_a_sentence(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("bytes") / "config.json"
    path.write_bytes(content)
    try:
        assert isinstance(read_fields(path), dict)
    except ValueError as refused:
        assert type(refused) is ValueError and len(str(refused)) > 20
