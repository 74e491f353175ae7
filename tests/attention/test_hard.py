"""HardAttention: choices are one-hot, follow the weights, and both estimators point downhill."""

import pytest
import torch
from attention_variants import equal

from course_lib import (
    HardAttention,
    padding_mask,
    reinforce_loss,
    sample_choice,
    softmax,
    straight_through_gumbel,
)

WEIGHTS = torch.tensor([0.5, 0.3, 0.2, 0.0], dtype=torch.float64)
DRAWS = {"categorical": lambda w: sample_choice(w)[0], "gumbel": straight_through_gumbel}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_draws_are_one_hot_and_follow_the_weights(draw):
    choices = draw(WEIGHTS.expand(5_000, 4))
    assert ((choices - 1).abs() < 1e-12).sum(-1).eq(1).all()
    assert choices[:, 3].abs().max() == 0
    torch.testing.assert_close(choices.mean(0), WEIGHTS, rtol=0, atol=0.03)


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_row_without_weights_chooses_nothing(draw):
    weights = torch.stack([torch.zeros(4), torch.tensor([0.0, 1, 0, 0])]).requires_grad_()
    choice = draw(weights)
    assert choice.tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]
    if choice.requires_grad:
        choice.sum().backward()
        assert weights.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("temperature", [5e-324, 1e-40, 1e-30, 1e-3, 1.0, 1e30, 1e300])
def test_a_draw_at_every_temperature(temperature, dtype):
    scores = torch.randn(50, 6).to(dtype).requires_grad_()
    weights = torch.where(torch.arange(6) < 5, softmax(scores), 0.0)
    choice = straight_through_gumbel(weights, temperature)
    assert (choice.sum(-1) == 1).all() and ((choice == 0) | (choice == 1)).all()
    assert choice[:, 5].eq(0).all()
    choice.square().sum().backward()
    assert scores.grad.isfinite().all()
    attention = HardAttention(4, 4, 4, estimator="gumbel", temperature=temperature)
    assert attention(torch.randn(2, 3, 4), torch.randn(2, 5, 4))[0].isfinite().all()


def test_the_log_probability_is_that_of_the_choice():
    weights = torch.rand(5, 6, 4, dtype=torch.float64).softmax(-1).requires_grad_()
    choice, log_prob = sample_choice(weights)
    equal(log_prob, weights[choice.bool()].log().view(5, 6))
    assert not choice.requires_grad and log_prob.requires_grad
    empty = torch.zeros(1, 3, requires_grad=True)
    assert sample_choice(empty)[1].item() == 0


def test_reinforce_is_unbiased():
    """Its mean over many draws is the gradient of the expected reward, with any baseline."""
    scores = torch.tensor([0.5, -0.2, 1.0], dtype=torch.float64, requires_grad=True)
    rewards = torch.tensor([1.0, 3.0, -2.0], dtype=torch.float64)
    exact = torch.autograd.grad(-(softmax(scores) * rewards).sum(), scores)[0]
    for baseline in (0.0, 1.5):
        choice, log_prob = sample_choice(softmax(scores).expand(40_000, 3))
        loss = reinforce_loss(log_prob, choice @ rewards, baseline)
        got = torch.autograd.grad(loss, scores)[0]
        torch.testing.assert_close(got, exact, rtol=0, atol=0.04)


def test_a_baseline_is_one_number_or_one_for_each_reward(as_a_user):
    log_prob, reward = torch.tensor([-1.0, -2.0, -3.0]), torch.tensor([1.0, 0.0, -1.0])
    baseline = torch.tensor([1.0, 0.0, 0.0])
    expected = -((reward - baseline) * log_prob).mean()
    equal(reinforce_loss(log_prob, reward, baseline), expected)
    equal(
        reinforce_loss(log_prob, reward, torch.tensor(0.5)), reinforce_loss(log_prob, reward, 0.5)
    )
    for shape in [(3, 1), (1, 3), (1,), (2, 3)]:
        with pytest.raises(ValueError, match="one baseline or one per reward"):
            reinforce_loss(log_prob, reward, torch.zeros(shape))


def test_one_row_may_stand_alone():
    choice, log_prob = sample_choice(WEIGHTS)
    assert choice.shape == (4,) and choice.sum() == 1 and log_prob.shape == ()
    equal(log_prob, (WEIGHTS * choice).sum().log())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_a_choice_is_exactly_one_hot_in_every_precision(dtype):
    weights = torch.softmax(torch.randn(500, 7), -1).to(dtype).requires_grad_()
    for choice in (straight_through_gumbel(weights), sample_choice(weights)[0]):
        assert choice.dtype == dtype
        assert ((choice == 0) | (choice == 1)).all() and (choice.sum(-1) == 1).all()
    assert straight_through_gumbel(weights).requires_grad


@pytest.mark.parametrize("estimator", ["reinforce", "gumbel"])
def test_it_learns_where_to_look(estimator):
    """One of five keys carries the reward; after training the module looks there."""
    attention = HardAttention(3, 5, 8, estimator=estimator)
    query, keys = torch.randn(32, 3), torch.eye(5).expand(32, 5, 5)
    for _ in range(60):
        sample = attention.sample(query, keys)
        reward = sample.context[:, 2]
        loss = -reward.mean()
        if estimator == "reinforce":
            loss = reinforce_loss(sample.log_prob, reward, reward.mean())
        parameters = list(attention.parameters())
        with torch.no_grad():
            for p, grad in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                p -= 1.0 * grad
    assert (attention.eval()(query, keys)[1].argmax(-1) == 2).all()


@pytest.mark.parametrize("estimator", ["reinforce", "gumbel"])
def test_training_draws_and_evaluation_does_not(estimator):
    attention = HardAttention(3, 5, 4, estimator=estimator)
    query, keys, mask = torch.randn(2, 4, 3), torch.randn(2, 6, 5), padding_mask([6, 2])
    rows = torch.stack([attention(query, keys, mask=mask)[1] for _ in range(50)])
    assert ((rows - 1).abs() < 1e-6).sum(-1).eq(1).all()
    assert (rows[:, 1, :, 2:] == 0).all() and rows.std(0).sum() > 0
    sample = attention.sample(query[:, 0], keys)
    assert sample.context.shape == (2, 5) and sample.choice.shape == (2, 6)
    assert sample.log_prob is None or sample.log_prob.shape == (2,)
    attention.eval()
    first, second = (attention(query, keys, mask=mask)[1] for _ in range(2))
    assert torch.equal(first, second) and attention.sample(query, keys).log_prob is None


def test_the_same_generator_gives_the_same_choice():
    for draw in (
        lambda g: sample_choice(WEIGHTS.expand(9, 4), g)[0],
        lambda g: straight_through_gumbel(WEIGHTS.expand(9, 4), generator=g),
    ):
        first, second = (draw(torch.Generator().manual_seed(4)) for _ in range(2))
        assert torch.equal(first, second)


def test_bad_settings(as_a_user):
    with pytest.raises(ValueError, match=r"reinforce, gumbel.*'st'"):
        HardAttention(3, 5, 4, estimator="st")
    with pytest.raises(ValueError, match=r"temperature.*0"):
        HardAttention(3, 5, 4, temperature=0.0)
    with pytest.raises(ValueError, match=r"temperature.*-1"):
        straight_through_gumbel(WEIGHTS, -1.0)
    with pytest.raises(ValueError, match=r"\(3,\).*\(3, 1\)"):
        reinforce_loss(torch.zeros(3), torch.zeros(3, 1))
