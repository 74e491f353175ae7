"""Blackboard's download of an assignment: ASSIGNMENT_LOGIN_attempt_TIME_FILE, and for each
attempt a text of Blackboard's own, which says the login: it may hold underscores, as the
assignment may."""

import re
from collections.abc import Sequence
from dataclasses import replace

from course_lib.checker.notebook import Unreadable
from grader.submissions.files import File
from grader.submissions.platforms import Evidence, Place

TIME = re.compile(r"_attempt_(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)")
LOGIN = re.compile(r"[^\n]*\(([^()\n]+)\)\s*$", re.M)  # Name: Ada Lee (ada)
MOST = 2000  # characters in which the login stands


def with_logins(placed: Sequence[tuple[File, Place]]) -> list[tuple[File, Place]]:
    """Each attempt under its login and with its time; Blackboard's own texts are left out."""
    logins = {_attempt(file): _login(file) for file, one in placed if not one.file}
    named = []
    for file, place in placed:
        if not place.file:
            continue
        day, *clock = TIME.findall(_attempt(file))[-1]
        login, before = logins.get(_attempt(file), ""), TIME.split(_attempt(file))[0]
        if login and before.endswith(f"_{login}"):
            owner = Evidence(login, "blackboard", place=login, login=login)
            place = replace(place, owner=owner)
        named.append((replace(file, date=f"{day}T{':'.join(clock)}"), place))
    return named


def _attempt(file: File) -> str:
    """What all files of one attempt begin with: the first time is Blackboard's."""
    match = TIME.search(file.parts[-1])
    return file.parts[-1][: match.end()] if match else ""


def _login(file: File) -> str:
    try:
        data = (file.read()[0] if file.read else None) or b""
    except Unreadable:
        return ""
    match = LOGIN.match(data.decode("utf-8-sig", "replace")[:MOST])
    return match[1] if match else ""
