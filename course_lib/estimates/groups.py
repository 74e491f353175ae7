"""How many GPUs hold a model: groups that servers have, and caches that cannot be divided."""

from collections.abc import Iterable, Iterator

LARGEST = 1024


def group_sizes() -> Iterator[int]:
    """1, 2, 4, 8, and then whole servers of 8."""
    yield from (1, 2, 4)
    yield from range(8, LARGEST + 1, 8)


def gpus_needed(
    weight_bytes: float | int, caches: Iterable[tuple[float | int, int]], memory: float | int | None
) -> int:
    """The smallest group whose every member has room for its part.

        weights / g + Σ cache / min(g, KV heads) ≤ memory of one

    Tensor parallelism gives each member some of the heads. What has one head, as a latent does, is
    kept by every member.

    Args:
        weight_bytes: of all weights.
        caches: (bytes, number of KV heads) of each kind of layer.
        memory: of one GPU.
    """
    if memory is None:
        raise ValueError("This machine has no memory given: Machine(flops, bandwidth, memory=…).")
    caches = list(caches)
    for size in group_sizes():
        if weight_bytes / size + sum(kept / min(size, heads) for kept, heads in caches) <= memory:
            return size
    raise ValueError(
        f"No group of up to {LARGEST} GPUs of {memory / 1e9:.0f} GB holds "
        f"{weight_bytes / 1e9:,.0f} GB of weights and the caches: ask for a shorter context or a "
        "smaller batch."
    )
