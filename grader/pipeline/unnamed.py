"""`attn unnamed`: wrong answers that are no known mistake, those that do the same together, the
most frequent first. Whoever reads one of a group can name the mistake of all of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from course_lib.checker.compare.difference import difference
from course_lib.checker.compare.formatting import example
from course_lib.checker.compare.programs import draw_all
from course_lib.checker.escape import one_line, printable
from course_lib.checker.notebook import Unreadable, parse_notebook
from course_lib.checker.run.inputs import Array, Observation
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.database import Entry, Gradebook, in_folder
from grader.message_parts import first_of
from grader.pipeline.submission import read_programs, run_programs
from grader.sandbox.probe import find_sandbox
from grader.sandbox.results import Retrying
from grader.sandbox.sandbox import Sandbox
from grader.submissions.class_table import file_at

SEED = 20  # of the inputs that all of them get, which are no submission's
TIMEOUT, MEMORY = 10.0, 1024  # seconds of one file, MB
DIGITS = 4  # to which numbers are compared: an order of sums is no other answer
MOST_NAMES, MOST_LINES = 8, 30


@dataclass(frozen=True)
class Answer:
    """What one student's answer did on the inputs that all get."""

    student: str
    code: str
    does: tuple[Any, ...]
    shown: str  # the first input on which it is wrong, and what came


def unnamed(out: Path, exercises: Mapping[str, Exercise]) -> int:
    """Print the groups. Whose file is not where it was is left out, and said."""
    with Gradebook(in_folder(out), to_read=True) as gradebook:
        entries = [entry for entry in gradebook.rows() if _nameless(entry)]
    groups: dict[tuple, list[Answer]] = defaultdict(list)
    lost: list[str] = []
    if entries:
        sandbox, _ = find_sandbox(MEMORY, False)
        with sandbox:
            for entry in entries:
                found = list(_answers(entry, exercises.get(entry.exercise), sandbox))
                for task, one in found:
                    groups[entry.exercise, task, one.does].append(one)
                if not found:
                    lost.append(f"{entry.student}, {entry.exercise}")
    if not groups:
        print("Every wrong answer that could be run again is a known mistake.")
    order = sorted(groups, key=lambda key: (-len(groups[key]), *key[:2]))
    for stem, task, does in order:
        print(*_lines(stem, task, groups[stem, task, does]), sep="\n")
    for line in first_of(lost, MOST_NAMES):
        print(f"left out, as the file is not where it was, or has changed: {line}")
    return 0


def _nameless(entry: Entry) -> list[str]:
    """The tasks of a row that are wrong in no way that is known."""
    return [
        task["name"]
        for task in entry.data["tasks"]
        if task["status"] == "graded"
        and task["score"] < task["max_score"]
        and not task["mistake"]
        and any(case["message"] for case in task["cases"])
    ]


def _answers(
    entry: Entry, exercise: Exercise | None, sandbox: Sandbox
) -> Iterator[tuple[str, Answer]]:
    """Each nameless task of a row, run again on the inputs that all get."""
    if exercise is None:
        return
    wanted = [t for t in exercise.tasks if t.name in _nameless(entry) and not t.judge]
    try:
        read = file_at(entry.place)
        data, sha = read() if read else (None, "")
        if sha != entry.sha:
            return
        notebook = parse_notebook(data, [task.name for task in exercise.tasks])
    except Unreadable:
        return
    retrying = Retrying(sandbox)
    programs = read_programs(notebook, exercise, retrying, TIMEOUT)
    seeds = {task.name: SEED for task in wanted}
    drawn = draw_all(wanted, programs, seeds)
    groups = run_programs(wanted, programs, drawn, retrying, TIMEOUT)
    for task in wanted:
        theirs = [group for group in groups if group.task is task]
        does: list[Any] = []
        shown = ""
        for group in theirs:
            does += [_form(seen) for seen in group.seen] or [group.kind]
            for trial, seen in zip(group.trials, group.seen, strict=False):
                case = trial.case
                wrong = difference(trial.expected, seen, trial.names, case.atol, case.within)
                if wrong and not shown:
                    one = example(trial.inputs, trial.names, trial.expected, seen)
                    pairs = [*one.pairs] if one else []
                    shown = "\n".join([wrong, *(f"{name} = {text}" for name, text in pairs)])
        if theirs:
            code = programs[task.name].pieces[-1][0]
            yield task.name, Answer(entry.student, code, tuple(does), shown)


def _form(seen: Observation) -> tuple[Any, ...]:
    return seen.error, _value(seen.value)


def _value(value: Any) -> Any:
    """A value to compare with others: numbers to a few digits."""
    if isinstance(value, Array):
        data = value.data
        if data.dtype.kind in "fc":
            data = np.round(data.astype(complex if data.dtype.kind == "c" else float), DIGITS) + 0.0
        return value.library, value.dtype, data.shape, data.tobytes()
    if isinstance(value, tuple | list):
        return tuple(map(_value, value))
    return round(value, DIGITS) if type(value) is float else repr(value)


def _lines(stem: str, task: str, answers: Sequence[Answer]) -> Iterator[str]:
    names = [one.student for one in answers]
    count = f"{len(names)} answers do" if len(names) > 1 else "1 answer does"
    more = f", and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    yield f"{stem}, {task}: {count} the same: {one_line(', '.join(names[:MOST_NAMES]))}{more}"
    short = min(answers, key=lambda one: len(one.code))
    for text in (short.shown, short.code.strip()):
        lines = printable(text).split("\n")
        yield from (f"    {line}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"    … and {len(lines) - MOST_LINES} lines more"
        yield ""
