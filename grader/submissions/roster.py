"""The optional roster: who is in the class, and what the learning platform calls them.

Read as it is: a CSV of one's own with the column `student`, Canvas's gradebook export, Moodle's
offline grading worksheet in any language, or GitHub Classroom's roster.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from grader.submissions.people import Person, exact, forms_of, plain
from grader.submissions.platforms import Owner, is_fit
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
    """The people of a class, found by the platform's id, else by a name that one of them has."""

    def __init__(self, people: list[Person], worksheet: Worksheet | None = None) -> None:
        self.people, self.worksheet = people, worksheet
        forms: dict[str, set[int]] = defaultdict(set)
        letters: dict[str, set[int]] = defaultdict(set)
        full: dict[str, set[int]] = defaultdict(set)
        for i, person in enumerate(people):
            names = (person.student, person.login, person.full_name, person.sis_id)
            for name in names:
                for form in forms_of(name):
                    forms[form].add(i)
            for form in forms_of(person.full_name):
                full[form].add(i)
            for name in filter(None, (*names, person.email)):
                letters[exact(name)].add(i)
        self._by_form = _of_one(forms, people)
        self._by_name = _of_one(letters, people)
        self._by_full = _of_one(full, people)
        self._by_id = {p.lms_id: p for p in people if p.lms_id}
        self._by_participant = {p.participant: p for p in people if p.participant}
        self._by_student = {p.student: p for p in people}
        self._by_github = {p.github.casefold(): p for p in people if p.github}

    def match(self, owner: Owner) -> Person | None:
        """The person whom a platform names: by its id where the roster has one, else letter for
        letter. Canvas and Moodle change names; there a name counts in the form that they give it.
        """
        named = self._by_student.get(owner.student) or self._by_name.get(exact(owner.student))
        if owner.platform == "canvas":
            named = self._by_form.get(plain(owner.student))
            by_id = self._by_id.get(owner.id)
            return by_id or (named if named and not named.lms_id else None)
        if owner.platform == "moodle" and self._by_participant:
            person = self._by_participant.get(owner.id)
            return person if person and self._is_called(person, owner) else None
        if owner.platform == "moodle":
            return named or self._by_full.get(plain(owner.student))
        if owner.platform == "github" and self._by_github:
            return self._by_github.get(owner.student.casefold())
        if owner.platform == "gradescope":
            by_id = self._by_name.get(exact(owner.id))
            return by_id or self._by_name.get(exact(owner.email)) or named
        return named

    def _is_called(self, person: Person, owner: Owner) -> bool:
        """Whether a place on Moodle has the name of its number's person: a group's number is also
        another's, and so is that of another assignment. With blind marking there is no name."""
        blind = {plain(f"Participant {owner.id}"), plain(person.word)}
        return not person.name or plain(owner.student) in blind | forms_of(person.name)

    def is_other_assignment(self, owners: Iterable[Owner]) -> bool:
        """Whether this is the worksheet of another assignment than the download: there Moodle
        numbers everybody anew, so that its people are there and none has the number."""
        theirs = [owner for owner in owners if owner.id]
        named = [owner for owner in theirs if plain(owner.student) in self._by_full]
        return bool(self._by_participant and named) and not any(map(self.match, theirs))

    def without_numbers(self) -> "Roster":
        """The same people, who are then found by their names alone."""
        return Roster([replace(person, participant="") for person in self.people])

    def members(self, owner: Owner) -> list[Person]:
        """The team that a place is called after."""
        name = plain(owner.student)
        return [person for person in self.people if person.team and plain(person.team) == name]

    def has_id(self, owner: Owner) -> bool:
        """Whether somebody has this id on Canvas."""
        return owner.id in self._by_id

    def is_another_s(self, owner: Owner) -> bool:
        """Whether a number on Moodle is a participant's of another name; and where the roster has
        teams, whether it is nobody's whom the roster knows, so that it may be a team's."""
        teams = any(person.team for person in self.people)
        return owner.id in self._by_participant or (
            teams and plain(owner.student) not in self._by_full
        )

    def is_full_name(self, name: str) -> bool:
        """Whether exactly one person has this name."""
        return plain(name) in self._by_full

    def known_as(self, names: Mapping[str, str]) -> "Roster":
        """The roster with the rows' names by which a gradebook knows these people from before."""
        taken = {person.student for person in self.people}
        people = []
        for person in self.people:
            before = {names[key] for key in person.keys if key in names}
            (one,) = before if len(before) == 1 else (person.student,)
            people.append(person if one in taken else replace(person, student=one))
        if len({person.student for person in people}) < len(people):
            return self
        return Roster(people, self.worksheet)

    def by_keys(self) -> dict[str, str]:
        """Each person's row by what is the person's alone, from week to week."""
        keys = Counter(key for person in self.people for key in person.keys)
        return {k: p.student for p in self.people for k in p.keys if keys[k] == 1}

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
        known = known or self._by_form.get(plain(student))
        return known or Person(student, lms_id=lms_id)


def _of_one(found: Mapping[str, set[int]], people: list[Person]) -> dict[str, Person]:
    return {name: people[i] for name, (i, *more) in found.items() if not more}


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
