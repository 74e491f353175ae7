"""Grade on a Dask cluster: batches of jobs travel, student code still runs only in sandboxes.

Who reaches a Dask scheduler can run anything on its workers. So the way there is TLS, for which
each side shows the class's certificate, or it never leaves this machine; of any other the command
warns. The gradebook's key does not travel: a job brings the seeds of its own hidden inputs.

A batch that kills its worker is blamed after `allowed-failures` deaths, and so is every innocent
one that was queued there (dask/distributed#5234). So who is in a blamed batch is tried again with
nothing beside it. Only then it is in quarantine: `needs-attention`.
"""

import importlib
import pickle
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import Any

from course_lib.checker.errors import GradebookError, InputError, ProfileError
from grader.pipeline.local import Job, Settings, grade_job
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import failed
from grader.pipeline.versions import course_version
from grader.sandbox.probe import find_sandbox

BATCH = 16
ALONE = 2  # tries of a submission with nothing beside it: the death of a worker is seen late
NO_WORKER = 60  # seconds: one that died is started again in a few
UNDER_WAY = 64  # batches that the cluster holds at a time: memory here stays flat
PRIVATE = re.compile(r"tls://|(?:tcp://)?(?:127\.0\.0\.1|localhost|\[::1\]):")
SAFE = "What was graded is safe"
_local = threading.local()  # one sandbox for each thread of a worker, kept from batch to batch

GradeBatch = Callable[[list[Job], dict[str, Any]], list[dict[str, Any]]]


class UnfitWorker(RuntimeError):
    """A worker that must not grade: other grades would come out, or code run outside a cell."""


def is_private(address: str) -> bool:
    """Whether nobody else reaches a scheduler at this address, or only who has its certificate."""
    return bool(PRIVATE.match(address))


def grade_on(
    address: str,
    jobs: Iterable[Job],
    settings: Settings,
    exercises_at: str = "course_lib.exercises:CATALOGUE.exercises",
    grade_batch: GradeBatch | None = None,
) -> Iterator[tuple[Job, dict[str, Any]]]:
    """(job, result) as batches come back. Raises InputError when there is no such cluster."""
    try:
        from dask.distributed import Client, as_completed
        from distributed.protocol.pickle import dumps
    except ModuleNotFoundError as error:
        raise InputError(
            "--scheduler needs the package dask; it comes with `pip install './grader[cluster]'` "
            "in the course's folder."
        ) from error

    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # TypeError: TLS without a certificate
        raise InputError(f"There is no Dask scheduler at {address!r}: {error}.") from None
    remote = _remote_settings(settings, exercises_at)

    def work(call: bytes) -> list[dict[str, Any]]:  # in here, so that it travels whole: a worker
        grade, batch, remote = pickle.loads(call)  # without the course raises ImportError, and
        return grade(batch, remote)  # does not die of what it cannot read

    with client:
        waiting, batches, suspects = iter(jobs), dict[Any, list[Job]](), list[Job]()
        running = as_completed(loop=client.loop, raise_errors=False)

        def send(batch: list[Job]) -> Any:  # a Future
            portable = [_portable(job, settings) for job in batch]
            call = dumps((grade_batch or grade_here, portable, remote))
            return client.submit(work, call, pure=False)

        def fill() -> None:
            while len(batches) < UNDER_WAY and (batch := list(islice(waiting, BATCH))):
                batches[(future := send(batch)).key] = batch
                running.add(future)

        fill()
        while batches:
            _wait(running.has_ready, client, address)
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
            tries, future = 0, send([job])
            while True:
                _wait(future.done, client, address)
                error, tries = future.exception(), tries + 1
                _check_worker(error)
                if error is None or tries == ALONE:
                    break
                future = send([job])
            yield job, _quarantined(job, settings, error) if error else future.result()[0]
            future.release()


def _wait(is_done: Callable[[], bool], client: Any, address: str) -> None:
    """Wait for something of the cluster's. Raises GradebookError where it has had no worker for
    `NO_WORKER` seconds: a task would wait for one for ever."""
    seen = asked = time.monotonic()
    while not is_done():
        time.sleep(0.02)
        if (now := time.monotonic()) - asked > 1:
            asked = now
            seen = now if client.scheduler_info()["workers"] else seen
            if now - seen > NO_WORKER:
                raise GradebookError(
                    f"The cluster at {address!r} has no worker any more. {SAFE}: start workers and "
                    "run the command again."
                )


def _check_worker(error: BaseException | None) -> None:
    """Raises ProfileError where an error is the worker's fault: no submission ends in one."""
    if isinstance(error, UnfitWorker):
        raise ProfileError(f"{error} {SAFE}.")
    if isinstance(error, ImportError):
        raise ProfileError(
            f"A worker of the cluster lacks {error.name}: install the same there as here, and "
            f"start it again. {SAFE}."
        )


def _quarantined(job: Job, settings: Settings, error: BaseException) -> dict[str, Any]:
    exercise = settings.exercises.get(job.submission.exercise)
    note = f"It ended its worker on the cluster each time ({type(error).__name__})."
    return to_data(failed("needs-attention", exercise, note, settings.profile.name), exercise)


def _portable(job: Job, settings: Settings) -> Job:
    """A job with its seeds, and without the means to read its file: its cells are in it already."""
    bare = replace(job.submission, read=None)
    return replace(job, submission=bare, written={}, seeds=settings.seeds(job))


def _remote_settings(settings: Settings, exercises_at: str) -> dict[str, Any]:
    """What a worker needs of them: of the exercises, which, and each task's points and credit."""
    return {
        "exercises_at": exercises_at,
        "worth": {
            stem: [(task.points, task.credit) for task in exercise.tasks]
            for stem, exercise in settings.exercises.items()
        },
        "version": settings.version,
        "limits": (settings.timeout, settings.memory),
        "trust": settings.profile.name == "trusted",
    }


def grade_here(batch: list[Job], remote: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs on a cluster's worker, which probes its own sandbox at the first batch."""
    if getattr(_local, "remote", None) != remote:
        _prepare(remote)
    return [grade_job(job, _local.settings, _local.sandbox) for job in batch]


def _prepare(remote: dict[str, Any]) -> None:
    if remote["version"] != (here := course_version()):
        raise UnfitWorker(
            f"The worker on {socket.gethostname()} has another version of the course or of its "
            f"libraries ({here}, not {remote['version']}): install the same there, and start it "
            "again."
        )
    module, name = remote["exercises_at"].split(":")
    known, exercises = attrgetter(name)(importlib.import_module(module)), {}
    for stem, worth in remote["worth"].items():
        one = known[stem]
        if len(worth) > len(one.tasks):
            one = one.with_capstone()  # the class asks for it
        pairs = zip(one.tasks, worth, strict=True)  # one version: the same tasks
        tasks = tuple(
            replace(task, points=points, credit=credit) for task, (points, credit) in pairs
        )
        exercises[stem] = replace(one, tasks=tasks)
    try:
        sandbox, _ = find_sandbox(remote["limits"][1], remote["trust"])
    except ProfileError as error:
        raise UnfitWorker(f"A worker of the cluster has no sandbox: {error}") from None
    _local.settings = Settings(exercises, here, b"", sandbox.profile, *remote["limits"])
    _local.sandbox, _local.remote = sandbox, remote
