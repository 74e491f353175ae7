"""Grade on a Dask cluster: batches of jobs travel, student code still runs only in sealed cells.

Who reaches a Dask scheduler can run anything on its workers. So the way there is TLS, for which
each side shows the class's certificate, or it never leaves this machine; of any other the command
warns. The gradebook's key does not travel: a job brings the seeds of its own hidden inputs.

A batch that kills its worker is blamed after `allowed-failures` deaths, and so is every innocent
one that was queued there (dask/distributed#5234). So who is in a blamed batch is tried again with
nothing beside it. Only then it is in quarantine: `needs-attention`.
"""

import dataclasses
import importlib
import pickle
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from course_lib.checker.errors import GradebookError, InputError, ProfileError
from course_lib.checker.tasks.task import Exercise
from grader.pipeline.local import Job, Settings, grade_job
from grader.pipeline.submission import failed, to_data
from grader.pipeline.versions import course_version
from grader.sandbox.probe import find_sandbox
from grader.sandbox.sandbox import Sandbox
from grader.submissions.class_table import Submission, no_file

BATCH = 16
ALONE = 2  # tries of a submission with nothing beside it: the death of a worker is seen late
UNDER_WAY = 64  # batches that the cluster holds at a time: memory here stays flat
SEALED = re.compile(r"tls://|(?:tcp://)?(?:127\.0\.0\.1|localhost|\[::1\]):")
_local = threading.local()  # one sandbox for each thread of a worker, kept from batch to batch

GradeBatch = Callable[[list[Job], dict[str, Any]], list[dict[str, Any]]]


class UnfitWorker(RuntimeError):
    """A worker that must not grade: other grades would come out, or code run unsealed."""


def is_sealed(address: str) -> bool:
    """Whether nobody else reaches a scheduler at this address, or only who has its certificate."""
    return bool(SEALED.match(address))


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
    except (OSError, ValueError, TypeError) as error:  # TypeError: TLS without a certificate
        raise InputError(f"There is no Dask scheduler at {address!r}: {error}.") from None
    remote = _remote_settings(settings, exercises_at)

    def work(call: bytes) -> list[dict[str, Any]]:  # in here, so that it travels whole: a worker
        grade, batch, remote = pickle.loads(call)  # without the course raises ImportError, and
        return grade(batch, remote)  # does not die of what it cannot read

    with client:
        waiting, batches, suspects = iter(jobs), dict[str, list[Job]](), list[Job]()
        running = as_completed(loop=client.loop, raise_errors=False)

        def send(batch: list[Job]) -> Future:
            portable = [_portable(job, settings) for job in batch]
            call = dumps((grade_batch or grade_here, portable, remote))
            return client.submit(work, call, pure=False)

        def fill() -> None:
            while len(batches) < UNDER_WAY and (batch := list(islice(waiting, BATCH))):
                batches[(future := send(batch)).key] = batch
                running.add(future)

        fill()
        while batches:
            future = next(running)
            batch = batches.pop(future.key)
            if future.status in ("cancelled", "lost"):
                gone = f"The cluster at {address!r} is gone. What was graded is safe"
                raise GradebookError(f"{gone}; run the command again.")
            if future.status == "finished":
                yield from zip(batch, future.result(), strict=True)
            else:
                _check_worker(future.exception())
                suspects += batch
            future.release()
            fill()
        for job in suspects:
            for _ in range(ALONE):
                future = send([job])
                if (error := future.exception()) is None:
                    break
                _check_worker(error)
            yield job, _quarantined(job, settings, error) if error else future.result()[0]
            future.release()


def _check_worker(error: BaseException | None) -> None:
    """Raises ProfileError where an error is the worker's fault: no submission ends in one."""
    if isinstance(error, UnfitWorker):
        raise ProfileError(str(error))
    if isinstance(error, ImportError):
        raise ProfileError(
            f"A worker of the cluster lacks {error.name}: install the same there as here, and "
            "start it again. What was graded is safe."
        )


def _quarantined(job: Job, settings: Settings, error: BaseException) -> dict[str, Any]:
    exercise = settings.exercises.get(job.submission.exercise)
    note = f"It ended its worker on the cluster each time ({type(error).__name__})."
    return to_data(failed("needs-attention", exercise, note, settings.profile.name), exercise)


def _portable(job: Job, settings: Settings) -> Job:
    """A job with its seeds, and without the means to read its file: its cells are in it already."""
    who = job.submission
    bare = Submission(who.student, who.exercise, no_file, who.lms_id, place=who.place)
    return dataclasses.replace(job, submission=bare, written={}, seeds=settings.seeds(job))


def _remote_settings(settings: Settings, exercises_at: str) -> dict[str, Any]:
    return {
        "exercises_at": exercises_at,
        "version": settings.version,
        "worth": {
            (stem, task.name): (task.points, task.by_case)
            for stem, exercise in settings.exercises.items()
            for task in exercise.tasks
        },
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
    if getattr(_local, "remote", None) != remote:
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
        limits = remote["timeout"], remote["memory"]
        try:
            sandbox, _ = find_sandbox(remote["memory"], remote["trust"])
        except ProfileError as error:
            raise UnfitWorker(f"A worker of the cluster has no sandbox: {error}") from None
        _local.settings = Settings(exercises, remote["version"], b"", sandbox.profile, *limits)
        _local.sandbox, _local.remote = sandbox, remote
    return _local.settings, _local.sandbox
