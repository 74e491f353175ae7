"""What a page's first lines quote of a model is what a committed run wrote."""

import csv
import re
from pathlib import Path

from tools.notebooks import read

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| ([a-z ]+) \| (.+) … \| (.+) \|$", re.MULTILINE)


def title(page: str) -> str:
    return read(ROOT / "book" / f"{page}.ipynb").cells[0].source


def shown() -> dict[str, dict[str, str]]:
    """The translations of the seed that *Learning to translate* sets, by their English."""
    source = "\n".join(c.source for c in read(ROOT / "book" / "learning_to_translate.ipynb").cells)
    (seed,) = re.findall(r"torch\.manual_seed\((\d+)\)", source)
    path = ROOT / "benchmarks" / "results" / "first_translations.csv"
    with open(path, newline="", encoding="utf-8") as file:
        return {row["english"]: row for row in csv.DictReader(file) if row["seed"] == seed}


def test_before_and_after_are_those_of_the_run():
    rows = ROW.findall(title("a_network_that_reads"))
    assert len(rows) == 2
    for english, before, after in rows:
        run = shown()[english]
        assert run["before"].startswith(before) and run["after"] == after, english


def test_the_untrained_translation_is_that_of_the_run():
    head = title("learning_to_translate")
    (quoted,) = re.findall(r"^> (.+) …$", head, re.MULTILINE)
    run = shown()["this dog waited"]
    assert run["before"].startswith(quoted) and f"*{run['right']}*" in head
