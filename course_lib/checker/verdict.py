"""The verdict on one task of a notebook: what it hands in, run here and judged.

`check` and `attn check` both end here; the grader takes the same steps with a sealed cell between.
"""

import secrets
from dataclasses import replace

from course_lib.checker.compare.changes import hold_to_rules
from course_lib.checker.compare.judge import draw_trials, judge
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


def judge_program(task: Task, program: Program, seed: int | None = None) -> Report:
    """The report on the program that a notebook hands in for a task."""
    if not program.pieces:
        return Report(task.name, task.points, (CaseResult("an answer", False, NO_CELL),))
    trials = draw_trials(task, secrets.randbits(63) if seed is None else seed)
    inputs = [trial.inputs for trial in trials]
    too_slow = [Observation(error=TimeLimit.__name__)] * len(trials)
    seen = within_limits(
        lambda: observe_program(program, inputs, task.library, task.refused), too_slow
    )
    report = hold_to_rules(task, judge(task, trials, seen), program)
    idle = tuple(IDLE.format(line) for line in program.idle)
    shadowed = (SHADOWED,) if program.shadows else ()
    return replace(report, notes=(*report.notes, *idle, *shadowed))
