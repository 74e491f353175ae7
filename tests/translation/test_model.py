"""The model: one step at a time equals all at once, padding changes nothing, bad input is named."""

import pytest
import torch

from course_lib.translation import Seq2Seq
from course_lib.translation.model import ATTENTIONS
from course_lib.translation.vocabulary import START

SMALL = {"embedding_dim": 5, "hidden_dim": 8}
VARIANTS = [
    {"attention": attention, "order": order, "cell": cell, "bidirectional": both}
    for attention in ATTENTIONS
    for order in ("bahdanau", "luong")
    for cell, both in (("gru", True), ("lstm", False))
] + [{"attention": "general", "input_feeding": True}, {"attention": "local-p", "cell": "lstm"}]
NAMES = ["-".join(str(v) for v in variant.values()) for variant in VARIANTS]


def build(dtype=torch.float64, **settings):
    torch.manual_seed(1)
    return Seq2Seq(11, 13, **SMALL, **settings).to(dtype).eval()


def batch():
    lengths = torch.tensor([7, 3, 5])
    source = torch.randint(4, 11, (3, 7))
    for i, n in enumerate(lengths):
        source[i, n:] = 0
    inputs = torch.randint(4, 13, (3, 6))
    inputs[:, 0] = START
    return source, lengths, inputs


@pytest.mark.parametrize("settings", VARIANTS, ids=NAMES)
def test_all_steps_at_once_equal_the_loop_and_single_steps(settings):
    model = build(**settings)
    source, lengths, inputs = batch()
    logits, weights = model(source, lengths, inputs)
    looped, loop_weights = model(source, lengths, inputs, loop=True)
    torch.testing.assert_close(logits, looped, rtol=0, atol=1e-12)
    encoded, state = model.encode(source, lengths)
    for t in range(inputs.shape[1]):
        step, state, row = model.step(inputs[:, t], state, encoded)
        torch.testing.assert_close(step, logits[:, t], rtol=0, atol=1e-12)
        if weights is not None:
            torch.testing.assert_close(row, weights[:, t], rtol=0, atol=1e-12)
    assert (weights is None) == (settings["attention"] == "none")
    if weights is not None:
        torch.testing.assert_close(weights, loop_weights, rtol=0, atol=1e-12)


@pytest.mark.parametrize("settings", VARIANTS, ids=NAMES)
def test_without_weights_the_logits_are_the_same(settings):
    model = build(**settings)
    source, lengths, inputs = batch()
    logits, _ = model(source, lengths, inputs)
    alone, weights = model(source, lengths, inputs, need_weights=False)
    assert weights is None
    torch.testing.assert_close(alone, logits, rtol=0, atol=1e-12)


@pytest.mark.parametrize("settings", VARIANTS, ids=NAMES)
def test_a_sentence_is_the_same_alone_and_padded_in_a_batch(settings):
    model = build(**settings)
    source, lengths, inputs = batch()
    logits, weights = model(source, lengths, inputs)
    alone, row = model(source[1:2, :3], lengths[1:2], inputs[1:2])
    torch.testing.assert_close(alone[0], logits[1], rtol=0, atol=1e-12)
    if weights is not None:
        torch.testing.assert_close(row[0], weights[1, :, :3], rtol=0, atol=1e-12)
        assert (weights[1, :, 3:] == 0).all()


@pytest.mark.parametrize("settings", VARIANTS, ids=NAMES)
def test_no_step_sees_a_later_target_word(settings):
    model = build(**settings)
    source, lengths, inputs = batch()
    changed = inputs.clone()
    changed[:, 4] = (changed[:, 4] - 3) % 9 + 4
    before, after = model(source, lengths, inputs)[0], model(source, lengths, changed)[0]
    torch.testing.assert_close(before[:, :4], after[:, :4], rtol=0, atol=0)
    assert not torch.allclose(before[:, 4:], after[:, 4:])


def test_a_placeless_model_reads_the_end_in_luongs_order_only():
    source, lengths, _ = batch()
    for order, extra in (("luong", 1), ("bahdanau", 0)):
        encoded, _ = build(attention="general", order=order).encode(source, lengths)
        assert encoded.memory.shape[1] == source.shape[1] + extra
        assert encoded.mask.sum(-1)[:, 0].tolist() == (lengths + extra).tolist()
    encoded, _ = build(attention="general", placeless=False).encode(source, lengths)
    assert torch.equal(encoded.mask, encoded.words)
    assert encoded.words[1, 0].tolist() == [True] * 3 + [False] * 4


