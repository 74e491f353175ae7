"""Scores: queries and keys, and the W_a and v_a between them."""

import torch
from torch import Tensor

from course_lib.validation.tensors import check_floating, check_one_dtype, check_same_device


def check_scored(**tensors: Tensor) -> None:
    """Refuse what no product takes: queries and keys first, then W_a and v_a."""
    check_floating(**tensors)
    check_same_device(**tensors)
    if len({torch.promote_types(x.dtype, torch.float32) for x in tensors.values()}) > 1:
        check_one_dtype(**tensors)  # half precision beside float32 is widened anyway
    (_, query), (_, keys), *_ = tensors.items()
    single = "v_a" not in tensors  # a product takes one query (d,) as it is, a sum does not
    for name, tensor in tensors.items():
        least = 1 if name == "v_a" or (tensor is query and single) else 2
        exactly = name in ("W_a", "v_a")
        if tensor.ndim < least or (exactly and tensor.ndim > least):
            raise ValueError(
                f"{name} must have {'' if exactly else 'at least '}{least} dimension(s), "
                f"got shape {tuple(tensor.shape)}."
            )
    aligned = zip(reversed(query.shape[:-2]), reversed(keys.shape[:-2]), strict=False)
    for i, (q, k) in enumerate(aligned):
        heads = i == 0 and k > 0 and q % k == 0  # several of queries share one of keys
        if q != k and 1 not in (q, k) and not heads:
            names, shapes = list(tensors)[:2], (tuple(query.shape), tuple(keys.shape))
            raise ValueError(
                f"the batch dimensions of {names[0]} {shapes[0]} and {names[1]} {shapes[1]} "
                "must be equal or 1."
            )
