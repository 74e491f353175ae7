"""causal_mask, window_mask, padding_mask."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import causal_mask, padding_mask, window_mask

lengths = st.integers(0, 9)


def test_the_pictures():
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(2, 4).int().tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert causal_mask(3, 2).int().tolist() == [[0, 0], [1, 0], [1, 1]]
    assert window_mask(3, 3, 1).int().tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    assert window_mask(2, 4, 1).int().tolist() == [[0, 1, 1, 1], [0, 0, 1, 1]]
    assert padding_mask([2, 0, 3]).int().tolist() == [[[1, 1, 0]], [[0, 0, 0]], [[1, 1, 1]]]


@given(lengths, lengths, st.integers(0, 4), st.integers(0, 4), st.booleans())
def test_the_formulas(T, S, window, sinks, is_causal):
    causal, near = causal_mask(T, S), window_mask(T, S, window, is_causal=is_causal, sinks=sinks)
    assert causal.shape == near.shape == (T, S) and causal.dtype == near.dtype == torch.bool
    for t in range(T):
        for s in range(S):
            place = t + S - T
            assert causal[t, s] == (s <= place)
            seen = abs(s - place) <= window or s < sinks
            assert near[t, s] == (seen and (s <= place or not is_causal))


@given(st.lists(lengths, min_size=1, max_size=5), st.integers(0, 3))
def test_padding_hides_the_rest(real, extra):
    mask = padding_mask(torch.tensor(real), max(real) + extra)
    assert mask.shape == (len(real), 1, max(real) + extra) and mask.dtype == torch.bool
    assert mask.sum(-1).flatten().tolist() == real
    assert (mask.int().diff(dim=-1) <= 0).all()  # the True ones stand first


def test_lengths_may_be_numbers_of_numpy():
    three, two = np.int64(3), np.int32(2)
    assert torch.equal(causal_mask(three, two), causal_mask(3, 2))
    assert torch.equal(window_mask(three, two, np.int64(1)), window_mask(3, 2, 1))
    assert torch.equal(padding_mask([1, 2], three), padding_mask([1, 2], 3))


def test_the_device_is_followed(device):
    assert causal_mask(2, device=device).device.type == device.type
    assert window_mask(2, 2, 1, device=device).device.type == device.type
    assert padding_mask(torch.tensor([1], device=device)).device.type == device.type


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: causal_mask(-1), ValueError, "n_queries.*-1"),
        (lambda: causal_mask(2, -3), ValueError, "n_keys.*-3"),
        (lambda: causal_mask(2.5), TypeError, "n_queries.*2.5"),
        (lambda: causal_mask(True), TypeError, "True"),
        (lambda: window_mask(2, 2, -1), ValueError, "window.*-1"),
        (lambda: padding_mask([3, 5], 4), ValueError, "max_length = 4.*3 to 5"),
        (lambda: padding_mask([-1]), ValueError, "-1"),
        (lambda: padding_mask([1.5]), TypeError, "float32"),
        (lambda: padding_mask([True]), TypeError, "bool"),
        (lambda: padding_mask([]), ValueError, r"B ≥ 1, got \(0,\)"),
        (lambda: padding_mask(torch.ones(2, 2, dtype=torch.int64)), ValueError, r"\(2, 2\)"),
    ],
)
def test_bad_sizes(make, error, words, as_a_user):
    with pytest.raises(error, match=words):
        make()
