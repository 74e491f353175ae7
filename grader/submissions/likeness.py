"""Who may be meant by a name that is on no roster: the likeliest of those who have nothing."""

import math
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import permutations

from grader.submissions.people import Person, folded, parts_of, plain

ENOUGH = 0.75
SHORTEST = 3  # letters of a part that says something by itself


def likeliest(name: str, people: Iterable[Person]) -> list[Person]:
    """The people whom a name is most like, or nobody: but for case, zeros and one letter, by parts
    of a name, or as a spreadsheet wrote a number."""
    likeness = {person: _likeness(name, person) for person in people}
    best = max(likeness.values(), default=0.0)
    return [one for one, like in likeness.items() if like == best >= ENOUGH]


def _likeness(name: str, person: Person) -> float:
    names = [*person.logins, person.full_name]
    if folded(name) in map(folded, names):
        return 1.0
    if any(_is_one_letter_away(folded(name), folded(other)) for other in names):
        return 0.95
    if any(_as_a_spreadsheet_writes(name, other) for other in names):
        return 0.9
    if _is_of_parts(plain(name), [*map(plain, person.full_name.split())]):
        return 0.85
    words = {part for one in names for part in parts_of(one) if len(part) >= SHORTEST}
    if parts_of(name) & words:
        return 0.8
    ratios = (SequenceMatcher(None, folded(name), folded(other)).ratio() for other in names)
    return max(ratios) * 0.79


def _is_one_letter_away(one: str, other: str) -> bool:
    """Whether a letter is another, lacks, is too many, or has changed places with the next."""
    if min(len(one), len(other)) < SHORTEST or abs(len(one) - len(other)) > 1:
        return False
    same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if same is None:
        return len(one) != len(other)
    a, b = one[same:], other[same:]
    return a[1:] in (b[1:], b) or a == b[1:] or (a[:2], a[2:]) == (b[1::-1], b[2:])


def _is_of_parts(name: str, parts: Sequence[str]) -> bool:
    """Whether a name is the beginnings of two parts of a full name: asmith, smithalex."""
    for first, second in permutations(parts, 2):
        for end in range(1, len(first) + 1):
            rest = name[end:]
            if name[:end] == first[:end] and len(rest) > 1 and second.startswith(rest):
                return True
    return False


def _as_a_spreadsheet_writes(text: str, number: str) -> bool:
    """Whether a text is a long number as a spreadsheet shows it: 1.2E+15."""
    digits, e, _ = text.upper().partition("E")
    if not (e and number.isdecimal() and number.isascii()):
        return False
    try:
        shown = float(text.replace(",", "."))
    except ValueError:
        return False
    places = len(digits.replace(",", ".").partition(".")[2])
    return math.isfinite(shown) and f"{float(number):.{places}E}" == f"{shown:.{places}E}"
