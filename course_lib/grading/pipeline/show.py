"""`attn show`: one row in full, for an appeal, with the hidden inputs of what does not hold: for
the instructor alone."""

import difflib
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from course_lib.grading.errors import InputError
from course_lib.grading.escape import one_line, printable
from course_lib.grading.gradebook.database import DATABASE, Entry, Gradebook
from course_lib.grading.gradebook.written import find_answers, find_marks
from course_lib.grading.inside.inputs import Inputs
from course_lib.grading.judging.formatting import show
from course_lib.grading.judging.judge import Trial, draw_trials
from course_lib.grading.pipeline.command import course_version
from course_lib.grading.pipeline.submission import seed_of
from course_lib.grading.tasks.task import Exercise, Task

MANY_NUMBERS = 20_000  # of one array that are written out


def show_row(arguments, exercises: dict[str, Exercise]) -> int:
    """Print one row. Raises InputError when there is none."""
    if not (arguments.out / DATABASE).is_file():
        raise InputError(f"{str(arguments.out)!r} is no gradebook: run `attn grade` first.")
    with Gradebook(arguments.out / DATABASE, to_read=True) as gradebook:
        entry = gradebook.entry(arguments.student, arguments.exercise)
        if entry is None:
            raise InputError(_no_row(gradebook, arguments.student, arguments.exercise))
        now = course_version()
        exercise = exercises.get(entry.exercise)
        lines = [*describe_row(entry, exercise, gradebook.secret, now)]
        lines += describe_written(gradebook, entry)
    try:
        print(*map(printable, lines), sep="\n", flush=True)
    except BrokenPipeError:  # `| head`: who reads has what was wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def describe_row(
    entry: Entry, exercise: Exercise | None, secret: bytes, version: str
) -> Iterator[str]:
    """The lines that say everything about a row.

    Args:
        entry: what the gradebook holds of it.
        exercise: the course's; None when the course no longer has it.
        secret: the gradebook's key, from which the hidden inputs are drawn again.
        version: the course's version today. Under another one the same key draws other inputs.
    """
    data = entry.data
    score = "not graded" if data["score"] is None else f"{data['score']} of {data['max_score']}"
    yield f"{one_line(entry.student)}, {entry.exercise}: {score} points (status: {data['status']})"
    if not entry.current:
        yield "This row is no longer current: the latest run did not see this work."
    if entry.place:
        yield f"  handed in as: {one_line(entry.place)}"
    yield f"  file: SHA-256 {entry.sha or 'none'}"
    yield f"  platform's id: {one_line(entry.lms_id) or 'none'}"
    yield f"  graded: {entry.graded_at or 'not known'}, profile {data['profile'] or 'none'}"
    limits = data.get("limits")
    if limits:
        yield f"  limits: {limits['timeout']:g} seconds, {limits['memory']} MB"
    yield f"  course version: {entry.version}"
    if data["note"]:
        yield f"  note: {one_line(data['note'])}"
    problem = _why_not_drawn(entry, exercise, version)
    if problem:
        yield f"  {problem}"
    tasks = {} if problem or exercise is None else {task.name: task for task in exercise.tasks}
    for result in data["tasks"]:
        yield ""
        task = tasks.get(result["name"])
        seed = task and seed_of(secret, task.name, entry.sha)
        yield from _task(result, draw_trials(task, seed) if task else [], task)


def describe_written(gradebook: Gradebook, entry: Entry) -> Iterator[str]:
    """What the file says in words, and what a person gave for it."""
    marks = find_marks(gradebook).get((entry.student, entry.exercise), {})
    answers = find_answers(gradebook, entry.sha, entry.exercise)
    for item, points in entry.data.get("written", {}).items():
        mark = marks.get(item)
        yield ""
        yield f"{item}: {f'{mark.points} of {points} points' if mark else 'not marked yet'}"
        if mark and mark.sha != entry.sha:
            yield f"  marked: another file, SHA-256 {mark.sha}"
        if mark and mark.comment:
            yield f"  comment: {one_line(mark.comment)}"
        if answers.get(item):
            yield _indented("  answer: ", answers[item])


