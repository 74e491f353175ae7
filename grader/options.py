"""Arguments that several `attn` commands have, and how their values are read.

Signature and docstring of a command are its command line, read by cyclopts: before `/` stand its
arguments, after `*` its options. What is here stands in more than one signature.
"""

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from course_lib.checker.errors import InputError
from grader.submissions.platforms import PLATFORMS, of_one_s_own


def _seconds(_: Any, tokens: Sequence[Any]) -> float:
    text = tokens[0].value
    with contextlib.suppress(ValueError):
        if 0 < (number := float(text)) < 1e6:
            return number
    raise ValueError(f"{text!r} is no number of seconds above 0")


def _whole(_: Any, tokens: Sequence[Any]) -> int:
    text = tokens[0].value
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise ValueError(f"{text!r} is no whole number above 0")


def _platform(_: Any, tokens: Sequence[Any]) -> str:
    """Refused before anything is read, where it is neither a name nor an expression."""
    if (text := tokens[0].value) not in PLATFORMS:
        try:
            of_one_s_own(text)
        except InputError as error:
            raise ValueError(str(error).removeprefix("--from ")) from None
    return text


# Given by `attn`: the course's exercises, loaded when they are asked for.
Exercises = Annotated[Callable[[], Mapping[str, Any]], Parameter(parse=False)]
Seconds = Annotated[float, Parameter(metavar="S", converter=_seconds)]
Whole = Annotated[int, Parameter(metavar="N", converter=_whole)]
Megabytes = Annotated[int, Parameter(metavar="MB", converter=_whole)]
File = Annotated[Path, Parameter(metavar="FILE")]
Folder = Annotated[Path, Parameter(metavar="FOLDER")]
Submissions = Annotated[
    Path,
    Parameter(help="a folder, a zip as the platform gave it, or a table that attn collect wrote"),
]
Platform = Annotated[
    str,
    Parameter(
        metavar="PLATFORM",
        converter=_platform,
        help=f"whose layout it has: {', '.join(PLATFORMS)}, or an expression of your own with the "
        "groups student and file, such as '(?P<student>[^/]+) - (?P<file>[^/]+)' (default for a "
        "folder: folders)",
    ),
]
Assignment = Annotated[
    str,
    Parameter(
        metavar="NAME", help="what GitHub's repositories are called before the login, such as hw1"
    ),
]
Roster = Annotated[
    Path,
    Parameter(
        metavar="FILE",
        help="a CSV with the column student; also name, email, lms_id, sis_id, section",
    ),
]
Gradebook = Annotated[
    Path, Parameter(name="DIR", help="the gradebook: what attn grade had as --out")
]
MissingAsZero = Annotated[
    bool, Parameter(help="write 0 for who handed in nothing (default: leave it empty)")
]


def needs_linux(sentence: str) -> None:
    """Raises ProfileError with this sentence anywhere else."""
    from course_lib.checker.errors import ProfileError

    if not sys.platform.startswith("linux"):
        raise ProfileError(sentence)
