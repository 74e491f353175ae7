"""The plans of "Adopting the course" add up: minutes at the heads of pages and exercises."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "adopting_the_course.md").read_text(encoding="utf-8")
WEEKS = re.findall(r"^\| \d+ \| [^|]+ \| ([^|]+) \| ([^|]+) \| (\d+) \|$", PAGE, re.M)


def text(folder: str, name: str) -> str:
    cells = nbformat.read(ROOT / folder / f"{name}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def minutes_to_hand_in(cell: str) -> int:
    """Of the exercises that a week names, or of those tasks of one that it names."""
    total = 0
    for name, tasks in re.findall(r"`(\w+)`(?:, tasks (\d and \d))?", cell):
        each = re.findall(r"^\*About (\d+) minutes", text("exercises", name), re.M)
        wanted = tasks.split(" and ") if tasks else range(1, len(each) + 1)
        total += sum(int(each[int(number) - 1]) for number in wanted)
    return total


def test_both_plans_are_read():
    assert len(WEEKS) == 6 + 14


@pytest.mark.parametrize(("pages", "hand_in", "stated"), WEEKS)
def test_a_weeks_minutes_are_those_of_its_pages_and_exercises(pages, hand_in, stated):
    heads = [text("book", name) for name in re.findall(r"`(\w+)`", pages)]
    reading = sum(int(re.search(r"\*\*Time\*\*: (\d+) minutes to read", one)[1]) for one in heads)
    assert reading + minutes_to_hand_in(hand_in) == int(stated)
