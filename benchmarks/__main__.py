"""python -m benchmarks [NAME [ARGUMENT]...]

One benchmark, or without a name those of MINUTES. On one thread, but for those of ALL_THREADS.
"""

import importlib
import sys

import torch

MINUTES = ("additive", "scaled_dot", "decode", "positions", "step_time", "lengths", "generation",
           "published")  # fmt: skip
HOURS = (
    "ablation", "blocks", "bottleneck", "by_heart", "depth", "everyday", "experts", "heads",
    "in_blocks", "knobs", "ladder", "listening", "listening_direct", "long_sentences",
    "multi30k", "namers", "seeds", "serving", "spelling", "thread", "thread_speed", "thread_tasks",
    "translation", "translators", "verses", "gpu", "grading",
)  # fmt: skip
ALL_THREADS = ("additive", "scaled_dot", "generation", "gpu")


def run(threads: int, name: str, *arguments: str) -> None:
    """One of them, with the arguments that it takes."""
    if name not in (*MINUTES, *HOURS):
        sys.exit(f"There is no benchmark {name!r}. There are {', '.join((*MINUTES, *HOURS))}.")
    sys.argv = [f"python -m benchmarks {name}", *arguments]
    torch.set_num_threads(threads if name in ALL_THREADS else 1)
    importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    given, threads = sys.argv[1:], torch.get_num_threads()
    for words in [given] if given else [[name] for name in MINUTES]:
        run(threads, *words)
