"""Chunks on every machine or separate machines for prefill and decode: the rates that they keep up.

    python -m benchmarks serving               # all; or with lengths of prompts: 8192

The program is that of the page *Prefill and decode apart*, read from its cells. For each length of
prompt, each end of the cost of a pass, each service with each of its settings and each draw of
requests, `serving.csv` has the highest rate (by bisection over the page's steps) at which 90 % of
the second half of the requests are in time, for each limit of the gaps. The numbers are counted,
not clocked, so they are the same on every machine.
"""

import sys
from functools import cache
from pathlib import Path

from benchmarks.measure import merge
from tools.notebooks import read

PAGE = Path(__file__).parents[1] / "book" / "prefill_and_decode_apart.ipynb"
CELLS = ("apart-imports", "pass-code", "run-code", "asked-code")
SEEDS = (1, 2, 3, 4)  # the page chooses a setting with the first, and judges it with the others


def program() -> dict:
    """The names that the cells of the page define."""
    cells, held = {cell.id: cell.source for cell in read(PAGE).cells}, {}
    for name in CELLS:
        exec(cells[name], held)
    return held


def highest(page: dict, prompt: int, overlap: int, setting: tuple, seed: int) -> dict[str, int]:
    """For each limit of the gaps the highest rate of the page's steps that is kept, or 0."""
    service, *how = setting
    rates = [0, *page["RATES"][prompt]]

    @cache
    def jobs(rate: int) -> list:
        return service(page["requests"](rate, prompt, seed), *how, overlap)

    def best(limit: str) -> int:
        low, high = 0, len(rates) - 1
        while low < high:
            middle = (low + high + 1) // 2
            share = page["in_time"](jobs(rates[middle]), page["START"][prompt],
                                    *page["LIMITS"][limit])  # fmt: skip
            low, high = (middle, high) if share >= 0.9 else (low, middle - 1)
        return rates[low]

    return {limit: best(limit) for limit in page["LIMITS"]}


def main() -> None:
    page = program()
    for prompt in map(int, sys.argv[1:] or page["RATES"]):
        for overlap in (1, 0):
            for kind, settings in page["services"].items():
                for name, setting in settings.items():
                    case = {"prompt": prompt, "overlap": overlap, "service": kind, "setting": name}
                    rows = [
                        case | {"seed": seed} | highest(page, prompt, overlap, setting, seed)
                        for seed in SEEDS
                    ]
                    merge("serving", rows, (*case, "seed"))
