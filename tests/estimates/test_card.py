"""The card, its command, and the sizes of groups that servers have."""

import json

import pytest

from course_lib.estimates.__main__ import main
from course_lib.estimates.card import as_text
from course_lib.estimates.groups import gpus_needed

SMALL = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 96,
    "vocab_size": 100,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}


@pytest.mark.parametrize(
    ("weights", "caches", "size"),
    [
        (99, [], 1),
        (101, [], 2),
        (301, [], 4),
        (401, [], 8),
        (801, [], 16),
        (1601, [], 24),
        (100, [(100, 8)], 2),
        (100, [(100, 1)], 0),  # a latent of 100 leaves no room on any
        (100, [(60, 1)], 4),
        (100, [(240, 2)], 0),
        (100, [(190, 2)], 24),
    ],
)
def test_a_group_is_one_that_servers_have(weights, caches, size):
    if size:
        assert gpus_needed(weights, caches, 100) == size
        return
    with pytest.raises(ValueError, match="No group of up to 1024 GPUs"):
        gpus_needed(weights, caches, 100)


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "config.json"
    found.write_text(json.dumps(SMALL))
    return str(found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_text_and_json_say_the_same(path, capsys):
    assert main([path, "--gpu", "rtx", "--context", "1000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    weights = 2 * (64 * 16 * 12 + 3 * 64 * 96 + 128) + 2 * 6400 + 64
    assert found["parameters"] == weights and found["weight_bytes"] == 2 * weights
    assert (
        found["cache_bytes"] == 1000 * found["cache_bytes_per_token"] == 1000 * 2 * 2 * 2 * 16 * 2
    )
    assert (found["gpu"], found["gpus"], found["layers"]["full"]) == ("RTX 4090", 1, 2)
    fetched = 2 * (weights - 6400)  # no table, which is looked up
    assert found["seconds_per_token"] == pytest.approx((fetched + found["cache_bytes"]) / 1.008e12)
    assert main([path, "--gpu", "rtx", "--context", "1000"]) == 0
    shown = capsys.readouterr().out
    assert "fits on   1 × RTX 4090" in shown and found["certain"] and "certain" not in shown
    assert "certain   no: see the notes" in as_text(found | {"certain": False})


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--gpu", "abacus"], "There is no GPU 'abacus' here, but A100 80 GB, H100"),
        (["--context", "0"], "context 0 and batch 1 must be at least 1"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_2(path, capsys, more, words):
    assert main([path, *more]) == 2
    assert words in capsys.readouterr().err


def test_a_file_that_is_none_is_a_sentence_and_2(tmp_path, capsys):
    assert main([str(tmp_path / "none.json")]) == 2
    assert "There is no file" in capsys.readouterr().err
