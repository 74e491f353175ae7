"""The tables of benchmarks/README.md, written from results/*.csv: `python -m benchmarks.tables`.

A table stands between `<!-- NAME -->` and `<!-- end -->`: a line for each setting, a column for
each contender with its ratio, and below it what is the same in every row.
"""

import csv
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results"
README = HERE / "README.md"
NAMES = (
    "additive",
    "additive_beside_another",
    "scaled_dot",
    "multi_head",
    "decode",
    "decode_latent",
    "step_time",
)
MEASURED = ("ratio", "seconds", "low", "high", "peak_MiB")
ABOUT = ("device", "processor", "vendor", "instructions", "python", "torch", "keras")
ABOUT += ("x_transformers",)


def update() -> None:
    """Write every table of the README anew."""
    text = README.read_text(encoding="utf-8")
    for name in NAMES:
        text = replaced(text, name)
    README.write_text(text, encoding="utf-8", newline="\n")


def replaced(text: str, name: str) -> str:
    """The README's text with one table as its CSV has it."""
    head, start, rest = text.partition(f"<!-- {name} -->\n")
    _, end, tail = rest.partition("<!-- end -->")
    if not (start and end):
        raise ValueError(f"README.md has no place <!-- {name} --> … <!-- end --> for a table.")
    return f"{head}{start}\n{table(name)}\n{end}{tail}"


def table(name: str) -> str:
    """One CSV as a table of ratios, and a line on what they are from."""
    with open(RESULTS / f"{name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    keys = [k for k in rows[0] if k not in (*MEASURED, *ABOUT, "contender")]
    varying = [k for k in keys if len({row[k] for row in rows}) > 1]
    contenders = list(dict.fromkeys(row["contender"] for row in rows))
    lines: dict[tuple, dict[str, str]] = {}
    for row in rows:
        setting = tuple(row[k] for k in varying)
        lines.setdefault(setting, {})[row["contender"]] = f"{float(row['ratio']):.2f}"
    head = [*varying, *contenders]
    body = [[*setting, *(cells.get(c, "") for c in contenders)] for setting, cells in lines.items()]
    rule = ["---"] * len(varying) + ["---:"] * len(contenders)
    written = "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))
    constant = [f"{k} {rows[0][k]}" for k in keys if k not in varying]
    about = [f"{k} {rows[0][k]}" for k in ABOUT if k in rows[0]]
    if "processor" not in rows[0]:
        about.append("processor not recorded")
    return f"{written}\n\n{'; '.join(constant + about)}.\n"


if __name__ == "__main__":
    update()
