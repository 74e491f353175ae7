"""A class on the disk or in a zip, whose files say whose they are, and two exercises."""

import json
import os
import zipfile

import pytest

from course_lib.checker.tasks import Exercise, Task
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from grader.submissions.roster import load_roster


def exercise(*tasks):
    parts = (Task(task, 1, len, (), (), (), library="numpy") for task in tasks)
    return Exercise("small", "Small", tuple(parts))


STEMS = {"01_softmax": exercise("softmax", "masked"), "02_context_vectors": exercise("attend")}


def notebook(who, *tasks):
    """A notebook with answers to these tasks that says whose it is."""
    cells = [{"cell_type": "code", "metadata": {"task": task}, "source": ""} for task in tasks]
    return json.dumps({"cells": cells, "who": who}).encode()


def in_folder(place, files):
    for name, data in files.items():
        path = place / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (10**9, 10**9))
    return place / "class"


def in_zip(place, files):
    place.mkdir(exist_ok=True)
    with zipfile.ZipFile(place / "download.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return place / "download.zip"


EVERYWHERE = pytest.mark.parametrize("put", [in_folder, in_zip])


def roster(place, text):
    (place / "roster.csv").write_text(text, encoding="utf-8")
    return load_roster(place / "roster.csv")


def whose(found):
    """(student, exercise) → who wrote the file that counts, as the file says."""
    return {
        (one.student, one.exercise): one.note or json.loads(one.read()[0])["who"]
        for one in found.submissions
    }


def rows(place, platform, people=None, **how):
    """(student, exercise) → whose file counts."""
    return whose(found_in(collect(place, STEMS, platform, people, **how)))
