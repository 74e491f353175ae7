"""Whose file is whose: an input, the platform that it comes from and a roster, as one table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import split_version
from course_lib.checker.tasks.task import Exercise
from grader.submissions import gradescope
from grader.submissions.archive import files_in_zip, is_zip
from grader.submissions.class_table import Line
from grader.submissions.files import File, is_notebook
from grader.submissions.folder import files_in_folder
from grader.submissions.outer import SUBMITTED, below_submitted, depth_of, with_times
from grader.submissions.owners import rows_of
from grader.submissions.platforms import FORMS, Place, path_of, place_of
from grader.submissions.roster import Roster
from grader.submissions.student import line_of, lines_of_one
from grader.submissions.teams import in_teams, shared

SUBMISSIONS = "-submissions"
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
            lines.append(line_of(place, file, why=why))
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
        of_one = lines_of_one(place, student, theirs, exercises, rows[owner][1])
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
