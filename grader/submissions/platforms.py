"""Whose place a file lies in: the platform's own part of its path, one anchored expression each, as
the platform's source writes it.

What a student chooses, the file's name and folders of one's own, comes after that part and is never
asked. Only `flat` reads names of files: it is for files that the lecturer named.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache

from course_lib.checker.errors import InputError

# <student>, perhaps the platform's <id>, the <number> of a try, that it is <late>, the <file>.
PATHS = {
    "folders": r"(?P<student>[^/]+)/(?P<file>.*)",
    # mod/assign/classes/downloader.php: every underscore of a name is a space there; the number is
    # a participant's or a group's, and the default group has none; one folder for each plugin.
    "moodle": r"(?P<student>[^_/]+)(?:_(?P<id>\d+))?_assignsubmission_[a-z][a-z0-9]*"
    r"(?:_?/|_)(?P<file>.*)",
    # lib/content_zipper.rb: no name holds _<digits>_, but it may end with _<digits>. With blind
    # marking anon and five characters. What was typed is text.html, an address link.html.
    "canvas": r"(?:(?P<late>LATE_)?anon_(?P<anonymous>[A-Za-z0-9]{5})|"
    r"(?P<student>(?:(?!_\d+_)[^/])*?)(?P<also_late>_LATE)?_(?P<id>[1-9]\d*))"
    r"_(?:(?P<number>0|[1-9]\d*)_)?(?P<file>[^/]+)",
    "gradescope": r"(?P<student>submission_(?P<id>\d+))/(?P<file>.*)",
    # The file of Blackboard's own has no name behind the time.
    "blackboard": r"(?:(?!_attempt_\d{4}-)[^/])+_(?P<student>(?:(?!_attempt_\d{4}-)[^/_])+)"
    r"_attempt_(?P<number>\d{4}(?:-\d\d){5})(?:_(?P<file>[^/]+)|\.txt)",
    "github": r"{assignment}-(?P<student>[^/]+)/(?P<file>.*)",
    "nbgrader": r"(?P<student>[^/]+)/(?P<assignment>[^/]+)/(?P<file>.*)",
    "flat": r"(?P<student>[^/]+)_(?P<file>(?:{exercises})(?: ?\(\d+\)|-\d+)?\.ipynb)",
}
PLATFORMS = tuple(PATHS)
ANCHORED = (
    "moodle",
    "canvas",
    "gradescope",
    "blackboard",
)  # whose form no other folder has by chance
CHOSEN = ("moodle", "canvas", "gradescope")  # where people may choose the name that is shown
FLAT = ("canvas",)  # it writes no folders
FORMS = {
    "folders": "STUDENT/FILE",
    "moodle": "NAME_NUMBER_assignsubmission_file_/FILE",
    "canvas": "NAME_USERID_FILEID_FILE",
    "gradescope": "submission_NUMBER/FILE beside submission_metadata.yml",
    "blackboard": "ASSIGNMENT_LOGIN_attempt_TIME_FILE",
    "github": "ASSIGNMENT-LOGIN/FILE",
    "nbgrader": "STUDENT/ASSIGNMENT/FILE",
    "flat": "STUDENT_EXERCISE.ipynb",
}
OF_ONE_S_OWN, OWN = "own", {"student", "file", "id"}  # an expression of the instructor's
TYPED = re.compile(r"(text|link)(-\d+)?\.html")  # Canvas's own, where no file was handed in
AGAIN = re.compile(r"(?P<number>[1-9]\d*)_(?P<file>[^/]+)")
SHORT = 3  # digits of a group's own number, as in team_7; a user's of Canvas has more
# What a name cannot hold: control characters, marks that hide or turn the direction of reading,
# and what ends a path's part. Joiners and no-break spaces are parts of names.
UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\\\\/]"
)


@dataclass(frozen=True)
class Evidence:
    """What a platform says of who handed in; `place` is its own part of the path.

    An id, an address or a number is somebody's alone. A login is, too, where no student chooses it.
    A name may be another's, and on some platforms its owner may change it.
    """

    called: str  # as the place writes it
    platform: str = ""
    id: str = ""  # the platform's own
    place: str = ""
    login: str = ""
    email: str = ""
    number: str = ""  # the institution's
    name: str = ""


@dataclass(frozen=True)
class Place:
    """What a platform says of one file."""

    owner: Evidence
    file: str  # what the student called it
    number: int = 0  # of the try, where the platform counts them
    late: bool = False
    others: str = ""  # who handed it in together with the owner
    other: "Place | None" = None  # a second way to read the path, where it has two


def path_of(platform: str, exercises: Collection[str], assignment: str = "") -> re.Pattern:
    """The expression for a platform's paths below the input."""
    if platform not in PATHS:
        return of_one_s_own(platform)
    text = PATHS[platform].replace("{exercises}", "|".join(map(re.escape, exercises)))
    return re.compile(text.replace("{assignment}", re.escape(assignment)), re.S)


