"""Times that are known, times read from a map, and heads that find nothing."""

import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from whisper_reference import small_model

from course_lib.published.voices import Recording
from course_lib.published.word_times import (
    monotone_columns,
    over_words,
    peak_columns,
    pieces_of_words,
    put_together,
    seconds,
    share_inside,
    silenced,
    without_edges,
)

RATE = 8000


def word(value: float, length: int, edge: int = 4000) -> Recording:
    """A loud stretch of `length` samples with quiet before and behind it."""
    samples = torch.full((length + 2 * edge,), 0.001)
    samples[edge : edge + length] = value
    return Recording("digits/1", "one", samples, RATE, "nobody", "none")


def test_quiet_edges_are_cut_off():
    found = without_edges(word(0.5, 800).samples, RATE)
    assert len(found) == 800 + 2 * RATE // 50 - 1
    assert len(without_edges(word(0.5, 800, edge=0).samples, RATE)) == 800


@pytest.mark.parametrize("gap", [0.0, 0.25, [0.25, 0.0, 9.0]])
def test_words_are_where_their_times_say(gap):
    words = [word(0.25, 800), word(0.5, 1600), word(0.75, 2400)]
    samples, rate, times = put_together(words, gap)
    assert rate == RATE and len(samples) == round(times[-1][1] * RATE)
    for one, (begin, end) in zip(words, times, strict=True):
        part = samples[round(begin * RATE) : round(end * RATE)]
        assert torch.equal(part, without_edges(one.samples, RATE))
    first = gap[0] if isinstance(gap, list) else gap
    assert times[0][0] == 0 and times[1][0] - times[0][1] == pytest.approx(first)
    if first:
        assert not samples[round(times[0][1] * RATE) : round(times[1][0] * RATE)].any()


def test_what_cannot_be_put_together_is_named():
    with pytest.raises(ValueError, match=r"of one rate are put together, got rates \[\]"):
        put_together([])
    with pytest.raises(ValueError, match=r"got rates \[8000, 16000\]"):
        put_together([word(0.5, 9), word(0.5, 9)._replace(rate=16_000)])
    with pytest.raises(ValueError, match="got 1 gaps for 2 recordings"):
        put_together([word(0.5, 9)] * 2, [0.1])


def by_trying_all(weights: torch.Tensor) -> float:
    """The most weight that a path without a step back collects."""
    T, S = weights.shape
    paths = itertools.combinations_with_replacement(range(S), T)
    return max(sum(float(weights[t, j]) for t, j in enumerate(path)) for path in paths)


@given(T=st.integers(1, 4), S=st.integers(1, 5), seed=st.integers(0, 99))
def test_no_path_without_a_step_back_has_more_weight(T, S, seed):
    weights = torch.rand(2, T, S, generator=torch.Generator().manual_seed(seed))
    path = monotone_columns(weights)
    assert path.shape == (2, T) and (path.diff(dim=-1) >= 0).all()
    collected = weights.gather(-1, path[..., None])[..., 0].sum(-1)
    expected = torch.tensor([by_trying_all(one) for one in weights])
    torch.testing.assert_close(collected, expected)


def test_where_peaks_are_in_order_the_path_is_the_peaks():
    weights = torch.zeros(1, 4, 8)
    weights[0, range(4), range(0, 8, 2)] = 1.0
    assert torch.equal(monotone_columns(weights), peak_columns(weights))
    assert monotone_columns(weights).tolist() == [[0, 2, 4, 6]]


def test_a_time_inside_its_word_is_counted():
    times = seconds(torch.tensor([[0, 10, 20], [0, 5, 14]]))
    torch.testing.assert_close(times[0], torch.tensor([0.01, 0.21, 0.41]))
    shares = share_inside(times, [(0.0, 0.1), (0.1, 0.2), (0.29, 0.41)])
    torch.testing.assert_close(shares, torch.tensor([1 / 3, 1.0]))


def test_the_rows_of_a_word_are_averaged():
    weights = torch.rand(2, 4, 6).softmax(-1)
    found = over_words(weights, [[0], [1, 2]])
    torch.testing.assert_close(found[:, 0], weights[:, 0])
    torch.testing.assert_close(found[:, 1], (weights[:, 1] + weights[:, 2]) / 2)
    torch.testing.assert_close(found.sum(-1), torch.ones(2, 2))


@pytest.mark.parametrize(
    ("pieces", "groups"),
    [([" Tro", "is", ",", " sept", "."], [[0, 1], [3]]), (["B", "F"], [[0, 1]]), ([], []),
     ([" n", "'", "est", " …", " �", "�"], [[0, 2], [4, 5]]), ([",", " a"], [[1]])],
)  # fmt: skip
def test_pieces_make_words(pieces, groups):
    assert pieces_of_words(pieces) == groups


@pytest.fixture
def model():
    return small_model()


def test_a_silenced_head_adds_nothing_and_is_back_afterwards(model):
    sound = torch.randn(1, 5, 28, generator=torch.Generator().manual_seed(0))
    tokens = torch.tensor([[3, 1, 4]])
    before = model(sound, tokens)[0]
    with silenced(model, [(1, 2), (0, 0)]):
        silent = model(sound, tokens)[0]
    assert not torch.equal(silent, before) and torch.equal(model(sound, tokens)[0], before)
    d = model.decoder.layers[0].cross_attention.head_dim
    with torch.no_grad():  # the columns of W_o that read a head, set to zero
        model.decoder.layers[1].cross_attention.W_o.weight[:, 2 * d : 3 * d] = 0
        model.decoder.layers[0].cross_attention.W_o.weight[:, :d] = 0
    torch.testing.assert_close(model(sound, tokens)[0], silent)


def test_an_error_inside_gives_the_heads_back(model):
    with pytest.raises(KeyError), silenced(model, [(0, 1)]):
        raise KeyError
    with pytest.raises(IndexError), silenced(model, [(0, 1), (9, 0)]):
        pass
    assert not model.decoder.layers[0].cross_attention.W_o._forward_pre_hooks


@pytest.mark.parametrize("head", [-1, 3])
def test_a_head_that_is_not_there_is_refused(model, head):
    with (
        pytest.raises(ValueError, match=f"has heads 0 to 2, got {head}"),
        silenced(model, [(0, head)]),
    ):
        pass
