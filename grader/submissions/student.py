"""The lines of one student: which of several files counts, and what is no work."""

import datetime
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course_lib.checker.notebook import NOTEBOOK, Unreadable, split_version
from course_lib.checker.tasks.task import Exercise
from course_lib.checker.which import (
    exercise_by_name,
    exercise_of,
    is_the_course_s_own,
    is_untouched,
)
from grader.submissions.class_table import Line
from grader.submissions.files import EMPTY, File, Reader, is_notebook
from grader.submissions.moments import LATE, moment
from grader.submissions.platforms import Place

SOLUTIONS = "solutions"  # the course's own folder
MOST_READ = 100  # notebooks of one place; who hands in more has stray ones
MOST_STRAYS = 20  # lines of one student
NO_ANSWER = "it holds no answer of an exercise"
COURSE_S_OWN = "it is the course's own solution, in a copy of the course"
LATER = "it counts by the number in its name, and {0!r} was saved later: see which is meant"
COPY = re.compile(r"(-Copy\d{1,9})+$")  # Jupyter's Duplicate: often the backup, so its date decides
NO_TIMES = ("canvas", "github")  # their files have the time of the download
A_SAVE = datetime.timedelta(minutes=2)  # by which files that were saved together may differ
TIE = "another file is as new as this one and differs: see which is meant"


def lines_of_one(
    root: Path,
    student: str,
    files: Sequence[tuple[File, Place]],
    exercises: Mapping[str, Exercise],
    why: str,
) -> list[Line]:
    """One student's: the work in the order in which it was handed in, then the stray files."""
    work: dict[str, list[tuple[tuple, File, Place]]] = defaultdict(list)
    strays: list[tuple[File, Place, str]] = []
    read = 0
    for file, one in files:
        name = one.file.rpartition("/")[2]
        stem, reason = "", file.problem or NO_ANSWER
        if file.read and is_notebook(name) and read < MOST_READ:
            read += 1
            stem = _exercise(file.read, name, exercises)
            if stem and _is_solution(one.file, file.read):
                stem, reason = "", COURSE_S_OWN
        if not stem:
            strays.append((file, one, reason))
            continue
        counters = split_version(COPY.sub("", NOTEBOOK.sub("", name)))[1]
        order = (one.number, -one.file.count("/"), counters, moment(file.date))
        work[stem].append((order, file, one))
    lines = []
    for stem in sorted(work):
        theirs = _in_order(work[stem], exercises, stem)
        tie = len(theirs) > 1 and theirs[-1][0] == theirs[-2][0] and _differ(*theirs[-2:])
        for number, (_, file, one) in enumerate(theirs):
            called = exercise_by_name(one.file.rpartition("/")[2], exercises)
            note = f"{why}; its cells are those of {stem}" if called != stem else why
            note += f"; handed in together with {one.others}" if one.others else ""
            if one.owner.platform in NO_TIMES:
                file = replace(file, date=LATE if one.late else "")
            line = line_of(root, file, student, stem, note, one.owner.id)
            last = number == len(theirs) - 1
            look = (TIE if tie else _saved_later(theirs)) if last else ""
            lines.append(replace(line, look=look))
    lines = _several(lines) if files[0][1].owner.platform != "flat" else _undecided(lines)
    notebooks = [stray for stray in strays if is_notebook(stray[0].path)]
    if not work and not notebooks:
        notebooks = strays[:1]
    for number, (file, one, reason) in enumerate(notebooks[:MOST_STRAYS]):
        left = len(strays) - MOST_STRAYS if number == MOST_STRAYS - 1 else 0
        more = f"; so are {left} more" if left > 0 else ""
        whose = "" if file.problem == EMPTY else student
        lines.append(line_of(root, file, whose, "", reason + more, one.owner.id))
    return lines


def _in_order(
    work: list[tuple[tuple, File, Place]], exercises: Mapping[str, Exercise], stem: str
) -> list[tuple[tuple, File, Place]]:
    """One exercise's files in the order in which they count, the last most: a sheet as it was
    handed out never counts before an answer."""
    if len(work) > 1:
        one = exercises[stem]
        work = [((not _untouched(part[1], one), *part[0]), *part[1:]) for part in work]
    return sorted(work, key=lambda part: part[0])


def _saved_later(theirs: Sequence[tuple[tuple, File, Place]]) -> str:
    """What a person should see where a file counts by a number in its name and another, which
    differs, was saved later: the number may be a backup's."""
    *others, counted = theirs
    if counted[2].owner.platform in NO_TIMES or not counted[1].date:
        return ""
    later = [
        one
        for one in others
        if one[1].date
        and one[0][0]
        and moment(one[1].date) - moment(counted[1].date) > A_SAVE
        and _differ(one, counted)
    ]
    if not later:
        return ""
    return LATER.format(later[-1][2].file.rpartition("/")[2])


def _untouched(file: File, exercise: Exercise) -> bool:
    try:
        return is_untouched(file.read()[0] if file.read else None, exercise)
    except Unreadable:
        return False


def _differ(one: tuple[tuple, File, Place], other: tuple[tuple, File, Place]) -> bool:
    """Whether two files have other bytes; those that cannot be read are."""
    try:
        return not (one[1].read and other[1].read and one[1].read()[1] == other[1].read()[1])
    except Unreadable:
        return True


def _is_solution(path: str, read: Reader) -> bool:
    """Whether a file is the course's own solution, in a copy of the whole course."""
    if SOLUTIONS not in path.casefold().split("/")[:-1]:
        return False
    try:
        return is_the_course_s_own(read()[0])
    except Unreadable:
        return False


def _several(lines: list[Line]) -> list[Line]:
    """The lines, each but the last of an exercise with the note that it does not count."""
    last = {line.exercise: number for number, line in enumerate(lines)}
    for number, line in enumerate(lines):
        if last[line.exercise] != number:
            lines[number] = replace(line, why=f"{line.why}; a later one counts")
    return lines


def _undecided(lines: list[Line]) -> list[Line]:
    """Of several flat files of one name nothing says which is the student's: none counts."""
    by: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by[line.exercise].append(line)
    decided = []
    for stem, several in by.items():
        if len(several) == 1:
            decided += several
            continue
        paths = ", ".join(line.path for line in several)
        why = f"Several files have this name, and nothing says whose they are: {paths}."
        decided.append(Line(several[0].student, stem, "", "", why))
        decided += [Line("", stem, line.path, line.date, "one of several") for line in several]
    return decided


def _exercise(read: Reader, name: str, exercises: Mapping[str, Exercise]) -> str:
    try:
        return exercise_of(read()[0], name, exercises)
    except Unreadable:  # it has a row all the same, which says why
        return exercise_by_name(name, exercises)


def line_of(
    root: Path, file: File, student: str = "", exercise: str = "", why: str = "", id: str = ""
) -> Line:
    path = (root / Path(*[part for part in file.parts if part])).as_posix()
    return Line(student, exercise, path, file.date, why, id, read=file.read)
