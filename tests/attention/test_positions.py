"""sinusoidal_positions, rotary_embedding and its frequencies, alibi_bias, T5's buckets."""

import math

import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st

from course_lib import alibi_bias, rotary_embedding, sinusoidal_positions
from course_lib.gate.positions import rotary_frequencies
from course_lib.transformer.positions import relative_position_bucket
from course_lib.transformer.stretched import (
    interpolated_frequencies,
    ntk_base,
    partial_frequencies,
    yarn_frequencies,
)


@given(st.integers(0, 40), st.integers(1, 9))
def test_sinusoids_follow_the_formula(length, d_model):
    table = sinusoidal_positions(length, d_model)
    assert table.shape == (length, d_model) and table.dtype == torch.float32
    for t in range(length):
        for i in range(d_model):
            angle = t / 10000 ** ((i - i % 2) / d_model)
            assert abs(table[t, i] - (math.cos(angle) if i % 2 else math.sin(angle))) < 1e-6


def test_far_positions_keep_their_digits():
    assert abs(sinusoidal_positions(100_001, 2)[-1, 0] - math.sin(100_000)) < 1e-6


@given(st.integers(0, 9), st.integers(0, 40), st.integers(1, 9))
def test_sinusoids_may_start_later(length, start, d_model):
    later = sinusoidal_positions(length, d_model, start=start)
    assert torch.equal(later, sinusoidal_positions(start + length, d_model)[start:])


def test_rotary_turns_each_pair():
    x = torch.randn(3, 4, dtype=torch.float64)
    turned = torch.view_as_complex(x.view(3, 2, 2)) * torch.polar(
        torch.ones((), dtype=torch.float64),
        torch.arange(3.0, dtype=torch.float64)[:, None] / torch.tensor([1.0, 100.0]).double(),
    )
    equal(rotary_embedding(x), torch.view_as_real(turned).flatten(-2))


def test_rotary_positions_may_continue_a_cache_or_differ_per_sentence(device):
    x = torch.randn(2, 5, 6, device=device, dtype=torch.float64)
    equal(rotary_embedding(x)[:, 3:], rotary_embedding(x[:, 3:], torch.arange(3, 5, device=device)))
    positions = torch.tensor([[0, 1, 2, 3, 4], [9, 8, 7, 6, 5]], device=device)
    equal(rotary_embedding(x, positions)[1], rotary_embedding(x[1], positions[1]))
    equal(rotary_embedding(x).norm(dim=-1), x.norm(dim=-1))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_rotary_turns_in_float32(dtype):
    x, far = torch.randn(3, 64).to(dtype), torch.tensor([0, 1000, 20_000])
    turned = rotary_embedding(x, far)
    assert turned.dtype == dtype
    assert torch.equal(turned, rotary_embedding(x.float(), far).to(dtype))
    exact = rotary_embedding(x.double(), far)
    assert (turned.double() - exact).abs().max() <= 2 * torch.finfo(dtype).eps * x.abs().max()


def test_the_base_and_the_factor():
    x, positions = torch.randn(4, 6, dtype=torch.float64), torch.arange(4)
    stretched = rotary_embedding(x, 4 * positions, factor=4.0)
    equal(stretched, rotary_embedding(x))
    equal(rotary_embedding(x, factor=4.0), rotary_embedding(x, positions / 4))
    other = rotary_embedding(x, base=500_000.0)
    assert not torch.allclose(other, rotary_embedding(x))
    equal(other, rotary_embedding(x, frequencies=rotary_frequencies(6, 500_000.0)))
    equal(rotary_embedding(x, factor=8.0), turned_by(x, interpolated_frequencies(6, 8.0)))


def turned_by(x, frequencies):
    return rotary_embedding(x, frequencies=frequencies)


