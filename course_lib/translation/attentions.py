"""The attentions that `train(pairs, attention=…)` knows by name."""

from torch import Tensor, nn

from course_lib.formulas.precision import weighted_sum, wide
from course_lib.modules.additive import AdditiveAttention
from course_lib.modules.decoder import DecoderAttention, as_asked
from course_lib.modules.luong import LuongAttention
from course_lib.translation.state import DecoderState
from course_lib.validation.arguments import flag, one_of


class UniformAttention(DecoderAttention):
    """Attention that cannot choose: every source word has the same weight, whoever asks.

        α_tj = 1 / S

    A baseline: it reads the whole source at every step, but learns nothing about where to look.
    Wiegreffe & Pinter (2019), "Attention is not not Explanation",
    https://aclanthology.org/D19-1002, section 3.2.
    """

    def forward(
        self, query: Tensor, keys: Tensor, values: Tensor | None = None,
        mask: Tensor | None = None, *, need_weights: bool = True,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """As `DecoderAttention.forward`."""
        need_weights = flag("need_weights", need_weights)
        steps, keys, values, mask = self._checked(query, keys, values, mask)
        ones = wide(keys).new_ones(*steps.shape[:2], keys.shape[1])  # (B, T, S)
        if mask is not None:
            ones = ones * mask
        weights = ones / ones.sum(-1, keepdim=True).clamp_min(1)
        context = weighted_sum(weights, values)
        return as_asked(query, context, weights.to(values.dtype) if need_weights else None)


NAMES = ("none", "uniform", "additive", "dot", "general", "concat", "local-m", "local-p")


def make_attention(
    name: str, hidden_dim: int, window: int, attention_dim: int | None = None
) -> nn.Module | None:
    """The attention called `name`, between states of size `hidden_dim`; None for "none".

    window: the D of the two local ones, which use the general score.
    attention_dim: the a of the additive one; None is hidden_dim.
    Raises ValueError for a name that is not in NAMES, and for an attention_dim without use.
    """
    one_of("attention", name, NAMES)
    if attention_dim is not None and name != "additive":
        raise ValueError(
            f"attention_dim is the size inside the additive score; {name!r} has none: leave it out."
        )
    if name == "none":
        return None
    if name == "uniform":
        return UniformAttention(hidden_dim, hidden_dim)
    if name == "additive":
        return AdditiveAttention(hidden_dim, hidden_dim, attention_dim or hidden_dim)
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
