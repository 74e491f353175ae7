"""`check`: an answer in the student's own notebook against the task that carries its name."""

import inspect
import secrets
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from course_lib.checker.cells import cells_here, names_here
from course_lib.checker.compare.changes import hold_to_rules
from course_lib.checker.compare.judge import observe
from course_lib.checker.devices import why_not_on
from course_lib.checker.run.program import Program, assemble
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.catalogue import Catalogue, name_of
from course_lib.checker.tasks.task import Task
from course_lib.checker.verdict import judge_on, judge_program

NO_NOTEBOOK = (
    "This is no notebook, so only the object itself was judged. Which cells a class would run, and "
    "what it would not have, `check` could not look at."
)
NOT_THERE = (
    "No cell of this notebook defines `{0}`, so nothing would be handed in for it. Write it in its "
    "answer cell."
)
NOT_HANDED_IN = "not right as it is handed in"
HERE = "In this notebook's memory it is right; what you hand in is not."
UNDEFINED = "No cell defines {0}: write what defines it into a cell, and run that."
RESTART = "Restart the kernel and run all cells to see what the class sees."
NOT_SAVED = (
    "The saved notebook has another `{0}` than the one that ran here, or other cells that it uses. "
    "Save the notebook before you hand it in; `attn check` reads the file."
)


def check_answer(
    catalogue: Catalogue, answer: Any, seed: int | None = None, device: Any = "cpu"
) -> Report:
    """Check an answer (a function or a class) against the task that carries its name, or the name
    that it has in the notebook.

    In a notebook what is judged is what the notebook's cells would hand in, and the report says
    when the answer itself does better. Inputs are new at each call unless `seed` is given. Never
    raises: what cannot be checked gets a report that says why.
    """
    space = names_here()
    task, problem = catalogue.task_of(answer, space)
    here = cells_here()
    if task is None or (problem and here is None):
        case = CaseResult("what was given", False, problem)
        return Report(task.name if task else name_of(answer), task.points if task else 0, (case,))
    if sentence := why_not_on(device, task):
        return Report(task.name, task.points, (CaseResult("the device", False, sentence),))
    device = str(device)
    seed = secrets.randbits(63) if seed is None else seed
    if here is None:
        report = _judge_object(task, answer, seed, device)
        return replace(report, notes=(*report.notes, NO_NOTEBOOK))
    cells, saved = here
    program = assemble(cells, catalogue.tasks)[task.name]
    if not program.pieces:
        report = _judge_object(task, answer, seed)
        nothing = CaseResult("what you hand in", False, NOT_THERE.format(task.name), required=True)
        return replace(report, cases=(nothing, *report.cases), standing=NOT_HANDED_IN)
    report = judge_program(task, program, seed, device)
    if not (report.passed or problem) and _judge_object(task, answer, seed, device).passed:
        report = _say_what_is_missing(report, program, space)
    if saved is not None and _differs(assemble(saved, catalogue.tasks)[task.name], program):
        standing = "right, but not saved" if report.passed else "not right yet, and not saved"
        report = replace(
            report,
            standing=report.standing or standing,
            warning=" ".join(filter(None, [NOT_SAVED.format(task.name), report.warning])),
        )
    return replace(report, notes=(*report.notes, problem)) if problem else report


def _judge_object(task: Task, answer: Any, seed: int, device: str = "cpu") -> Report:
    """The report on an object as it is, whatever it was made from."""
    report = judge_on(device, task, seed, lambda trials: observe(answer, trials))
    source = _source_of(answer)
    program = assemble([(task.name, source)], [task.name])[task.name]
    return hold_to_rules(task, report, program) if source else report


def _source_of(answer: Any) -> str:
    try:
        return textwrap.dedent(inspect.getsource(answer))
    except Exception:  # typed at a prompt, made by exec, …
        return ""


def _say_what_is_missing(report: Report, program: Program, space: Mapping) -> Report:
    """The report of what is handed in, where the object in memory does better."""
    lost = [name for name in program.undefined if name in space and not name.startswith("_")]
    names = " and ".join(f"`{name}`" for name in lost)
    reason = UNDEFINED.format(names) if lost else RESTART
    return replace(report, standing=NOT_HANDED_IN, warning=f"{HERE} {reason}")


def _differs(one: Program, other: Program) -> bool:
    return (one.text, one.undefined) != (other.text, other.undefined)