def test_ntk_keeps_the_fastest_pair_and_slows_the_slowest_by_the_factor():
    assert ntk_base(128, 4.0) == pytest.approx(40_890, abs=1)
    before, after = rotary_frequencies(64), rotary_frequencies(64, ntk_base(64, 16.0))
    assert after[0] == before[0] == 1
    assert after[-1] == pytest.approx(before[-1].item() / 16)


def test_yarn_leaves_fast_pairs_and_interpolates_slow_ones():
    theta, yarn = rotary_frequencies(128), yarn_frequencies(128, 16.0, 4096)
    turns = 4096 * theta / (2 * math.pi)
    equal(yarn[turns >= 32], theta[turns >= 32])
    equal(yarn[turns <= 1], theta[turns <= 1] / 16)
    between = (turns > 1) & (turns < 32)
    assert ((yarn < theta) & (yarn > theta / 16))[between].all() and between.sum() > 20
    assert (turns <= 1).sum() == 18  # of 64: what the tables for a base of 10,000 say
    equal(yarn_frequencies(128, 1.0, 4096), theta)


def test_no_default_device_and_no_float64_from_outside():
    torch.set_default_device("meta")
    try:
        x = torch.ones(2, 4, device="cpu")
        assert rotary_embedding(x).device.type == "cpu"
        assert sinusoidal_positions(3, 4, device="cpu").device.type == "cpu"
        assert sinusoidal_positions(3, 4).device.type == "meta"
    finally:
        torch.set_default_device(None)


def test_alibi_is_a_slope_per_head():
    bias = alibi_bias(8, 3, 5)
    assert bias.shape == (8, 3, 5) and bias.dtype == torch.float32
    for h in range(8):
        for t in range(3):
            for s in range(5):
                assert bias[h, t, s] == -(2.0 ** -(h + 1)) * abs(s - (t + 2))


def test_alibi_with_heads_that_are_no_power_of_two():
    slopes = -alibi_bias(6, 1, 2)[:, 0, 0]
    expected = [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]  # 4 heads, then every second of 8
    assert slopes.tolist() == expected


def buckets(relative, **settings):
    return relative_position_bucket(torch.tensor(relative), **settings).tolist()


def test_t5_buckets_of_an_encoder():
    """Distances 0–7 alone, then 8–11, 12–15, 16–22, 23–31, 32–45, 46–63, 64–90, 91 and beyond."""
    edges = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    assert buckets([-e for e in edges]) == list(range(16))
    assert buckets([1 - e for e in edges[1:]]) == list(range(15))
    assert buckets(edges[1:]) == list(range(17, 32))  # the keys on the right have their own
    assert buckets([-5000, 5000]) == [15, 31]