def of_one_s_own(expression: str) -> re.Pattern:
    """The expression that an instructor wrote, in place of a platform's name."""
    try:
        pattern = re.compile(expression, re.S)
        if {"student", "file"} <= pattern.groupindex.keys() <= OWN:
            return pattern
        problem = "it needs the groups (?P<student>...) and (?P<file>...), and may have (?P<id>...)"
    except re.error as error:
        problem = f"it is no expression of Python's: {error}"
    raise InputError(
        f"--from {expression!r} is none of {', '.join(PLATFORMS)}. As an expression of your own "
        f"for the paths below SUBMISSIONS, {problem}: such as "
        "'(?P<student>[^/]+) - (?P<file>[^/]+)'."
    )


def place_of(path: str, platform: str, pattern: re.Pattern) -> Place | None:
    """Whose place a path lies in; None where it does not have the platform's form."""
    match = pattern.fullmatch(path)
    if not match:
        return None
    parts = match.groupdict()
    if platform == "canvas":
        return _in_canvas(parts)
    student, id = parts["student"], parts.get("id") or ""
    if platform == "moodle" and student == "Participant":  # blind: there the number is the name
        student = f"Participant {id}"
    folder = path[: match.start("file")].rstrip("/")
    where = {"nbgrader": student, "flat": student, "moodle": f"{parts['student']}_{id}"}
    called = _nfc(student)
    if platform not in FORMS:
        owner = Evidence(called, OF_ONE_S_OWN, id, called, **said(called, platform))
        return Place(owner, parts["file"])
    if platform == "blackboard":
        number = int(parts["number"].replace("-", ""))
        owner = Evidence(called, platform, place=called, login=called)
        return Place(owner, parts["file"] or "", number)
    owner = Evidence(called, platform, id, where.get(platform, folder), **said(called, platform))
    return Place(owner, parts["file"])


def said(called: str, platform: str) -> dict[str, str]:
    """What a word in a path is on a platform: a login, a name, or either."""
    kinds = {"canvas": ("name",), "moodle": ("name",), "gradescope": (), "github": ("login",)}
    return dict.fromkeys(kinds.get(platform, ("login", "name")), called)


def _in_canvas(parts: dict[str, str]) -> Place | None:
    """Read from the left, where Canvas's own part is: a file may be called like a second one."""
    id = parts["anonymous"] or parts["id"]
    student = f"anon {id}" if parts["anonymous"] else _nfc(parts["student"])
    number, file = parts["number"], parts["file"]
    late = bool(parts["late"] or parts["also_late"])
    if not (number or TYPED.fullmatch(file)):
        return None
    owner = Evidence(student, "canvas", id, id, name=student)
    place = Place(owner, file, int(number or 0), late)
    again = AGAIN.fullmatch(file)
    if late or not number or parts["anonymous"] or not (again or TYPED.fullmatch(file)):
        return place
    longer = f"{student}_{id}"
    owner = Evidence(longer, "canvas", number, number, name=longer)
    other = Place(owner, again["file"] if again else file, int(again["number"]) if again else 0)
    if len(id) <= SHORT < len(number):
        return replace(other, other=place)
    return replace(place, other=other)


def platform_of(path: str) -> str:
    """The platform that a file's whole path has the form of, among those whose form no other has by
    chance; "" where there is none."""
    parts = path.split("/")
    for start in range(len(parts)):
        inside = "/".join(parts[start:])
        for platform, pattern in _anchored().items():
            if pattern.fullmatch(inside) and place_of(inside, platform, pattern):
                return platform
    return ""


@cache
def _anchored() -> dict[str, re.Pattern]:
    return {platform: path_of(platform, ()) for platform in ANCHORED}


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def plain_name(name: str) -> str:
    """A name as it is printed: NFC, without what cannot be seen, without blanks around it."""
    return UNFIT.sub("", _nfc(name)).strip(" .")


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
