"""`attn check`: a student's own notebook on the student's own machine, without a sandbox."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from course_lib.checker.check import judge_program
from course_lib.checker.compare.programs import attribute_to_earlier
from course_lib.checker.errors import InputError
from course_lib.checker.notebook import Unreadable, parse_notebook, read_cells, read_file
from course_lib.checker.run.program import assemble
from course_lib.checker.tasks.task import Exercise, as_points
from course_lib.checker.which import exercise_of
from course_lib.checker.written_answers import beside_the_place, written_answers

HOLDS, NOT_YET = 0, 1


def check_notebook(
    path: Path, exercises: Mapping[str, Exercise], say: Callable[[str], None]
) -> int:
    """Report on every task of a notebook. Raises InputError when it cannot be used."""
    if not path.exists():
        raise InputError(f"{str(path)!r} does not exist.")
    try:
        data, _ = read_file(str(path))
        read_cells(data)
        exercise = _exercise(path, data, exercises)
        names = [task.name for task in exercise.tasks]
        notebook = parse_notebook(data, names)
    except Unreadable as error:
        raise InputError(f"{str(path)!r}: {error}") from None
    programs = assemble(notebook.cells, names)
    reports = [
        judge_program(task, programs[task.name], none=notebook.why_none(task.name))
        for task in exercise.tasks
    ]
    reports = attribute_to_earlier(reports, programs)
    for report in reports:
        say(str(report))
    score = as_points(sum(report.score for report in reports))
    say(f"{exercise.stem}: {score} of {exercise.max_score} points")
    if exercise.written:
        points = sum(one.points for one in exercise.written)
        say(
            f"In words, {points} points that a person gives: {', '.join(_in_words(exercise, data))}"
        )
    return HOLDS if score == exercise.max_score else NOT_YET


def _in_words(exercise: Exercise, data: bytes | None) -> Iterator[str]:
    """Each question of the exercise, and what stands below it."""
    found, elsewhere = written_answers(data), beside_the_place(data)
    for one in exercise.written:
        text = found.get(one.name)
        if text:
            yield f"{one.name} ({len(text.split())} words)"
        elif text is None:
            yield f"{one.name} (its cell is missing: take it from the released notebook)"
        elif one.name in elsewhere:
            yield f"{one.name} (empty: what you wrote in the cell below is not found, move it up)"
        else:
            yield f"{one.name} (empty)"


def _exercise(path: Path, data: bytes | None, exercises: Mapping[str, Exercise]) -> Exercise:
    """The exercise that the cells say, whatever the file is called, as for a class."""
    stem = exercise_of(data, path.name, exercises)
    if not stem:
        raise InputError(
            f"{str(path)!r} holds no answer of an exercise, and is named after none. The exercises "
            f"are: {', '.join(exercises)}."
        )
    return exercises[stem]
