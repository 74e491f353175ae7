"""`check`: an answer in the student's own notebook against the task that carries its name.

`attn check` ends in the same `judge_program`, and all of them, the grader too, in `judge_programs`.
"""

import contextlib
import inspect
import os
import secrets
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from course_lib.checker.cells import cells_here, folder_here, names_here
from course_lib.checker.compare.judge import Trial, draw_trials, observe
from course_lib.checker.compare.programs import Drawn, Seen, attribute_to_earlier, judge_programs
from course_lib.checker.compare.search import somebody_waits
from course_lib.checker.kept_answers import RIGHT, WRONG, keep, parts_in, read_text
from course_lib.checker.limits import TimeLimit, within_limits
from course_lib.checker.notebook import NO_CELL
from course_lib.checker.run.answers import NOT_OFFERED, observe_program
from course_lib.checker.run.inputs import Candidate, Observation
from course_lib.checker.run.program import Cells, Program, assemble, source_of
from course_lib.checker.say.report import SHADOWED, CaseResult, Report
from course_lib.checker.tasks.catalogue import Catalogue, name_of
from course_lib.checker.tasks.task import Task
from course_lib.checker.which import NOT_WRITTEN

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
IDLE = "What is below your answer in its cell, from `{0}` on, does not run when you hand in."
THERE = "Checked on the CPU and on {0}."
ONLY_THERE = "On the CPU it is right. All that is said here holds on {0}."
NO_SUCH = "device is {0!r}; it must be 'cpu', 'cuda' or 'cuda:' with a number."
NUMPY = "`{0}` works on NumPy arrays, which are on the CPU: check it without `device`."
OWN_TENSORS = "The cases of `{0}` make their tensors on the CPU: check it without `device`."
NO_CUDA = (
    "device is {0!r}, but torch {1} sees no CUDA device here. In Colab choose Runtime, Change "
    "runtime type, GPU; on your own machine install a torch built for CUDA; or check without "
    "`device`."
)
TOO_FEW = "device is {0!r}, but torch sees {1} CUDA devices here, from 'cuda:0' on."
SWITCH = "COURSE_MINE"  # "no": no answer is kept
WAIT = "COURSE_WAIT"  # "no": a search for a cause goes on to its end, and says nothing on the way
Observe = Callable[[Sequence[Trial]], list[Observation]]


def check_answer(
    catalogue: Catalogue,
    answer: Any,
    seed: int | None = None,
    device: Any = "cpu",
    keep_wrong: bool = False,
) -> Report:
    """Check an answer (a function or a class) against the task that carries its name, or the name
    that it has in the notebook.

    Where it is right its text is kept beside the notebook, and with `keep_wrong` a wrong one's in
    another file.

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
        return _with_notes(_judge_object(task, answer, seed, device), NO_NOTEBOOK)
    cells, saved = here
    programs = assemble(cells, catalogue.tasks)
    program = programs[task.name]
    if not program.pieces:
        report = _judge_object(task, answer, seed)
        nothing = CaseResult("what you hand in", False, NOT_THERE.format(task.name), required=True)
        return replace(report, cases=(nothing, *report.cases), standing=NOT_HANDED_IN)
    with _waiting():
        report = judge_program(task, program, seed, device)
    if not report.passed:
        used = [name for name in catalogue.beside(task.name) if name in program.others]
        earlier = [judge_program(catalogue.tasks[name], programs[name], seed) for name in used]
        *_, report = attribute_to_earlier([*earlier, report], programs)
    if not (report.passed or problem) and _judge_object(task, answer, seed, device).passed:
        report = _say_what_is_missing(report, program, space)
    kept = _kept(catalogue, task, cells, report, keep_wrong)
    if saved is not None and _differs(assemble(saved, catalogue.tasks)[task.name], program):
        standing = "right, but not saved" if report.passed else "not right yet, and not saved"
        report = replace(
            report,
            standing=report.standing or standing,
            warning=" ".join(filter(None, [NOT_SAVED.format(task.name), report.warning])),
        )
    return _with_notes(report, *filter(None, [problem, kept]))


def _waiting() -> contextlib.AbstractContextManager:
    """Somebody sits before the notebook; not where it is run to be compared."""
    if os.environ.get(WAIT) == "no":
        return contextlib.nullcontext()
    return somebody_waits(partial(print, flush=True))


def _kept(catalogue: Catalogue, task: Task, cells: Cells, report: Report, keep_wrong: bool) -> str:
    """Keep what was checked; the sentence to say. Not on a page in the browser, whose folder is
    nobody's, nor what takes no arguments: it is no function that one could use again."""
    is_wrong = keep_wrong and report.ran and not report.passed
    wanted = (report.passed or is_wrong) and task.parameters
    if not wanted or sys.platform == "emscripten" or os.environ.get(SWITCH) == "no":
        return ""
    home = catalogue.home(task.name)
    order = {name: number for number, name in enumerate(catalogue.tasks)}
    beside = parts_in(read_text(folder_here() / RIGHT))
    same = {name for name in catalogue.beside(task.name) if name in beside}
    elsewhere = same | set(catalogue.exercises[home].brought)
    source = source_of(cells, task.name, elsewhere - {task.name})
    if is_wrong and NOT_WRITTEN in source:
        return ""
    file = WRONG if is_wrong else RIGHT
    return keep(folder_here(), file, task.name, home, source, order)


