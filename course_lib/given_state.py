"""A state dict from outside: the angles of rotary positions stay exact."""

from collections.abc import Callable
from typing import Any

import torch


def keep_angles(frequencies: Callable, module: Any, state: dict, prefix: str, *args: Any) -> None:
    """A state that was cast holds rounded angles: the module keeps its own, if they are the same.

    frequencies: of a head's width and a base, for a module on the meta device, which has none.
    args: of `register_load_state_dict_pre_hook`, the last of them the list of errors.
    """
    name = f"{prefix}rotary_frequencies"
    own, found = module.rotary_frequencies, state.get(name)
    if own is None or found is None or found.dtype == torch.float64 or found.shape != own.shape:
        return
    if own.is_meta:
        own = frequencies(module.head_dim, module.rotary_base or 1e4)
    rounded = own.to(found.device, found.dtype)
    # Angles that a GPU computed may differ in their last bit.
    if torch.allclose(rounded, found, rtol=2 * torch.finfo(found.dtype).eps, atol=0):
        state[name] = own
    elif found.dtype != torch.float32:
        args[-1].append(
            f"{name} was rounded to {found.dtype} and is not what this module would round: save it "
            "in float64, or assign the frequencies anew and leave them out of the state."
        )
