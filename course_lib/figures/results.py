"""The results of the benchmarks, for the chapters that draw them."""

import csv

from course_lib.course_files import course_file


def benchmark_rows(name: str) -> list[dict[str, str]]:
    """The rows of `benchmarks/results/<name>.csv`, by column name.

    From this repository, or, where only the library is installed (Colab), from what it brought.
    Raises FileNotFoundError when neither has it.
    """
    path = course_file(f"benchmarks/results/{name}.csv")
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


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
    table, numbers = [["", *columns]], [THREAD[column] for column in columns]
    for name in names:
        found = {f: [row for row in rows if row["model"] == name] for f, rows in files.items()}
        table.append([name, *(_cell(found[file], what) for file, what in numbers)])
    widths = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]
    lines = [
        f"{name:{widths[0]}s}"
        + "".join(f"{c:>{w}s}" for c, w in zip(cells, widths[1:], strict=True))
        for name, *cells in table
    ]
    return "\n".join(lines)


def tasks_table(
    *names: str, scores: tuple[str, ...], base: str = "4 KV heads", by_seed: bool = True
) -> str:
    """What `benchmarks/thread_tasks.py` measured of these settings.

    A line for each: the share of right answers of each task, mean of the seeds, with a star where
    the difference to the base, seed by seed, is larger than its spread; and the kB that its layers
    keep after 1,024 tokens. "–" where nothing was measured.

    Args:
        names: of the settings.
        scores: "once", "again", "echo", "first" or "within".
        base: the setting that the others are compared with.
        by_seed: below, the least and the largest difference to the base for each other setting.

    Raises:
        ValueError: for a setting or a score that was not measured.
    """
    kept: dict[str, float] = {}
    right: dict[tuple[str, str], dict[str, float]] = {}
    for row in benchmark_rows("thread_tasks"):
        kept[row["setting"]] = int(row["bytes_1024"]) / 1000
        right.setdefault((row["setting"], row["score"]), {})[row["seed"]] = float(row["right"])
    for given, column in ((names, 0), (scores, 1)):
        known = list(dict.fromkeys(key[column] for key in right))
        for name in given:
            if name not in known:
                raise ValueError(f"the tasks have no {name!r}; they have {', '.join(known)}.")
    gaps = {
        (name, score): [x - right[base, score][seed] for seed, x in right[name, score].items()]
        for name, score in right
        if name != base and (base, score) in right
    }
    lines = [" " * 17 + "".join(f"{score:>6s} " for score in scores) + " kB kept"]
    for name in names:
        cells = [_score(right.get((name, s), {}), gaps.get((name, s), [])) for s in scores]
        lines.append(f"{name:17s}" + "".join(cells) + f"{kept[name]:>9.1f}")
    if by_seed:
        lines.append(f"minus {base}, seed by seed:")
        for name in names:
            if name != base:
                found = [gaps.get((name, score), []) for score in scores]
                told = (f"{min(x):+.2f} to {max(x):+.2f}" if x else "–" for x in found)
                lines.append(f"{name:17s}" + "".join(f"{x:>17s}" for x in told))
    return "\n".join(lines)


def _score(by_seed: dict[str, float], gaps: list[float]) -> str:
    """A mean of the seeds, with a star if its difference to the base is larger than the spread."""
    if not by_seed:
        return "     – "
    decided = len(gaps) > 1 and abs(sum(gaps)) / len(gaps) > max(gaps) - min(gaps)
    return f"{sum(by_seed.values()) / len(by_seed):6.2f}" + ("*" if decided else " ")


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
