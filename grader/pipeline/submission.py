"""Grade one submission: read it, run each of its answers in sandboxes, and have them judged.

This runs in the trusted parent. It alone knows references, expected values and seeds.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from course_lib.checker.compare.judge import Trial
from course_lib.checker.compare.programs import Drawn, Observed, Seen, judge_programs
from course_lib.checker.notebook import Notebook
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.program import Program
from course_lib.checker.say.report import SHADOWED, CaseResult, Report
from course_lib.checker.tasks.task import Exercise, Task, as_points
from grader.gradebook.rows import STATUSES
from grader.sandbox.inside.protocol import encode
from grader.sandbox.pool import Pool
from grader.sandbox.results import Retrying, programs_in, run_request, unread
from grader.sandbox.sandbox import Sandbox

SENTENCES = {
    "no-result": "It ended without returning a result.",
    "memory": "It needs more memory than it may have.",
    "timeout": "It did not finish within the time limit.",
    "crashed": "It crashed the interpreter.",
    "needs-attention": "It could not be graded, through no fault of the answer.",
}


@dataclass(frozen=True)
class TaskResult:
    """What became of one task."""

    status: str
    report: Report


@dataclass(frozen=True)
class Result:
    """What became of one submission."""

    status: str
    max_score: int | float
    tasks: tuple[TaskResult, ...] = ()
    profile: str = ""
    note: str = ""

    @property
    def score(self) -> int | float | None:
        """None when the fault was ours."""
        if self.status == "needs-attention":
            return None
        return as_points(sum(task.report.score for task in self.tasks))


@dataclass
class Group:
    """The public or the hidden trials of a task: they share a cell and see no other's inputs."""

    task: Task
    trials: list[Trial]
    request: bytes
    kind: str = ""  # how its cell ended; "" before it ran
    seen: list[Observation] = field(default_factory=list)


def grade_notebook(
    notebook: Notebook,
    exercise: Exercise,
    *,
    seeds: Mapping[str, int],
    sandbox: Sandbox | Pool,
    timeout: float,
) -> Result:
    """The result of one notebook. `timeout` bounds all of its code together; `seeds` are those of
    each task's inputs. Raises FrameError when its answers together are too long to be graded."""
    retrying = Retrying(sandbox)
    programs = read_programs(notebook, exercise, retrying, timeout)
    statuses: dict[str, str] = {}

    def run(drawn: Drawn) -> Seen:
        groups = run_programs(exercise.tasks, programs, drawn, retrying, timeout)
        seen: dict[str, Observed | Report] = {}
        for task in exercise.tasks:
            mine = [group for group in groups if group.task is task]
            statuses[task.name] = status = _status(mine)
            if status == "graded":
                seen[task.name] = _observed(mine, drawn[task.name])
            else:
                words = SENTENCES.get(status) or notebook.why_none(task.name)
                seen[task.name] = _nothing_seen(task, words)
        return seen

    reports = judge_programs(exercise.tasks, programs, seeds, run)
    # Without one of its cells a notebook is not missing: the task alone is.
    there = [status for status in statuses.values() if status != "missing"]
    status = max(there or ["missing"], key=STATUSES.index)
    shadows = any(one.shadows is True for one in programs.values())
    note = SHADOWED if shadows and status != "needs-attention" else ""
    tasks = tuple(TaskResult(statuses[report.task], report) for report in reports)
    return Result(status, exercise.max_score, tasks, sandbox.profile.name, note)


def _status(groups: Sequence[Group]) -> str:
    """How a task ended, by its groups: that of the worst; without any, it is missing."""
    kinds = ["graded" if group.kind == "frame" else group.kind for group in groups]
    return max(kinds, key=STATUSES.index, default="missing")


def _observed(groups: Sequence[Group], trials: Sequence[Trial]) -> Observed:
    seen = {t: o for group in groups for t, o in zip(group.trials, group.seen, strict=True)}
    return [(trial, seen[trial]) for trial in trials]


def _nothing_seen(task: Task, words: str) -> Report:
    cases = tuple(CaseResult(c.name, False, words, c.hidden) for c in task.cases)
    return Report(task.name, task.points, cases, ran=False)


def read_programs(
    notebook: Notebook, exercise: Exercise, sandbox: Retrying, timeout: float
) -> dict[str, Program]:
    """The program of each task, read in a sandbox: even Python's parser is not run on a stranger's
    text out here. Nothing of the notebook runs; where the parser itself does not come to an end,
    each task has its own cell alone. Raises FrameError when the notebook's text does not fit into a
    frame."""
    names = [task.name for task in exercise.tasks]
    request = encode({"cells": list(notebook.cells), "tasks": names, "seconds": int(timeout) + 2})
    try:
        (seen,) = run_request(sandbox, request, timeout, 1).seen
        return programs_in(seen.value, notebook.cells)
    except Exception:  # it timed out, it crashed, its frame is none
        return unread(notebook.cells, names)


def run_programs(
    tasks: Sequence[Task],
    programs: Mapping[str, Program],
    drawn: Drawn,
    sandbox: Retrying,
    timeout: float,
) -> list[Group]:
    """What each program did on its task's trials. Raises FrameError when a program's own text does
    not fit into a frame."""
    groups = [
        group
        for task in tasks
        for group in _groups(task, programs[task.name], drawn[task.name], timeout)
    ]
    _run_groups(groups, sandbox, timeout)
    return groups


def seed_of(secret: bytes, task: str, sha: str) -> int:
    """A seed that a submission's author cannot foresee."""
    digest = hmac.digest(secret, f"{task}\0{sha}".encode(), hashlib.sha256)
    return int.from_bytes(digest[:8]) >> 1


def _groups(task: Task, program: Program, trials: Sequence[Trial], timeout: float) -> list[Group]:
    timeout = task.seconds or timeout
    groups = []
    for hidden in (False, True):
        part = [trial for trial in trials if trial.case.hidden is hidden]
        if part:
            request = {
                "task": task.name,
                "library": task.library,
                "refused": list(task.refused),
                "pieces": program.pieces,
                "inputs": [trial.inputs for trial in part],
                "seconds": int(timeout) + 2,  # of processor time; the parent's clock is stricter
            }
            groups.append(Group(task, part, encode(request)))
    return groups


def _run_groups(groups: list[Group], sandbox: Retrying, timeout: float) -> None:
    """Run every group within `timeout` in all. Each first gets an equal slice of half the time, so
    that one endless answer leaves time for the others; who needs more shares what is left. A task
    with time of its own takes none of theirs."""
    left = timeout
    shared = [group for group in groups if not group.task.seconds]
    for group in shared:
        left -= _run(group, sandbox, timeout / (2 * len(shared)))
    slow = [group for group in shared if group.kind == "timeout"]
    for number, group in enumerate(slow):
        left -= _run(group, sandbox, max(0.0, left) / (len(slow) - number))
    for group in groups:
        if group.task.seconds:
            _run(group, sandbox, group.task.seconds)


def _run(group: Group, sandbox: Retrying, seconds: float) -> float:
    """Run a group; the seconds that its code took."""
    ran = run_request(sandbox, group.request, seconds, len(group.trials))
    group.kind, group.seen = ran.kind, ran.seen
    return ran.seconds


def failed(status: str, exercise: Exercise | None, note: str, profile: str = "") -> Result:
    """The result of a submission that has no tasks to speak of: unreadable, missing, our fault."""
    return Result(status, exercise.max_score if exercise else 0, (), profile, note)
