"""Moodle's offline grading worksheet, in whatever language its teacher has
(mod/assign/gradingtable.php, mod/assign/feedback/offline).

Its first column is a word and the participant's number in that one assignment, its second the full
name where marking is not blind; the other headings are Moodle's own words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NUMBERED = re.compile(r"(\D+?)( ?)(\d+)")
ENGLISH = "Participant"
OURS = ("student", "id", "student_id", "username", "login", "name")
MANY = 6  # columns that a worksheet has, and hardly a roster of one's own
Lines = Sequence[tuple[int, Mapping[str, str]]]


@dataclass(frozen=True)
class Worksheet:
    """The form of one worksheet: its headings in lower case, and the word before the numbers."""

    header: tuple[str, ...]
    word: str
    address: str = ""  # the column of e-mail addresses; "" where there is none
    headings: tuple[str, ...] = ()  # as they are written
    lines: tuple[tuple[str, ...], ...] = ()

    @property
    def grade(self) -> int:
        """The column of grades: the one before that of the most that there is, which is the same
        number in all lines; 0 where there is none."""
        for column in range(3, len(self.header)):
            values = {line[column] for line in self.lines}
            if len(values) == 1 and re.fullmatch(r"\d+([.,]\d+)?", values.pop()):
                return column - 1
        return 0

    def filled(self, grades: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The lines of those who have a grade, with it in its column."""
        found = []
        for line in self.lines:
            match = NUMBERED.fullmatch(line[0])
            if match and match[3] in grades:
                found.append((*line[: self.grade], grades[match[3]], *line[self.grade + 1 :]))
        return found

    def numbered(self, text: str) -> dict[str, str]:
        match = NUMBERED.fullmatch(text)
        return {"participant": match[3], "word": match[1]} if match else {}

    def columns(self, known: Mapping[str, str]) -> dict[str, str]:
        """Our column ← its own. A group's name is a team's: it hands in together."""
        found = {ours: theirs for ours, theirs in known.items() if ours not in ("student", "login")}
        if self.word != ENGLISH and self.address:
            found |= {"name": self.header[1], "email": self.address}
        if "group" in self.header:
            found |= {"team": "group"}
        return found


def worksheet_of(
    header: Sequence[str], lines: Lines, headings: Sequence[str] = ()
) -> Worksheet | None:
    """The form of a table that is a worksheet; None for any other."""
    if len(header) < 2 or not lines:
        return None
    found = [NUMBERED.fullmatch(line[header[0]]) for _, line in lines]
    words = {(match[1], match[2]) for match in found if match}
    if len(words) != 1 or None in found:
        return None
    ((word, space),) = words
    address = next((name for name in header[1:] if _are_addresses(name, lines)), "")
    fields = tuple(tuple(line[name] for name in header) for _, line in lines)
    sheet = Worksheet(tuple(header), word, address, tuple(headings), fields)
    if word == ENGLISH:
        return sheet
    numbers = {match[3] for match in found if match}
    one_of_ours = header[0] in OURS or header[0] == "identifier"
    if any(number.startswith("0") for number in numbers) or len(numbers) != len(lines):
        return None
    if one_of_ours and not space and len(header) < MANY:
        return None  # a roster of one's own, whose students are called s1, s2
    return sheet if address else None


def _are_addresses(name: str, lines: Lines) -> bool:
    values = [line[name] for _, line in lines if line[name]]
    return bool(values) and all("@" in value for value in values)
