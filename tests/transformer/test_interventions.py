"""Silence, patch, attribute and path on a small drawn model."""

import pytest
import torch

from course_lib.transformer import LanguageModel
from course_lib.transformer.interventions import attribute, found_by_heads, patch, path, silence

TOKENS = torch.tensor([[1, 5, 2, 7, 3]])


@pytest.fixture
def model():
    torch.manual_seed(0)
    settings = {"d_model": 16, "num_heads": 4, "num_kv_heads": 2, "num_layers": 3, "d_hidden": 24}
    ready = LanguageModel(11, norm="rms", bias=False, positions="rotary", **settings)
    return ready.eval().requires_grad_(False)


def test_a_silent_head_writes_nothing_and_is_back_afterwards(model):
    whole = model(TOKENS)[0]
    W_o = model.stack.layers[1].self_attention.W_o.weight
    kept = W_o.clone()
    W_o[:, 8:12] = 0
    expected = model(TOKENS)[0]
    W_o.copy_(kept)
    with silence(model, [(1, 2)]):
        torch.testing.assert_close(model(TOKENS)[0], expected)
    with pytest.raises(ZeroDivisionError), silence(model, [(1, 2)]):
        _ = 1 / 0
    assert torch.equal(model(TOKENS)[0], whole) and not torch.allclose(expected, whole)


def test_all_heads_of_another_text_at_the_last_place_only(model):
    found = found_by_heads(model, TOKENS)
    assert [tuple(f.shape) for f in found] == [(1, 5, 4, 4)] * 3
    new = torch.full((1, 5, 4), 9.0)
    with patch(model, {(0, 1): new}, last=1):
        changed = found_by_heads(model, TOKENS)[0]
    assert torch.equal(changed[:, :-1], found[0][:, :-1])  # before the last place nothing moves
    with patch(model, {(2, 3): found[2][:, :, 3]}):
        torch.testing.assert_close(model(TOKENS)[0], model(TOKENS)[0])
    with pytest.raises(IndexError, match=r"head 3\.0 is not one of 3 layers of 4 heads"):
        silence(model, [(3, 0)])


def test_the_parts_and_the_embedding_sum_to_the_logit(model):
    rows = model.embedding.tokens.weight
    heads, feeds = attribute(model, TOKENS, rows[4] - rows[6])
    assert heads.shape == (3, 4) and feeds.shape == (3,)
    end = []
    hook = model.stack.norm.register_forward_pre_hook(lambda m, i: end.append(i[0][0, -1]))
    logits = model(TOKENS)[0][0, -1]
    hook.remove()
    x, norm = end[0], model.stack.norm
    root = (x.square().mean() + (norm.eps or torch.finfo(x.dtype).eps)).sqrt()
    start = model.embedding(TOKENS)[0, -1]
    rest = (norm.weight * start / root) @ (rows[4] - rows[6])
    torch.testing.assert_close(heads.sum() + feeds.sum() + rest, logits[4] - logits[6])
    with pytest.raises(ValueError, match="the last norm is LayerNorm"):
        attribute(LanguageModel(11, d_model=16, num_heads=4), TOKENS, rows[4])


def test_a_path_is_one_reader_of_one_head(model):
    change = -found_by_heads(model, TOKENS)[0][:, :, 1]
    whole = model(TOKENS, need_weights=True)
    with path(model, (0, 1), change, 2, "v"):  # values leave the weights as they were
        logits, weights = model(TOKENS, need_weights=True)
    assert torch.equal(weights[2], whole[1][2]) and not torch.allclose(logits, whole[0])
    with path(model, (0, 1), change, 2, "k"):
        weights = model(TOKENS, need_weights=True)[1]
    assert torch.equal(weights[1], whole[1][1]) and not torch.allclose(weights[2], whole[1][2])
    with path(model, (0, 1), torch.zeros_like(change), 1, "qkv"):
        torch.testing.assert_close(model(TOKENS)[0], whole[0])
    with pytest.raises(ValueError, match=r"layer 1 does not read head 1\.1"):
        path(model, (1, 1), change, 1)
