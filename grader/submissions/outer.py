"""What lies around the students' places: folders that a download got when it was unpacked and
zipped again, the tree of a course of nbgrader's, and the times that it keeps beside the work."""

import datetime
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from course_lib.checker.notebook import Unreadable, split_version
from grader.submissions import gradescope
from grader.submissions.archive import is_zip
from grader.submissions.files import DEEPEST, File, is_notebook
from grader.submissions.platforms import ANCHORED, FORMS, place_of
from grader.submissions.roster import Roster

SUBMITTED = "submitted"  # in the folder of a course of nbgrader's; beside it lie other trees
OF_NBGRADER = {"source", "release", "autograded", "feedback"}
TIMESTAMP = "timestamp.txt"
OF_THE_COURSE = {"exercises", "solutions", "book", "course_lib", "grader", "tests"}
NO_ZONE = re.compile(r" [A-Z]{2,5}$")  # a zone's short name, which several zones have
MAX_TIME = 200  # bytes of the file that holds a time


def depth_of(
    place: Path,
    files: Sequence[File],
    platform: str,
    pattern: re.Pattern,
    roster: Roster | None = None,
) -> int:
    """How many outer folders are nobody's.

    A form that no folder has by chance is looked for from the outside in: where one file has it,
    there the students' places are. What a student packs into the own place lies deeper. Else only
    one folder around everything can be such a one.
    """
    if platform == "gradescope":
        return gradescope.depth_of(files)
    if platform in ANCHORED or platform not in FORMS:
        for depth in range(DEEPEST):
            if any(place_of("/".join(f.parts[depth:]), platform, pattern) for f in files):
                return depth
        return 0
    real = [file for file in files if len(file.parts) > 1 and file.parts[0]]
    tops = {file.parts[0] for file in real}
    if len(tops) != 1:
        return 0
    (top,) = tops
    deeper = [file for file in real if len(file.parts) > 2]
    inner = {file.parts[1] for file in deeper}
    if platform == "github":
        around = [f for f in deeper if place_of("/".join(f.parts[1:]), platform, pattern)]
        alone = place_of(f"{top}/x", platform, pattern)
        return int(bool(around) and (not alone or alone.owner.called == "submissions"))
    if platform == "nbgrader":
        return int((SUBMITTED in inner and top != SUBMITTED) or _is_level(deeper, 4))
    if platform == "flat":
        return int(any(place_of(file.parts[1], platform, pattern) for file in real))
    own = unicodedata.normalize("NFC", split_version(place.stem)[0])
    if is_zip(place) and top == own:
        return 1
    if roster and roster.people:
        known = [name for name in (top, *inner) if roster.find(name)]
        return int(bool(known) and top not in known)
    with_work = {file.parts[1] for file in deeper if is_notebook(file.path)}
    direct = any(is_notebook(file.parts[1]) for file in real if len(file.parts) == 2)
    return int(is_zip(place) and len(with_work) > 1 and not direct and not inner & OF_THE_COURSE)


def _is_level(files: Sequence[File], level: int) -> bool:
    """Whether notebooks begin at this depth: nbgrader's lie two folders deep, in their own tree."""
    depths = {len(f.parts) for f in files if is_notebook(f.path) or f.parts[-1] == TIMESTAMP}
    several = len({f.parts[1] for f in files}) > 1
    return bool(depths) and min(depths) == level and several


def below_submitted(place: Path, files: Sequence[File], depth: int) -> tuple[list[File], int]:
    """Of a whole course of nbgrader's what was handed in, and how deep that lies. A student may be
    called `submitted`, too: then other students lie beside, or it is the input that has the name.
    """
    theirs = [file for file in files if file.parts[depth : depth + 1] == (SUBMITTED,)]
    beside = {file.parts[depth] for file in files if len(file.parts) > depth + 1} - {SUBMITTED}
    alone = place.stem != SUBMITTED and any(len(file.parts) > depth + 3 for file in theirs)
    if theirs and (beside & OF_NBGRADER or (alone and not beside)):
        return theirs, depth + 1
    return [*files], depth


def with_times(files: Sequence[File], depth: int) -> list[File]:
    """Each file with the time that nbgrader wrote beside it, when the student handed in: the file's
    own may be that of a copy."""
    times = {file.parts[:-1]: time_in(file) for file in files if file.parts[-1] == TIMESTAMP}
    dated = []
    for file in files:
        beside = (times.get(file.parts[:end]) for end in range(len(file.parts) - 1, depth, -1))
        time = next(filter(None, beside), "")
        dated.append(replace(file, date=time) if time else file)
    return dated


def time_in(file: File) -> str:
    """The time that a file of nbgrader's holds, in ISO 8601; "" where it holds none. Without a zone
    it is UTC, as nbgrader reads it; a zone that is only a short name stays unsaid."""
    try:
        data = (file.read()[0] if file.read else None) or b""
        text = data[:MAX_TIME].decode("utf-8-sig").strip()
    except (Unreadable, UnicodeDecodeError):
        return ""
    text = re.sub(r" ?(?:UTC|GMT|Z)$", "+00:00", text)
    bare = NO_ZONE.sub("", text)
    try:
        time = datetime.datetime.fromisoformat(re.sub(r" (?=[+-]\d)", "", bare))
    except ValueError:
        return ""
    if time.tzinfo is None and bare == text:
        time = time.replace(tzinfo=datetime.UTC)
    return time.replace(microsecond=0).isoformat()
