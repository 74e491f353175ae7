"""Interleaved runs, peak memory, and the CSV that keeps them with the processor they are from."""

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

from benchmarks import tables
from benchmarks.tables import RESULTS
from tools.processor import processor, vendor

Contender = Callable[[], object]


def take_turns(
    contenders: dict[str, Contender], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Seconds of each contender, a run each.

    They take turns, so a slow moment hits all of them alike, in an order that changes, so nobody
    always follows the one who leaves the memory in disorder.
    """
    for run in contenders.values():
        run()  # compiles, fills caches
    seconds = {name: [] for name in contenders}
    order, shuffle = list(contenders.items()), random.Random(0).shuffle
    for _ in range(rounds):
        shuffle(order)
        for name, run in order:
            start = clock()
            run()
            seconds[name].append(clock() - start)
    return seconds


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
    """What a number depends on beside the code: processor, threads, instructions, versions."""
    threads = torch.get_num_threads()
    return {
        "device": f"CPU, {threads} thread" + "s" * (threads > 1),
        "processor": processor(),
        "vendor": vendor(),
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        **more,
    }


def write(name: str, rows: list[dict[str, object]], **more: str) -> None:
    """One row per contender and setting, each with the device and the versions."""
    about = versions(**more)
    _save(name, [row | about for row in rows], rows)
    tables.update()


def merge(name: str, rows: list[dict[str, object]], keys: tuple[str, ...], **more: str) -> None:
    """The same beside the rows that the file has; rows with the same keys take their places."""
    about, path = versions(**more), RESULTS / f"{name}.csv"
    fresh = {tuple(str(row[k]) for k in keys): row | about for row in rows}
    table = {}
    if path.exists():
        with open(path, newline="", encoding="utf-8") as file:
            table = {tuple(row[k] for k in keys): row for row in csv.DictReader(file)}
    _save(name, list((table | fresh).values()), rows)


def _save(name: str, table: list[dict], fresh: list[dict]) -> None:
    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        columns = list(dict.fromkeys(name for row in table for name in row))
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    for row in fresh:
        print(*(f"{key}={value}" for key, value in row.items()), flush=True)


def against(
    base: str, seconds: dict[str, list[float]], **setting: object
) -> list[dict[str, object]]:
    """Rows with each contender's median divided by that of the base: above 1 is slower.

    Beside it the median in seconds, and the quarter of the runs that were faster and slower.
    """
    median = {name: statistics.median(runs) for name, runs in seconds.items()}
    rows = []
    for name, runs in seconds.items():
        low, _, high = statistics.quantiles(runs, n=4) if len(runs) > 1 else runs * 3
        row = {**setting, "contender": name, "ratio": round(median[name] / median[base], 3)}
        row |= {"seconds": f"{median[name]:.3g}", "low": f"{low:.3g}", "high": f"{high:.3g}"}
        rows.append(row)
    return rows
