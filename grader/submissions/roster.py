"""The optional roster: who is in the class, and what the learning platform calls them.

Read as it is: a CSV of one's own with the column `student`, Canvas's gradebook export, Moodle's
offline grading worksheet, or GitHub Classroom's roster.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from course_lib.checker.errors import InputError
from grader.submissions.platforms import Owner, is_fit, plain_name
from grader.submissions.table import read_table

# Our column ← the names that platforms give it, in lower case.
ALIASES = {
    "student": ("student", "id", "student_id", "username", "identifier", "login"),
    "name": ("name", "full name", "full_name", "display_name"),
    "first_name": ("first_name", "first name"),
    "last_name": ("last_name", "last name", "surname"),
    "email": ("email", "email address"),
    "lms_id": ("lms_id", "canvas_id", "moodle_id", "user_id", "lms id"),
    "sis_id": ("sis_id", "sis user id", "sis_user_id", "id number"),
    "login": ("login_id", "sis login id", "sis_login_id", "login"),
    "section": ("section", "group"),
    "team": ("team",),
    "github": ("github", "github_username"),
}
# Canvas's export: its ID is Canvas's own, and who has no login is called by the name.
CANVAS = ALIASES | {"student": ("sis login id",), "name": ("student",), "lms_id": ("id",)}
PARTICIPANT = re.compile(r"^\D+ (\d+)$")  # Moodle's worksheet: "Participant 101"


@dataclass(frozen=True)
class Person:
    """One line of the roster; `student` is the name of the row."""

    student: str
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""
    sis_id: str = ""
    login: str = ""
    section: str = ""
    team: str = ""  # whose work is one: the last file that one of them hands in
    github: str = ""  # the name there
    participant: str = ""  # Moodle's number, of one assignment

    @property
    def full_name(self) -> str:
        return self.name or f"{self.first_name} {self.last_name}".strip() or self.student


class Roster:
    """The people of a class, found by the platform's id, else by a name that one of them has."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        forms: dict[str, set[int]] = defaultdict(set)
        exact: dict[str, set[int]] = defaultdict(set)
        for i, person in enumerate(people):
            for name in (person.student, person.login, person.full_name, person.sis_id):
                for form in _forms(name):
                    forms[form].add(i)
            names = (person.student, person.login, person.full_name, person.sis_id, person.email)
            for name in filter(None, names):
                exact[plain_name(name)].add(i)
        self._by_form = {form: people[i] for form, (i, *more) in forms.items() if not more}
        self._by_name = {name: people[i] for name, (i, *more) in exact.items() if not more}
        self._by_id = {p.lms_id: p for p in people if p.lms_id}
        self._by_participant = {p.participant: p for p in people if p.participant}
        self._by_student = {p.student: p for p in people}
        self._by_github = {p.github.casefold(): p for p in people if p.github}

    def match(self, owner: Owner) -> Person | None:
        """The person whom a platform names: by its id where the roster has one, else letter for
        letter. Canvas alone changes names; there a name counts in the form that it gives it."""
        named = self._by_student.get(owner.student) or self._by_name.get(plain_name(owner.student))
        if owner.platform == "canvas":
            named = self._by_form.get(_plain(owner.student))
            by_id = self._by_id.get(owner.id)
            return by_id or (named if named and not named.lms_id else None)
        if owner.platform == "moodle" and self._by_participant:
            return self._by_participant.get(owner.id)
        if owner.platform == "github" and self._by_github:
            return self._by_github.get(owner.student.casefold())
        if owner.platform == "gradescope":
            return self._by_name.get(plain_name(owner.id)) or named
        return named

    def teams(self) -> dict[str, list[str]]:
        """The rows of each team of several."""
        found: dict[str, list[str]] = defaultdict(list)
        for person in self.people:
            found[person.team].append(person.student)
        return {team: rows for team, rows in found.items() if team and len(rows) > 1}

    def has(self, student: str) -> bool:
        """Whether a row of this name is somebody's on the roster."""
        return student in self._by_student

    def person(self, student: str, lms_id: str = "") -> Person:
        """The person of a row, which has the roster's name or the platform's; or one who is known
        by nothing but the row's name."""
        known = self._by_student.get(student) or self._by_id.get(lms_id)
        known = known or self._by_form.get(_plain(student))
        return known or Person(student, lms_id=lms_id)


def _plain(name: str) -> str:
    """A name without what platforms change: case, spaces, commas, apostrophes."""
    return "".join(c for c in unicodedata.normalize("NFC", name).casefold() if c.isalnum())


def _forms(name: str) -> set[str]:
    """A name's forms in file names. Canvas writes "Lee, Ann" and "Ann Lee" as leeann."""
    first, _, last = name.strip().rpartition(" ")
    return {form for form in (_plain(name), _plain(last + first)) if form}


def load_roster(path: Path | None) -> Roster:
    """Read a roster CSV; nobody where there is none. Raises InputError when it is no roster."""
    if path is None:
        return Roster([])
    header, lines = read_table(path, "The roster")
    canvas = "sis login id" in header
    columns = _columns(header, CANVAS if canvas else ALIASES)
    if "student" not in columns:
        raise InputError(
            f"The roster {str(path)!r} has no column `student` in line 1: it holds the name of "
            "each student's folder or file. Other columns may be name, email, lms_id, sis_id, "
            "section."
        )
    people: dict[int, Person] = {}  # by the line of the file
    for number, line in lines:
        values = {ours: line.get(theirs, "") for ours, theirs in columns.items()}
        if canvas and values.get("name") == "Points Possible":
            continue
        if (person := _person(values)).student:
            people[number] = person
    _check(path, people)
    return Roster(list(people.values()))


def _person(values: dict[str, str]) -> Person:
    person = Person(**values)
    participant = PARTICIPANT.match(person.student)
    if participant and person.student.partition(" ")[0] == "Participant":
        number = participant[1]
        return replace(person, participant=number, student=person.name or person.student)
    return person if person.student else replace(person, student=person.name)


def _check(path: Path, people: dict[int, Person]) -> None:
    """Each person has a row of their own. Namesakes are told apart by their ids."""
    for line, person in people.items():
        if not is_fit(person.student):
            raise InputError(
                f"The roster {str(path)!r}, line {line}: {person.student!r} cannot be a student's "
                "name."
            )
    same = Counter(person.student for person in people.values())
    first: dict[str, int] = {}
    for line, person in people.items():
        number = person.lms_id or person.participant
        if same[person.student] > 1 and number:
            person = people[line] = replace(person, student=f"{person.student} ({number})")
        if person.student in first:
            raise InputError(
                f"The roster {str(path)!r}, line {line}: {person.student!r} stands in line "
                f"{first[person.student]} already; give each line a `student` of its own, or an "
                "lms_id."
            )
        first[person.student] = line


def _columns(header: list[str], aliases: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {
        ours: names[0]
        for ours, known in aliases.items()
        if (names := [alias for alias in known if alias in header])
    }
