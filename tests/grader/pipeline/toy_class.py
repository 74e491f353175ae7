"""A class on the disk, graded run after run by a grader that runs nothing."""

import dataclasses

from course_lib.checker.tasks import Written
from grader.pipeline.course_toml import load_config
from grader.pipeline.local import Settings
from grader.pipeline.run import forget as give_up
from grader.pipeline.run import open_gradebook, run, write_pages
from grader.sandbox.profiles import Profile
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from grader.submissions.roster import load_roster
from tests.checker.toy import EXERCISE

WHY = Written("why", 3, "Why does `softmax` not overflow?", ("1: the largest score", "2: a proof"))
HOW = Written("how", 1, "How did you see it?", ("1: any test",))
OTHER = dataclasses.replace(EXERCISE, stem="02_other")
LAB = dataclasses.replace(EXERCISE, stem="lab_toy", written=(WHY, HOW))
STEMS = {one.stem: one for one in (EXERCISE, OTHER, LAB)}


class Class:
    """Submissions, their gradebook, and a grader that gives every file `outcome`."""

    def __init__(self, folder):
        self.folder, self.out = folder, folder / "out"
        self.outcome, self.graded = {"status": "graded", "score": 10}, []

    def put(self, name, text='{"cells": []}'):
        path = self.folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + " " * len(name))  # each is another file
        return path

    def take(self, name):
        (self.folder / "in" / name).unlink()

    def grade(
        self, profile="strong", timeout=10.0, memory=1024, roster="", config="", forget=(), again=()
    ):
        def grader(jobs, settings):
            for job in jobs:
                self.graded.append(job.submission.student)
                written = STEMS[job.submission.exercise].written
                base = {"max_score": 10, "profile": profile, "note": "", "tasks": []}
                base |= {"written": {item.name: item.points for item in written}}
                yield job, base | self.outcome | {"limits": {"timeout": timeout, "memory": memory}}

        self.graded = []
        people = None
        if roster:
            (self.folder / "roster.csv").write_text(roster)
            people = load_roster(self.folder / "roster.csv")
        (self.folder / "course.toml").write_text(config)
        set_up = load_config(self.folder / "course.toml", STEMS)
        with open_gradebook(self.out) as gradebook:
            sandbox = Profile(profile, None, None)
            limits = {"timeout": timeout, "memory": memory, "policy": set_up.policy}
            settings = Settings(set_up.exercises, "v", gradebook.secret, sandbox, **limits)
            lines = collect(self.folder / "in", STEMS, "folders", people)
            found = found_in(lines, set_up.policy.best)
            give_up(self.out, gradebook, forget)
            self.tally = run(found, gradebook, settings, people, grader, again=again)
            write_pages(self.out, gradebook, STEMS)
            return {(r.student, r.exercise): r.data["status"] for r in gradebook.rows()}
