"""A page or lab that trains sets one thread itself: its matrices are small, and a second costs."""

import re
from pathlib import Path

import pytest

from tools.notebooks import read

ROOT = Path(__file__).parents[2]
TRAINS = re.compile(r"\w\.step\(\)|\btrain(?:_\w+)?\(")
NOTEBOOKS = [
    *sorted((ROOT / "book").glob("*.ipynb")),
    *sorted((ROOT / "solutions").glob("lab_*.ipynb")),
]


def code(path: Path) -> str:
    return "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "code")


TRAINING = [path for path in NOTEBOOKS if TRAINS.search(code(path))]


def test_there_are_pages_that_train():
    names = {path.stem for path in TRAINING}
    assert {"learning_to_translate", "luong", "pretrained_models", "lab_1_your_translator"} <= names
    assert "softmax" not in names


@pytest.mark.parametrize("path", TRAINING, ids=lambda path: path.stem)
def test_a_page_that_trains_does_so_on_one_thread(path):
    source = code(path)
    assert "torch.set_num_threads(1)" in source, f"{path.stem}: write torch.set_num_threads(1)"
    assert source.index("torch.set_num_threads(1)") < TRAINS.search(source).start()
