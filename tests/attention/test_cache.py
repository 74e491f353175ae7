"""KeyValueCache: what it keeps, what it returns, and what it refuses."""

import copy

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import KeyValueCache, window_mask

sizes = st.lists(st.integers(1, 5), min_size=1, max_size=6)


def rows(start, length, batch=2):
    """Keys whose one feature is their position, and values that are its negative."""
    keys = torch.arange(start, start + length, dtype=torch.float64)[None, :, None]
    return keys.repeat(batch, 1, 1), -keys.repeat(batch, 1, 3)


def positions(keys):
    return keys[0, :, 0].long().tolist()


def filled(length, window=None, sinks=0, **settings):
    cache = KeyValueCache(window, sinks)
    cache.append(*rows(0, length, **settings))
    return cache


@pytest.mark.parametrize("grad", [True, False])
@given(steps=sizes)
def test_without_a_window_everything_is_kept(grad, steps):
    cache, done = KeyValueCache(), 0
    with torch.set_grad_enabled(grad):
        for n in steps:
            keys, values = cache.append(*rows(done, n))
            done += n
            assert positions(keys) == positions(cache.keys) == list(range(done))
            assert torch.equal(values, -keys.repeat(1, 1, 3))
            assert len(cache) == done and cache.nbytes == 2 * done * (1 + 3) * 8


@given(steps=sizes, window=st.integers(1, 4), sinks=st.integers(0, 3))
def test_with_a_window_it_rolls_and_keeps_its_sinks(steps, window, sinks):
    cache, done = KeyValueCache(window, sinks), 0
    for n in steps:
        keys, values = cache.append(*rows(done, n))
        assert torch.equal(values, -keys.repeat(1, 1, 3))
        # Each new position finds every key that the window shows it in the whole text.
        whole = window_mask(n, done + n, window, is_causal=True, sinks=sinks)
        here = window_mask(n, keys.shape[-2], window, is_causal=True, sinks=sinks)
        for t in range(n):
            seen = [p for p, sees in zip(positions(keys), here[t], strict=True) if sees]
            assert seen == whole[t].nonzero().flatten().tolist()
        done += n
        first, last = list(range(min(sinks, done))), list(range(sinks, done))[-window:]
        assert positions(cache.keys) == first + last
        assert len(cache) == done
        assert cache.nbytes <= 2 * (window + sinks) * 4 * 8


def test_it_grows_in_place():
    cache, copies = KeyValueCache(), 0
    with torch.no_grad():
        for n in range(100):
            before = None if n == 0 else cache.keys.data_ptr()
            keys, _ = cache.append(*rows(n, 1))
            copies += keys.data_ptr() != before
            assert positions(keys) == list(range(n + 1))
    assert copies <= 8  # 1, 2, 4, …, 128


@pytest.mark.parametrize("after", [torch.no_grad, torch.enable_grad, torch.inference_mode])
@pytest.mark.parametrize("before", [torch.no_grad, torch.enable_grad, torch.inference_mode])
def test_a_text_may_change_its_mode(before, after):
    with before():
        cache = filled(3)
    with after():
        keys, _ = cache.append(*rows(3, 2))
        keys, _ = cache.append(*rows(5, 1))
    assert positions(keys) == list(range(6))


@pytest.mark.parametrize("grad", [True, False])
def test_a_returned_view_never_changes(grad):
    with torch.set_grad_enabled(grad):
        cache = KeyValueCache()
        for n in range(5):
            old, _ = cache.append(*rows(n, 1))
        cache.crop(2)
        new, _ = cache.append(*rows(70, 1))
    assert positions(old) == [0, 1, 2, 3, 4] and positions(new) == [0, 1, 70]


def test_reorder_takes_rows_and_goes_on():
    cache = KeyValueCache()
    keys = torch.randn(3, 2, 4, 5)
    cache.append(keys, keys[..., :2])
    index = torch.tensor([2, 2, 0, 1])
    cache.reorder(index)
    assert torch.equal(cache.keys, keys[index]) and torch.equal(cache.values, keys[index][..., :2])
    more = torch.randn(4, 2, 1, 5)
    found, _ = cache.append(more, more[..., :2])
    assert torch.equal(found, torch.cat([keys[index], more], 2)) and len(cache) == 5
    KeyValueCache().reorder(index)  # nothing to reorder


