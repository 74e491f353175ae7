"""Rotary angles as a module keeps them: exact in every dtype, and through a saved state."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.formulas.positions import rotary_frequencies, rotary_turn, turned
from course_lib.formulas.precision import exact_dtype
from course_lib.validation.positions import check_angles


class RotaryModule(nn.Module):
    """A module that turns its queries and keys by the buffer `rotary_frequencies`, or by None."""

    head_dim: int
    rotary_base: float | None
    rotary_frequencies: Tensor | None

    def keep_frequencies(self, head_dim: int, rotary_base: float | None) -> None:
        """Register the angles of this base; None turns nothing."""
        self.head_dim, self.rotary_base = head_dim, rotary_base
        angles = None if rotary_base is None else rotary_frequencies(head_dim, rotary_base)
        self.register_buffer("rotary_frequencies", angles)
        self.register_load_state_dict_pre_hook(partial(keep_angles, rotary_frequencies))

    def _rotate(
        self, q: Tensor, k: Tensor, q_at: Tensor | int, k_at: Tensor | int
    ) -> tuple[Tensor, Tensor]:
        """Turn queries and keys (B, heads, length, d) by their positions, or the first of them."""
        if (angles := self.rotary_frequencies) is None:
            return q, k
        check_angles(angles, q)
        if isinstance(q_at, Tensor) and q_at.ndim == 2:
            q_at = q_at[:, None]  # (B, 1, length): the same in every head
        k_turn = q_turn = rotary_turn(q_at, q, angles)
        if k.shape[2] != q.shape[2]:  # else they stand at the same positions
            k_turn = rotary_turn(k_at, k, angles)
        return turned(q, *q_turn), turned(k, *k_turn)

    def _apply(self, fn, recurse=True):
        """`.half()` and `.to(dtype)` do not round the angles; they only follow to the device."""
        angles, self.rotary_frequencies = self.rotary_frequencies, None
        try:
            return super()._apply(fn, recurse)
        finally:
            if angles is not None and (device := fn(angles.detach().clone()).device).type != "meta":
                angles = angles.to(device, exact_dtype(device))
            self.rotary_frequencies = angles


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
