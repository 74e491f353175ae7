"""Right answers to lab 3, each written in another way than the reference."""

import copy
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch.testing import assert_close

CLOSE = {torch.float64: {"rtol": 1e-5, "atol": 1e-6}, torch.float32: {"rtol": 1e-3, "atol": 1e-4}}


def drawn(dtype, lead, t=4, s=6, scale=1.0):
    sizes = ((t, 5), (s, 5), (s, 7))
    return tuple(scale * torch.randn(*lead, *size, dtype=dtype) for size in sizes)


def by_torch(query, key, value, mask=None):
    eye = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    attend = F.scaled_dot_product_attention
    return attend(query, key, value, mask), attend(query, key, eye, mask)


def by_loops(query, key, value, mask=None):
    q, k, v = (x.detach().double().numpy() for x in (query, key, value))
    lead = q.shape[:-2]
    allowed = np.ones((*lead, q.shape[-2], k.shape[-2]), bool)
    if mask is not None:
        allowed = allowed & mask.numpy()
    output, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros(allowed.shape)
    for place in np.ndindex(*lead, q.shape[-2]):
        chosen = np.flatnonzero(allowed[place])
        if len(chosen):
            scores = k[place[:-1]][chosen] @ q[place] / math.sqrt(q.shape[-1])
            powers = np.exp(scores - scores.max())
            weights[place][chosen] = powers / powers.sum()
        output[place] = weights[place] @ v[place[:-1]]
    return torch.from_numpy(output).to(query.dtype), torch.from_numpy(weights).to(query.dtype)


def tests_attention(right):
    def test(attention):
        torch.manual_seed(3)
        empty = torch.rand(4, 6) < 0.6
        empty[2] = False
        many = torch.rand(2, 3, 4, 6) < 0.6
        for dtype in CLOSE:
            for mask in (None, empty, many):
                given = (*drawn(dtype, (2, 3)), mask)
                before = copy.deepcopy(given)
                got = attention(*given)
                assert isinstance(got, tuple) and len(got) == 2
                for mine, theirs in zip(right(*before), got, strict=True):
                    assert_close(theirs, mine, **CLOSE[dtype])
                for old, new in zip(before, given, strict=True):
                    assert old is None or torch.equal(old, new)
        large = drawn(torch.float32, (2,), scale=20.0)
        assert_close(attention(*large)[1], right(*large)[1], rtol=1e-3, atol=1e-4)
        square = tuple(torch.randn(3, 5, 5, dtype=torch.float64) for _ in range(3))
        assert_close(attention(*square)[0], right(*square)[0])
        leaves = [x.requires_grad_() for x in drawn(torch.float64, (2,))]
        (attention(*leaves)[0] ** 2).sum().backward()
        for leaf in leaves:
            assert leaf.grad is not None and leaf.grad.norm() > 0

    return test


def tests_causal(right):
    def test(attention):
        for t, s in [(1, 1), (6, 6), (3, 8), (1, 7), (6, 2)]:
            mask = torch.ones(t, s, dtype=torch.bool).tril(s - t)
            for dtype, lead in zip(CLOSE, [(2, 2), (3,)], strict=True):
                given = drawn(dtype, lead, t, s)
                before = copy.deepcopy(given)
                for mine, theirs in zip(right(*before, mask), attention(*given), strict=True):
                    assert_close(theirs, mine, **CLOSE[dtype])
                assert_close(given, before, rtol=0, atol=0)
        large = drawn(torch.float32, (2,), 6, 6, scale=20.0)
        assert attention(*large)[0].isfinite().all()
        leaves = [x.requires_grad_() for x in drawn(torch.float64, (2,), 6, 6)]
        for grad in torch.autograd.grad((attention(*leaves)[0] ** 2).sum(), leaves):
            assert grad.norm() > 0

    return test


def tests_cache(right):
    def test(attend):
        for dtype, lead in zip(CLOSE, [(2, 3), (2, 1)], strict=True):
            for pieces in ((10,), (3, 5, 2), (1,) * 10, (9, 1)):
                query, key, value = drawn(dtype, lead, 10, 10)
                mask = torch.ones(10, 10, dtype=torch.bool).tril()
                want, _ = right(query, key, value, mask)
                cache, end = None, 0
                for length in pieces:
                    start, end = end, end + length
                    before = copy.deepcopy(cache)
                    parts = (x[..., start:end, :].clone() for x in (query, key, value))
                    output, after = attend(*parts, cache)
                    assert_close(output, want[..., start:end, :], **CLOSE[dtype])
                    if cache is not None:
                        assert_close(tuple(cache), tuple(before), rtol=0, atol=0)
                    cache = after
                    assert_close(cache[0], key[..., :end, :])
                    assert_close(cache[1], value[..., :end, :])

    return test


ALTERNATIVES = {
    "test_attention": [tests_attention(by_torch), tests_attention(by_loops)],
    "test_causal": [tests_causal(by_torch), tests_causal(by_loops)],
    "test_cache": [tests_cache(by_torch), tests_cache(by_loops)],
}
