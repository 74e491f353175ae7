"""Which path runs, and why: what `kernels.choose` decides, said of tensors that were checked."""

from typing import Literal

from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.kernels.choose import Path, choose_additive, choose_flash, choose_scaled_dot
from course_lib.validation.arguments import flag, number, one_of
from course_lib.validation.tensors import check_attention_inputs, check_scale


def explain(
    query: Float[Tensor, "..."],
    key: Float[Tensor, "..."],
    value: Float[Tensor, "..."] | None = None,
    mask: Bool[Tensor, "..."] | None = None,
    *,
    score: Literal["scaled_dot", "flash", "additive"] = "scaled_dot",
    v_a: Float[Tensor, " a"] | None = None,
    score_bias: Float[Tensor, "..."] | None = None,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    need_weights: bool = False,
    dropout_p: float = 0.0,
) -> str:
    """Say which path attention over these tensors takes, and why: one sentence.

    Args:
        query, key, value: what the score sees; for "additive" the projections (..., T, a) and
            (..., S, a). value defaults to key.
        score: "scaled_dot" and "additive" are what the modules call with `need_weights=False`;
            "flash" is `flash_attention` called by its name.
        v_a: for "additive"; without it, its size is not judged.

    Raises:
        ValueError: for a score that does not exist.
        TypeError, ValueError: for inputs that this attention would refuse.
    """
    value = key if value is None else value
    one_of("score", score, ("scaled_dot", "flash", "additive"))
    is_causal, need_weights = flag("is_causal", is_causal), flag("need_weights", need_weights)
    dropout_p = number("dropout_p", dropout_p, least=0, below=1)
    check_scale(scale)
    dot = {"scaled_dot": {"dot": True, "grouped": 4}, "flash": {"dot": True, "grouped": 3}}
    names, others = ("query", "key", "value"), {} if v_a is None else {"v_a": v_a}
    options = {"names": names, **dot.get(score, {}), **others}
    check_attention_inputs(query, key, value, mask, score_bias, **options)
    if need_weights:
        path = Path("readable", "the weights are asked for, and only the formula holds them")
    elif score == "additive":
        path = choose_additive(query, key, v_a, value, mask)
    elif score == "flash":
        path = choose_flash(query, key, value)
    else:
        settings = {"is_causal": is_causal, "scale": scale, "dropout_p": dropout_p}
        path = choose_scaled_dot(query, key, value, mask, score_bias, **settings)
    return f"{path.name}: {path.reason}."
