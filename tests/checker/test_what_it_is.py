"""What came in a notebook's place is said in words, and outputs hide no answer."""

import gzip
import io
import json
import time
import zipfile

import pytest

from course_lib.checker import notebook as module
from course_lib.checker.check_notebook import check_notebook
from course_lib.checker.errors import InputError
from course_lib.checker.notebook import NO_CELL, Unreadable, parse_notebook, read_cells
from course_lib.checker.what_it_is import without_outputs
from course_lib.checker.which import is_the_course_s_own, is_untouched
from tests.checker.toy import EXERCISE

CELL = {"cell_type": "code", "metadata": {}, "source": "x = '\"outputs\": ['", "outputs": []}
NOTEBOOK = json.dumps({"cells": [CELL], "nbformat": 4}, indent=1)


def packed():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.ipynb", NOTEBOOK)
    return held.getvalue()


CONFLICT = NOTEBOOK.replace(' "cells": [', '<<<<<<< HEAD\n "cells": [', 1)
PLACES = {
    "empty": (b"", "It is empty"),
    "blank": (b"\xef\xbb\xbf \n\0\0", "It is empty"),
    "a conflict": (CONFLICT.encode(), r"Line 2 holds a merge conflict \(<<<<<<<\)"),
    "a conflict of Windows": (CONFLICT.replace("\n", "\r\n").encode(), "Line 2 holds a merge"),
    "a page to sign in": (b"\n<!DOCTYPE html><html><body>Sign in", "It is a web page"),
    "an error of a server": (b"<?xml version='1.0'?><Error>", "It is a web page"),
    "a zip": (packed(), "It is a zip archive or an Office document"),
    "packed": (gzip.compress(NOTEBOOK.encode()), "It is a packed archive"),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3", "It is a PDF"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "It is a picture"),
    "a pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "pointer of Git"),
    "another pointer": (b"/annex/objects/SHA256E-s1--a.ipynb", "pointer of git-annex"),
    "a cloud's": (b"bplist00\xd4\x01", "still in a cloud"),
    "a program": (b"import numpy as np\n\ndef f(x):\n    return x\n", "It is a Python program"),
    "half of it": (NOTEBOOK.encode()[:-20], "it ends in the middle"),
    "UTF-16": (NOTEBOOK.encode("utf-16"), "but UTF-16: open it in Jupyter"),
    "Latin-1": (NOTEBOOK.replace("x =", "é =").encode("latin-1"), "It is not UTF-8 text"),
    "another JSON": (b"[1, 2]", "no list of cells"),
    "no JSON": (b"{'cells': []}", "It is not valid JSON"),
}


@pytest.mark.parametrize("what", PLACES)
def test_what_is_no_notebook_is_said(what):
    data, sentence = PLACES[what]
    with pytest.raises(Unreadable, match=sentence):
        read_cells(data)


def figure(numbers):
    data = {"application/json": {"x": [[n] for n in range(numbers)]}, "text/html": ['<a b="]">\\']}
    return {"output_type": "display_data", "data": data, "metadata": {"outputs": [[1]]}}


def test_outputs_are_left_out_before_anything_is_counted():
    cells = [CELL | {"outputs": [figure(200_000), figure(200_000)]}, CELL]
    cells[0]["metadata"] = {"outputs": ["kept", {"outputs": []}]}
    data = json.dumps({"cells": cells, "metadata": {"outputs": [1]}, "nbformat": 4}).encode()
    first, second = read_cells(data)
    assert first == cells[0] | {"outputs": []} and second == CELL
    small = json.loads(without_outputs(NOTEBOOK.encode()))
    assert small == json.loads(NOTEBOOK)
    many = json.dumps({"cells": [CELL | {"metadata": {"x": [[] for _ in range(400_000)]}}]})
    with pytest.raises(Unreadable, match="outputs left out"):
        read_cells(many.encode())


HARD = (
    b'"\\' * 500_000,
    b"[" * 2_000_000,
    b'"' * 1_000_000,
    b"\\" * 1_000_000,
    b'{"outputs":[' * 9999,
)


@pytest.mark.parametrize("data", HARD, ids=lambda data: repr(data[:4]))
def test_leaving_outputs_out_takes_no_longer_than_reading(data):
    start = time.process_time()
    without_outputs(data)
    assert time.process_time() - start < 60  # as the square of its length: hours


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("metadata", [{"task": "double"}, {}])
def test_an_answer_in_a_cell_that_does_not_run_is_found_and_said(kind, metadata, tmp_path):
    text = "def double(x, times=1):\n    return x\n"
    cell = {"cell_type": kind, "metadata": metadata, "source": text}
    data = json.dumps({"cells": [cell]}).encode()
    found = parse_notebook(data, ["double", "Scale"])
    assert f"in a cell of kind {kind}" in found.why_none("double")
    assert found.why_none("Scale") == NO_CELL and found.cells == ()
    (tmp_path / "01_toy.ipynb").write_bytes(data)
    said = []
    check_notebook(tmp_path / "01_toy.ipynb", {EXERCISE.stem: EXERCISE}, said.append)
    assert f"in a cell of kind {kind}" in said[0]


def test_a_notebook_is_checked_whatever_it_is_called(tmp_path):
    cell = {"cell_type": "code", "metadata": {"task": "double"}, "source": "double = 1"}
    (tmp_path / "my homework.ipynb").write_text(json.dumps({"cells": [cell]}))
    said = []
    check_notebook(tmp_path / "my homework.ipynb", {EXERCISE.stem: EXERCISE}, said.append)
    assert said[-1].startswith("01_toy: ")
    (tmp_path / "notes.ipynb").write_text('{"cells": []}')
    with pytest.raises(InputError, match="holds no answer of an exercise, and is named after none"):
        check_notebook(tmp_path / "notes.ipynb", {EXERCISE.stem: EXERCISE}, said.append)


def test_a_sheet_as_it_was_given_out_is_known(tmp_path):
    stub = "def double(x, times=1):\n    raise NotImplementedError\n"
    for sources, untouched in (((stub, stub), True), ((stub, "x = 1"), False), ((), False)):
        cells = [
            {"cell_type": "code", "metadata": {"task": task}, "source": source}
            for task, source in zip(("double", "Scale"), sources, strict=False)
        ]
        assert is_untouched(json.dumps({"cells": cells}).encode(), EXERCISE) is untouched
    assert is_the_course_s_own(b"### BEGIN SOLUTION") and not is_the_course_s_own(None)
    assert module.MAX_BYTES == 20 << 20
