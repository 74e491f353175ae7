"""What the attentions of a decoder have in common: one query at a time, or all of them."""

from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.arguments import integer
from course_lib.checks import check_attention_inputs, check_floating, check_last_dim


class DecoderAttention(nn.Module):
    """Attention of decoder states over the encoder's; a subclass says how, in `_attend`."""

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        integer("query_dim", query_dim, 1)
        integer("key_dim", key_dim, 1)
        self.query_dim, self.key_dim = query_dim, key_dim

    def _attend(self, *given: Any, **options: Any) -> tuple[Tensor | None, ...]:
        """(query (B, T, d), keys, values, mask, need_weights, …) → (context, weights, …)"""
        raise NotImplementedError

    def forward(
        self,
        query: Float[Tensor, "B d"] | Float[Tensor, "B T d"],
        keys: Float[Tensor, "B S d_k"],
        values: Float[Tensor, "B S d_v"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        *,
        need_weights: bool = True,
        **options: object,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from each query to the keys.

        Args:
            query: (B, d) for one decoder step or (B, T, d).
            values: default to the keys.
            mask: broadcastable to (B, T, S), True = may attend. Two axes are (T, S) beside a query
                (B, T, d), and (B, S) beside one step; `padding_mask` gives (B, 1, S), which is
                never mistaken. A hidden value must be finite, as 0 · NaN is NaN.
            need_weights: False returns None for the weights and may run a kernel.
            options: what this kind of attention takes besides; its class says it.

        Returns:
            context (B, d_v) or (B, T, d_v), and weights (B, S) or (B, T, S), or None.

        Raises:
            ValueError: when shapes or devices do not fit.
            TypeError: for a mask that is not boolean, and for integers.
        """
        found = self._found(query, keys, values, mask, need_weights=need_weights, **options)
        return found[0], found[1] if need_weights else None

    def _found(self, query, keys, values, mask, *, need_weights=True, **options) -> tuple[Any, ...]:
        """All that `_attend` finds, without an axis T where the query had none."""
        check_floating(query=query)
        if query.ndim not in (2, 3):
            raise ValueError(
                f"query must be (B, d) for one step or (B, T, d), got shape {tuple(query.shape)}."
            )
        one_step = query.ndim == 2
        if one_step:
            query = query[:, None]
            if isinstance(mask, Tensor) and mask.ndim == 2:
                mask = mask[:, None]  # (B, S) → (B, 1, S)
        values = keys if values is None else values
        check_attention_inputs(query, keys, values, mask)
        check_last_dim("query", query, self.query_dim, "this attention")
        check_last_dim("keys", keys, self.key_dim, "this attention")
        found = self._attend(query, keys, values, mask, need_weights, **options)
        return tuple(x[:, 0] if one_step and x is not None else x for x in found)
