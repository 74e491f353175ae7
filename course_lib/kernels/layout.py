"""Any leading axes in, the four axes (N, H, length, d) that every kernel takes out."""

from torch import Tensor

from course_lib.attention.precision import no_autocast as no_autocast


def as_four(x: Tensor) -> Tensor:
    """(T, d) → (1, 1, T, d), (H, T, d) → (1, H, T, d), (..., H, T, d) → (N, H, T, d)."""
    return x.flatten(0, -4) if x.ndim > 4 else x[(None,) * (4 - x.ndim)]


def check_heads(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse queries whose heads cannot share those of the keys and values."""
    shapes = f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}"
    if min(q.ndim, k.ndim, v.ndim) < 2 or not q.ndim == k.ndim == v.ndim:
        raise ValueError(f"q, k and v need equally many axes, at least (length, d), got {shapes}.")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k need the same last dimension, got {shapes}.")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"each key needs one value, but the lengths differ: {shapes}.")
    if k.shape[-2] == 0:
        raise ValueError(f"there are no keys to attend to (length 0): {shapes}.")
    fits = k.shape[:-2] == v.shape[:-2] and q.shape[:-3] == k.shape[:-3]
    if not fits or (q.ndim > 2 and (k.shape[-3] == 0 or q.shape[-3] % k.shape[-3])):
        raise ValueError(
            "q, k and v need equal batch axes, and the heads of k and v (third from the right) "
            f"must divide those of q, got {shapes}."
        )