def test_in_training_the_start_is_random_and_a_neighbour_distracts():
    source, lengths, inputs = batch()
    model = build(attention="general", dropout=0.0)
    trained, _ = model.encode(source, lengths)
    model.train()
    torch.manual_seed(0)
    first, _ = model.encode(source, lengths)
    second, _ = model.encode(source, lengths)
    assert not torch.allclose(first.memory, second.memory)
    S = trained.memory.shape[1]
    assert torch.equal(first.memory[:, S:], first.memory[:, :S].roll(1, 0))
    assert torch.equal(first.mask[:, :, S:], trained.mask.roll(1, 0))
    _, weights = model(source, lengths, inputs)  # (B, T, S): what is shown is the sentence's own
    assert weights.shape[-1] == source.shape[1] and (weights.sum(-1) < 1).all()
    for settings in ({"attention": "local-p"}, {"attention": "none"}):
        memory = build(**settings).train().encode(source, lengths)[0].memory
        assert memory.shape[1] == source.shape[1] + (settings["attention"] == "local-p")
    steady = build(attention="additive", order="bahdanau", dropout=0.0).train()
    first, second = (steady.encode(source, lengths)[0].memory for _ in range(2))
    assert torch.equal(first, second) and first.shape[1] == 2 * source.shape[1]
    plain = build(attention="general", placeless=False, dropout=0.0).train()
    assert torch.equal(*(plain.encode(source, lengths)[0].memory for _ in range(2)))


@pytest.mark.parametrize("order", ["bahdanau", "luong"])
def test_bahdanau_scores_the_state_before_the_step_and_luong_the_one_after(order):
    model = build(attention="general", order=order)
    source, lengths, inputs = batch()
    encoded, state = model.encode(source, lengths)
    _, new_state, weights = model.step(inputs[:, 0], state, encoded)
    query = {"bahdanau": state, "luong": new_state}[order].carry[0]
    _, expected = model.attention(query, encoded.memory, mask=encoded.mask)
    expected = expected[:, : source.shape[1]] * encoded.words[:, 0]
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-12)


def test_only_luong_without_input_feeding_runs_all_steps_at_once():
    assert build(attention="dot").parallel
    assert build(attention="none", order="bahdanau").parallel
    assert not build(attention="dot", input_feeding=True).parallel
    assert not build(attention="additive", order="bahdanau").parallel


def test_scheduled_sampling_feeds_the_models_own_words():
    model = build(attention="dot")
    source, lengths, inputs = batch()
    forced, _ = model(source, lengths, inputs)
    sampled, _ = model(source, lengths, inputs, sampling=1.0)
    own = torch.cat([inputs[:, :1], sampled.argmax(-1)[:, :-1]], dim=1)
    expected, _ = model(source, lengths, own)
    torch.testing.assert_close(sampled, expected, rtol=0, atol=1e-12)
    assert not torch.allclose(sampled, forced)


def test_gradients_reach_every_parameter():
    for settings in VARIANTS:
        model = build(**settings)
        source, lengths, inputs = batch()
        model(source, lengths, inputs)[0].square().sum().backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None and parameter.grad.abs().sum() > 0, (settings, name)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"attention": "softmax"}, "attention must be one of none, additive.*'softmax'"),
        ({"order": "vaswani"}, "order must be one of bahdanau, luong"),
        ({"cell": "rnn"}, "cell must be one of gru, lstm"),
        ({"hidden_dim": 7}, "even hidden_dim, got 7"),
        ({"order": "bahdanau", "input_feeding": True}, "input feeding belongs to order='luong'"),
    ],
)
def test_bad_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        Seq2Seq(11, 13, **settings)


def test_follows_the_device(device):
    model = build(torch.float32, attention="general").to(device)
    source, lengths, inputs = (tensor.to(device) for tensor in batch())
    logits, weights = model(source, lengths, inputs)
    assert logits.device.type == weights.device.type == device.type
