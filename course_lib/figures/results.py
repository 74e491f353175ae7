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
