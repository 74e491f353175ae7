"""The scores, of queries and keys that have been checked."""

from jaxtyping import Float
from torch import Tensor

from course_lib.formulas import scores as formulas
from course_lib.gate.documented import documented_by
from course_lib.validation.scores import check_scored
from course_lib.validation.tensors import check_last_dim, check_scale


@documented_by(formulas.dot_scores)
def dot_scores(query: Float[Tensor, "... T d"], keys: Float[Tensor, "... S d"]) -> Tensor:
    """
    Raises:
        ValueError: when the last dimensions differ, and for batches that do not broadcast.
        TypeError: for integers, and for float64 beside a narrower dtype.
    """
    check_scored(query=query, keys=keys)
    check_last_dim("keys", keys, query.shape[-1], "a query", query)
    return formulas.dot_scores(query, keys)


@documented_by(formulas.scaled_dot_scores)
def scaled_dot_scores(
    query: Float[Tensor, "... T d"],
    keys: Float[Tensor, "... S d"],
    scale: float | Tensor | None = None,
) -> Tensor:
    """
    Raises:
        TypeError, ValueError: as `dot_scores`, and for a scale that is no finite number.
    """
    check_scored(query=query, keys=keys)
    check_last_dim("keys", keys, query.shape[-1], "a query", query)
    check_scale(scale)
    return formulas.scaled_dot_scores(query, keys, scale)


@documented_by(formulas.general_scores)
def general_scores(
    query: Float[Tensor, "... T q"], keys: Float[Tensor, "... S k"], W_a: Float[Tensor, "q k"]
) -> Tensor:
    """
    Raises:
        TypeError, ValueError: as `dot_scores`.
    """
    check_scored(query=query, keys=keys, W_a=W_a)
    check_last_dim("keys", keys, W_a.shape[1], "W_a", W_a)
    check_last_dim("query", query, W_a.shape[0], "W_a", W_a)
    return formulas.general_scores(query, keys, W_a)


@documented_by(formulas.additive_scores)
def additive_scores(
    query_proj: Float[Tensor, "... T a"],
    key_proj: Float[Tensor, "... S a"],
    v_a: Float[Tensor, " a"],
) -> Tensor:
    """
    Raises:
        TypeError, ValueError: as `dot_scores`.
    """
    check_scored(query_proj=query_proj, key_proj=key_proj, v_a=v_a)
    for name, tensor in (("query_proj", query_proj), ("key_proj", key_proj)):
        check_last_dim(name, tensor, v_a.shape[0], "v_a", v_a)
    return formulas.additive_scores(query_proj, key_proj, v_a)


@documented_by(formulas.concat_scores)
def concat_scores(
    query: Float[Tensor, "... T q"],
    keys: Float[Tensor, "... S k"],
    W_a: Float[Tensor, "a q+k"],
    v_a: Float[Tensor, " a"],
) -> Tensor:
    """
    Raises:
        TypeError, ValueError: as `dot_scores`.
    """
    check_scored(query=query, keys=keys, W_a=W_a, v_a=v_a)
    d_q, d_k = query.shape[-1], keys.shape[-1]
    if W_a.shape[1] != d_q + d_k:
        raise ValueError(
            f"W_a of shape {tuple(W_a.shape)} needs {d_q} + {d_k} columns to take a query of "
            f"shape {tuple(query.shape)} joined to keys of shape {tuple(keys.shape)}."
        )
    check_last_dim("v_a", v_a, W_a.shape[0], "W_a", W_a)
    return formulas.concat_scores(query, keys, W_a, v_a)
