"""Grade one submission: draw hidden inputs, run each task in sandboxes, judge what came back.

This runs in the trusted parent. It alone knows references, expected values and seeds.
"""

import hashlib
import hmac
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from course_lib.checker.compare.judge import Trial, draw_trials, judge
from course_lib.checker.compare.of_text import apply_rule, attribute_to_earlier
from course_lib.checker.notebook import Notebook
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.program import Program
from course_lib.checker.say.report import SHADOWED, CaseResult, Report
from course_lib.checker.tasks.task import Exercise, Task, as_points
from grader.gradebook.rows import STATUSES
from grader.sandbox.inside.protocol import FrameError, encode
from grader.sandbox.pool import Pool
from grader.sandbox.results import programs_in, run_request, unread
from grader.sandbox.sandbox import Sandbox

SENTENCES = {
    "missing": "The notebook has no answer cell for this task.",
    "no-result": "It ended without returning a result.",
    "memory": "It needs more memory than it may have.",
    "timeout": "It did not finish within the time limit.",
    "crashed": "It crashed the interpreter.",
    "needs-attention": "It could not be graded, through no fault of the answer.",
}
# Judging redirects the standard streams, which belong to the whole process: one thread at a time.
JUDGING = threading.Lock()


@dataclass(frozen=True)
class TaskResult:
    """What became of one task."""

    status: str
    report: Report


@dataclass(frozen=True)
class Result:
    """What became of one submission. `score` is None when the fault was ours."""

    status: str
    score: int | float | None
    max_score: int | float
    tasks: tuple[TaskResult, ...] = ()
    profile: str = ""
    note: str = ""


@dataclass
class _Group:
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
    each task's inputs."""
    try:
        programs = read_programs(notebook, exercise, sandbox, timeout)
        groups = all_groups(programs, exercise, seeds, timeout)
    except FrameError:
        note = "Its answers together are too long to be graded."
        return failed("unreadable", exercise, note, sandbox.profile.name)
    run_groups(groups, sandbox, timeout)
    tasks = [
        _task_result(task, [g for g in groups if g.task is task], notebook)
        for task in exercise.tasks
    ]
    reports = [
        apply_rule(task, settled.report, programs[task.name])
        for task, settled in zip(exercise.tasks, tasks, strict=True)
    ]
    reports = attribute_to_earlier(reports, programs)
    tasks = [replace(task, report=report) for task, report in zip(tasks, reports, strict=True)]
    # Without one of its cells a notebook is not missing: the task alone is.
    there = [task.status for task in tasks if task.status != "missing"]
    status = max(there or ["missing"], key=STATUSES.index)
    fault = status == "needs-attention"
    score = None if fault else as_points(sum(task.report.score for task in tasks))
    shadows = any(one.shadows is True for one in programs.values())
    note = SHADOWED if shadows and score is not None else ""
    return Result(status, score, exercise.max_score, tuple(tasks), sandbox.profile.name, note)


def read_programs(
    notebook: Notebook, exercise: Exercise, sandbox: Sandbox | Pool, timeout: float
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


def all_groups(
    programs: Mapping[str, Program], exercise: Exercise, seeds: Mapping[str, int], timeout: float
) -> list[_Group]:
    """Raises FrameError when a program's own text does not fit into a frame."""
    with JUDGING:
        return [
            group
            for task in exercise.tasks
            if (program := programs[task.name]).pieces
            for group in _groups(task, program, seeds[task.name], timeout)
        ]


def seed_of(secret: bytes, task: str, sha: str) -> int:
    """A seed that a submission's author cannot foresee."""
    digest = hmac.digest(secret, f"{task}\0{sha}".encode(), hashlib.sha256)
    return int.from_bytes(digest[:8]) >> 1


def _groups(task: Task, program: Program, seed: int, timeout: float) -> list[_Group]:
    trials = draw_trials(task, seed)
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
            groups.append(_Group(task, part, encode(request)))
    return groups


def run_groups(groups: list[_Group], sandbox: Sandbox | Pool, timeout: float) -> None:
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


def _run(group: _Group, sandbox: Sandbox | Pool, seconds: float) -> float:
    """Run a group; the seconds that its code took."""
    ran = run_request(sandbox, group.request, seconds, len(group.trials))
    group.kind, group.seen = ran.kind, ran.seen
    return ran.seconds


def _task_result(task: Task, groups: list[_Group], notebook: Notebook) -> TaskResult:
    kinds = {group.kind for group in groups}
    if kinds == {"frame"}:
        seen = {t: o for group in groups for t, o in zip(group.trials, group.seen, strict=True)}
        trials = sorted(seen, key=lambda trial: task.cases.index(trial.case))
        with JUDGING:
            return TaskResult("graded", judge(task, trials, [seen[t] for t in trials]))
    status = max(kinds - {"frame"}, key=STATUSES.index, default="missing")
    words = notebook.why_none(task.name) if status == "missing" else SENTENCES[status]
    cases = tuple(CaseResult(c.name, False, words, c.hidden) for c in task.cases)
    return TaskResult(status, Report(task.name, task.points, cases))


def failed(status: str, exercise: Exercise | None, note: str, profile: str = "") -> Result:
    """The result of a submission that has no tasks to speak of: unreadable, missing, our fault."""
    score = None if status == "needs-attention" else 0
    return Result(status, score, exercise.max_score if exercise else 0, (), profile, note)