def _why_not_drawn(entry: Entry, exercise: Exercise | None, version: str) -> str:
    if not entry.data["tasks"]:
        return "No code of this file was run."
    if exercise is None:
        return f"Hidden inputs are not shown: the course no longer has {entry.exercise}."
    if entry.version.partition("+")[0] != version:  # after it: points and credit
        return (
            f"Hidden inputs are not shown: this row was graded by version {entry.version} of the "
            f"course and its libraries, this is {version}, and would draw others. Use the version "
            "that graded it, or grade again."
        )
    return ""


def _task(result: dict[str, Any], trials: list[Trial], task: Task | None) -> Iterator[str]:
    points = f"{result['score']} of {result['max_score']} points"
    yield f"{result['name']}: {points} (status: {result['status']})"
    for case in result["cases"]:
        hidden = " (hidden)" if case["hidden"] else ""
        yield f"  {'✓' if case['passed'] else '✗'} {case['name']}{hidden}"
        if case["message"]:
            yield f"      {one_line(case['message'])}"
        if case["hidden"] and not case["passed"]:  # an appeal is about points that were lost
            drawn = [one for one in trials if one.case.hidden and one.case.name == case["name"]]
            if drawn:
                yield f"      {_not_kept(len(drawn))}"
            for trial in drawn:
                yield from _trial(trial)
    example = result["example"]
    if example:
        yield "  The smallest public input that fails:"
        for name, text in [*example["inputs"], *((k, example[k]) for k in ("expected", "got"))]:
            yield _indented(f"      {name} = ", text)
    for label in ("mistake", "diagnosis"):
        if result[label]:
            yield f"  {label}: {one_line(result[label])}"


def _not_kept(drawn: int) -> str:
    """What a gradebook cannot say of a hidden case that fails, and how to find it out."""
    if drawn == 1:
        return "This input was drawn; what came out is not kept: run the answer on it."
    return (
        f"These {drawn} inputs were drawn; which of them failed, and what came out, is not kept: "
        "run the answer on them."
    )


def _trial(trial: Trial) -> Iterator[str]:
    """Inputs in Python's words, so that they can be put into a notebook, and what is right."""
    yield "      drawn:"
    for name, value in _parts(trial):
        yield _indented(f"        {name} = ", written_out(value))
    expected = trial.expected
    text = f"raises {expected.error}" if expected.error else show(expected.value)
    yield _indented("        expected: ", text)


def _parts(trial: Trial) -> Iterator[tuple[str, Any]]:
    inputs: Inputs = trial.inputs
    if inputs.init is not None:
        yield "init", inputs.init
        yield "state", inputs.state
    if inputs.examiner is not None:
        yield "examiner", inputs.examiner.source
    yield from zip(trial.names, (*inputs.args, *inputs.kwargs.values()), strict=True)
    if inputs.upstream is not None:
        yield "upstream", inputs.upstream


def written_out(value: Any) -> str:
    """A value as Python writes it, each number with all its digits."""
    with np.printoptions(threshold=MANY_NUMBERS, floatmode="unique", linewidth=100):
        return repr(value)


def _indented(label: str, text: str) -> str:
    return label + text.replace("\n", "\n" + " " * len(label))


def _no_row(gradebook: Gradebook, student: str, exercise: str) -> str:
    rows = sorted(gradebook.current())
    theirs = [row[1] for row in rows if row[0] == student]
    if theirs:
        return f"{student!r} has no row for {exercise!r}; there are rows for {', '.join(theirs)}."
    close = difflib.get_close_matches(student, {row[0] for row in rows}, 3)
    guess = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"The gradebook has no student {student!r}.{guess} The names are those in grades.csv."
