"""The model: one step at a time equals all at once, padding changes nothing, bad input is named."""

import pytest
import torch

from course_lib.translation import Seq2Seq
from course_lib.translation.attentions import NAMES as ATTENTIONS
from course_lib.translation.training_aids import AIDS
from course_lib.translation.vocabulary import START

SMALL = {"embedding_dim": 5, "hidden_dim": 8}
VARIANTS = [
    {"attention": attention, "order": order, "bidirectional": both}
    for attention in ATTENTIONS
    for order, both in (("bahdanau", True), ("luong", False))
] + [
    {"attention": "general", "input_feeding": True},
    {"attention": "additive", "order": "bahdanau", "attention_dim": 3},
    {"attention": "general", "num_layers": 2, "aids": AIDS},
    *({"attention": name, "order": order, "aids": AIDS}
      for name in ("none", "additive", "general", "local-p", "uniform")
      for order in ("bahdanau", "luong")),
]  # fmt: skip
NAMES = ["-".join(f"{k}={v}"[:22] for k, v in variant.items()) for variant in VARIANTS]


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
def test_all_steps_at_once_equal_the_loop_and_single_steps_and_need_no_weights(settings):
    model = build(**settings)
    source, lengths, inputs = batch()
    logits, weights = model(source, lengths, inputs)
    alone, none = model(source, lengths, inputs, need_weights=False)
    assert none is None
    torch.testing.assert_close(alone, logits, rtol=0, atol=1e-12)
    looped, loop_weights = model(source, lengths, inputs, loop=True)
    torch.testing.assert_close(logits, looped, rtol=0, atol=1e-12)
    state = model.encode(source, lengths)
    for t in range(inputs.shape[1]):
        step, state, row = model.step(inputs[:, t], state)
        torch.testing.assert_close(step, logits[:, t], rtol=0, atol=1e-12)
        if weights is not None:
            torch.testing.assert_close(row, weights[:, t], rtol=0, atol=1e-12)
    assert (weights is None) == (settings["attention"] == "none")
    if weights is not None:
        torch.testing.assert_close(weights, loop_weights, rtol=0, atol=1e-12)


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


@pytest.mark.parametrize("settings", VARIANTS, ids=NAMES)
def test_a_reordered_state_goes_on_as_its_rows_would(settings):
    model = build(**settings)
    source, lengths, inputs = batch()
    _, state, _ = model.step(inputs[:, 0], model.encode(source, lengths))
    expected, _, _ = model.step(inputs[:, 1], state)
    index = torch.tensor([2, 0, 0, 1])
    logits, _, _ = model.step(inputs[index, 1], state.reorder(index))
    torch.testing.assert_close(logits, expected[index], rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", ["bahdanau", "luong"])
def test_bahdanau_scores_the_state_before_the_step_and_luong_the_one_after(order):
    model = build(attention="general", order=order)
    source, lengths, inputs = batch()
    state = model.encode(source, lengths)
    _, after, weights = model.step(inputs[:, 0], state)
    query = {"bahdanau": state, "luong": after}[order].hidden
    _, expected = model.decoder.attention(query, state.memory, mask=state.mask)
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-12)


def test_one_direction_does_not_know_the_words_to_come_and_both_do():
    source, lengths, _ = batch()
    other = source.clone()
    other[0, 6] = (other[0, 6] - 3) % 7 + 4
    for bidirectional in (False, True):
        model = build(attention="dot", bidirectional=bidirectional)
        before, after = (model.encode(s, lengths).memory[0, 0] for s in (source, other))
        assert torch.equal(before, after) != bidirectional


def test_uniform_weights_are_equal_whoever_asks():
    source, lengths, inputs = batch()
    _, weights = build(attention="uniform")(source, lengths, inputs)
    expected = torch.zeros(3, 6, 7, dtype=torch.float64)
    for i, n in enumerate(lengths):
        expected[i, :, :n] = 1 / n
    torch.testing.assert_close(weights, expected)


def test_the_additive_decoder_is_the_papers_equations():
    """Section 3.1, A.1.2 and our readout, written out for one step."""
    model = build(attention="additive", order="bahdanau")
    d, source, lengths, inputs = model.decoder, *batch()
    state = model.encode(source[:1], lengths[:1])
    h, s = state.memory[0], state.hidden[0]  # (S, n), (n,)
    a, word = d.attention, d.embedding(inputs[:1, 0])
    e = torch.stack([a.v_a.weight[0] @ torch.tanh(a.W_a(s) + a.U_a(h_j)) for h_j in h])
    alpha = e.exp() / e.exp().sum()
    c = sum(alpha[j] * h[j] for j in range(len(h)))
    s_next = d.cell(torch.cat([word, c[None]], dim=-1), s[None])
    expected = d.W_o(torch.tanh(d.W_c(torch.cat([c[None], s_next], dim=-1))))
    logits, after, weights = model.step(inputs[:1, 0], state)
    torch.testing.assert_close(logits, expected)
    torch.testing.assert_close(after.hidden, s_next)
    torch.testing.assert_close(weights[0], alpha)


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
        if settings["attention"] == "uniform":
            continue  # its encoder's last padded columns aside, all the same
        model = build(**settings)
        source, lengths, inputs = batch()
        model(source, lengths, inputs)[0].square().sum().backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None and parameter.grad.abs().sum() > 0, (settings, name)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"attention": "softmax"}, "attention must be one of none, uniform, additive.*'softmax'"),
        ({"order": "vaswani"}, "order must be one of bahdanau, luong"),
        ({"aids": ["placeless"]}, "aids must be a list out of random_start.*'placeless'"),
        ({"aids": "progress"}, "aids must be a list"),
        ({"attention": "none", "input_feeding": True}, "nothing to feed"),
        ({"hidden_dim": 7}, "even hidden_dim, got 7"),
        ({"attention": "dot", "attention_dim": 4}, "inside the additive score; 'dot' has none"),
        (
            {"order": "bahdanau", "input_feeding": True},
            "input feeding belongs to attention in order='luong'",
        ),
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


@pytest.mark.parametrize("both", [True, False])
def test_a_summary_is_where_the_last_layer_ends(both):
    model = build(attention="none", num_layers=2, bidirectional=both)
    source, lengths, _ = batch()
    memory, _, summary = model.encoder(source, lengths)
    last = memory[torch.arange(3), lengths - 1]
    half = summary.shape[1] // 2 if both else summary.shape[1]
    torch.testing.assert_close(summary[:, :half], last[:, :half])
    torch.testing.assert_close(summary[:, half:], memory[:, 0, half:] if both else last[:, half:])
    assert len(model.encoder.rnn.all_weights) == (4 if both else 2)
