"""Attention without a softmax, of tensors that have been checked."""

from jaxtyping import Float
from torch import Tensor

from course_lib.formulas import linear as formulas
from course_lib.gate.documented import documented_by
from course_lib.validation.arguments import flag
from course_lib.validation.tensors import check_attention_inputs

NAMES = ("q", "k", "v")


@documented_by(formulas.linear_attention)
def linear_attention(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... S d"],
    v: Float[Tensor, "... S d_v"],
    *,
    is_causal: bool = False,
    recurrent: bool = False,
) -> Float[Tensor, "... T d_v"]:
    """
    Raises:
        TypeError: for integers.
        ValueError: when the shapes do not fit.
    """
    is_causal, recurrent = flag("is_causal", is_causal), flag("recurrent", recurrent)
    check_attention_inputs(q, k, v, names=NAMES, dot=True)
    return formulas.linear_attention(q, k, v, is_causal=is_causal, recurrent=recurrent)


@documented_by(formulas.delta_rule)
def delta_rule(
    q: Float[Tensor, "... T d"],
    k: Float[Tensor, "... T d"],
    v: Float[Tensor, "... T d_v"],
    beta: Float[Tensor, "... T"],
    *,
    recurrent: bool = False,
) -> Float[Tensor, "... T d_v"]:
    """
    Raises:
        TypeError: for integers.
        ValueError: when the shapes do not fit.
    """
    recurrent = flag("recurrent", recurrent)
    check_attention_inputs(q, k, v, names=NAMES, dot=True, may_be_empty=True, beta=beta)
    if q.shape != k.shape or beta.shape != k.shape[:-1]:
        raise ValueError(
            "each position needs one query, one key and one beta, got q "
            f"{tuple(q.shape)}, k {tuple(k.shape)} and beta {tuple(beta.shape)}."
        )
    return formulas.delta_rule(q, k, v, beta, recurrent=recurrent)
