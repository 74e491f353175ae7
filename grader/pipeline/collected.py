"""The table of a class: `attn collect` prints it, `attn grade` begins with it."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line
from course_lib.checker.notebook import Unreadable
from course_lib.checker.tasks.task import Exercise
from course_lib.checker.which import exercise_of
from grader.message_parts import first_of
from grader.submissions.archive import is_zip
from grader.submissions.class_table import BY_NAME, Line, read_class, write_class
from grader.submissions.collect import collect
from grader.submissions.files import is_notebook
from grader.submissions.folder import reader
from grader.submissions.platforms import PLATFORMS
from grader.submissions.roster import Roster, load_roster

MOST_SHOWN = 50  # lines of the table that a person should look at, on the screen
MOST_OF_ONE = 3  # of them of one student
MOST_FOUND = 10  # of those found but for case, in one line
TABLE = "class.csv"  # in the gradebook's folder: the table of the last run


def collect_class(
    place: Path,
    platform: str | None,
    assignment: str,
    exercises: Mapping[str, Exercise],
    roster: Path | None,
) -> int:
    """Print the table of a class."""
    people = load_roster(roster) if roster else None
    lines = lines_of(place, platform, assignment, exercises, people)
    print(write_class(lines), end="", flush=True)
    say_exceptions(lines, "the table")
    return 0


def lines_of(
    place: Path,
    platform: str | None,
    assignment: str,
    course: Mapping[str, Exercise],
    roster: Roster | None,
    out: Path | None = None,
) -> list[Line]:
    """The table of a class: as it was collected and edited, or collected now. It is of the whole
    course's exercises: a notebook of one that the class has not got is no stray file."""
    if out is not None and out.resolve() == place.resolve():
        raise InputError(
            f"The gradebook cannot be kept in {str(place)!r} itself, among the submissions. Give "
            "--out a folder of its own, such as --out grades."
        )
    if place.suffix.lower() == ".csv":
        return read_class(place, course)
    if is_notebook(place.name) and not place.is_dir():
        return [one_notebook(place, course)]
    if platform is None and is_zip(place):
        raise InputError(
            f"Whose a file in {str(place)!r} is, depends on who made it: say --from with one of "
            f"{', '.join(PLATFORMS)}."
        )
    return collect(place, course, platform or "folders", roster, out=out, assignment=assignment)


def one_notebook(place: Path, course: Mapping[str, Exercise]) -> Line:
    """The line of a single file. Raises InputError where it is no exercise of the course."""
    read = reader(place.parent, [place.name])
    try:
        stem = exercise_of(read()[0], place.name, course)
    except Unreadable as error:
        raise InputError(f"{str(place)!r}: {error}") from None
    if not stem:
        raise InputError(f"{str(place)!r} holds no answer of an exercise: {', '.join(course)}.")
    return Line("notebook", stem, str(place), why="one notebook", read=read)


def only(lines: list[Line], wanted: str | None, exercises: Mapping[str, Exercise]) -> list[Line]:
    """The lines of the class's exercises, or of the wanted one, and those of none."""
    if wanted is None:
        return [line for line in lines if not line.exercise or line.exercise in exercises]
    if wanted not in exercises:
        raise InputError(
            f"The course has no exercise {wanted!r}. The exercises are: {', '.join(exercises)}."
        )
    there = sorted({line.exercise for line in lines if line.student and line.exercise})
    if there and wanted not in there:
        raise InputError(
            f"Nothing was handed in for {wanted}; there is work for {', '.join(there)}."
        )
    return [line for line in lines if line.exercise in ("", wanted)]


def say_exceptions(lines: list[Line], where: str, remarks: Sequence[str] = ()) -> None:
    """What a person should look at in the table, a few lines of each student's."""
    odd = [one for one in lines if one.look or not (one.student and one.exercise and one.path)]
    counts: Counter[str] = Counter()
    shown = []
    for line in odd:
        counts[line.student] += 1
        if counts[line.student] <= MOST_OF_ONE or not line.student:
            shown.append(line)
    for line in shown[:MOST_SHOWN]:
        words = [part for part in (line.student, line.path, line.look or line.why) if part]
        print(f"look: {one_line(': '.join(words))}", file=sys.stderr)
    if left := len(odd) - len(shown[:MOST_SHOWN]):
        print(f"look: … and {left} more in {where}", file=sys.stderr)
    for sentence in (*_not_letter_for_letter(lines), *remarks):
        print(f"look: {one_line(sentence)}", file=sys.stderr)


def _not_letter_for_letter(lines: list[Line]) -> Iterator[str]:
    """Who was found on the roster by more, or by less, than an identifier letter for letter."""
    found = {line.found: None for line in lines if line.found and line.found != BY_NAME}
    if found:
        listed = ", ".join(first_of([*found], MOST_FOUND))
        yield f"found on the roster but for case, zeros or signs that cannot be seen: {listed}"
    if named := {line.student for line in lines if line.found == BY_NAME}:
        yield (
            f"{len(named)} found on the roster by the name alone, which people may change: a "
            "roster with the platform's own ids or addresses is sure"
        )
