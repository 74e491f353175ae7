"""Grade on a Dask cluster: batches of jobs travel, student code still runs only in sealed cells.

The scheduler may be a laptop's, Slurm's (dask-jobqueue) or Kubernetes's. A batch that kills its
worker is blamed after `allowed-failures` deaths, and so is every innocent one that was queued there
(dask/distributed#5234). So a blamed batch is split into single submissions, and who is blamed again
is tried once more with nothing beside it. Only then it is in quarantine: `needs-attention`.
"""

import dataclasses
import importlib
import pickle
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import islice
from typing import Any

from course_lib.grading.errors import GradebookError, InputError, ProfileError
from course_lib.grading.pipeline.command import course_version
from course_lib.grading.pipeline.local import Job, Settings, grade_job
from course_lib.grading.pipeline.submission import failed, to_data
from course_lib.grading.sandbox.probe import find_sandbox
from course_lib.grading.sandbox.sandbox import Sandbox
from course_lib.grading.submissions.found import Submission
from course_lib.grading.tasks.task import Exercise

BATCH = 16
UNDER_WAY = 64  # batches that the cluster holds at a time: memory here stays flat
_local = threading.local()  # one sandbox for each thread of a worker, kept from batch to batch

GradeBatch = Callable[[list[Job], dict[str, Any]], list[dict[str, Any]]]


def grade_on(
    address: str,
    jobs: Iterable[Job],
    settings: Settings,
    exercises_at: str = "course_lib.exercises:CATALOGUE",
    grade_batch: GradeBatch | None = None,
) -> Iterator[tuple[Job, dict[str, Any]]]:
    """(job, result) as batches come back. Raises InputError when there is no such cluster."""
    from dask.distributed import Client, Future, as_completed
    from distributed.protocol.pickle import dumps

    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"There is no Dask scheduler at {address!r}: {error}.") from None
    remote = _remote_settings(settings, exercises_at)
    work = grade_batch or grade_here
    with client:
        _check_course(client)
        waiting = iter(jobs)
        running = as_completed(loop=client.loop, raise_errors=False)
        gone = (
            f"The cluster at {address!r} is gone. What was graded is safe; run the command again."
        )
        batches: dict[str, list[Job]] = {}
        suspects: list[Job] = []

        def send(batch: list[Job]) -> Future:  # as bytes: a worker that has only Dask reads it
            call = dumps(_Call(work, [_portable(job) for job in batch], remote))
            return client.submit(pickle.loads, call, pure=False)

        def submit(batch: list[Job]) -> None:
            future = send(batch)
            batches[future.key] = batch
            running.add(future)

        def fill() -> None:
            while len(batches) < UNDER_WAY and (batch := list(islice(waiting, BATCH))):
                submit(batch)

        fill()
        while batches:
            future = next(running)
            batch = batches.pop(future.key)
            if future.status in ("cancelled", "lost"):
                raise GradebookError(gone)
            if future.status == "finished":
                yield from zip(batch, future.result(), strict=True)
            else:
                _check_worker(client, future.exception())
                if len(batch) > 1:
                    for job in batch:
                        submit([job])
                else:
                    suspects += batch
            future.release()
            fill()
        for job in suspects:
            future = send([job])
            error = future.exception()
            _check_worker(client, error)
            yield job, _quarantined(job, settings, error) if error else future.result()[0]
            future.release()


class _Call:
    """Pickled, it is a call: who loads it calls, and has the result. Where the course is not
    installed loading raises ImportError; what Dask itself cannot read ends the worker."""

    def __init__(self, function: Callable, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Callable, tuple]:
        return self.call


class UnfitWorker(RuntimeError):
    """A worker that must not grade: other grades would come out, or code run unsealed."""


