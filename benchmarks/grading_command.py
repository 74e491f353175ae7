"""What `attn grade` takes from its start to its last line, and the classes that are graded."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.nbgrader import submission
from course_lib.exercises import CATALOGUE

ROOT = Path(__file__).parents[1]
TORCH = "07_scaled_dot_product"


def commands(profile) -> dict:
    """Seconds from the command to its last line: one submission alone; 1,000 again, unchanged; a
    roster of 5,000 beside 2,000 files of no exercise."""
    with tempfile.TemporaryDirectory() as here:
        one, many, junk, roster = (Path(here, name) for name in ("one", "many", "junk", "roster"))
        write_class(one, TORCH, lambda i: solution(TORCH), 1)
        write_class(many, TORCH, lambda i: submission(CATALOGUE.exercises[TORCH], i), 1000)
        write_class(junk, TORCH, lambda i: solution(TORCH), 1)
        for i in range(2000):
            (junk / f"my work {i}.ipynb").write_text("{}")
        roster.write_text("student\n" + "".join(f"s{i:05}\n" for i in range(5000)))
        attn(many, "--jobs", "2")
        return {
            "one_alone": min(attn(one, "--again", "graded") for _ in range(3)),
            "unchanged_1000": attn(many, "--jobs", "2"),
            "roster_5000_junk_2000": attn(junk, "--roster", roster),
        }


def attn(folder: Path, *words) -> float:
    """Seconds that `attn grade` takes."""
    line = ["-m", "course_lib.cli", "grade", folder, "--out", folder.with_suffix(".out"), *words]
    start = time.perf_counter()
    subprocess.run([sys.executable, *map(str, line)], cwd=ROOT, check=True, capture_output=True)
    return round(time.perf_counter() - start, 1)


def solution(stem: str) -> bytes:
    return (ROOT / "solutions" / f"{stem}.ipynb").read_bytes()


def write_class(folder: Path, stem: str, notebook: Callable[[int], bytes], count: int) -> None:
    """`count` students, each with a notebook of their own."""
    for i in range(count):
        place = folder / f"s{i:05}"
        place.mkdir(parents=True)
        (place / f"{stem}.ipynb").write_bytes(notebook(i))
