"""The optional roster: who is in the class, and what the learning platform calls them.

Read as it is: a CSV of one's own with the column `student`, Canvas's gradebook export, Moodle's
offline grading worksheet in any language, or GitHub Classroom's roster.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from course_lib.checker.errors import InputError
from grader.submissions.people import Names, Person, forms_of, is_one_name, plain
from grader.submissions.platforms import is_fit
from grader.submissions.table import headings_of, read_table
from grader.submissions.worksheet import Worksheet, worksheet_of

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
OF_CANVAS = {"student", "id", "section"}  # the columns that every teacher's export has
TEST_STUDENT = "Student, Test"  # Canvas's own


class Roster:
    """The people of a class, and whom a name, a number or an address belongs to."""

    def __init__(
        self,
        people: list[Person],
        worksheet: Worksheet | None = None,
        remarks: Sequence[str] = (),
    ) -> None:
        self.people, self.worksheet = people, worksheet
        self.remarks = remarks  # what is not certain of who was who before
        self._by_student = {p.student: p for p in people}
        self._by_student |= {p.also: p for p in people if p.also}

    @cached_property
    def ids(self) -> dict[str, dict[str, Person]]:
        """kind → value → person, for what is one person's alone."""
        kinds = ("lms_id", "participant", "github", "email", "sis_id")
        values = {
            kind: [(value.casefold(), p) for p in self.people if (value := getattr(p, kind))]
            for kind in kinds
        }
        return {kind: _of_one(pairs) for kind, pairs in values.items()}

    @cached_property
    def logins(self) -> Names[Person]:
        """By what a platform of logins may call them."""
        return Names((name, person) for person in self.people for name in person.logins)

    @cached_property
    def full_names(self) -> dict[str, Person]:
        """By a full name that one of them has, in the forms of file names."""
        pairs = [(form, p) for p in self.people for form in forms_of(p.full_name)]
        return _of_one(pairs)

    @cached_property
    def forms(self) -> dict[str, Person]:
        """By any name that one of them has, in the forms of file names."""
        named = [(name, p) for p in self.people for name in (*p.logins, p.full_name)]
        return _of_one((form, person) for name, person in named for form in forms_of(name))

    def find(self, name: str) -> Person | None:
        """The person whom a name of a row, a login, a number or an address is of."""
        return self._by_student.get(name) or self.logins.find(name)

    def without_numbers(self) -> "Roster":
        """The same people, who are then found by their names alone."""
        return Roster([replace(person, participant="") for person in self.people])

    def members(self, team: str) -> list[Person]:
        """The team of this name."""
        return [one for one in self.people if one.team and plain(one.team) == plain(team)]

    def known_as(self, names: Mapping[str, str], called: Mapping[str, str]) -> "Roster":
        """The roster with the rows' names by which a gradebook knows these people from before.

        Whoever has another name in the column `student` is found by both. Where the full name is
        another one, too, an address may be used again: the two stay two, until a person says so.

        Args:
            names: the row of each key (`Person.keys`).
            called: the full name that each row had.
        """
        taken = {person.student for person in self.people}
        people, remarks = [], []
        for person in self.people:
            keys = [key for key in person.keys if key in names]
            before = {names[key] for key in keys}
            (row,) = before if len(before) == 1 else (person.student,)
            is_one = len(keys) > 1 or is_one_name(called.get(row, row), person.full_name)
            if row == person.student or row in taken:
                people.append(person)
            elif is_one:
                people.append(replace(person, student=row, also=person.student))
            else:
                remarks.append(_used_again(person, row, called.get(row, ""), keys[0]))
                people.append(person)
        if len({person.student for person in people}) < len(people):
            return self
        return Roster(people, self.worksheet, remarks)

    def by_keys(self) -> dict[str, str]:
        """Each person's row by what is the person's alone, from week to week."""
        keys = Counter(key for person in self.people for key in person.keys)
        return {k: p.student for p in self.people for k in p.keys if keys[k] == 1}

    def called(self) -> dict[str, str]:
        """The full name of each row."""
        return {person.student: person.full_name for person in self.people}

    def teams(self) -> dict[str, list[str]]:
        """The rows of each team of several."""
        found: dict[str, list[str]] = defaultdict(list)
        for person in self.people:
            found[person.team].append(person.student)
        return {team: rows for team, rows in found.items() if team and len(rows) > 1}

    def has(self, student: str) -> bool:
        """Whether a row of this name is somebody's on the roster."""
        return student in self._by_student

    def person(self, student: str) -> Person | None:
        """The person whose row has exactly this name."""
        return self._by_student.get(student)


def _of_one(pairs: Iterable[tuple[str, Person]]) -> dict[str, Person]:
    found: dict[str, set[Person]] = defaultdict(set)
    for name, person in pairs:
        found[name].add(person)
    return {name: people.pop() for name, people in found.items() if len(people) == 1}


def _used_again(person: Person, row: str, called: str, key: str) -> str:
    what = {"email": "address", "sis": "number"}.get(key.partition(" ")[0], "login")
    was = f" ({called})" if called and called != row else ""
    return (
        f"the roster's {person.student!r} ({person.full_name}) has the {what} of the row {row!r}"
        f"{was}, and another name: they are two. If they are one, write {row!r} into the column "
        f"student, and {person.student!r} into a column login"
    )


def load_roster(path: Path | None) -> Roster:
    """Read a roster CSV; nobody where there is none. Raises InputError when it is no roster."""
    if path is None:
        return Roster([])
    header, lines = read_table(path, "The roster")
    worksheet = worksheet_of(header, lines, headings_of(path))
    if worksheet:
        columns = worksheet.columns(_columns(header, ALIASES))
    else:
        canvas = "sis login id" in header or set(header) >= OF_CANVAS
        columns = _columns(header, CANVAS if canvas else ALIASES)
        if "student" not in columns and not canvas:
            raise InputError(
                f"The roster {str(path)!r} has no column `student` in line 1: it holds the name of "
                "each student's folder or file. Other columns may be name, email, lms_id, sis_id, "
                "section."
            )
        if canvas:  # rows without an id are Canvas's own: points possible, how grades are posted
            lines = [(n, line) for n, line in lines if line.get("id") or line.get("sis login id")]
            lines = [(n, line) for n, line in lines if line["student"] != TEST_STUDENT]
    people: dict[int, Person] = {}  # by the line of the file
    for number, line in lines:
        values = {ours: line.get(theirs, "") for ours, theirs in columns.items()}
        if worksheet:
            values |= worksheet.numbered(line[header[0]])
            values["student"] = values.get("name") or line[header[0]]
        if (person := _person(values)).student:
            people[number] = person
    _check(path, people)
    return Roster(list(people.values()), worksheet)


def _person(values: dict[str, str]) -> Person:
    person = Person(**{"student": "", **values})
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
        key = person.email or person.sis_id or person.lms_id or person.participant
        if same[person.student] > 1 and key and is_fit(named := f"{person.student} ({key})"):
            person = people[line] = replace(person, student=named)
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
