"""Plain files for the services that look for similar work."""

import hashlib
import json

import pytest

from course_lib.checker.errors import InputError
from grader.exports.files import write_moss as write
from grader.gradebook.rows import Row
from grader.submissions.roster import Roster
from tests.grader.class_rows import task


def test_each_answer_is_a_file_and_a_changed_notebook_is_left_out(tmp_path):
    rows = []
    for student in ("ann", "bob", "cyd"):
        source = f"def softmax(x):\n    return '{student}'\n"
        cells = [{"cell_type": "code", "metadata": {"task": "softmax"}, "source": source}]
        data = json.dumps({"cells": cells}).encode()
        (tmp_path / f"{student}.ipynb").write_bytes(data)
        sha = hashlib.sha256(data if student != "bob" else b"before").hexdigest()
        result = {"status": "graded", "score": 4, "max_score": 4, "tasks": [task("softmax", 4)]}
        rows.append(Row(student, "01_softmax", sha, "", result, str(tmp_path / f"{student}.ipynb")))
    (place,) = write(rows, Roster([]), tmp_path / "moss")
    assert place == tmp_path / "moss" / "01_softmax" / "softmax"
    assert sorted(path.name for path in place.iterdir()) == ["ann.py", "cyd.py"]
    assert (place / "ann.py").read_text() == "def softmax(x):\n    return 'ann'\n"
    with pytest.raises(InputError, match="run this where you graded"):
        write(rows[1:2], Roster([]), tmp_path / "none")
