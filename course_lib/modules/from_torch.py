"""PyTorch's own multi-head attention, copied into ours."""

from typing import Any, TypeVar

import torch
from torch import nn

Ours = TypeVar("Ours", bound=nn.Module)


def sizes_of(module: nn.MultiheadAttention) -> dict[str, Any]:
    """The arguments of ours. Raises ValueError for what ours has not, TypeError for no such."""
    if not isinstance(module, nn.MultiheadAttention):
        raise TypeError(f"module must be an nn.MultiheadAttention, got {type(module).__name__}.")
    if module.bias_k is not None or module.bias_v is not None or module.add_zero_attn:
        raise ValueError("add_bias_kv and add_zero_attn have no counterpart here.")
    sizes = {"embed_dim": module.embed_dim, "num_heads": module.num_heads}
    sizes |= {"kdim": module.kdim, "vdim": module.vdim}
    return sizes | {"bias": module.in_proj_bias is not None, "dropout": module.dropout}


def copy_weights(module: nn.MultiheadAttention, ours: Ours) -> Ours:
    """The weights of `module` in `ours`, frozen where they were, in its mode."""
    with torch.enable_grad():  # else a part of a matrix would not say whether it is frozen
        apart = module.q_proj_weight, module.k_proj_weight, module.v_proj_weight
        together, bias = module.in_proj_weight, module.in_proj_bias
        weights = apart if together is None else together.chunk(3)  # apart if sizes differ
        biases = () if bias is None else bias.chunk(3)
    parts = {f"W_{x}.weight": w for x, w in zip("qkv", weights, strict=True)}
    parts |= {f"W_{x}.bias": b for x, b in zip("qkv", biases, strict=False)}
    parts |= {f"W_o.{name}": part for name, part in module.out_proj.named_parameters()}
    for name, part in parts.items():
        ours.get_parameter(name).requires_grad_(part.requires_grad).data.copy_(part)
    return ours.train(module.training)
