"""Whose file is it, for which exercise, and which try? One parser for folders and archives.

Layouts: `<student>/<exercise>.ipynb`; `<student>_<exercise>.ipynb`; Canvas's
`<name>[_LATE]_<user id>_<file id>_<exercise>[-n].ipynb`; Moodle's
`<name>_<participant>_assignsubmission_file_/<exercise>.ipynb`; GitHub Classroom's
`<assignment>-<user>/<exercise>.ipynb`; nbgrader's `<student>/<exercise>/<exercise>.ipynb`. Browsers
and platforms add `-1`, ` (1)` or `-Copy1` to a name that is taken.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

SUFFIX = ".ipynb"
IGNORED = re.compile(r"^(\.|__MACOSX$)")
VERSION = re.compile(r"(?: ?\((\d{1,9})\)|-(\d{1,9})|-Copy(\d{1,9}))$")
CANVAS = re.compile(r"^([^_]+)(?:_LATE)?_(\d+)_(\d+)(?:_.*)?$", re.S)
CANVAS_BLIND = re.compile(r"^(anon)(?:_LATE)?_(\w{5})_(\d+)(?:_.*)?$", re.S)
MOODLE = re.compile(r"^(.+)_(\d+)_assignsubmission_(?:file|onlinetext)_?(.*)$", re.S)
# What a name cannot hold: control characters, half characters, marks that turn the direction of
# reading, and the two that end a path's part. Joiners and no-break spaces are parts of names.
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069\\\\/]")


@dataclass(frozen=True)
class Owner:
    """Who handed in, as the place says; `source` is what tells two places of one name apart."""

    student: str
    lms_id: str = ""
    source: str = ""
    platform: str = ""  # "canvas": ids are people's; "moodle": numbers are new in each assignment


@dataclass(frozen=True)
class Name:
    """What a file's path says. `exercise` is "" when it names none of the course."""

    owner: Owner
    exercise: str
    order: tuple = ()  # of several files of one owner for one exercise the highest counts


def is_fit(part: str) -> bool:
    """Whether a folder's or file's name can be a student's."""
    short = len(part) <= 255
    return short and bool(part.strip(" .")) and not UNFIT.search(part)


def is_exercise(stem: str, exercises: Collection[str]) -> str:
    """The exercise that a file's own stem says, whatever try it is; "" if none."""
    plain, _ = split_version(stem)
    return plain if plain in exercises else ""


def split_version(stem: str) -> tuple[str, tuple[int, ...]]:
    """A stem without its counters, and the counters, the first one added first."""
    counters: list[int] = []
    while match := VERSION.search(stem):
        stem = stem[: match.start()]
        counters.insert(0, int(next(filter(None, match.groups()))))
    return stem, tuple(counters)


def last_exercise(stem: str, exercises: Collection[str]) -> tuple[str, str, tuple[int, ...]]:
    """(what stands before the exercise, exercise, counters) of a stem."""
    plain, counters = split_version(stem)
    fitting = [e for e in exercises if plain == e or plain.endswith("_" + e)]
    exercise = max(fitting, key=len, default="")
    return plain[: len(plain) - len(exercise)].removesuffix("_"), exercise, counters


def is_canvas(stem: str) -> bool:
    """Whether a flat file's stem has the form that Canvas gives it."""
    return bool(CANVAS.match(stem) or CANVAS_BLIND.match(stem))


def parse_flat(stem: str, exercises: Collection[str], canvas: bool = True) -> Name:
    """A file without a folder. `canvas` only where every such file has Canvas's form."""
    stem = unicodedata.normalize("NFC", stem)
    before, exercise, counters = last_exercise(stem, exercises)
    if match := MOODLE.match(before or stem):
        return Name(_moodle(match), exercise, (0, counters))
    match = (CANVAS_BLIND.match(before) or CANVAS.match(before)) if canvas else None
    if match:
        owner = Owner(match[1], match[2], platform="canvas")
        return Name(owner, exercise, (int(match[3]), counters))
    return Name(Owner(before, source="flat files"), exercise, (0, counters))


def parse_in_folder(folder: str, stem: str, exercises: Collection[str]) -> Name:
    """A file in a student's folder."""
    stem = unicodedata.normalize("NFC", stem)
    plain, counters = split_version(stem)
    before, exercise, _ = last_exercise(stem, exercises)
    return Name(parse_folder(folder, exercises), plain if not before else exercise, (0, counters))


def parse_folder(folder: str, exercises: Collection[str]) -> Owner:
    """Whose a folder is."""
    name = unicodedata.normalize("NFC", folder)
    if match := MOODLE.match(name):
        return _moodle(match)
    for exercise in exercises:  # GitHub Classroom: attention-01-softmax-octo
        _, found, user = name.rpartition(exercise.replace("_", "-") + "-")
        if found and user:
            return Owner(user, source=folder)
    return Owner(name, source=folder)


def _moodle(match: re.Match) -> Owner:
    """With blind marking Moodle calls everyone Participant: there the number is the name."""
    student = f"Participant {match[2]}" if match[1] == "Participant" else match[1]
    return Owner(student, match[2], platform="moodle")
