"""A change to one exercise is none to another, and one to what judges is one to all."""

import shutil

from course_lib.exercises import CATALOGUE
from grader.pipeline import versions

EVERY = set(CATALOGUE.exercises)
CHANGED = {  # file: what is graded anew
    "course_lib/exercises/softmax/stranger.py": {"01_softmax"},
    "course_lib/exercises/softmax/plain/task.py": {"01_softmax"},
    "course_lib/exercises/common.py": EVERY,
    "course_lib/exercises/stranger_forms/which.py": EVERY,
    "course_lib/checker/compare/difference.py": EVERY,
    "grader/sandbox/results.py": EVERY,
    "course_lib/formulas/softmax.py": set(),
}


def test_a_change_regrades_what_it_decides_and_nothing_else(tmp_path, monkeypatch):
    for name in ("course_lib", "grader"):
        ignored = shutil.ignore_patterns("__pycache__", "assets")
        shutil.copytree(versions.ROOT / name, tmp_path / name, ignore=ignored)
    monkeypatch.setattr(versions, "ROOT", tmp_path)

    def all_versions():
        return {stem: versions.exercise_version(one) for stem, one in CATALOGUE.exercises.items()}

    for changed, again in CHANGED.items():
        before, course = all_versions(), versions.course_version()
        with open(tmp_path / changed, "a") as file:
            file.write("# a comment\n")
        after = all_versions()
        assert {stem for stem in after if after[stem] != before[stem]} == again, changed
        assert (versions.course_version() == course) is (not again), changed
