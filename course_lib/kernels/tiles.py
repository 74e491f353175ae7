"""Which tiles of scores a card's chip holds, and which of those is the quickest there.

Each tile of the tables compiles for its cards within their shared memory, with at most 255
registers and next to nothing spilled: `tests/kernels/test_compiled.py` compiles them all.
"""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

MIN_TIMED = 2**20  # queries times keys of one head from which a choice of tiles is timed


class Tile(NamedTuple):
    """BT queries by BS keys, the warps that share the work, the tiles loaded ahead."""

    BT: int
    BS: int
    num_warps: int
    num_stages: int


Pass = Literal["forward", "backward_queries", "backward_keys"]

# The first is taken where nothing is timed.
HALF: dict[Pass, tuple[Tile, ...]] = {
    "forward": (Tile(128, 64, 8, 3), Tile(128, 32, 8, 3)),
    "backward_queries": (Tile(64, 64, 4, 2), Tile(64, 32, 4, 2)),
    "backward_keys": (Tile(64, 64, 8, 1), Tile(32, 64, 8, 2)),
}
FLOAT32: dict[Pass, tuple[Tile, ...]] = {
    "forward": (Tile(32, 32, 4, 2),),
    "backward_queries": (Tile(32, 32, 8, 1),),
    "backward_keys": (Tile(16, 32, 8, 1),),
}
# Where an H200's 227 KiB of shared memory hold more.
HOPPER: dict[Pass, tuple[Tile, ...]] = {
    "forward": (Tile(128, 128, 8, 2),),
    "backward_queries": (Tile(128, 64, 8, 2),),
    "backward_keys": (Tile(64, 64, 8, 2),),
}


def flash_tiles(passes: Pass, dtype: torch.dtype, capability: tuple[int, int]) -> tuple[Tile, ...]:
    """What a launch may choose from on a card of this compute capability."""
    if dtype == torch.float32:
        return FLOAT32[passes]
    return HALF[passes] + (HOPPER[passes] if capability == (9, 0) else ())


_FASTEST: dict[Hashable, Tile] = {}


def fastest(
    tiles: tuple[Tile, ...],
    launch: Callable[[Tile], object],
    x: Tensor,
    n_keys: int,
    *kind: Hashable,
) -> Tile:
    """The tile whose launch over the queries x is the quickest, timed once for each kind of call.

    The first, untimed, on a CPU, for short calls, while a CUDA graph is captured, and where
    `torch.use_deterministic_algorithms` wants the same bits from every run.
    """
    short = x.shape[-2] * n_keys < MIN_TIMED
    if short or not x.is_cuda or torch.are_deterministic_algorithms_enabled():
        return tiles[0]
    if len(tiles) == 1 or torch.cuda.is_current_stream_capturing():
        return tiles[0]
    # One tile for all lengths up to the same power of two.
    lengths = (x.shape[-2] - 1).bit_length(), (n_keys - 1).bit_length()
    key = (x.device, x.dtype, x.shape[-1], lengths, *kind)
    if key not in _FASTEST:
        from triton.testing import do_bench

        times: list[Any] = [do_bench(partial(launch, tile)) for tile in tiles]
        _FASTEST[key] = tiles[times.index(min(times))]
    return _FASTEST[key]
