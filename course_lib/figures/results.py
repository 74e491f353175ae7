"""The results of the benchmarks, for the chapters that draw them."""

import csv
import io
import urllib.error
import urllib.request
from pathlib import Path

from course_lib.address import REPOSITORY

HERE = Path(__file__).parents[2] / "benchmarks" / "results"
RAW = REPOSITORY.replace("https://github.com", "https://raw.githubusercontent.com")
THERE = f"{RAW}/HEAD/benchmarks/results" if REPOSITORY else ""


def benchmark_rows(name: str) -> list[dict[str, str]]:
    """The rows of `benchmarks/results/<name>.csv`, by column name.

    From this repository, or, where only the library is installed (Colab), from the web.
    Raises FileNotFoundError when neither has it.
    """
    path = HERE / f"{name}.csv"
    if path.exists():
        text = path.read_text(encoding="utf-8")
    else:
        try:
            with urllib.request.urlopen(f"{THERE}/{name}.csv", timeout=20) as answer:
                text = answer.read().decode()
        except (urllib.error.URLError, TimeoutError, ValueError) as error:
            where = f"{THERE} cannot be reached ({error})" if THERE else "no address is known"
            raise FileNotFoundError(
                f"the results of the benchmark {name!r} are not beside the library, and "
                f"{where}. Clone the repository to have them here."
            ) from None
    return list(csv.DictReader(io.StringIO(text)))


def thread_table(*names: str) -> str:
    """What `benchmarks/thread.py` measured of these settings of one small language model.

    A line each: loss on held-out text (mean of the seeds ± half their spread), and kilobytes of
    cache after 64 and after 1,024 tokens.
    """
    rows = benchmark_rows("thread")
    lines = [f"{'':20s}{'loss':>11s}{'kB at 64':>12s}{'at 1,024':>11s}"]
    for name in names:
        found = [row for row in rows if row["model"] == name]
        if not found:
            known = ", ".join(dict.fromkeys(row["model"] for row in rows))
            raise ValueError(f"the thread has no {name!r}; it has {known}.")
        losses = [float(row["loss"]) for row in found]
        mean, spread = sum(losses) / len(losses), (max(losses) - min(losses)) / 2
        held = [int(found[0][f"bytes_{n}"]) / 1000 for n in (64, 1024)]
        lines.append(f"{name:20s}{mean:6.2f} ± {spread:.2f}{held[0]:11.1f}{held[1]:11.1f}")
    return "\n".join(lines)
