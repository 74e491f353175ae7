"""A class whose lab asks for answers in words, graded without a sandbox."""

import csv
import dataclasses
import hashlib
import json
import sys

from course_lib.checker.tasks import Written
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tests.checker.toy import EXERCISE

if sys.platform.startswith("linux"):
    from grader.pipeline.local import Settings
    from grader.pipeline.marks import merge_marks
    from grader.pipeline.run import open_gradebook, run, write_pages
    from grader.sandbox.profiles import Profile

WHY = Written("why", 3, "Why does `softmax` not overflow?", ("1: the largest score", "2: a proof"))
HOW = Written("how", 1, "How did you see it?", ("1: any test",))
LAB = dataclasses.replace(EXERCISE, stem="lab_toy", written=(WHY, HOW))
STEMS = {EXERCISE.stem: EXERCISE, LAB.stem: LAB}


class Class:
    def __init__(self, folder):
        self.folder = folder
        self.out = folder / "out"

    def hand_in(self, student, exercise=LAB.stem, **texts):
        cells = [
            {
                "cell_type": "markdown",
                "metadata": {"tags": ["written"], "written": name},
                "source": f"> The question\n\n{text}",
            }
            for name, text in texts.items()
        ]
        path = self.folder / "in" / student / f"{exercise}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"cells": cells}))

    def grade(self, anonymous=False):
        def grader(jobs, settings):
            for job in jobs:
                data = {"status": "graded", "score": 7, "max_score": 10, "profile": "strong"}
                written = {
                    item.name: item.points for item in STEMS[job.submission.exercise].written
                }
                yield job, data | {"note": "", "tasks": [], "written": written, "limits": {}}

        with open_gradebook(self.out) as gradebook:
            gradebook.set_setting("anonymous", "yes" if anonymous else "")
            settings = Settings(STEMS, "v", b"k", Profile("strong", None, None), 10.0, 1024)
            found = found_in(collect(self.folder / "in", STEMS, "folders"))
            run(found, gradebook, settings, None, grader)
            write_pages(self.out, gradebook, STEMS)

    def table(self, name=f"{LAB.stem}.csv"):
        with open(self.out / "written" / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def merge(self, text, by=""):
        (self.folder / "marks.csv").write_text(text, encoding="utf-8")
        return merge_marks(self.out, self.folder / "marks.csv", by, STEMS)

    def grades(self):
        with open(self.out / "grades.csv", newline="", encoding="utf-8") as file:
            return {
                (row["student"], row["exercise"]): (row["marks"], row["max_marks"], row["total"])
                for row in csv.DictReader(file)
            }

    def sha(self, student):
        data = (self.folder / "in" / student / f"{LAB.stem}.ipynb").read_bytes()
        return hashlib.sha256(data).hexdigest()

    def page(self):
        return (self.out / "written" / f"{LAB.stem}.html").read_text()
