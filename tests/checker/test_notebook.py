"""A notebook is read as data: what is named is found, and anything else is refused in words."""

import json
import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.checker import notebook as module
from course_lib.checker.notebook import Unreadable, parse_notebook, read_file

TASKS = ("softmax", "attend")


def cell(source, **metadata):
    return {"cell_type": "code", "metadata": metadata, "source": source}


def raw(*cells, **extra):
    return json.dumps({"cells": cells, "nbformat": 4} | extra).encode()


def test_all_cells_of_code_are_taken_with_the_task_that_they_name():
    found = parse_notebook(
        raw(
            cell("import numpy as np\nimport os\nos.remove('x')"),
            cell("def softmax(x): ...", task="softmax", tags=["answer"]),
            cell("def other(x): ...", task="no task of this notebook"),
            {"cell_type": "markdown", "metadata": {"task": "softmax"}, "source": "def softmax"},
            cell(["a = 1\n", "b = 2"], nbgrader={"grade_id": "attend"}),
        ),
        TASKS,
    )
    assert found.cells == (
        (None, "import numpy as np\nimport os\nos.remove('x')"),
        ("softmax", "def softmax(x): ..."),
        (None, "def other(x): ..."),
        ("attend", "a = 1\nb = 2"),
    )
    assert parse_notebook(b"\xef\xbb\xbf" + raw(), TASKS).cells == ()


def test_other_cells_may_be_so_long_and_no_longer_and_answers_are_kept():
    long = "#" * (module.MAX_HELPERS - 1)
    found = parse_notebook(raw(cell(long), cell("x = 1"), cell("def softmax(): ...")), TASKS)
    assert found.cells == ((None, long), (None, "def softmax(): ..."))


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"cells": 3}',
        b"[" * 200_000,
        b'{"cells":' * 50_000,
        b'{"cells": [' + b"9" * 5000 + b"]}",
        b"\xff\xfe" + raw(),
        raw().decode().encode("utf-16"),
        raw(*[{}] * (module.MAX_CELLS + 1)),
        b"[" + b"[]," * module.MAX_BRACKETS + b"1]",
    ],
    ids=repr,
)
def test_what_is_no_notebook_is_refused(data):
    with pytest.raises(Unreadable):
        parse_notebook(data, TASKS)


def test_a_large_file_is_hashed_and_not_read(tmp_path):
    path = tmp_path / "x.ipynb"
    with open(path, "wb") as file:
        file.truncate(module.MAX_BYTES + 1)
    data, sha = read_file(str(path))
    assert data is None and len(sha) == 64


def test_links_pipes_and_folders_are_refused(tmp_path):
    (tmp_path / "file").write_text("{}")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe", "nothing"):
        with pytest.raises(Unreadable):
            read_file(str(tmp_path / name))
    assert read_file(str(tmp_path / "file"))[0] == b"{}"


def read_anything(data):
    try:
        found = parse_notebook(data, TASKS)
    except Unreadable:
        return
    assert all(type(source) is str for _, source in found.cells)


@given(st.binary(max_size=300))
@settings(max_examples=500)
def test_any_bytes_are_read_or_refused(data):
    read_anything(data)


WORDS = ("cells", "cell_type", "code", "metadata", "source", "task", "nbgrader", "grade_id")
WORDS += (*TASKS, "def softmax(x):\n    return x", "from math import (exp", "\ud800", "")
SEEDS = st.integers(0, 2**64 - 1)  # drawing a notebook by hypothesis takes a hundred times as long
LEAVES = (None, True, -1, 10**30, 0.5, float("nan"))


def any_tree(chance, depth=3):
    """Any JSON, with words that the reader knows."""
    kind = chance.randrange(6 if depth else 3)
    if kind < 3:
        return chance.choice(WORDS if kind else LEAVES)
    items = [any_tree(chance, depth - 1) for _ in range(chance.randrange(4))]
    return items if kind == 3 else {chance.choice(WORDS): item for item in items}


def any_cell(chance):
    source = chance.choice((any_tree(chance, 2), [chance.choice(WORDS) for _ in range(2)]))
    kind = chance.choice(("code", "code", "markdown", 1))
    metadata = chance.choice((any_tree(chance), {"task": chance.choice(WORDS)}))
    return {"cell_type": kind, "metadata": metadata, "source": source}


def written(seed):
    """A notebook's bytes, drawn from a seed; of every second one some bytes are changed."""
    chance = Random(seed)
    count = chance.randrange(5)
    draw = [any_cell if chance.random() < 0.8 else any_tree for _ in range(count)]
    raw = bytearray(json.dumps({"cells": [one(chance) for one in draw]}).encode())
    for _ in range(chance.choice((0, 0, 1, 4))):
        at = chance.randrange(len(raw))
        raw[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
    return bytes(raw)


@pytest.mark.parametrize("count", [1_500, pytest.param(100_000, marks=pytest.mark.nightly)])
def test_any_notebook_is_read_or_refused(count):
    reads = given(SEEDS)(lambda seed: read_anything(written(seed)))
    settings(max_examples=count, deadline=None)(reads)()
