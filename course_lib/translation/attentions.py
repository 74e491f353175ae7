"""The attentions that `train(pairs, attention=…)` knows by name."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention.additive import AdditiveAttention
from course_lib.attention.luong import LuongAttention
from course_lib.translation.state import DecoderState


class UniformAttention(nn.Module):
    """Attention that cannot choose: every source word has the same weight, whoever asks.

        α_tj = 1 / S

    A baseline: it reads the whole source at every step, but learns nothing about where to look.
    Wiegreffe & Pinter (2019), "Attention is not not Explanation",
    https://aclanthology.org/D19-1002, section 3.2.
    """

    def forward(
        self,
        query: Float[Tensor, "B d"] | Float[Tensor, "B T d"],
        keys: Float[Tensor, "B S d_k"],
        values: Float[Tensor, "B S d_v"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        *,
        need_weights: bool = True,
    ) -> tuple[Tensor, Tensor | None]:
        """The mean of the values that `mask` (True = may attend) admits, and the equal weights."""
        values = keys if values is None else values
        steps = query[:, None] if query.ndim == 2 else query  # (B, T, d)
        ones = keys.new_ones(keys.shape[0], steps.shape[1], keys.shape[1])  # (B, T, S)
        if mask is not None:
            ones = ones * (mask[:, None] if mask.ndim == 2 else mask)
        weights = ones / ones.sum(-1, keepdim=True).clamp_min(1)
        context = weights @ values  # (B, T, d_v)
        if query.ndim == 2:
            context, weights = context[:, 0], weights[:, 0]
        return context, weights if need_weights else None


NAMES = ("none", "uniform", "additive", "dot", "general", "concat", "local-m", "local-p")


def make_attention(name: str, hidden_dim: int, window: int) -> nn.Module | None:
    """The attention called `name`, between states of size `hidden_dim`; None for "none".

    window: the D of the two local ones, which use the general score.
    Raises ValueError for a name that is not in NAMES.
    """
    if name not in NAMES:
        raise ValueError(f"attention must be one of {', '.join(NAMES)}, got {name!r}.")
    if name == "none":
        return None
    if name == "uniform":
        return UniformAttention()
    if name == "additive":
        return AdditiveAttention(hidden_dim, hidden_dim, hidden_dim)
    if name.startswith("local"):
        return LuongAttention(hidden_dim, hidden_dim, score="general", scope=name, window=window)
    return LuongAttention(hidden_dim, hidden_dim, score=name)


def look(
    attention: nn.Module, query: Tensor, state: DecoderState, need_weights: bool
) -> tuple[Tensor, Tensor | None]:
    """Ask the source: `attention` of the query (B, d) or (B, T, d) over the state's memory.

    The kinds differ in what else they take: the additive one U_a h, Luong's the query's position.
    """
    extra = {}
    if state.key_proj is not None:
        extra["key_proj"] = state.key_proj
    if isinstance(attention, LuongAttention):
        extra["first_position"] = state.position
    mask = state.mask if query.ndim == 2 else state.mask[:, None]
    return attention(query, state.memory, mask=mask, need_weights=need_weights, **extra)
