"""What a page says of its time is what the rule of tools/minutes.py counts, also in sum."""

import re
from pathlib import Path

import nbformat
import pytest

from tools.contents import left_out
from tools.minutes import minutes, pages, stated, words
from tools.notebooks import canonical, dumps

ROOT = Path(__file__).parents[2]
COUNTED = pages("Start", "The idea", "Learning to align")


@pytest.mark.parametrize("path", COUNTED, ids=lambda p: p.stem)
def test_the_head_of_a_page_says_the_minutes_that_are_counted(path):
    assert stated(path) == minutes(path), "python -m tools.minutes"


def test_the_landing_page_adds_them_up():
    if gone := [page for page in left_out() if page.startswith("book/")]:
        pytest.skip(f"_toc.yml leaves out {', '.join(gone)}: python -m tools.minutes counts anew")
    message = re.search(r"(\d+) minutes of reading", (ROOT / "index.md").read_text("utf-8"))
    total = sum(stated(path) for path in COUNTED)
    assert int(message[1]) == total, f"write {total} minutes of reading into index.md"


def test_what_is_folded_takes_no_time_and_a_task_takes_four_minutes(tmp_path):
    def page(*texts):
        cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
        path = tmp_path / "page.ipynb"
        made = canonical(nbformat.v4.new_notebook(cells=cells))
        path.write_text(dumps(made), encoding="utf-8")
        return minutes(path)

    plain = "word " * 640  # 4.9 minutes
    task = ":::{admonition} Your turn\n:class: attn-turn\nDo.\n:::"
    fold = ":::{dropdown} One answer\n" + "word " * 900 + "\n:::"
    assert (page(plain), page(plain, fold), page(plain, task)) == (5, 5, 10)
    assert words("| a | b |\n|---|---|\n| $x^2$ | *two words* |") == 5
