"""Whose place a file lies in: the platform's own part of its path, one anchored expression each.

What a student chooses, the file's name and folders of one's own, comes after that part and is never
asked. Only `flat` reads names of files: it is for files that the lecturer named.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

# <student>, perhaps the platform's <id>, the <number> of a try, that it is <late>, the <file>.
PATHS = {
    "folders": r"(?P<student>[^/]+)/(?P<file>.*)",
    # Moodle itself turns every underscore of a name into a space.
    "moodle": r"(?P<student>[^_/]+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_?/|_)(?P<file>.*)",
    # Canvas writes names without underscores; with blind marking anon and five characters.
    "canvas": r"(?P<student>[^_/]+)(?P<late>_LATE)?_(?P<id>\d+|(?<=^anon_)\w{5}|"
    r"(?<=^anon_LATE_)\w{5})_(?P<number>\d+)_(?P<file>[^/]+)",
    "gradescope": r"(?P<student>submission_(?P<id>\d+))/(?P<file>.*)",
    "github": r"{assignment}-(?P<student>[^/]+)/(?P<file>.*)",
    "nbgrader": r"(?P<student>[^/]+)/(?P<assignment>[^/]+)/(?P<file>.*)",
    "flat": r"(?P<student>[^/]+)_(?P<file>(?:{exercises})(?: ?\(\d+\)|-\d+)?\.ipynb)",
}
PLATFORMS = tuple(PATHS)
FORMS = {
    "folders": "STUDENT/FILE",
    "moodle": "NAME_NUMBER_assignsubmission_file_/FILE",
    "canvas": "NAME_USERID_FILEID_FILE",
    "gradescope": "submission_NUMBER/FILE beside submission_metadata.yml",
    "github": "ASSIGNMENT-LOGIN/FILE",
    "nbgrader": "STUDENT/ASSIGNMENT/FILE",
    "flat": "STUDENT_EXERCISE.ipynb",
}
# What a name cannot hold: control characters, marks that hide or turn the direction of reading,
# and what ends a path's part. Joiners and no-break spaces are parts of names.
UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\\\\/]"
)


@dataclass(frozen=True)
class Owner:
    """Who handed in, as the place says; `place` is the platform's part of the path."""

    student: str
    platform: str = ""
    id: str = ""
    place: str = ""


@dataclass(frozen=True)
class Place:
    """What a platform says of one file."""

    owner: Owner
    file: str  # what the student called it
    number: int = 0  # of the try, where the platform counts them
    late: bool = False
    others: str = ""  # who handed it in together with the owner


def path_of(platform: str, exercises: Collection[str], assignment: str = "") -> re.Pattern:
    """The expression for a platform's paths below the input."""
    text = PATHS[platform].replace("{exercises}", "|".join(map(re.escape, exercises)))
    return re.compile(text.replace("{assignment}", re.escape(assignment)), re.S)


def place_of(path: str, platform: str, pattern: re.Pattern) -> Place | None:
    """Whose place a path lies in; None where it does not have the platform's form."""
    match = pattern.fullmatch(path)
    if not match:
        return None
    parts = match.groupdict()
    student, id = parts["student"], parts.get("id") or ""
    if platform == "moodle" and student == "Participant":  # blind: there the number is the name
        student = f"Participant {id}"
    folder = path[: match.start("file")].rstrip("/")
    where = {"canvas": id, "nbgrader": student, "flat": student}.get(platform, folder)
    owner = Owner(unicodedata.normalize("NFC", student), platform, id, where)
    return Place(owner, parts["file"], int(parts.get("number") or 0), bool(parts.get("late")))


def plain_name(name: str) -> str:
    """A name as it is printed: NFC, without what cannot be seen, without blanks around it."""
    return UNFIT.sub("", unicodedata.normalize("NFC", name)).strip(" .")


def spelled_out(name: str) -> str:
    """A name of which every character that cannot be seen has been written as its number."""
    seen = UNFIT.sub(lambda found: f"<U+{ord(found[0]):04X}>", name)
    for blank in (" ", "."):
        while seen.startswith(blank) or seen.endswith(blank):
            mark = f"<U+{ord(blank):04X}>"
            seen = mark + seen[1:] if seen.startswith(blank) else seen[:-1] + mark
    return seen[:80]


def is_fit(name: str) -> bool:
    """Whether a name can be a student's, and a folder's."""
    return name == plain_name(name) and 0 < len(name.encode("utf-8", "replace")) <= 240
