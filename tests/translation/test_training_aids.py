"""Training aids: off by default, and each does what it says for every kind of attention."""

import torch

from course_lib.translation.attentions import NAMES
from translation.test_model import SMALL, batch, build


def test_nothing_is_added_to_the_papers_unless_asked_for():
    source, lengths, _ = batch()
    for attention in NAMES:
        model = build(attention=attention, dropout=0.0).train()
        first, second = model.encode(source, lengths), model.encode(source, lengths)
        assert model.aids == () and torch.equal(first.memory, second.memory)
        assert torch.equal(first.mask, first.source_mask)
        assert first.source_mask[1].tolist() == [True] * 3 + [False] * 4
        reads = model.decoder.rnn.input_size
        assert reads == SMALL["embedding_dim"], attention


def test_a_source_end_is_read_by_every_kind():
    source, lengths, _ = batch()
    for attention, order in (("none", "luong"), ("additive", "bahdanau"), ("dot", "luong")):
        state = build(attention=attention, order=order, aids=["source_end"]).encode(source, lengths)
        assert state.memory.shape[1] == source.shape[1] + 1
        assert state.mask.sum(-1).tolist() == (lengths + 1).tolist()
        assert state.lengths.tolist() == lengths.tolist()


def test_a_random_start_is_for_training_only():
    source, lengths, _ = batch()
    for attention in ("none", "additive", "general"):
        model = build(attention=attention, dropout=0.0, aids=["random_start"])
        assert torch.equal(*(model.encode(source, lengths).memory for _ in range(2)))
        model.train()
        first, second = (model.encode(source, lengths) for _ in range(2))
        assert not torch.allclose(first.memory, second.memory)
        assert not torch.allclose(first.hidden, second.hidden)


def test_a_distractor_is_the_neighbours_memory_in_training_and_for_global_attention_only():
    source, lengths, inputs = batch()
    model = build(attention="general", dropout=0.0, aids=["distractor"])
    alone = model.encode(source, lengths)
    model.train()
    state = model.encode(source, lengths)
    assert torch.equal(state.memory, torch.cat([alone.memory, alone.memory.roll(1, 0)], 1))
    assert torch.equal(state.mask, torch.cat([alone.mask, alone.mask.roll(1, 0)], 1))
    _, weights = model(source, lengths, inputs)  # (B, T, S): what is shown is the sentence's own
    assert weights.shape[-1] == source.shape[1] and (weights.sum(-1) < 1).all()
    for attention in ("local-p", "local-m", "none"):
        model = build(attention=attention, aids=["distractor"]).train()
        assert model.encode(source, lengths).memory.shape[1] == source.shape[1]


def test_progress_is_minus_one_at_the_first_word_and_one_behind_the_last():
    from course_lib.translation.training_aids import progress_feature

    far = progress_feature(0, 5, torch.tensor([4, 2]), torch.zeros(1))
    assert far[..., 0].tolist() == [[-1, -0.5, 0, 0.5, 1], [-1, 0, 1, 2, 3]]
    assert progress_feature(2, 1, torch.tensor([4]), torch.zeros(1)).tolist() == [[[0]]]