def test_crop_takes_positions_back():
    cache = filled(6)
    cache.crop(6)
    cache.crop(4)
    assert len(cache) == 4 and positions(cache.keys) == [0, 1, 2, 3]
    keys, _ = cache.append(*rows(4, 1))
    assert positions(keys) == [0, 1, 2, 3, 4]
    rolled = filled(6, window=3)
    rolled.crop(6)
    assert len(rolled) == 6 and positions(rolled.keys) == [3, 4, 5]
    with pytest.raises(ValueError, match="already forgotten"):
        rolled.crop(5)
    young = filled(3, window=3)
    young.crop(2)
    assert len(young) == 2


def test_a_copy_is_its_own_and_keeps_gradients():
    keys, values = (x.requires_grad_() for x in rows(0, 3))
    cache = KeyValueCache(window=2, sinks=1)
    cache.append(keys * 2, values * 2)
    twin = copy.deepcopy(cache)
    twin.append(*rows(3, 1))
    assert (len(cache), len(twin), twin.window, twin.sinks) == (3, 4, 2, 1)
    (grad,) = torch.autograd.grad(twin.keys.sum(), keys)
    assert grad[0, :, 0].tolist() == [2, 0, 2]  # position 1 has rolled out
    empty = copy.deepcopy(KeyValueCache())
    assert empty.keys is None and empty.values is None and empty.nbytes == 0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("window", [None, 3])
def test_a_copy_and_its_original_go_on_apart(copied, window):
    cache = KeyValueCache(window)
    with torch.no_grad():
        for n in range(3):  # the buffer now has room for a fourth position
            cache.append(*rows(n, 1))
        twin = copied(cache)
        ours, _ = cache.append(*rows(10, 1))
        theirs, _ = twin.append(*rows(20, 1))
        cache.reorder(torch.tensor([0]))
    assert positions(ours) == [0, 1, 2, 10] and positions(theirs) == [0, 1, 2, 20]
    assert (len(cache), len(twin), twin.keys.shape[0]) == (4, 4, 2)


def test_what_was_cropped_is_given_back():
    with torch.no_grad():
        cache = filled(1000)
        cache.crop(10)
    held = cache.keys.untyped_storage().nbytes() + cache.values.untyped_storage().nbytes()
    assert held <= 4 * cache.nbytes


def test_an_empty_cache_is_a_cache():
    assert KeyValueCache() and not len(KeyValueCache())
    assert "0 positions" in repr(KeyValueCache())
    shown = repr(filled(6, window=3, sinks=1))
    assert "window=3, sinks=1" in shown and "6 positions, 4 kept" in shown


def test_a_cache_moves_to_another_device_or_dtype():
    cache = filled(3)
    assert cache.to(torch.float32) is cache and cache.keys.dtype == torch.float32
    cache.append(*(x.float() for x in rows(3, 1)))
    assert positions(cache.keys) == [0, 1, 2, 3]
    assert KeyValueCache().to("cpu").keys is None


@pytest.mark.parametrize("change", [lambda x: x[:1], lambda x: x.float(), lambda x: x.to("meta")])
def test_a_cache_belongs_to_one_batch(change):
    cache, (keys, values) = filled(3), rows(3, 2)
    with pytest.raises(ValueError, match=r"cache holds keys of shape \(2, 3, 1\)"):
        cache.append(change(keys), change(values))


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda: filled(2).append(rows(0, 2)[0], rows(0, 3)[1]), r"\(2, 2, 1\).*\(2, 3, 3\)"),
        (lambda: KeyValueCache(window=0), "at least 1.*0"),
        (lambda: KeyValueCache(sinks=2), r"without a window .* got sinks 2"),
        (lambda: KeyValueCache(window=2, sinks=-1), "-1"),
        (lambda: filled(3).crop(4), "between 0 and 3, got 4"),
        (lambda: filled(3).crop(-1), "-1"),
        (lambda: filled(3).reorder(torch.tensor([0, 2])), r"batch of 2, got \[0, 2\]"),
        (lambda: filled(3).reorder(torch.tensor([[0]])), r"\(B,\)"),
    ],
)
def test_bad_input(do, words, as_a_user):
    with pytest.raises(ValueError, match=words):
        do()


def test_a_fixed_memory_is_not_added_to():
    cache = filled(3)
    cache.fixed = True
    for change in (lambda: cache.append(*rows(3, 1)), lambda: cache.crop(2)):
        with pytest.raises(ValueError, match="fixed memory"):
            change()
