"""What was imported from a path of before still is, and is what stands at the new one."""

import importlib
import pickle

import pytest

import course_lib
from course_lib.moved import MOVED

NAMES = {
    "attention.additive": "AdditiveAttention",
    "attention.arrays": "as_scores",
    "attention.cache": "KeyValueCache",
    "attention.decoder": "DecoderAttention",
    "attention.hard": "HardAttention sample_choice one_hot_argmax",
    "attention.latent": "LatentAttention",
    "attention.linear": "linear_attention delta_rule",
    "attention.luong": "LuongAttention",
    "attention.masks": "causal_mask padding_mask relative_positions token_positions",
    "attention.multi_head": "MultiHeadAttention",
    "attention.positions": "rotary_embedding rotary_frequencies sinusoids turned",
    "attention.precision": "product wide weighted_sum",
    "attention.scaled_dot_product": "attend scaled_dot_product_attention",
    "attention.scores": "dot_scores additive_scores",
    "attention.softmax": "softmax masked_softmax attention_weights",
    "arguments": "integer number flag one_of",
    "checks": "check_floating check_attention_inputs is_wrapped autocasts exact_dtype",
    "from_torch": "copy_weights",
    "given_layers": "matrix_of check_heads",
    "given_state": "keep_angles",
    "given_tensors": "check_positions check_generator check_weights check_scored",
}


def test_every_path_that_moved_is_listed_here():
    assert set(NAMES) | {"attention"} == set(MOVED)


@pytest.mark.parametrize("old", NAMES)
def test_an_old_path_has_its_names(old):
    module = importlib.import_module(f"course_lib.{old}")
    for name in NAMES[old].split():
        found = getattr(module, name)
        assert callable(found) and found.__module__ != f"course_lib.{old}"
        if name in course_lib.__all__:
            assert found is getattr(course_lib, name)
    with pytest.raises(ImportError):
        importlib.import_module(f"course_lib.{old}_2")


def test_a_module_of_an_old_package():
    from course_lib.attention import multi_head

    from course_lib.modules.multi_head import MultiHeadAttention

    assert multi_head.MultiHeadAttention is MultiHeadAttention
    old = b"ccourse_lib.attention.cache\nKeyValueCache\n."  # as a file of before says it
    assert pickle.loads(old) is course_lib.KeyValueCache
