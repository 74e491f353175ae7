"""Additive attention without the (T, S, a) tensor, by the path that was chosen."""

import torch
from torch import Tensor

from course_lib.formulas.precision import autocasts, no_autocast
from course_lib.kernels.additive_blocked import BlockedAdditive
from course_lib.kernels.additive_recomputed import recomputed_additive
from course_lib.kernels.choose import choose_additive


def additive_context(
    query_proj: Tensor, key_proj: Tensor, v_a: Tensor, values: Tensor, mask: Tensor | None = None
) -> Tensor | None:
    """The context by the path that `choose_additive` names; None when that is the formula."""
    path = choose_additive(query_proj, key_proj, v_a, values, mask).name
    if path == "readable":
        return None
    *lead, T, a = query_proj.shape
    S, d_v = values.shape[-2:]
    if mask is not None:
        mask = mask.expand(*lead, T, S).reshape(-1, T, S)
    q, k, val = query_proj.reshape(-1, T, a), key_proj.reshape(-1, S, a), values.reshape(-1, S, d_v)
    dtype = torch.get_autocast_dtype(values.device.type) if autocasts(values) else values.dtype
    with no_autocast(values):
        if path == "triton":
            from course_lib.kernels.additive_operator import triton_additive as attend
        else:
            attend = BlockedAdditive.apply if path == "blocked" else recomputed_additive
            wide = torch.promote_types(torch.float32, values.dtype)
            q, k, v_a, val = (x.to(wide) for x in (q, k, v_a, val))
        out = attend(q, k, v_a, val, mask)
    return out.to(dtype).reshape(*lead, T, d_v)
