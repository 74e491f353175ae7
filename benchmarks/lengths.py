"""Seconds of one head's attention as the length doubles: written out, in tiles, and fused.

One head of width 64 on one core: processor time, which another program does not lengthen much, and
the fastest of the runs, which take turns. The slope of log seconds over log length is the power
with which the time grows: 2 for work on pairs alone.
"""

import time

import torch
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.measure import take_turns, write
from course_lib.kernels import flash_attention

LENGTHS, WIDTH, ROUNDS = (512, 1024, 2048, 4096, 8192), 64, 9


def written_out(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The formula: every score is held."""
    return torch.softmax(q @ k.mT / WIDTH**0.5, -1) @ v


CONTENDERS = {
    "written out": written_out,
    "flash tiles": flash_attention,
    "torch": scaled_dot_product_attention,
}


def main() -> None:
    rows = []
    for length in LENGTHS:
        qkv = torch.randn(3, 1, 1, length, WIDTH)
        runs = {name: lambda f=f, x=qkv: f(*x) for name, f in CONTENDERS.items()}
        seconds = take_turns(runs, ROUNDS, time.process_time)
        rows += [
            {"contender": name, "length": length, "cpu_seconds": f"{min(times):.3g}"}
            for name, times in seconds.items()
        ]
    write("lengths", rows, width=str(WIDTH), rounds=str(ROUNDS))
