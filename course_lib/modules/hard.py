"""Hard attention: look at one key only, chosen at random, and still learn."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.formulas.precision import weighted_sum
from course_lib.formulas.softmax import masked_softmax
from course_lib.gate.scores import additive_scores
from course_lib.modules.additive import AdditiveAttention
from course_lib.modules.decoder import as_asked
from course_lib.validation.arguments import flag, number, one_of
from course_lib.validation.choices import check_generator, check_rewards, check_weights
from course_lib.validation.layers import matrix_of

ESTIMATORS = ("reinforce", "gumbel")


class HardSample(NamedTuple):
    """What one draw gave; `log_prob` is None without random choice or with Gumbel noise."""

    context: Tensor  # (B, T, d_v)
    choice: Tensor  # (B, T, S), one-hot
    log_prob: Tensor | None  # (B, T)


def sample_choice(
    weights: Float[Tensor, "... S"], generator: torch.Generator | None = None
) -> tuple[Float[Tensor, "... S"], Float[Tensor, "..."]]:
    """Draw one key per query with probability equal to its weight.

        choice ~ Categorical(weights),   log_prob = log weights[choice]

    Returns:
        The choice as a one-hot row without gradient, and its log-probability, which carries the
        gradient for `reinforce_loss`. A row of zero weights chooses nothing, with log_prob 0.
    """
    check_weights(weights)
    check_generator(generator)
    rows = weights.detach().reshape(-1, weights.shape[-1]).float()
    nothing = rows.sum(-1, keepdim=True) == 0
    index = torch.multinomial(rows.masked_fill(nothing, 1.0), 1, generator=generator)  # (N, 1)
    choice = torch.zeros_like(rows).scatter_(-1, index, 1.0).masked_fill_(nothing, 0.0)
    choice = choice.view_as(weights).to(weights.dtype)
    chosen = (weights * choice).sum(-1)
    return choice, torch.where(nothing.view_as(chosen), 1.0, chosen).log()


def reinforce_loss(
    log_prob: Float[Tensor, "..."], reward: Float[Tensor, "..."], baseline: float | Tensor = 0.0
) -> Float[Tensor, ""]:
    """A loss whose gradient is that of minus the expected reward, though a choice has none.

        loss = −mean((reward − baseline) · log p(choice))

    Args:
        baseline: a number, or one for each reward. It changes the variance of the gradient, and
            not its mean as long as it does not depend on the choice.

    Raises:
        ValueError: when the shapes differ; nothing is broadcast.

    Williams (1992), "Simple statistical gradient-following algorithms for connectionist
    reinforcement learning", https://doi.org/10.1007/BF00992696; Xu et al. (2015), as in
    `HardAttention`, section 4.1.
    """
    check_rewards(log_prob, reward)
    if not isinstance(baseline, Tensor):
        baseline = number("baseline", baseline)
    shapes = [tuple(x.shape) for x in (log_prob, reward, torch.as_tensor(baseline))]
    if shapes[0] != shapes[1] or shapes[2] not in ((), shapes[1]):
        raise ValueError(
            "need one reward per choice, and one baseline or one per reward, got log_prob {}, "
            "reward {} and baseline {}.".format(*shapes)
        )
    return -((reward - baseline).detach() * log_prob).mean()


def straight_through_gumbel(
    weights: Float[Tensor, "... S"],
    temperature: float = 1.0,
    generator: torch.Generator | None = None,
) -> Float[Tensor, "... S"]:
    """A one-hot draw going forward, a softmax going backward.

        soft = softmax((log weights + g) / temperature), g ~ Gumbel,   choice = one_hot(argmax soft)

    The largest of log w + g is a draw from w. A row of zero weights chooses nothing.

    Jang, Gu & Poole (2017), "Categorical reparameterization with Gumbel-softmax",
    https://arxiv.org/abs/1611.01144; Maddison, Mnih & Teh (2017), "The concrete distribution",
    https://arxiv.org/abs/1611.00712.
    """
    temperature = number("temperature", temperature, above=0)
    check_weights(weights)
    check_generator(generator)
    allowed = weights > 0
    wide = weights.to(torch.promote_types(weights.dtype, torch.float32))
    exponential = torch.empty_like(wide).exponential_(generator=generator)
    noise = -exponential.clamp_min(torch.finfo(wide.dtype).tiny).log()
    logits = torch.where(allowed, wide, 1.0).log() + noise
    # The largest first: divided by a small temperature, others overflow to -inf, as they should.
    below = logits - logits.detach().masked_fill(~allowed, -torch.inf).amax(-1, keepdim=True)
    below = torch.where(allowed, below, 0.0)
    soft = masked_softmax(below / max(temperature, torch.finfo(wide.dtype).tiny), allowed)
    choice = one_hot_argmax(soft)
    # In this order: soft − soft is exactly 0, so that the choice stays exactly one-hot.
    return (choice + (soft - soft.detach())).to(weights.dtype)


def one_hot_argmax(weights: Tensor) -> Tensor:
    """One at the largest weight of each row; a row of zeros stays zero."""
    choice = torch.zeros_like(weights).scatter_(-1, weights.argmax(-1, keepdim=True), 1.0)
    return choice * (weights.sum(-1, keepdim=True) > 0)


class HardAttention(AdditiveAttention):
    """Additive attention that takes one value instead of a mean of all.

        choice ~ Categorical(softmax(score)),   context = value[choice]

    In evaluation mode the largest weight is chosen, without chance.

    Args:
        estimator: how the score learns from a choice. "reinforce": use `sample(...).log_prob` in
            `reinforce_loss`. "gumbel": by straight-through gradients, with `temperature`.

    Xu et al. (2015), "Show, attend and tell: neural image caption generation with visual
    attention", https://arxiv.org/abs/1502.03044, section 4.1.
    """

    def __init__(
        self, query_dim: int, key_dim: int, attention_dim: int, *,
        estimator: str = "reinforce", temperature: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(query_dim, key_dim, attention_dim)
        one_of("estimator", estimator, ESTIMATORS)
        self.estimator, self.temperature = estimator, number("temperature", temperature, above=0)

    def sample(
        self, query: Tensor, keys: Tensor, values: Tensor | None = None,
        mask: Tensor | None = None, *, key_proj: Tensor | None = None,
    ) -> HardSample:  # fmt: skip
        """Like `forward`, and also the log-probability of the choice."""
        steps, keys, values, mask = self._checked(query, keys, values, mask)
        key_proj, v_a = self._project(keys, key_proj), matrix_of(self, "v_a")[0]
        weights = masked_softmax(additive_scores(self.W_a(steps), key_proj, v_a), mask)
        log_prob = None
        if not self.training:
            choice = one_hot_argmax(weights)
        elif self.estimator == "gumbel":
            choice = straight_through_gumbel(weights, self.temperature)
        else:
            choice, log_prob = sample_choice(weights)
        context = weighted_sum(choice, values)
        return HardSample(*as_asked(query, context, choice.to(values.dtype), log_prob))

    def forward(
        self, query: Tensor, keys: Tensor, values: Tensor | None = None,
        mask: Tensor | None = None, *, need_weights: bool = True, key_proj: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """As `AdditiveAttention.forward`; the weights are the choice, one-hot."""
        need_weights = flag("need_weights", need_weights)
        found = self.sample(query, keys, values, mask, key_proj=key_proj)
        return found.context, found.choice if need_weights else None
