"""Whose file is whose: an input, the platform that it comes from and a roster, as one table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import Unreadable, split_version
from course_lib.checker.tasks.task import Exercise
from course_lib.checker.which import (
    exercise_by_name,
    exercise_of,
    is_the_course_s_own,
    is_untouched,
)
from grader.submissions import gradescope
from grader.submissions.archive import files_in_zip, is_zip
from grader.submissions.class_table import LATE, Line
from grader.submissions.files import EMPTY, NOTEBOOK, File, Reader, is_notebook
from grader.submissions.folder import files_in_folder
from grader.submissions.outer import SUBMITTED, below_submitted, depth_of, with_times
from grader.submissions.owners import rows_of
from grader.submissions.platforms import FORMS, Place, path_of, place_of
from grader.submissions.roster import Roster
from grader.submissions.teams import in_teams, shared

SOLUTIONS = "solutions"  # the course's own folder
SUBMISSIONS = "-submissions"
MOST_READ = 100  # notebooks of one place; who hands in more has stray ones
MOST_STRAYS = 20  # lines of one student
NO_ANSWER = "it holds no answer of an exercise"
COURSE_S_OWN = "it is the course's own solution, in a copy of the course"
TIE = "another file is as new as this one and differs: see which is meant"
GROUP = (
    "it is in the place of a group, {0!r}, or of a number that is another's: give the roster a "
    "column team with this name, or write into the table whose it is"
)
OTHER_NUMBER = "somebody on the worksheet has this name, with another number"
OTHER_WORKSHEET = (
    "The worksheet is of another assignment: its people are in the download, and none of its "
    "numbers. They were found by their names; export with this assignment's worksheet."
)


def collect(
    place: Path,
    exercises: Mapping[str, Exercise],
    platform: str,
    roster: Roster | None = None,
    out: Path | None = None,
    assignment: str = "",
) -> list[Line]:
    """The table of a class.

    Args:
        place: a folder, or a zip as the platform gave it.
        exercises: the course's; which of them a notebook is, its answer cells say.
        platform: one of `platforms.PLATFORMS`; its own part of a path says whose a file is.
        roster: who is in the class.
        out: the gradebook, which may lie in the folder.
        assignment: what GitHub's repositories are called before the login.

    Raises:
        InputError: the input cannot be read, or GitHub's assignment is not known.
    """
    files = files_in_zip(place) if is_zip(place) else files_in_folder(place, out)
    if platform == "github":
        assignment = assignment or _assignment(place, files)
    pattern = path_of(platform, exercises, assignment)
    depth = depth_of(place, files, platform, pattern, roster)
    if platform == "nbgrader":
        files = with_times(below_submitted(files, depth), depth)
        depth += any(file.parts[depth : depth + 1] == (SUBMITTED,) for file in files)
    placed: list[tuple[File, Place]] = []
    lines: list[Line] = []
    for file in files:
        found = place_of("/".join(file.parts[depth:]), platform, pattern)
        if found and file.parts[0]:
            placed.append((file, _settled(found, roster)))
        elif file.problem or is_notebook(file.path) or _is_outside(file, depth, platform):
            why = file.problem or f"it is nobody's: {FORMS[platform]} is needed"
            lines.append(_line(place, file, why=why))
    if platform == "gradescope":
        placed = gradescope.with_names(files, placed)
    if roster and roster.is_other_assignment(one.owner for _, one in placed):
        lines.append(Line("", "", why=OTHER_WORKSHEET))
        roster = roster.without_numbers()
    placed, groups = in_teams(placed, roster)
    rows = rows_of((one.owner for _, one in placed), roster)
    by_student: dict[str, list[tuple[File, Place]]] = defaultdict(list)
    for file, one in placed:
        by_student[rows[one.owner][0]].append((file, one))
    for student in sorted(by_student):
        theirs = by_student[student]
        owner = theirs[0][1].owner
        of_one = _lines(place, student, theirs, exercises, rows[owner][1])
        if owner in groups:
            of_one = [replace(line, student="", why=GROUP.format(owner.student)) for line in of_one]
        elif roster and not roster.has(student):
            if not any(line.exercise for line in of_one):
                of_one = [replace(line, student="") for line in of_one]
            elif roster.is_full_name(owner.student):
                of_one = [replace(line, look=OTHER_NUMBER) for line in of_one]
        lines += of_one
    return lines + (shared(lines, roster, platform) if roster else [])


def _is_outside(file: File, depth: int, platform: str) -> bool:
    """Whether a file lies beside the students' places, and is not the platform's own list."""
    own = gradescope.METADATA if platform == "gradescope" else ""
    return len(file.parts) == depth + 1 and file.parts[-1] != own


def _settled(place: Place, roster: Roster | None) -> Place:
    """Of two ways to read a path the one whose id is on the roster."""
    if place.other is None or roster is None:
        return place
    return next((one for one in (place, place.other) if roster.has_id(one.owner)), place)


def _lines(
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
        counters = split_version(NOTEBOOK.sub("", name))[1]
        order = (one.number, -one.file.count("/"), counters, file.date)
        work[stem].append((order, file, one))
    lines = []
    for stem in sorted(work):
        theirs = _in_order(work[stem], exercises[stem])
        tie = len(theirs) > 1 and theirs[-1][0] == theirs[-2][0] and _differ(*theirs[-2:])
        for number, (_, file, one) in enumerate(theirs):
            called = exercise_by_name(one.file.rpartition("/")[2], exercises)
            note = f"{why}; its cells are those of {stem}" if called != stem else why
            note += f"; handed in together with {one.others}" if one.others else ""
            if one.owner.platform in ("canvas", "github"):  # their files have the download's time
                file = replace(file, date=LATE if one.late else "")
            line = _line(root, file, student, stem, note, one.owner.id)
            last = number == len(theirs) - 1
            lines.append(replace(line, look=TIE) if tie and last else line)
    lines = _several(lines) if files[0][1].owner.platform != "flat" else _undecided(lines)
    notebooks = [stray for stray in strays if is_notebook(stray[0].path)]
    if not work and not notebooks:
        notebooks = strays[:1]
    for number, (file, one, reason) in enumerate(notebooks[:MOST_STRAYS]):
        left = len(strays) - MOST_STRAYS if number == MOST_STRAYS - 1 else 0
        more = f"; so are {left} more" if left > 0 else ""
        whose = "" if file.problem == EMPTY else student
        lines.append(_line(root, file, whose, "", reason + more, one.owner.id))
    return lines


def _in_order(
    work: list[tuple[tuple, File, Place]], exercise: Exercise
) -> list[tuple[tuple, File, Place]]:
    """One exercise's files in the order in which they count, the last most: a sheet as it was
    handed out never counts before an answer."""
    if len(work) > 1:
        work = [((not _untouched(one[1], exercise), *one[0]), *one[1:]) for one in work]
    return sorted(work, key=lambda one: one[0])


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


def _line(
    root: Path, file: File, student: str = "", exercise: str = "", why: str = "", id: str = ""
) -> Line:
    path = (root / Path(*[part for part in file.parts if part])).as_posix()
    return Line(student, exercise, path, file.date, why, id, read=file.read)


def _assignment(place: Path, files: Sequence[File]) -> str:
    """GitHub's own download of a class is called <assignment>-submissions, also inside a zip."""
    name = split_version(place.stem if is_zip(place) else place.resolve().name)[0]
    tops = {file.parts[0] for file in files if len(file.parts) > 1}
    for called in (name, *(tops if len(tops) == 1 else ())):
        if called.endswith(SUBMISSIONS):
            return called.removesuffix(SUBMISSIONS)
    raise InputError(
        "GitHub calls a repository ASSIGNMENT-LOGIN, and both may hold hyphens: say the "
        "assignment's name, such as --assignment hw1."
    )
