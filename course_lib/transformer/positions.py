"""Positions as a bias on the scores: ALiBi's, and T5's, shared by all layers of a stack."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.gate.masks import relative_positions
from course_lib.gate.positions import alibi_bias
from course_lib.validation.arguments import flag, integer, number


class AlibiBias(nn.Module):
    """score + bias[h, t, s],   bias[h, t, s] = −m_h · |s − (t + S − T)|; nothing is learned."""

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads

    def forward(self, n_queries: int, n_keys: int, like: Tensor) -> Float[Tensor, "H T S"]:
        """The bias for `n_queries` last queries, float32 on the device of `like`.

        Scores are float32 at least; in bfloat16 1,024 distances would be 513.
        """
        return alibi_bias(self.num_heads, n_queries, n_keys, device=like.device)


def relative_position_bucket(
    relative: Int[Tensor, "..."],
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: float | int = 128,
) -> Int[Tensor, "..."]:
    """The bucket of T5's learned bias that a distance falls into.

    Half of the buckets hold one distance each; the other half grow geometrically up to
    `max_distance`, and the last takes all that is farther.

    Args:
        relative: position of the key − position of the query, as `relative_positions` gives it.
        bidirectional: give half of the buckets to keys on the right (an encoder). Otherwise they
            share bucket 0, which a causal mask hides anyway.
        num_buckets: how many buckets there are in all, an even number.
        max_distance: where the last bucket begins, roughly.

    Returns:
        Integers from 0 to num_buckets − 1, in the shape of `relative`.

    Raffel et al. (2020), "Exploring the limits of transfer learning with a unified text-to-text
    transformer", https://arxiv.org/abs/1910.10683, section 2.1.
    """
    if not isinstance(relative, Tensor) or relative.dtype not in (torch.int64, torch.int32):
        kind = relative.dtype if isinstance(relative, Tensor) else type(relative).__name__
        raise TypeError(f"relative must be a tensor of integers, torch.int64, got {kind}.")
    num_buckets = integer("num_buckets", num_buckets, 1)
    bidirectional = flag("bidirectional", bidirectional)
    max_distance = number("max_distance", max_distance, above=0)
    buckets, offset = num_buckets, torch.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        offset = buckets * (relative > 0).long()
        distance = relative.abs()
    else:
        distance = (-relative).clamp(min=0)
    exact = buckets // 2
    if exact < 1 or max_distance <= exact:
        raise ValueError(
            f"need at least {4 if bidirectional else 2} buckets and max_distance above half of "
            f"those of one direction, got {num_buckets} and {max_distance}."
        )
    growth = (distance.clamp(min=1).float() / exact).log() / math.log(max_distance / exact)
    far = exact + (growth * (buckets - exact)).long()
    return offset + torch.where(distance < exact, distance, far.clamp(max=buckets - 1))


class RelativeBias(nn.Module):
    """score + table[h, bucket(s − t)]: T5's learned scalar for each head and bucket of distances.

    Args:
        num_heads: rows of the table.
        bidirectional: give keys on the right buckets of their own (an encoder).

    T5 does not divide its scores by √d; our attention does. Raffel et al. (2020), "Exploring the
    limits of transfer learning with a unified text-to-text transformer",
    https://arxiv.org/abs/1910.10683, section 2.1.
    """

    def __init__(self, num_heads: int, *, bidirectional: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(32, num_heads)
        self.bidirectional = bidirectional

    def forward(self, n_queries: int, n_keys: int, like: Tensor) -> Float[Tensor, "H T S"]:
        """The bias for `n_queries` last queries, with the device of `like`."""
        relative = relative_positions(n_queries, n_keys, device=like.device)
        bucket = relative_position_bucket(relative, bidirectional=self.bidirectional)
        return self.table(bucket).movedim(-1, 0)


def position_bias(positions: str, num_heads: int, *, causal: bool) -> nn.Module | None:
    """The bias that `positions` names, or None."""
    if positions == "alibi":
        return AlibiBias(num_heads)
    return RelativeBias(num_heads, bidirectional=not causal) if positions == "t5" else None
