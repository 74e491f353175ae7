"""Arrays from elsewhere, empty chunks, padding on either side, other default dtypes, traces."""

import math

import numpy as np
import pytest
import torch

from course_lib import (
    KeyValueCache,
    LatentAttention,
    LuongAttention,
    MultiHeadAttention,
    masked_softmax,
    scaled_dot_product_attention,
    softmax,
)
from course_lib.gate.positions import alibi_bias
from course_lib.gate.softmax import online_softmax
from course_lib.transformer.positions import AlibiBias, relative_position_bucket


@pytest.mark.parametrize("f", [softmax, lambda s: masked_softmax(s, s > -9), online_softmax])
@pytest.mark.parametrize("dtype", [">f8", ">f4", "<f2", ">i4"])
def test_bytes_in_another_order(f, dtype):
    scores = np.array([[3, 1, 2], [0, 5, 5]]).astype(dtype)
    got = f(scores)
    np.testing.assert_allclose(got, f(scores.astype(float)), atol=1e-3)
    assert got.dtype == (scores.dtype if scores.dtype.kind == "f" else float)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (np.ma.masked_array([1.0, 2.0], [True, False]), "masked array"),
        (np.array([1.0, 2.0], np.longdouble), "wider than float64"),
        (np.array(["a"]), "real numbers"),
        (np.array([1j]), "real numbers"),
    ],
)
def test_arrays_that_have_no_softmax(scores, words, as_a_user):
    with pytest.raises(TypeError, match=words):
        softmax(scores)


def test_integers_keep_their_differences():
    scores = torch.tensor([2**24, 2**24 + 1, 2**40])
    mask = torch.tensor([True, True, False])
    expected = masked_softmax(scores.numpy(), mask.numpy())
    torch.testing.assert_close(masked_softmax(scores, mask), torch.tensor(expected).float())
    assert softmax(scores).dtype == torch.get_default_dtype()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("need_weights", [True, False])
def test_a_bias_that_is_not_finite_is_refused_on_both_paths(bad, need_weights, as_a_user):
    q, bias = torch.randn(1, 2, 3, 4), torch.zeros(3, 3)
    bias[1] = bad
    with pytest.raises(ValueError, match="score_bias must be finite"):
        scaled_dot_product_attention(q, q, q, score_bias=bias, need_weights=need_weights)
    with pytest.raises(ValueError, match="score_bias must be finite"):
        MultiHeadAttention(4, 2)(q[0], score_bias=bias, need_weights=need_weights)


@pytest.mark.parametrize("scope", ["global", "local-m", "local-p"])
@pytest.mark.parametrize("score", ["dot", "general", "concat"])
@pytest.mark.parametrize("step", [True, False])
def test_padding_on_either_side(scope, score, step):
    attention = LuongAttention(6, 6, score=score, scope=scope, window=2)
    keys, query = torch.randn(2, 4, 6), torch.randn(2, 3, 6)
    place = {"first_position": 1} if scope == "local-m" else {}
    query = query[:, 0] if step else query
    alone, weights = attention(query, keys, **place)
    for left in (0, 1, 3):
        junk = torch.randn(2, 3, 6)
        padded = torch.cat([junk[:, :left], keys, junk[:, left:]], 1)
        mask = torch.zeros(2, 1, 7, dtype=torch.bool)
        mask[..., left : left + 4] = True
        context, found = attention(query, padded, mask=mask, **place)
        torch.testing.assert_close(context, alone)
        torch.testing.assert_close(found[..., left : left + 4], weights)


@pytest.mark.parametrize("kind", ["plain", "rotary", "latent"])
@pytest.mark.parametrize("window", [None, 2])
def test_an_empty_chunk_beside_a_full_cache(kind, window):
    attention = MultiHeadAttention(8, 2, rotary_base=100.0 if kind == "rotary" else None)
    if kind == "latent":
        attention = LatentAttention(8, 2, latent_dim=4, rotary_dim=2)
    x, cache = torch.randn(2, 5, 8), KeyValueCache(window)
    attention(x, cache=cache, is_causal=True)
    out, _ = attention(x[:, :0], cache=cache, is_causal=True)
    assert out.shape == (2, 0, 8) and len(cache) == 5
    with pytest.raises(ValueError, match="no keys"):
        attention(x[:, :0])
    cache.reorder(torch.tensor([], dtype=torch.long))
    assert cache.keys.shape[0] == 0


def test_a_fixed_memory_takes_neither_key_nor_value(as_a_user):
    attention, x = MultiHeadAttention(8, 2), torch.randn(2, 3, 8)
    memory = attention.project_memory(x)
    for given in ({"key": x}, {"value": x}):
        with pytest.raises(ValueError, match="leave both out"):
            attention(x, **given, cache=memory)


@pytest.mark.parametrize("default", [torch.bfloat16, torch.float16, torch.float64])
def test_another_default_dtype_changes_no_position(default):
    distances = torch.arange(-2000, 2001)
    settings = [{"bidirectional": b, "max_distance": m} for b in (True, False) for m in (128, 900)]
    wanted = [relative_position_bucket(distances, **s) for s in settings]
    bias = alibi_bias(8, 1024)
    torch.set_default_dtype(default)
    try:
        found = [relative_position_bucket(distances, **s) for s in settings]
        half = AlibiBias(8)(1024, 1024, torch.zeros(1, dtype=default))
    finally:
        torch.set_default_dtype(torch.float32)
    assert all(torch.equal(a, b) for a, b in zip(wanted, found, strict=True))
    assert torch.equal(half, bias)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["plain", "grouped", "rotary", "latent"])
def test_jit_trace(kind, as_a_user):  # a trace has tensors for sizes, where annotations see none
    settings = {"grouped": {"num_kv_heads": 1}, "rotary": {"rotary_base": 100.0}}.get(kind, {})
    attention = MultiHeadAttention(8, 2, **settings).eval()
    if kind == "latent":
        attention = LatentAttention(8, 2, latent_dim=4, rotary_dim=2)
    x = torch.randn(2, 5, 8)
    traced = torch.jit.trace(attention, (x,))
    y = torch.randn(2, 5, 8)
    torch.testing.assert_close(traced(y)[0], attention(y)[0])