def test_t5_buckets_of_a_decoder():
    assert buckets([0, -1, -15, 7, 300], bidirectional=False) == [0, 1, 15, 0, 0]
    assert buckets([-112, -113, -9999], bidirectional=False) == [30, 31, 31]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: sinusoidal_positions(-1, 4), "-1"),
        (lambda: sinusoidal_positions(3, 0), "d_model"),
        (lambda: sinusoidal_positions(3, 4, start=-2), "-2"),
        (lambda: rotary_embedding(torch.ones(3, 5)), r"even.*\(3, 5\)"),
        (lambda: rotary_embedding(torch.ones(3, 4), torch.arange(2)), r"\(2,\).*\(3, 4\)"),
        (
            lambda: rotary_embedding(torch.ones(3, 4), base=0.0),
            r"base must be .* above 0, got 0\.0",
        ),
        (lambda: rotary_embedding(torch.ones(3, 4), factor=-1.0), "-1.0"),
        (lambda: turned_by(torch.ones(3, 4), torch.ones(4)), r"\(2,\).*\(3, 4\).*\(4,\)"),
        (lambda: yarn_frequencies(8, 0.0, 64), "factor"),
        (lambda: ntk_base(2, 4.0), "at least 4"),
        (lambda: buckets([1], num_buckets=2), "at least 4"),
        (lambda: alibi_bias(0, 3), "num_heads"),
        (lambda: alibi_bias(2, -3), "-3"),
    ],
)
def test_bad_sizes(make, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("x, positions", [(torch.ones(2, 4), [0, 1]), ([[1.0, 2.0]], None)])
def test_what_is_no_tensor_gets_a_sentence(x, positions, as_a_user):
    with pytest.raises(TypeError, match=r"must be a (torch.Tensor|tensor or the first).*list"):
        rotary_embedding(x, positions)


@pytest.mark.parametrize(("d", "base"), [(128, 10000.0), (64, 1e6)])
def test_yarns_two_ramps_agree_at_the_ends_and_differ_between(d, base):
    turns, pairs = (
        yarn_frequencies(d, 4.0, 4096, base=base, ramp=ramp) for ramp in ("turns", "pairs")
    )
    theta = rotary_frequencies(d, base)
    made = 4096 * theta / (2 * math.pi)
    fast, slow = made > 40, made < 0.8
    for found in (turns, pairs):
        torch.testing.assert_close(found[fast], theta[fast])
        torch.testing.assert_close(found[slow], theta[slow] / 4)
    assert (turns / pairs - 1).abs().max() > 0.2
    # Along the second ramp, the share that is kept falls by the same from pair to pair.
    kept = (pairs / theta - 1 / 4) / (1 - 1 / 4)
    steps = kept.diff()[(kept[:-1] < 1) & (kept[1:] > 0)][1:-1]
    torch.testing.assert_close(steps, steps[:1].expand_as(steps))


@pytest.mark.parametrize(("d", "base"), [(128, 10000.0), (64, 1e6), (80, 5e5)])
@pytest.mark.parametrize("factor", [1.5, 4.0, 32.0])
@pytest.mark.parametrize("length", [2048, 4096, 32768])
def test_the_ramp_along_pairs_is_that_of_transformers(d, base, factor, length):
    pytest.importorskip("transformers")
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    stated = {"rope_type": "yarn", "rope_theta": base, "factor": factor}
    stated["original_max_position_embeddings"] = length
    config = LlamaConfig(
        hidden_size=d, num_attention_heads=1, num_key_value_heads=1, head_dim=d,
        max_position_embeddings=int(length * factor), rope_parameters=stated,
    )  # fmt: skip
    theirs, temperature = ROPE_INIT_FUNCTIONS["yarn"](config, "cpu")
    pairs, turns = (
        yarn_frequencies(d, factor, length, base=base, ramp=ramp) for ramp in ("pairs", "turns")
    )
    torch.testing.assert_close(pairs.float(), theirs, rtol=2e-6, atol=0)
    assert temperature == pytest.approx(0.1 * math.log(factor) + 1)  # as the head of the file says
    # The paper's ramp has the same ends, and falls sooner between: r falls geometrically.
    made = length * rotary_frequencies(d, base) / (2 * math.pi)
    outside = (made >= 64) | (made <= 0.5)
    torch.testing.assert_close(turns[outside].float(), theirs[outside], rtol=2e-6, atol=0)
    assert (turns.float() / theirs).min() < 0.95


@given(half=st.integers(0, 4), others=st.integers(0, 4), first=st.integers(0, 99))
def test_partial_angles_turn_the_first_features_as_if_alone(half, others, first):
    x, r = torch.randn(2, 3, 2 * (half + others), dtype=torch.float64), 2 * half
    found = rotary_embedding(x, first, frequencies=partial_frequencies(x.shape[-1], r))
    alone = rotary_embedding(x[..., :r], first)
    torch.testing.assert_close(found, torch.cat([alone, x[..., r:]], -1))


@pytest.mark.parametrize(("d", "r"), [(5, 2), (6, 3), (4, 6)])
def test_partial_angles_come_in_pairs(d, r):
    with pytest.raises(ValueError, match=f"even, and rotary_dim at most d, got {d} and {r}"):
        partial_frequencies(d, r)
