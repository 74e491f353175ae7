"""`attn` as it is typed, over a class whose files say who wrote them and what they earn."""

import csv
import io
import json
import os
import zipfile

from course_lib import cli
from course_lib.checker.tasks import Exercise, Task, Written
from tests.grader import tables

WHY = Written("why", 2, "Why does it not overflow?", ("1: the largest score", "1: a proof"))
TASK = Task("softmax", 10, len, (), (), (), library="numpy")
EXERCISES = {
    "01_softmax": Exercise("01_softmax", "Softmax", (TASK,), written=(WHY,)),
    "02_plain": Exercise("02_plain", "Plain", (Task("plain", 10, len, (), (), ()),)),
}


def work(who, points=10, stem="01_softmax"):
    """A notebook of somebody's that is worth so many points."""
    task = EXERCISES[stem].tasks[0].name
    cells = [{"cell_type": "code", "metadata": {"task": task}, "source": ""}]
    return json.dumps({"cells": cells, "who": who, "points": points})


def graded(jobs, settings, sandboxes):
    """What each file says that it is worth, in place of running it."""
    for job in jobs:
        data = json.loads(job.submission.read()[0]) if job.submission.read else {"points": None}
        written = {
            item.name: item.points for item in settings.exercises[job.submission.exercise].written
        }
        status = "needs-attention" if job.our_fault else "graded"
        yield job, {
            "status": status, "score": data["points"], "max_score": 10, "profile": "strong",
            "note": job.note, "tasks": [], "written": written, "limits": {},
        }  # fmt: skip


class Commands:
    """A folder, in which `attn` runs."""

    def __init__(self, folder, capsys):
        self.folder, self.capsys = folder, capsys

    def put(self, files, folder="class", age=0):
        """Files in a folder, so many days old; its name."""
        for name, text in files.items():
            path = self.folder / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            os.utime(path, (10**9 - 86_400 * age,) * 2)
        return folder

    def pack(self, files, name="class.zip"):
        with zipfile.ZipFile(self.folder / name, "w") as archive:
            for path, text in files.items():
                archive.writestr(zipfile.ZipInfo(path, (2026, 11, 20, 12, 0, 0)), text)
        return name

    def roster(self, text, name="roster.csv"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return ("--roster", name)

    def attn(self, *words, status=0):
        """What a command prints, on both streams."""
        assert cli.main([str(word) for word in words]) == status, self.capsys.readouterr().err
        self.said = self.capsys.readouterr()
        return self.said.out + self.said.err

    def grade(self, place, *words, out="grades"):
        return self.attn("grade", place, "--out", out, *words)

    def scores(self, stem="01_softmax", out="grades"):
        """{student: score} as the table of grades has it."""
        rows = tables.grades(self.folder / out)
        return {who: row["score"] for (who, one), row in rows.items() if one == stem}

    def overview(self, out="grades"):
        return (self.folder / out / "overview.html").read_text(encoding="utf-8")

    def table(self, out="grades"):
        text = (self.folder / out / "class.csv").read_text(encoding="utf-8")
        return list(csv.DictReader(io.StringIO(text)))

    def exported(self, to, name, *words):
        self.attn("export", "grades", "--to", to, *words)
        return tables.lines_of(self.folder / "grades" / "export" / to / name)
