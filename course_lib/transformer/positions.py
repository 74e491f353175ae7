"""Positions as a bias on the scores, shared by all layers of a stack."""

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.positions import alibi_bias, relative_position_bucket, relative_positions


class AlibiBias(nn.Module):
    """score + bias[h, t, s],   bias[h, t, s] = −m_h · |s − (t + S − T)|; nothing is learned."""

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads

    def forward(self, n_queries: int, n_keys: int, like: Tensor) -> Float[Tensor, "H T S"]:
        """The bias for `n_queries` last queries, with the device and dtype of `like`."""
        bias = alibi_bias(self.num_heads, n_queries, n_keys, device=like.device)
        return bias.to(like.dtype)


class RelativeBias(nn.Module):
    """score + table[h, bucket(s − t)]: T5's learned scalar for each head and bucket of distances.

    Args:
        num_heads: rows of the table.
        bidirectional: give keys on the right buckets of their own (an encoder).

    T5 does not divide its scores by √d; our attention does.
    Raffel et al. (2020), section 2.1, https://arxiv.org/abs/1910.10683
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


def check_positions(positions: str) -> None:
    """Refuse a name that no model knows."""
    known = ("sinusoidal", "learned", "rotary", "alibi", "t5", "none")
    if positions not in known:
        raise ValueError(f"positions must be one of {', '.join(known)}; got {positions!r}.")


def in_embedding(positions: str) -> str:
    """What of it is added to the embeddings."""
    return positions if positions in ("sinusoidal", "learned") else "none"
