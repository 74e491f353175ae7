"""Trains the five models of the page *What an answer depends on*, which the page then loads.

    python -m benchmarks namers

The program is that of the page, read from its cells. `book/helpers/models/namers.npz` has the
parameters of the models from five seeds, 0 to 4, in float16.
"""

from pathlib import Path

from book.helpers.namers import save_namers
from tools.notebooks import read

PAGE = Path(__file__).parents[1] / "book" / "what_an_answer_depends_on.ipynb"
CELLS = ("depends-imports", "words", "learn", "depends-pretrain", "namers")


def main() -> None:
    cells, page = {cell.id: cell.source for cell in read(PAGE).cells}, {}
    for name in CELLS:
        exec(cells[name], page)
    exec(cells["namers-train"].split("# [train_namer")[0], page)
    save_namers([page["train_namer"](seed) for seed in range(5)])


if __name__ == "__main__":
    main()
