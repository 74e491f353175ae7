"""What the attentions of a decoder have in common: one query at a time, or all of them."""

from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.validation.arguments import integer
from course_lib.validation.tensors import check_attention_inputs, check_floating, check_last_dim


class DecoderAttention(nn.Module):
    """Attention of decoder states over the encoder's; a subclass says how."""

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        self.query_dim = integer("query_dim", query_dim, 1)
        self.key_dim = integer("key_dim", key_dim, 1)

    def forward(
        self,
        query: Float[Tensor, "B d"] | Float[Tensor, "B T d"],
        keys: Float[Tensor, "B S d_k"],
        values: Float[Tensor, "B S d_v"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        *,
        need_weights: bool = True,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from each query to the keys.

        Args:
            query: (B, d) for one decoder step or (B, T, d).
            values: default to the keys.
            mask: broadcastable to (B, T, S), True = may attend. Two axes are (T, S) beside a query
                (B, T, d), and (B, S) beside one step; `padding_mask` gives (B, 1, S), which is
                never mistaken. A hidden value must be finite, as 0 · NaN is NaN.
            need_weights: False returns None for the weights and may run a kernel.

        Returns:
            context (B, d_v) or (B, T, d_v), and weights (B, S) or (B, T, S), or None.

        Raises:
            ValueError: when shapes or devices do not fit.
            TypeError: for a mask that is not boolean, and for integers.
        """
        raise NotImplementedError

    def _checked(
        self, query: Tensor, keys: Tensor, values: Tensor | None, mask: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        """What `forward` takes, with an axis T where the query has none."""
        check_floating(query=query)
        if query.ndim not in (2, 3):
            raise ValueError(
                f"query must be (B, d) for one step or (B, T, d), got shape {tuple(query.shape)}."
            )
        if query.ndim == 2:
            query = query[:, None]
            if isinstance(mask, Tensor) and mask.ndim == 2:
                mask = mask[:, None]  # (B, S) → (B, 1, S)
        values = keys if values is None else values
        check_attention_inputs(query, keys, values, mask)
        check_last_dim("query", query, self.query_dim, "this attention")
        check_last_dim("keys", keys, self.key_dim, "this attention")
        return query, keys, values, mask


def as_asked(query: Tensor, *found: Tensor | None) -> tuple[Any, ...]:
    """What was found, without an axis T where the query had none."""
    return tuple(x[:, 0] if query.ndim == 2 and x is not None else x for x in found)
