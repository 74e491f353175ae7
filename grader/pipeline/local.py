"""Grade many submissions on this machine: N sandboxes, each with its own worker, and N + 2 threads.

The sandboxes run cells only, so other threads may draw and judge while each of them is at work. A
worker that dies is started again and takes nobody with it; one thread writes the gradebook.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from course_lib.checker.notebook import Notebook, Unreadable, parse_notebook
from course_lib.checker.tasks.task import Exercise
from course_lib.checker.written_answers import written_answers
from grader.gradebook.policy import Policy
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import Result, failed, grade_notebook, seed_of
from grader.sandbox.inside.protocol import FrameError
from grader.sandbox.pool import Pool
from grader.sandbox.profiles import Profile
from grader.sandbox.sandbox import Sandbox
from grader.submissions.class_table import Line, no_file

TOO_LONG = "Its answers together are too long to be graded."


@dataclass(frozen=True)
class Settings:
    """What holds for a whole run."""

    exercises: Mapping[str, Exercise]
    version: str
    secret: bytes
    profile: Profile
    timeout: float
    memory: int
    versions: dict[str, str] = field(default_factory=dict)  # where each exercise has its own
    policy: Policy = field(default_factory=Policy)  # whether the best of several tries counts

    def version_of(self, exercise: str) -> str:
        """What decides which cases of this exercise hold; what they are worth is not in it."""
        return self.versions.get(exercise, self.version)

    def seeds(self, job: "Job") -> dict[str, int]:
        """Of each task's hidden inputs: the job's own, or those that the gradebook's key gives."""
        one = self.exercises.get(job.submission.exercise)
        tasks = one.tasks if one else ()
        return job.seeds or {t.name: seed_of(self.secret, t.name, job.sha) for t in tasks}


@dataclass(frozen=True)
class Job:
    """A submission that was read: its hash, and its named cells or why there are none."""

    submission: Line
    sha: str
    notebook: Notebook | None
    note: str = ""
    our_fault: bool = False
    written: dict[str, str] = field(default_factory=dict)  # answers in words, by question
    seeds: dict[str, int] = field(default_factory=dict)  # where the gradebook's key is not


def read(submission: Line, exercises: Mapping[str, Exercise]) -> Job:
    """Read a submission as data. Never raises for what a student may hand in."""
    exercise = exercises.get(submission.exercise)
    sha = ""
    if submission.note:
        return Job(submission, sha, None, submission.note, True)
    try:
        data, sha = (submission.read or no_file)()
        if exercise is None:
            raise Unreadable(f"The course has no exercise {submission.exercise!r}.")
        notebook = parse_notebook(data, [task.name for task in exercise.tasks])
        texts = written_answers(data) if exercise.written else {}
    except Unreadable as error:
        return Job(submission, sha, None, str(error))
    except Exception as error:  # ours: one odd file must not end the class
        return Job(submission, sha, None, f"It could not be read ({type(error).__name__}).", True)
    written = {item.name: texts.get(item.name, "") for item in exercise.written}
    return Job(submission, sha, notebook, written=written)


def grade_job(job: Job, settings: Settings, sandbox: Sandbox | Pool) -> dict[str, Any]:
    """The result of one job as plain data; a fault of ours is a result too, never a silent zero."""
    exercise = settings.exercises.get(job.submission.exercise)
    limits = {"timeout": settings.timeout, "memory": settings.memory}
    return to_data(_result(job, exercise, settings, sandbox), exercise) | {"limits": limits}


def _result(
    job: Job, exercise: Exercise | None, settings: Settings, sandbox: Sandbox | Pool
) -> Result:
    without_tasks = partial(failed, exercise=exercise, profile=settings.profile.name)
    if job.notebook is None or exercise is None:
        return without_tasks("needs-attention" if job.our_fault else "unreadable", note=job.note)
    seeds, timeout = settings.seeds(job), settings.timeout
    try:
        return grade_notebook(job.notebook, exercise, seeds=seeds, sandbox=sandbox, timeout=timeout)
    except FrameError:
        return without_tasks("unreadable", note=TOO_LONG)
    except Exception as error:
        note = f"The grader failed ({type(error).__name__}: {error})."
        return without_tasks("needs-attention", note=note[:500])


def grade_all(
    jobs: Iterable[Job], settings: Settings, sandboxes: Sequence[Sandbox]
) -> Iterator[tuple[Job, dict[str, Any]]]:
    """(job, result) as each one ends, at most one cell at a time in each sandbox.

    Closing the iterator stops all.
    """
    pool, most = Pool(sandboxes), 2 * len(sandboxes) + 2
    threads = ThreadPoolExecutor(len(sandboxes) + 2)
    thresholds = gc.get_threshold()
    gc.freeze()  # or the collector walks through all of torch, time and again
    gc.set_threshold(50_000)
    running: dict[Future, Job] = {}
    try:
        for job in jobs:
            running[threads.submit(grade_job, job, settings, pool)] = job
            done, _ = wait(running, None if len(running) >= most else 0, FIRST_COMPLETED)
            yield from [(running.pop(future), future.result()) for future in done]
        for future in as_completed(running):
            yield running[future], future.result()
    finally:
        threads.shutdown(cancel_futures=True)
        pool.stop()
        gc.set_threshold(*thresholds)
        gc.unfreeze()
