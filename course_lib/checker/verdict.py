"""The verdict on one task of a notebook: what it hands in, run here and judged.

`check` and `attn check` both end here; the grader takes the same steps with a sealed cell between.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace

from course_lib.checker.compare.changes import hold_to_rules
from course_lib.checker.compare.judge import Trial, draw_trials, judge
from course_lib.checker.limits import TimeLimit, within_limits
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.program import Program
from course_lib.checker.run.respond import observe_program
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import Task

NO_CELL = "The notebook has no answer cell for this task."
SHADOWED = (
    "This notebook gives `check` a meaning of its own; the verdict is the course's all the same. "
    "Give yours another name."
)
IDLE = "What is below your answer in its cell, from `{0}` on, does not run when you hand in."
THERE = "Checked on the CPU and on {0}."
ONLY_THERE = "On the CPU it is right. All that is said here holds on {0}."
Observe = Callable[[list[Trial]], list[Observation]]


def judge_program(
    task: Task, program: Program, seed: int | None = None, device: str = "cpu"
) -> Report:
    """The report on the program that a notebook hands in for a task."""
    if not program.pieces:
        return Report(task.name, task.points, (CaseResult("an answer", False, NO_CELL),))

    def observe(trials: list[Trial]) -> list[Observation]:
        inputs = [trial.inputs for trial in trials]
        return observe_program(program, inputs, task.library, task.refused)

    report = judge_on(device, task, secrets.randbits(63) if seed is None else seed, observe)
    report = hold_to_rules(task, report, program)
    idle = tuple(IDLE.format(line) for line in program.idle)
    shadowed = (SHADOWED,) if program.shadows else ()
    return replace(report, notes=(*report.notes, *idle, *shadowed))


def judge_on(device: str, task: Task, seed: int, observe: Observe) -> Report:
    """The report on what an answer does on the CPU; where that is right, on the device.

    So a mistake gets the same sentence wherever it is checked, and no wrong index ever reaches a
    GPU, where it would end the whole process's use of it.
    """
    report = _judged(task, draw_trials(task, seed), observe)
    if device == "cpu" or not report.passed:
        return report
    report = _judged(task, draw_trials(task, seed, device), observe)
    note = THERE if report.passed else ONLY_THERE
    return replace(report, notes=(*report.notes, note.format(device)))


def _judged(task: Task, trials: list[Trial], observe: Observe) -> Report:
    too_slow = [Observation(error=TimeLimit.__name__)] * len(trials)
    return judge(task, trials, within_limits(lambda: observe(trials), too_slow))
