"""sinusoidal_positions, rotary_embedding, alibi_bias."""

import math

import pytest
import torch
from attention_variants import equal
from hypothesis import given
from hypothesis import strategies as st

from course_lib import alibi_bias, rotary_embedding, sinusoidal_positions


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


def test_a_step_is_a_rotation_whatever_the_position():
    table = sinusoidal_positions(50, 16).double()
    products = table @ table.T
    for offset in (0, 1, 7):
        diagonal = products.diagonal(offset)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), rtol=0, atol=1e-5)


def test_rotary_turns_each_pair():
    x = torch.randn(3, 4, dtype=torch.float64)
    turned = torch.view_as_complex(x.view(3, 2, 2)) * torch.polar(
        torch.ones((), dtype=torch.float64),
        torch.arange(3.0, dtype=torch.float64)[:, None] / torch.tensor([1.0, 100.0]).double(),
    )
    equal(rotary_embedding(x), torch.view_as_real(turned).flatten(-2))


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_rotary_products_depend_on_the_distance_only(t, s, shift):
    query, key = torch.randn(2, 1, 8, dtype=torch.float64)

    def product(t, s):
        return (
            rotary_embedding(query, torch.tensor([t])) @ rotary_embedding(key, torch.tensor([s])).T
        )

    torch.testing.assert_close(product(t, s), product(t + shift, s + shift), rtol=0, atol=1e-10)


def test_rotary_positions_may_continue_a_cache_or_differ_per_sentence(device):
    x = torch.randn(2, 5, 6, device=device, dtype=torch.float64)
    equal(rotary_embedding(x)[:, 3:], rotary_embedding(x[:, 3:], torch.arange(3, 5, device=device)))
    positions = torch.tensor([[0, 1, 2, 3, 4], [9, 8, 7, 6, 5]], device=device)
    equal(rotary_embedding(x, positions)[1], rotary_embedding(x[1], positions[1]))
    equal(rotary_embedding(x).norm(dim=-1), x.norm(dim=-1))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_rotary_keeps_the_dtype(dtype):
    assert rotary_embedding(torch.randn(3, 4).to(dtype)).dtype == dtype


def test_rotary_gradients():
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(rotary_embedding, x)


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


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: sinusoidal_positions(-1, 4), "-1"),
        (lambda: sinusoidal_positions(3, 0), "d_model"),
        (lambda: sinusoidal_positions(3, 4, start=-2), "-2"),
        (lambda: rotary_embedding(torch.ones(3, 5)), r"even.*\(3, 5\)"),
        (lambda: rotary_embedding(torch.ones(3, 4), torch.arange(2)), r"\(2,\).*\(3, 4\)"),
        (lambda: alibi_bias(0, 3), "num_heads"),
        (lambda: alibi_bias(2, -3), "-3"),
    ],
)
def test_bad_sizes(make, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        make()
