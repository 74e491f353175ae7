"""The optional roster: who is in the class, and what the learning platform calls them."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from course_lib.grading.errors import InputError

MAX_BYTES = 20 << 20
# Our column ← the names that platforms give it, in lower case.
ALIASES = {
    "student": ("student", "id", "student_id", "username", "identifier", "login"),
    "name": ("name", "full name", "full_name", "display_name"),
    "first_name": ("first_name", "first name"),
    "last_name": ("last_name", "last name", "surname"),
    "email": ("email", "email address"),
    "lms_id": ("lms_id", "canvas_id", "moodle_id", "user_id", "lms id"),
    "sis_id": ("sis_id", "sis user id", "sis_user_id"),
    "login": ("login_id", "sis login id", "sis_login_id", "login"),
    "section": ("section", "group"),
}


@dataclass(frozen=True)
class Person:
    """One line of the roster; `student` is the folder's or file's name."""

    student: str
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""
    sis_id: str = ""
    login: str = ""
    section: str = ""

    @property
    def full_name(self) -> str:
        return self.name or f"{self.first_name} {self.last_name}".strip() or self.student


class Roster:
    """The people of a class, found by folder name, platform id, login or full name."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        self._by: dict[str, Person] = {}
        for key in ("name", "login", "lms_id", "student"):  # the last one wins
            self._by |= {_plain(value): p for p in people if (value := getattr(p, key))}
        self._by_id = {p.lms_id: p for p in people if p.lms_id}

    def find(self, student: str, lms_id: str = "") -> Person | None:
        return self._by_id.get(lms_id) or self._by.get(_plain(student))

    def person(self, student: str, lms_id: str = "") -> Person:
        """The person, or one who is known by nothing but the folder's name."""
        return self.find(student, lms_id) or Person(student, lms_id=lms_id)


def _plain(name: str) -> str:
    return "".join(name.casefold().split())


def load_roster(path: Path) -> Roster:
    """Read a roster CSV. Raises InputError when it is none."""
    try:
        data = path.read_bytes()[:MAX_BYTES]
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        lines = list(reader)
    except OSError as error:
        raise InputError(f"The roster {str(path)!r} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"The roster {str(path)!r} is not a UTF-8 CSV file: {error}.") from None
    columns = _columns(reader.fieldnames or [])
    if "student" not in columns:
        raise InputError(
            f"The roster {str(path)!r} has no column `student`: it holds the name of each "
            "student's folder or file. Other columns may be name, email, lms_id, sis_id, section."
        )
    people = [
        Person(**{ours: (line.get(theirs) or "").strip() for ours, theirs in columns.items()})
        for line in lines
    ]
    return Roster([person for person in people if person.student])


def _columns(header: list[str]) -> dict[str, str]:
    plain = {(name or "").strip().casefold(): name for name in header}
    return {
        ours: plain[names[0]]
        for ours, aliases in ALIASES.items()
        if (names := [alias for alias in aliases if alias in plain])
    }
