"""A change to one exercise is none to another, and one to what judges is one to all."""

import shutil

import pytest

from course_lib.exercises import CATALOGUE
from grader.pipeline import versions


@pytest.mark.parametrize(
    ("changed", "others"),
    [
        ("course_lib/exercises/softmax/plain.py", True),
        ("course_lib/exercises/common.py", False),
        ("course_lib/checker/compare/difference.py", False),
        ("grader/sandbox/results.py", False),
        ("course_lib/attention/softmax.py", None),
    ],
)
def test_a_change_regrades_what_it_decides_and_nothing_else(changed, others, tmp_path, monkeypatch):
    for name in ("course_lib", "grader"):
        ignored = shutil.ignore_patterns("__pycache__", "assets")
        shutil.copytree(versions.ROOT / name, tmp_path / name, ignore=ignored)
    monkeypatch.setattr(versions, "ROOT", tmp_path)

    def all_versions():
        return {stem: versions.exercise_version(one) for stem, one in CATALOGUE.exercises.items()}

    before, course = all_versions(), versions.course_version()
    with open(tmp_path / changed, "a") as file:
        file.write("# a comment\n")
    after = all_versions()
    again = {stem for stem in after if after[stem] != before[stem]}
    expected = {None: set(), True: {"01_softmax"}, False: set(after)}[others]
    assert again == expected and (versions.course_version() == course) is (not expected)