def _check_course(client: Any) -> None:
    """Raises ProfileError where the scheduler or a worker lacks the course: it could not read a
    job, and each submission would be blamed for that."""
    have = {"scheduler": client.run_on_scheduler(find_spec, "course_lib")}  # Python's own function
    have |= {
        f"worker {at}": found
        for at, found in client.run(find_spec, "course_lib", on_error="ignore").items()
    }
    lacking = [place for place, found in have.items() if not found]
    if lacking:
        raise ProfileError(
            f"The course is not installed where the cluster's {lacking[0]} runs: install the same "
            "version there as here, and start it again. What was graded is safe."
        )


def _check_worker(client: Any, error: BaseException | None) -> None:
    """Raises ProfileError where an error is the worker's own fault: none of a submission ends so.
    One that joined after `_check_course` shows at its first batch what it lacks."""
    if isinstance(error, UnfitWorker):
        raise ProfileError(str(error))
    if isinstance(error, ImportError):
        _check_course(client)  # it can say where the worker runs
        raise ProfileError(
            f"A worker of the cluster lacks {error.name}: install the same there as here, and "
            "start it again. What was graded is safe."
        )


def _quarantined(job: Job, settings: Settings, error: BaseException) -> dict[str, Any]:
    exercise = settings.exercises.get(job.submission.exercise)
    note = f"It ended its worker on the cluster each time ({type(error).__name__})."
    return to_data(failed("needs-attention", exercise, note, settings.profile.name), exercise)


def _portable(job: Job) -> Job:
    """A job without the means to read its file: the notebook's cells are in it already."""
    who = job.submission
    bare = Submission(who.student, who.exercise, _nothing, who.lms_id, place=who.place)
    return dataclasses.replace(job, submission=bare, written={})


def _nothing() -> tuple[None, str]:
    return None, ""


def _remote_settings(settings: Settings, exercises_at: str) -> dict[str, Any]:
    return {
        "exercises_at": exercises_at,
        "version": settings.version,
        "worth": {
            (stem, task.name): (task.points, task.by_case)
            for stem, exercise in settings.exercises.items()
            for task in exercise.tasks
        },
        "secret": settings.secret,
        "timeout": settings.timeout,
        "memory": settings.memory,
        "trust": settings.profile.name == "trusted",
    }


def grade_here(batch: list[Job], remote: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs on a cluster's worker: probe its own sandbox once, then grade the batch behind it."""
    settings, sandbox = _prepare(remote)
    return [grade_job(job, settings, sandbox) for job in batch]


def _worth(exercise: Exercise, worth: dict[tuple[str, str], tuple[int, bool]]) -> Exercise:
    """The worker's own exercise with the points and the credit of the class."""
    tasks = []
    for task in exercise.tasks:
        points, by_case = worth.get((exercise.stem, task.name), (task.points, task.by_case))
        tasks.append(dataclasses.replace(task, points=points, by_case=by_case))
    return dataclasses.replace(exercise, tasks=tuple(tasks))


def _prepare(remote: dict[str, Any]) -> tuple[Settings, Sandbox]:
    key = tuple(sorted((name, str(value)) for name, value in remote.items()))
    if getattr(_local, "key", None) != key:
        if remote["version"] != (here := course_version()):
            raise UnfitWorker(
                f"The worker on {socket.gethostname()} has another version of the course or of its "
                f"libraries ({here}, not {remote['version']}): install the same there, and start "
                "it again. What was graded is safe."
            )
        module, name = remote["exercises_at"].split(":")
        exercises = getattr(importlib.import_module(module), name)
        exercises = getattr(exercises, "exercises", exercises)
        exercises = {stem: _worth(one, remote["worth"]) for stem, one in exercises.items()}
        try:
            sandbox, _ = find_sandbox(remote["memory"], remote["trust"])
        except ProfileError as error:
            raise UnfitWorker(f"A worker of the cluster has no sandbox: {error}") from None
        _local.settings = Settings(
            exercises,
            remote["version"],
            remote["secret"],
            sandbox.profile,
            remote["timeout"],
            remote["memory"],
        )
        _local.sandbox = sandbox
        _local.key = key
    return _local.settings, _local.sandbox
