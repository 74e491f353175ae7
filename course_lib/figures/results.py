"""The results of the benchmarks, for the chapters that draw them."""

import csv
import io
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).parents[2] / "benchmarks" / "results"
THERE = "https://raw.githubusercontent.com/attention-course/attention/main/benchmarks/results"


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
        except (urllib.error.URLError, TimeoutError) as error:
            raise FileNotFoundError(
                f"the results of the benchmark {name!r} are not beside the library, and "
                f"{THERE} cannot be reached ({error}). Clone the repository to have them here."
            ) from None
    return list(csv.DictReader(io.StringIO(text)))
