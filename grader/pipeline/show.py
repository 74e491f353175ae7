"""`attn show`: one row in full, for an appeal: points and reasons, the code, the first input that
fails, what came and what is right. For the instructor alone: hidden inputs are shown."""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from course_lib.checker.compare.formatting import show
from course_lib.checker.compare.judge import Trial
from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line, printable, unguarded
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.answers_and_marks import find_answers, find_marks
from grader.gradebook.database import Entry, Gradebook, in_folder
from grader.gradebook.rows import load_rows
from grader.message_parts import guess
from grader.pipeline.again import Again, Failure, run_again
from grader.pipeline.versions import exercise_version
from grader.submissions.people import Names

MANY_NUMBERS = 50_000  # of one array that are written out


def show_row(out: Path, student: str, stem: str, exercises: Mapping[str, Exercise]) -> int:
    """Print one row. Raises InputError when there is none."""
    with Gradebook(in_folder(out), to_read=True) as gradebook:
        entry = gradebook.entry(unguarded(student), stem)  # as grades.csv has it
        entry = entry or gradebook.entry(student, stem)
        names = Names((name, name) for name in {row.student for row in gradebook.rows()})
        if entry is None and (known := names.find(student)):
            entry = gradebook.entry(known, stem)
        if entry is None:
            raise InputError(_no_row(gradebook, student, stem))
        exercise = _as_graded(entry, exercises.get(entry.exercise))
        lines = [*describe_row(entry, exercise, gradebook)]
        lines += describe_written(gradebook, entry)
    try:
        print(*map(printable, lines), sep="\n", flush=True)
    except BrokenPipeError:  # `| head`: who reads has what was wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def describe_row(entry: Entry, exercise: Exercise | None, gradebook: Gradebook) -> Iterator[str]:
    """The lines that say everything about a row: where it comes from, each task's points with the
    first input that fails, and each deduction with its reason.

    Args:
        entry: what the gradebook holds of it.
        exercise: the course's; None when the course no longer has it.
        gradebook: its key draws the hidden inputs again, under the same version of the course.
    """
    theirs = load_rows(gradebook, student=entry.student)
    rows = [row for row in theirs if row.exercise == entry.exercise]
    data = rows[0].data if rows else entry.data
    score = rows[0].score if rows else data["score"]
    points = "no points yet" if score is None else f"{score} of {data['max_score']} points"
    if data["status"] == "missing" and not entry.sha:
        points = f"nothing handed in, of {data['max_score']} points"
    yield f"{one_line(entry.student)}, {entry.exercise}: {points} (status: {data['status']})"
    for reason in data.get("reasons", []):
        yield f"  because: {one_line(reason)}"
    if not entry.current:
        yield "This row is no longer current: it was given up with --forget."
    if entry.place:
        yield f"  handed in as: {one_line(entry.place)}"
    yield f"  this student's because: {one_line(entry.why) or 'not known'}"
    yield f"  handed in on: {entry.date or 'not known'}"
    yield f"  file: SHA-256 {entry.sha or 'none'}"
    yield f"  platform's id: {one_line(entry.lms_id) or 'none'}"
    yield f"  graded: {entry.graded_at or 'not known'}, profile {data['profile'] or 'none'}"
    limits = data.get("limits")
    if limits:
        yield f"  limits: {limits['timeout']:g} seconds, {limits['memory']} MB"
    yield f"  course version: {entry.version}"
    if data["note"]:
        yield f"  note: {one_line(data['note'])}"
    problem = _why_not_drawn(entry, exercise)
    again = run_again(entry, exercise, gradebook.secret) if exercise and not problem else Again()
    if problem or again.problem:
        yield f"  {one_line(problem or again.problem)}"
    for result in data["tasks"]:
        yield ""
        yield from _task(result, again)


def describe_written(gradebook: Gradebook, entry: Entry) -> Iterator[str]:
    """What the file says in words, and what a person gave for it."""
    marks = find_marks(gradebook).get((entry.student, entry.exercise), {})
    answers = find_answers(gradebook, entry.sha, entry.exercise)
    for item, points in entry.data.get("written", {}).items():
        mark = marks.get(item)
        yield ""
        yield f"{item}: {f'{mark.points} of {points} points' if mark else 'not marked yet'}"
        for word, one in (("marked", mark), *(("before", m) for m in mark.others)) if mark else ():
            yield f"  {word}: {one_line(one.in_words)}"
        if mark and mark.sha != entry.sha:
            yield f"  marked: another file, SHA-256 {mark.sha}"
        if mark and mark.comment:
            yield f"  comment: {one_line(mark.comment)}"
        if answers.get(item):
            yield _indented("  answer: ", answers[item])


