"""Each format as the format's own library reads it."""

import gguf
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.published.gguf import UNPACK, GGUFFile

SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 4).map(lambda blocks: 32 * blocks))


@pytest.mark.parametrize("name", sorted(UNPACK))
@given(shape=SHAPES, scale=st.floats(1e-3, 1e3), seed=st.integers(0, 99))
def test_equal_to_the_library(name, shape, scale, seed):
    weights = np.random.default_rng(seed).normal(0.3, scale, shape).astype(np.float32)
    weights[0, :32] = 0.0
    kind = gguf.GGMLQuantizationType[name]
    packed = gguf.quantize(weights, kind)
    ours = UNPACK[name](torch.from_numpy(packed)).numpy()
    np.testing.assert_array_equal(ours, gguf.dequantize(packed, kind))


@pytest.fixture
def small_file(tmp_path):
    """A file of three tensors in three formats, and the weights of each."""
    weights = np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64)
    writer = gguf.GGUFWriter(tmp_path / "small.gguf", "llama")
    writer.add_block_count(7)
    writer.add_token_list(["a", "b"])
    writer.add_tensor("plain", weights)
    for name in ("Q8_0", "Q5_0"):
        kind = gguf.GGMLQuantizationType[name]
        writer.add_tensor(name, gguf.quantize(weights, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tmp_path / "small.gguf", weights


def test_a_file_gives_its_fields_and_tensors(small_file):
    path, weights = small_file
    file = GGUFFile(path)
    assert file.field("llama.block_count") == 7
    assert file.field("tokenizer.ggml.tokens") == ["a", "b"]
    np.testing.assert_array_equal(file.tensor("plain").numpy(), weights)
    assert abs(file.tensor("Q8_0").numpy() - weights).max() < 1 / 127


def test_what_it_cannot_read_is_named(small_file):
    file = GGUFFile(small_file[0])
    with pytest.raises(ValueError, match=r"Q5_0 of .* as Q5_0; read here are F32, F16, BF16"):
        file.tensor("Q5_0")
    with pytest.raises(KeyError, match=r"no field 'llama.block_number'"):
        file.field("llama.block_number")
    with pytest.raises(KeyError, match=r"small.gguf has no tensor 'output.weight'; it has"):
        file.tensor("output.weight")
