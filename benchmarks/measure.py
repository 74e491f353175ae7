"""Medians of interleaved runs, peak memory, and the CSV that keeps them."""

import csv
import ctypes
import gc
import platform
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch

RESULTS = Path(__file__).parent / "results"
Contender = Callable[[], object]


def medians(contenders: dict[str, Contender], rounds: int) -> dict[str, float]:
    """Seconds of each contender. They take turns, so a slow moment hits all of them alike, in an
    order that changes, so nobody always follows the one who leaves the memory in disorder."""
    for run in contenders.values():
        run()  # compiles, fills caches
    seconds = {name: [] for name in contenders}
    order, shuffle = list(contenders.items()), random.Random(0).shuffle
    for _ in range(rounds):
        shuffle(order)
        for name, run in order:
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(s) for name, s in seconds.items()}


def peak_bytes(run: Contender) -> int:
    """How far the process grew beyond its size before the run (Linux)."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # memory that was freed but kept would hide the growth
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = _status("VmRSS")
    run()
    return max(0, _status("VmHWM") - before)


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field))


def versions(**more: str) -> dict[str, str]:
    return {
        "device": f"CPU, {torch.get_num_threads()} threads",
        "python": platform.python_version(),
        "torch": torch.__version__,
        **more,
    }


def write(name: str, rows: list[dict[str, object]], **more: str) -> None:
    """One row per contender and setting, each with the device and the versions."""
    RESULTS.mkdir(exist_ok=True)
    rows = [row | versions(**more) for row in rows]
    with open(RESULTS / f"{name}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for row in rows:
        print(*(f"{key}={value}" for key, value in row.items() if key not in versions(**more)))


def against(base: str, seconds: dict[str, float], **setting: object) -> list[dict[str, object]]:
    """Rows with each contender's time divided by that of the base: above 1 is slower."""
    return [
        {**setting, "contender": name, "ratio": round(s / seconds[base], 3)}
        for name, s in seconds.items()
    ]