def _as_graded(entry: Entry, exercise: Exercise | None) -> Exercise | None:
    """With its capstone where the class had asked for it."""
    bonus = exercise and exercise.capstone
    asked = bonus and bonus.name in [task["name"] for task in entry.data["tasks"]]
    return exercise.with_capstone() if exercise and asked else exercise


def _why_not_drawn(entry: Entry, exercise: Exercise | None) -> str:
    if not entry.data["tasks"]:
        return "No code of this file was run."
    if exercise is None:
        return f"Hidden inputs are not shown: the course no longer has {entry.exercise}."
    if entry.version != (version := exercise_version(exercise)):
        return (
            f"Hidden inputs are not shown: this row was graded by version {entry.version} of the "
            f"exercise and its libraries, this is {version}, and would draw others. Use the "
            "version that graded it, or grade again."
        )
    return ""


def _task(result: dict[str, Any], again: Again) -> Iterator[str]:
    """One task: its points and its cases; where points were lost, the code and one input."""
    points = f"{result['score']} of {result['max_score']} points"
    yield f"{result['name']}: {points} (status: {result['status']})"
    for case in result["cases"]:
        hidden = " (hidden)" if case["hidden"] else ""
        yield f"  {'✓' if case['passed'] else '✗'} {case['name']}{hidden}"
        if case["message"]:
            yield f"      {one_line(case['message'])}"
    for label in ("mistake", "diagnosis"):
        if result[label]:
            yield f"  {label}: {one_line(result[label])}"
    lost = [case["name"] for case in result["cases"] if not case["passed"]]
    failing = [one for name in lost if (one := again.failures.get((result["name"], name)))]
    if lost and (code := again.code.get(result["name"])):
        yield _indented("  code: ", code.rstrip())
    if failing and result["status"] != "missing":
        ran = [one for one in failing if one.got]
        yield from _failure((ran or failing)[0])


def _failure(failure: Failure) -> Iterator[str]:
    yield f"  {'fails' if failure.got else 'drawn'}: {failure.trial.case.name}"
    yield from _trial(failure.trial)
    if failure.got:
        yield _indented("        got: ", failure.got)


def _trial(trial: Trial) -> Iterator[str]:
    """Inputs in Python's words, so that they can be put into a notebook, and what is right."""
    inputs, names, right = trial.inputs, trial.names, trial.expected.value
    if isinstance(inputs.kept, Inputs):  # what the program that an answer repairs is called with
        more = len(inputs.args) - len(inputs.kept.args)
        inputs, names, right = replace(inputs.kept, upstream=None), names[more:], right[1]
    parts = [("init", inputs.init), ("state", inputs.state)] if inputs.init is not None else []
    parts += [("examiner", inputs.examiner.source)] if inputs.examiner is not None else []
    parts += zip(names, (*inputs.args, *inputs.kwargs.values()), strict=True)
    parts += [("upstream", inputs.upstream)] if inputs.upstream is not None else []
    for name, value in parts:
        yield _indented(f"        {name} = ", written_out(value))
    expected = trial.expected
    text = f"raises {expected.error}" if expected.error else show(right)
    yield _indented("        expected: ", text)


def written_out(value: Any) -> str:
    """A value as Python writes it, each number with all its digits."""
    with np.printoptions(threshold=MANY_NUMBERS, floatmode="unique", linewidth=100):
        return repr(value)


def _indented(label: str, text: str) -> str:
    return label + text.replace("\n", "\n" + " " * len(label))


def _no_row(gradebook: Gradebook, student: str, exercise: str) -> str:
    rows = gradebook.rows()
    theirs = [row.exercise for row in rows if row.student == student]
    if theirs:
        return f"{student!r} has no row for {exercise!r}; there are rows for {', '.join(theirs)}."
    near = guess(student, {row.student for row in rows}, 3)
    return f"The gradebook has no student {student!r}.{near} The names are those in grades.csv."
