"""Whose file is whose: an input, the platform that it comes from and a roster, as one table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import split_version
from course_lib.checker.tasks.task import Exercise
from grader.submissions import blackboard, gradescope
from grader.submissions.archive import files_in_zip, is_zip
from grader.submissions.class_table import BY_NAME, Line
from grader.submissions.files import File, is_notebook
from grader.submissions.folder import files_in_folder
from grader.submissions.identity import By, Whose, identify, is_other_assignment
from grader.submissions.lookup import without_links
from grader.submissions.outer import below_submitted, depth_of, with_times
from grader.submissions.platforms import CHOSEN, FLAT, FORMS, Evidence, Place, path_of, place_of
from grader.submissions.roster import Roster
from grader.submissions.student import line_of, lines_of_one
from grader.submissions.teams import shared

SUBMISSIONS = "-submissions"
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
        platform: one of `platforms.PLATFORMS`, or an expression of one's own; its part of a
            path says whose a file is.
        roster: who is in the class.
        out: the gradebook, which may lie in the folder.
        assignment: what GitHub's repositories are called before the login.

    Raises:
        InputError: the input cannot be read, or GitHub's assignment is not known.
    """
    flat = path_of(platform, exercises) if platform in FLAT else None
    files = files_in_zip(place, flat) if is_zip(place) else files_in_folder(place, out)
    if platform == "github":
        assignment = assignment or _assignment(place, files)
    pattern = path_of(platform, exercises, assignment)
    depth = depth_of(place, files, platform, pattern, roster)
    if platform == "nbgrader":
        files, depth = below_submitted(place, files, depth)
        files = with_times(files, depth)
    root = without_links(place)
    placed: list[tuple[File, Place]] = []
    lines: list[Line] = []
    for file in files:
        found = place_of("/".join(file.parts[depth:]), platform, pattern)
        if found and file.parts[0]:
            placed.append((file, _settled(found, roster)))
        elif file.problem or is_notebook(file.path) or _is_outside(file, depth, platform):
            why = file.problem or f"it is nobody's: {FORMS.get(platform, platform)} is needed"
            lines.append(line_of(root, file, why=why))
    if platform == "gradescope":
        placed = gradescope.with_names(files, placed)
    if platform == "blackboard":
        placed = blackboard.with_logins(placed)
    places = [one.owner for _, one in placed]
    if roster and is_other_assignment(places, roster):
        lines.append(Line("", "", why=OTHER_WORKSHEET))
        roster = roster.without_numbers()
    by_row: dict[str | Evidence, list[tuple[File, Place, Whose]]] = defaultdict(list)
    whose = identify(places, roster)
    for file, one in placed:
        for who in whose[one.owner]:
            by_row[who.row or one.owner].append((file, one, who))
    for row in sorted(by_row, key=str):
        lines += _lines_of(root, by_row[row], exercises, roster)
    return lines + (shared(lines, roster, platform) if roster else [])


def _lines_of(
    root: Path,
    files: Sequence[tuple[File, Place, Whose]],
    exercises: Mapping[str, Exercise],
    roster: Roster | None,
) -> list[Line]:
    """The lines of one row's files, or of those in a place that is nobody's."""
    who = files[0][2]
    theirs = [
        (file, replace(one, owner=replace(one.owner, id=own.id), others=own.others or one.others))
        for file, one, own in files
    ]
    lines = lines_of_one(root, who.row, theirs, exercises, who.why)
    if not who.row:
        return [replace(line, why=who.why) for line in lines]
    if roster and not roster.has(who.row) and not any(line.exercise for line in lines):
        return [replace(line, student="") for line in lines]
    found = f"{theirs[0][1].owner.called} → {who.row}" if who.by == By.FOLDED else ""
    found = BY_NAME if who.by == By.NAME and theirs[0][1].owner.platform in CHOSEN else found
    lines = [replace(line, found=found) for line in lines]
    return [replace(line, look="; ".join(filter(None, (who.look, line.look)))) for line in lines]


def _is_outside(file: File, depth: int, platform: str) -> bool:
    """Whether a file lies beside the students' places, and is not the platform's own list."""
    own = gradescope.METADATA if platform == "gradescope" else ""
    return len(file.parts) == depth + 1 and file.parts[-1] != own


def _settled(place: Place, roster: Roster | None) -> Place:
    """Of two ways to read a path the one whose id is on the roster."""
    if place.other is None or roster is None:
        return place
    return next(
        (one for one in (place, place.other) if one.owner.id in roster.ids["lms_id"]), place
    )


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