def judge_program(
    task: Task, program: Program, seed: int | None = None, device: str = "cpu", none: str = NO_CELL
) -> Report:
    """The report on the program that a notebook hands in for a task; `none` is said where there is
    none."""
    if not program.pieces:
        return Report(task.name, task.points, (CaseResult("an answer", False, none),))

    def run(trials: Sequence[Trial]) -> list[Observation]:
        inputs = [trial.inputs for trial in trials]
        return observe_program(program, inputs, task.library, task.refused)

    seed = secrets.randbits(63) if seed is None else seed
    report = _judge_on(device, task, program, seed, run)
    idle = (IDLE.format(line) for line in program.idle)
    shadowed = (SHADOWED,) if program.shadows else ()
    return _with_notes(report, *idle, *shadowed)


def _judge_object(task: Task, answer: Any, seed: int, device: str = "cpu") -> Report:
    """The report on an object as it is, whatever it was made from."""
    source = _source_of(answer)
    program = assemble([(task.name, source)], [task.name])[task.name]
    task = task if source else replace(task, rule=None)
    return _judge_on(device, task, program, seed, lambda trials: observe(answer, trials))


def _judge_on(device: str, task: Task, program: Program, seed: int, run: Observe) -> Report:
    """The report on what an answer does on the CPU; where that is right, on the device.

    So a mistake gets the same sentence wherever it is checked, and no wrong index ever reaches a
    GPU, where it would end the whole process's use of it.
    """

    def in_time(drawn: Drawn) -> Seen:
        trials = drawn[task.name]
        too_slow = [Observation(error=TimeLimit.__name__)] * len(trials)
        seen = within_limits(lambda: run(trials), too_slow)
        return {task.name: list(zip(trials, seen, strict=True))}

    def on(device: str) -> Report:
        seeds = {task.name: seed}
        (report,) = judge_programs([task], {task.name: program}, seeds, in_time, device)
        return report

    report = on("cpu")
    if device == "cpu" or not report.passed:
        return report
    report = on(device)
    return _with_notes(report, (THERE if report.passed else ONLY_THERE).format(device))


def why_not_on(device: object, task: Task) -> str | None:
    """The sentence for a device on which a task cannot be checked; None where it can be."""
    name = str(device)
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "cuda") or not (number.isdecimal() or name == kind):
        return NO_SUCH.format(name)
    if name == "cpu":
        return None
    if task.library == "numpy":
        return NUMPY.format(task.name)
    inputs = draw_trials(task, 0)[0].inputs
    if inputs.examiner is not None or any(isinstance(one, Candidate) for one in inputs.args):
        return OWN_TENSORS.format(task.name)
    import torch

    if kind == "cuda" and not torch.cuda.is_available():
        return NO_CUDA.format(name, torch.__version__)
    count = torch.cuda.device_count()
    return TOO_FEW.format(name, count) if kind == "cuda" and int(number or 0) >= count else None


def _with_notes(report: Report, *notes: str) -> Report:
    return replace(report, notes=(*report.notes, *notes))


def _source_of(answer: Any) -> str:
    try:
        return textwrap.dedent(inspect.getsource(answer))
    except Exception:  # typed at a prompt, made by exec, …
        return ""


def _say_what_is_missing(report: Report, program: Program, space: Mapping) -> Report:
    """The report of what is handed in, where the object in memory does better. An import that a
    class does not have is the whole reason, and its sentence is there already."""
    if any(part in case.message for case in report.cases for part in NOT_OFFERED):
        return report
    lost = [name for name in program.undefined if name in space and not name.startswith("_")]
    names = " and ".join(f"`{name}`" for name in lost)
    reason = UNDEFINED.format(names) if lost else RESTART
    return replace(report, standing=NOT_HANDED_IN, warning=f"{HERE} {reason}")


def _differs(one: Program, other: Program) -> bool:
    return (one.text, one.undefined) != (other.text, other.undefined)
