"""Grade a folder on the attacked exercise, in a process of its own, perhaps as another user.

python -m tests.grader.hostile.grade_class FOLDER OUT [PROFILE [UID]]
"""

import os
import sys
from functools import partial
from pathlib import Path

from tests.grader.hostile.exercise import EXERCISE, STEM

TIMEOUT, MEMORY, SLOTS = 3.0, 400, 2


def main() -> None:
    folder, out = map(Path, sys.argv[1:3])
    only = sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] else None
    if len(sys.argv) > 4:
        uid = int(sys.argv[4])
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    grade_folder(folder, out, only)


def grade_folder(folder: Path, out: Path, only: str | None = None, slots: int = SLOTS):
    from grader.pipeline.local import Settings, grade_all
    from grader.pipeline.run import open_gradebook, run, write_pages
    from grader.sandbox.probe import find_sandbox
    from grader.sandbox.sandbox import Sandbox
    from grader.submissions.class_table import found_in
    from grader.submissions.collect import collect

    exercises = {STEM: EXERCISE}
    first, _ = find_sandbox(MEMORY, only=only)
    with first, open_gradebook(out) as gradebook:
        profile = first.profile
        settings = Settings(exercises, "test", gradebook.secret, profile, TIMEOUT, MEMORY)
        found = found_in(collect(folder, exercises, "folders"))
        sandboxes = [first, *(Sandbox(profile, MEMORY) for _ in range(slots - 1))]
        grader = partial(grade_all, sandboxes=sandboxes)
        tally = run(found, gradebook, settings, None, lambda jobs, how: grader(noted(jobs), how))
        write_pages(out, gradebook)
    return tally


def noted(jobs):
    """The jobs of a run, whose hashes are written where NOTE says."""
    for job in jobs:
        if place := os.environ.get("NOTE"):
            with open(place, "a", buffering=1) as file:
                file.write(f"{job.sha}\n")
        yield job


if __name__ == "__main__":
    main()
