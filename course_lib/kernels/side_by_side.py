"""Parts of one computation on threads of their own, each of which computes alone.

An operation of torch's that uses several threads ends when the last of them does. Beside another
busy process that one waits for a processor, a few milliseconds for each operation, and a kernel
that goes block by block has thousands. A thread that computes whole blocks waits once, at the end.
"""

import itertools
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import torch

MOST = 16  # each thread keeps a buffer, and sums of its own in a backward pass
Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(
    work: Callable[[Sequence[Item]], Result], items: Sequence[Item], device: torch.device
) -> list[Result]:
    """`work` of parts of the items, each on a thread: as many as torch was told to use.

    Which item is in which part depends on the number of threads alone, so that sums over the
    results are the same in every run. Nothing is recorded for autograd.
    """
    threads = min(torch.get_num_threads(), len(items), MOST) if device.type == "cpu" else 1
    if threads < 2:
        return [work(items)]
    inference = torch.is_inference_mode_enabled()  # of this thread; the others have their own

    def unrecorded(part: Sequence[Item]) -> Result:
        with torch.inference_mode(inference), torch.no_grad():
            return work(part)

    bounds = [len(items) * i // threads for i in range(threads + 1)]
    parts = [items[start:stop] for start, stop in itertools.pairwise(bounds)]
    return list(_pool(os.getpid(), threads).map(unrecorded, parts))


@cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """Threads on which every operation of torch's stays on one; a forked process has none yet."""
    all_there = threading.Barrier(threads + 1)

    def compute_alone() -> None:
        torch.get_num_threads()  # torch's first question in a thread sets the number for all
        torch.set_num_threads(1)
        all_there.wait()

    before = torch.get_num_threads()
    pool = ThreadPoolExecutor(threads, "attention", compute_alone)
    for _ in range(threads):
        pool.submit(int)  # starts a thread while none is idle, and none is before all are there
    all_there.wait()
    torch.set_num_threads(before)  # what later threads, and this one, begin with
    return pool
