"""Whose file is it, and for which exercise? One parser for folders, files and archives."""

import re
from collections.abc import Collection

from course_lib.grading.submissions.found import Found

SUFFIX = ".ipynb"
CANVAS = re.compile(r"^([^_]+)(?:_LATE)?_(\d+)_(\d+)_(.+)$", re.S)
MOODLE = re.compile(r"^(.+)_(\d+)_assignsubmission_file_?(.*)$", re.S)
RESUBMITTED = re.compile(r"(?: ?\(\d+\)|-\d+)$")
ORDINARY = re.compile(r"^(.+)_(\d\d_[a-z]\w*)$", re.S)
IGNORED = re.compile(r"^(\.|__MACOSX$)")


def parse_name(stem: str, exercises: Collection[str]) -> tuple[str, str, str]:
    """(student, exercise, platform's id) from a flat file's stem; the exercise is "" if none."""
    if match := CANVAS.match(stem):
        return match[1], exercise_of(match[4], exercises), match[2]
    if match := MOODLE.match(stem):
        return match[1], exercise_of(match[3], exercises), match[2]
    for exercise in exercises:
        if stem.endswith("_" + exercise) and len(stem) > len(exercise) + 1:
            return stem[: -len(exercise) - 1], exercise, ""
    if match := ORDINARY.match(stem):
        return match[1], match[2], ""
    return stem, "", ""


def parse_folder(name: str) -> tuple[str, str]:
    """(student, platform's id) from a student folder's name."""
    match = MOODLE.match(name)
    return (match[1], match[2]) if match else (name, "")


def exercise_of(stem: str, exercises: Collection[str]) -> str:
    plain = RESUBMITTED.sub("", stem)
    return plain if plain in exercises else stem


def parse_flat(found: Found, name: str, exercises: Collection[str]) -> tuple[str, str, str]:
    """`parse_name` for a file; a name without an exercise keeps its row and is reported."""
    stem = name.removesuffix(SUFFIX)
    student, exercise, lms_id = parse_name(stem, exercises)
    if not exercise:
        found.refused.append(f"{name}: no exercise of the course stands in its name")
        return stem, stem, ""
    return student, exercise, lms_id
