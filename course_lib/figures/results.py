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


THREAD = {  # the columns of thread_table: which number of which file, and its form
    "loss": ("thread", "loss"),
    "kB at 64": ("thread", "bytes_64"),
    "kB at 1,024": ("thread", "bytes_1024"),
    "pace at 64": ("thread_speed", "write_64"),
    "pace at 1,024": ("thread_speed", "write_1024"),
    "reading 1,024": ("thread_speed", "read_1024"),
}


def thread_table(
    *names: str, columns: tuple[str, ...] = ("loss", "kB at 64", "kB at 1,024", "pace at 1,024")
) -> str:
    """What `benchmarks/thread.py` and `thread_speed.py` measured of one small language model.

    A line for each setting, "–" where there is nothing to measure.

    Args:
        names: of the settings.
        columns: "loss" on held-out text, mean of the seeds ± half their spread; "kB at 64" and "kB
            at 1,024" of cache after so many tokens; "pace at 64", "pace at 1,024" of writing, and
            of "reading 1,024" tokens at once, as multiples of the plain model's, median of the
            turns ± half the distance of their quartiles.

    Raises:
        ValueError: for a setting or a column that was not measured.
    """
    files = {name: benchmark_rows(name) for name in ("thread", "thread_speed")}
    known = list(dict.fromkeys(row["model"] for rows in files.values() for row in rows))
    for given, all_of_them in ((names, known), (columns, list(THREAD))):
        for name in given:
            if name not in all_of_them:
                raise ValueError(f"the thread has no {name!r}; it has {', '.join(all_of_them)}.")
    table = [["", *columns]]
    for name in names:
        found = {f: [row for row in rows if row["model"] == name] for f, rows in files.items()}
        table.append([name, *(_cell(found[file], what) for file, what in map(THREAD.get, columns))])
    widths = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]
    lines = [
        f"{name:{widths[0]}s}"
        + "".join(f"{c:>{w}s}" for c, w in zip(cells, widths[1:], strict=True))
        for name, *cells in table
    ]
    return "\n".join(lines)


def _cell(rows: list[dict[str, str]], what: str) -> str:
    """One number of one setting as it is printed."""
    if rows and "task" in rows[0]:  # of the speed
        for row in rows:
            if row["task"] == what:
                half = (float(row["high"]) - float(row["low"])) / 2
                return f"{float(row['pace']):.2f} ± {half:.2f}"
        return "–"
    values = [float(row[what]) for row in rows if row[what]]
    if not values:
        return "–"
    if what != "loss":
        return f"{values[0] / 1000:,.1f}"
    return f"{sum(values) / len(values):.2f} ± {(max(values) - min(values)) / 2:.2f}"


def thread_writes(*names: str, width: int = 51) -> str:
    """How each of these models goes on from *The value of*: the first seed, at temperature 0.6."""
    rows = {row["model"]: row["text"] for row in benchmark_rows("thread") if row["seed"] == "0"}
    texts = [rows[name].removeprefix("The value of").strip()[:width] for name in names]
    return "\n".join(f"{name:19s} {text}" for name, text in zip(names, texts, strict=True))
