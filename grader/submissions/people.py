"""A person of a class, and the forms in which platforms and spreadsheets write a name."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from grader.submissions.platforms import plain_name

T = TypeVar("T")


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
    also: str = ""  # what the roster calls them now, where the row has a name from before

    @property
    def keys(self) -> list[str]:
        """What stays the same from week to week and from one platform to another."""
        kinds = {"sis": self.sis_id, "email": self.email, "login": self.login}
        if "@" in self.login:
            kinds |= {"login": "", "email": self.email or self.login}
        return [f"{kind} {value.casefold()}" for kind, value in kinds.items() if value]

    @property
    def full_name(self) -> str:
        given = self.name or f"{self.first_name} {self.last_name}".strip()
        return given or self.also or self.student

    @property
    def logins(self) -> list[str]:
        """What a platform may call them that they did not choose themselves."""
        named = (self.student, self.also, self.login, self.sis_id, self.email)
        return [name for name in named if name]


def plain(name: str) -> str:
    """A name without what platforms change: case, spaces, commas, apostrophes."""
    return "".join(c for c in unicodedata.normalize("NFC", name).casefold() if c.isalnum())


def exact(name: str) -> str:
    """A name letter for letter; an address in whatever case."""
    name = unicodedata.normalize("NFC", name)
    return name.casefold() if "@" in name else name


def folded(name: str) -> str:
    """A name without case, forms of one letter, what cannot be seen, and a number's first zeros."""
    seen = unicodedata.normalize("NFKC", plain_name(name)).casefold()
    seen = "".join(c for c in seen if unicodedata.category(c) != "Cf")
    seen = " ".join(unicodedata.normalize("NFKC", seen).split())
    return (seen.lstrip("0") or "0") if seen.isdecimal() else seen


def forms_of(name: str) -> set[str]:
    """A name's forms in file names. Canvas writes "Lee, Ann" and "Ann Lee" as leeann."""
    first, _, last = name.strip().rpartition(" ")
    return {form for form in (plain(name), plain(last + first)) if form}


def parts_of(name: str) -> set[str]:
    """The words of a name, in whatever order."""
    return set("".join(c if c.isalnum() else " " for c in folded(name)).split())


def is_one_name(name: str, other: str) -> bool:
    """Whether two names may be one: in another order, or with a part left out."""
    one, two = parts_of(name), parts_of(other)
    return one <= two or two <= one


class Names(Generic[T]):
    """What is called by which names. A name is found letter for letter, else `folded`; one that
    several have finds none of them."""

    def __init__(self, named: Iterable[tuple[str, T]]) -> None:
        self._exact: dict[str, set[T]] = defaultdict(set)
        self._folded: dict[str, set[T]] = defaultdict(set)
        for name, one in named:
            self._exact[exact(name)].add(one)
            self._folded[folded(name)].add(one)

    def exactly(self, name: str) -> T | None:
        """What has this name letter for letter."""
        return _one(self._exact.get(exact(name), ()))

    def find(self, name: str) -> T | None:
        """What has this name; where nothing has it letter for letter, what has it `folded`."""
        there = self._exact.get(exact(name))
        return _one(there or self._folded.get(folded(name), ()))


def _one(found: Iterable[T]) -> T | None:
    several = [*found]
    return several[0] if len(several) == 1 else None
