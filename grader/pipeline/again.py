"""Run a graded file again, for an appeal: the first input that fails in a case, and what came."""

from dataclasses import dataclass, field, replace

from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.formatting import example
from course_lib.checker.compare.judge import Trial, draw_trials
from course_lib.checker.compare.programs import draw_all
from course_lib.checker.notebook import Notebook, Unreadable, parse_notebook
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.database import Entry
from grader.pipeline.submission import SENTENCES, read_programs, run_programs, seed_of
from grader.sandbox.probe import find_sandbox
from grader.sandbox.results import Retrying
from grader.submissions.class_table import file_at


@dataclass(frozen=True)
class Failure:
    """An input on which a case fails; `got` is "" where nothing was run."""

    trial: Trial
    got: str = ""


@dataclass
class Again:
    """What a second run saw, by (task, case); why there was none; each task's own cell."""

    failures: dict[tuple[str, str], Failure] = field(default_factory=dict)
    problem: str = ""
    code: dict[str, str] = field(default_factory=dict)


def run_again(entry: Entry, exercise: Exercise, secret: bytes) -> Again:
    """The file of a row, run in the sandbox on the inputs that it was graded with. Where the file
    is not there any more, the first input of each case that does not hold."""
    again = Again()
    seeds = {task.name: seed_of(secret, task.name, entry.sha) for task in exercise.tasks}
    lost = {
        (task["name"], case["name"])
        for task in entry.data["tasks"]
        for case in task["cases"]
        if not case["passed"]
    }
    # A capstone has no right answer to show, and would train for a minute to find that out.
    alone = replace(exercise, tasks=tuple(task for task in exercise.tasks if not task.judge))
    for task in alone.tasks:
        for trial in draw_trials(task, seeds[task.name]):
            if (task.name, trial.case.name) in lost:
                again.failures.setdefault((task.name, trial.case.name), Failure(trial))
    try:
        data, sha = (file_at(entry.place) or _no_file)()
        if sha != entry.sha:
            raise Unreadable("The file has changed since.")
        notebook = parse_notebook(data, [task.name for task in exercise.tasks])
    except Unreadable as error:
        again.problem = f"Not run again: {error} It was {entry.place!r}."
        return again
    if lost:
        _run(again, notebook, entry, exercise, alone, seeds)
    return again


def _no_file() -> tuple[None, str]:
    raise Unreadable("There is no such file here.")


def _run(
    again: Again,
    notebook: Notebook,
    entry: Entry,
    exercise: Exercise,
    alone: Exercise,
    seeds: dict[str, int],
) -> None:
    limits = entry.data.get("limits") or {"timeout": 10.0, "memory": 1024}
    sandbox, _ = find_sandbox(limits["memory"], entry.data["profile"] == "trusted")
    with sandbox:
        retrying = Retrying(sandbox)
        programs = read_programs(notebook, exercise, retrying, limits["timeout"])
        again.code = {name: one.pieces[-1][0] for name, one in programs.items() if one.pieces}
        drawn = draw_all(alone.tasks, programs, seeds)
        groups = run_programs(alone.tasks, programs, drawn, retrying, limits["timeout"])
    failures: dict[tuple[str, str], Failure] = {}
    for group in groups:
        for number, trial in enumerate(group.trials):
            got = SENTENCES.get(group.kind, "")
            if group.kind == "frame":
                seen, case = group.seen[number], trial.case
                got = difference(trial.expected, seen, trial.names, case.atol, case.within)
                shown = got and example(trial.inputs, trial.names, trial.expected, seen)
                got = f"{shown.got}\n{got}" if shown else got
            if got:
                failures.setdefault((group.task.name, trial.case.name), Failure(trial, got))
    again.failures |= failures
