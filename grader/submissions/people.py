"""A person of a class, and the forms in which platforms write a name."""

import unicodedata
from dataclasses import dataclass

from grader.submissions.platforms import plain_name


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
    word: str = ""  # that stands before it, in Moodle's language

    @property
    def keys(self) -> list[str]:
        """What stays the same from week to week and from one platform to another."""
        kinds = {"sis": self.sis_id, "email": self.email, "login": self.login}
        if "@" in self.login:
            kinds |= {"login": "", "email": self.email or self.login}
        return [f"{kind} {value.casefold()}" for kind, value in kinds.items() if value]

    @property
    def full_name(self) -> str:
        return self.name or f"{self.first_name} {self.last_name}".strip() or self.student


def plain(name: str) -> str:
    """A name without what platforms change: case, spaces, commas, apostrophes."""
    return "".join(c for c in unicodedata.normalize("NFC", name).casefold() if c.isalnum())


def exact(name: str) -> str:
    """A name letter for letter; an address in whatever case."""
    return plain_name(name).casefold() if "@" in name else plain_name(name)


def forms_of(name: str) -> set[str]:
    """A name's forms in file names. Canvas writes "Lee, Ann" and "Ann Lee" as leeann."""
    first, _, last = name.strip().rpartition(" ")
    return {form for form in (plain(name), plain(last + first)) if form}
