"""Whose file is whose: an input, the platform that it comes from and a roster, as one table."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import Unreadable, split_version
from course_lib.checker.tasks.task import Exercise
from grader.submissions import gradescope
from grader.submissions.archive import files_in_zip, is_zip
from grader.submissions.class_table import LATE, Line
from grader.submissions.files import EMPTY, NOTEBOOK, File, Reader, is_notebook
from grader.submissions.folder import files_in_folder
from grader.submissions.owners import rows_of
from grader.submissions.platforms import FORMS, Place, path_of, place_of
from grader.submissions.roster import Roster
from grader.submissions.which import exercise_by_name, exercise_of

SUBMITTED = "submitted"  # in the folder of a course of nbgrader's; beside it lie other trees
MOST_READ = 100  # notebooks of one place; who hands in more has stray ones
MOST_STRAYS = 20  # lines of one student


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
    depth = _outer(place, files, platform)
    if platform == "nbgrader" and any(file.parts[depth] == SUBMITTED for file in files):
        files = [file for file in files if file.parts[depth] == SUBMITTED]
        depth += 1
    if platform == "github":
        assignment = assignment or _assignment(place)
    pattern = path_of(platform, exercises, assignment)
    placed: list[tuple[File, Place]] = []
    lines: list[Line] = []
    for file in files:
        found = place_of("/".join(file.parts[depth:]), platform, pattern)
        if found and file.parts[0]:
            placed.append((file, found))
        elif file.problem or is_notebook(file.path) or len(file.parts) == depth + 1:
            why = file.problem or f"it is nobody's: {FORMS[platform]} is needed"
            lines.append(_line(place, file, why=why))
    if platform == "gradescope":
        placed = gradescope.with_names(files, placed)
    rows = rows_of((one.owner for _, one in placed), roster)
    by_student: dict[str, list[tuple[File, Place]]] = defaultdict(list)
    for file, one in placed:
        by_student[rows[one.owner][0]].append((file, one))
    for student in sorted(by_student):
        theirs = by_student[student]
        of_one = _lines(place, student, theirs, exercises, rows[theirs[0][1].owner][1])
        if roster and not roster.has(student) and not any(line.exercise for line in of_one):
            of_one = [replace(line, student="") for line in of_one]
        lines += of_one
    return lines + (_of_teams(lines, roster) if roster else [])


def _of_teams(lines: Sequence[Line], roster: Roster) -> list[Line]:
    """For each in a team the team's last work. Behind all other lines, so that it counts."""
    shared = []
    for team, students in roster.teams().items():
        last: dict[str, Line] = {}
        for line in lines:
            known = last.get(line.exercise)
            if line.student in students and line.exercise and line.path:
                last[line.exercise] = line if known is None or line.date >= known.date else known
        for line in last.values():
            why = f"handed in by {line.student} for team {team}"
            others = [student for student in students if student != line.student]
            shared += [replace(line, student=student, why=why) for student in others]
    return shared


def _lines(
    root: Path,
    student: str,
    files: Sequence[tuple[File, Place]],
    exercises: Mapping[str, Exercise],
    why: str,
) -> list[Line]:
    """One student's: the work in the order in which it was handed in, then the stray files."""
    work: list[tuple[tuple, File, Place, str]] = []
    strays: list[tuple[File, Place, str]] = []
    for file, one in files:
        name = one.file.rpartition("/")[2]
        stem = ""
        if file.read and is_notebook(name) and len(work) < MOST_READ:
            stem = _exercise(file.read, name, exercises)
        if not stem:
            reason = file.problem or "it holds no answer of an exercise"
            strays.append((file, one, reason))
            continue
        counters = split_version(NOTEBOOK.sub("", name))[1]
        order = (one.number, -one.file.count("/"), counters, file.date)
        work.append((order, file, one, stem))
    lines = []
    for _, file, one, stem in sorted(work, key=lambda part: (part[3], part[0])):
        called = exercise_by_name(one.file.rpartition("/")[2], exercises)
        note = f"{why}; its cells are those of {stem}" if called != stem else why
        note += f"; handed in together with {one.others}" if one.others else ""
        if one.owner.platform in ("canvas", "github"):  # their files have the download's time
            file = replace(file, date=LATE if one.late else "")
        lines.append(_line(root, file, student, stem, note, one.owner.id))
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
    return Line(student, exercise, path, file.date, why, id, file.read)


def _outer(place: Path, files: Sequence[File], platform: str) -> int:
    """How many outer folders are nobody's: the one that a zip of a folder has, with the zip's own
    name; Gradescope's, in which its list lies."""
    tops = {file.parts[0] for file in files}
    if platform == "gradescope":
        return gradescope.depth_of(files)
    own = unicodedata.normalize("NFC", split_version(place.stem)[0])
    if is_zip(place) and tops == {own} and all(len(file.parts) > 1 for file in files):
        return 1
    return 0


def _assignment(place: Path) -> str:
    """GitHub's own download of a class is called <assignment>-submissions."""
    name = split_version(place.stem if is_zip(place) else place.resolve().name)[0]
    if not name.endswith("-submissions"):
        raise InputError(
            "GitHub calls a repository ASSIGNMENT-LOGIN, and both may hold hyphens: say the "
            "assignment's name, such as --assignment hw1."
        )
    return name.removesuffix("-submissions")
