"""Whose row a file is: the one place where what a platform says of a file becomes a person, or a
line for a person to look at.

Identifiers come before names: an id, an address, a number or a login is somebody's alone, and a
name never takes a row that another identifier holds. Case, forms of a letter, first zeros and what
cannot be seen are folded where that leaves one person. Who is nobody on the roster has a row of
their own.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from grader.submissions.people import Person, forms_of, plain
from grader.submissions.platforms import Evidence, is_fit, plain_name, spelled_out
from grader.submissions.roster import Roster


class By(IntEnum):
    """How somebody was found; the higher, the surer."""

    NAME = 1  # which another may have, too
    FOLDED = 2  # by an identifier but for case, zeros or what cannot be seen
    ID = 3


@dataclass(frozen=True)
class Whose:
    """A row that a place's files are for; `row` is "" where they are nobody's until a person says
    so."""

    row: str
    why: str
    by: By = By.ID
    look: str = ""  # what a person should see of it
    id: str = ""  # the platform's, of the row's person
    others: str = ""  # who handed it in together with them


ANOTHER = "somebody else has this name: see whether they are one"
OTHER_NUMBER = "somebody on the worksheet has this name, with another number"
GROUP = (
    "it is in the place of a group, {0!r}, or of a number that is another's: give the roster a "
    "column team with this name, or write into the table whose it is"
)
MAY_BE_ONE_S = (
    "it is in the place of a group, {0!r}, and its number may be that of somebody who calls "
    "themselves so: give Moodle's worksheet as the roster, or write into the table whose it is"
)
Claim = tuple[Person | None, By]


def identify(found: Iterable[Evidence], roster: Roster | None) -> dict[Evidence, list[Whose]]:
    """Whose each place is. A group's place is several people's."""
    roster = roster or Roster([])
    places = list(dict.fromkeys(found))
    claims = {one: _claim(one, roster) for one in places}
    groups = {one: _group(one, claims, roster) for one in places}
    alone = {one: claims[one] for one in places if not groups[one]}
    rows = _rows(alone, roster)
    return {one: groups[one] or [rows[one]] for one in places}


def people_of(rows: Iterable[Evidence], roster: Roster) -> dict[str, Person]:
    """Who each row is, for an export: by the same rule. Who is nobody on the roster is
    left out."""
    claims = {row: _claim(row, roster) for row in rows}
    for row in claims:
        if named := roster.person(row.called):
            claims[row] = named, By.ID
    kept = _kept(claims)
    return {row.called: person for row, (person, _) in claims.items() if person and row in kept}


def _claim(one: Evidence, roster: Roster) -> Claim:
    """The person of the roster whom a place names, and how surely."""
    if one.platform == "moodle" and roster.ids["participant"]:
        person = roster.ids["participant"].get(one.id)
        return person if person and _is_called(person, one) else None, By.ID
    if found := {person for person in _by_ids(one, roster) if person}:
        return found.pop() if len(found) == 1 else None, By.ID
    if one.platform == "github" and roster.ids["github"]:
        return None, By.ID
    if one.login and (person := roster.logins.find(one.login)):
        return person, By.FOLDED
    person = _by_name(one, roster)
    return None if person and _is_another(person, one, roster) else person, By.NAME


def _by_ids(one: Evidence, roster: Roster) -> list[Person | None]:
    """The people whom the place's identifiers are of, letter for letter."""
    kind = "github" if one.platform == "github" and roster.ids["github"] else ""
    return [
        roster.ids["lms_id"].get(_user(one)),
        roster.ids["email"].get(one.email.casefold()) or roster.logins.exactly(one.email),
        roster.ids["sis_id"].get(one.number.casefold()),
        roster.logins.exactly(one.number),
        roster.ids[kind].get(one.login.casefold()) if kind else roster.logins.exactly(one.login),
    ]


def _user(one: Evidence) -> str:
    """The platform's own id of a person; Moodle's is one of an assignment, and Gradescope's the
    institution's."""
    return "" if one.platform in ("moodle", "gradescope") else one.id


def _by_name(one: Evidence, roster: Roster) -> Person | None:
    """The only person of this name, in the form in which the platform writes names."""
    if not one.name or (one.platform == "moodle" and not one.id):  # that is a group's
        return None
    if one.platform == "canvas":
        return roster.forms.get(plain(one.name))
    return roster.logins.exactly(one.name) or roster.full_names.get(plain(one.name))


def _is_another(person: Person, one: Evidence, roster: Roster) -> bool:
    """Whether an identifier of the place says that a namesake is not meant."""
    return bool(
        (_user(one) and person.lms_id)
        or (one.email and roster.ids["email"])
        or (one.number and person.sis_id)
        or (one.login and one.login != one.name and person.login)
    )


def _is_called(person: Person, one: Evidence) -> bool:
    """Whether a place on Moodle has the name of its number's person: a group's number is also
    another's, and so is that of another assignment. With blind marking there is no name."""
    blind = {plain(f"Participant {one.id}"), plain(person.word)}
    return not person.name or plain(one.called) in blind | forms_of(person.name)


def is_other_assignment(found: Iterable[Evidence], roster: Roster) -> bool:
    """Whether this is the worksheet of another assignment than the download: there Moodle numbers
    everybody anew, so that its people are there and none has the number."""
    theirs = [one for one in found if one.id]
    named = [one for one in theirs if plain(one.called) in roster.full_names]
    known = bool(roster.ids["participant"] and named)
    return known and not any(_claim(one, roster)[0] for one in theirs)


def _group(one: Evidence, claims: Mapping[Evidence, Claim], roster: Roster) -> list[Whose]:
    """The members of the group whose place it is on Moodle, or that a person must say whose; empty
    where it is no group's.

    A group's place looks like a person's, and its number may be a participant's, too. It is the
    group's for certain where it has no number, and where the worksheet is known and everybody of
    that number is in the download on their own.
    """
    members = roster.members(one.called)
    if one.platform != "moodle" or (claims[one][0] and not members):
        return []
    owner = roster.ids["participant"].get(one.id)
    if members:
        there = [*members, *(person for person, _ in claims.values())]
        may = owner not in there if owner else not roster.ids["participant"]
        if claims[one][0] or (one.id and may):
            return [Whose("", MAY_BE_ONE_S.format(one.called))]
        names = [person.student for person in members]
        why = f"moodle, of the group {one.called!r}"
        return [
            Whose(who.student, why, id=who.participant, others=_without(names, who.student))
            for who in members
        ]
    known = plain(one.called) in roster.full_names
    teams = any(person.team for person in roster.people)
    if not one.id or owner or (teams and not known):
        return [Whose("", GROUP.format(one.called))]
    return []


def _without(names: list[str], name: str) -> str:
    return ", ".join(other for other in names if other != name)


def _kept(claims: Mapping[Evidence, Claim]) -> set[Evidence]:
    """The places that have the row which they claim: all that an identifier gives it, else the only
    one of the surest kind."""
    theirs: dict[Person, list[tuple[By, Evidence]]] = defaultdict(list)
    for one, (person, by) in claims.items():
        if person:
            theirs[person].append((by, one))
    kept: set[Evidence] = set()
    for several in theirs.values():
        surest = max(by for by, _ in several)
        best = [one for by, one in several if by == surest]
        kept |= set(best) if surest == By.ID or len(best) == 1 else set()
    return kept


def _rows(claims: Mapping[Evidence, Claim], roster: Roster) -> dict[Evidence, Whose]:
    """The row of each place. Nobody else has a name of the roster's, and of several places that
    have one name each has a row of its own: who has it letter for letter keeps it, namesakes with
    ids of a platform are told apart by them, any other name is spelled out."""
    kept = _kept(claims)
    seen = {person.student for person in roster.people}
    rows: dict[Evidence, Whose] = {}
    strangers: dict[str, list[Evidence]] = defaultdict(list)
    for one, (person, by) in claims.items():
        if person and one in kept:
            how = {By.NAME: ", by the name", By.FOLDED: f", as {person.student!r}"}.get(by, "")
            why = f"{_platform(one)}, on the roster{how}"
            rows[one] = Whose(person.student, why, by, id=one.id)
        else:
            strangers[person.student if person else plain_name(one.called)].append(one)
    for name, several in strangers.items():
        best = [one for one in several if one.called == name] or several
        keeps = best[0] if len(best) == 1 and name not in seen and is_fit(name) else None
        for one in sorted(several, key=lambda one: one != keeps):
            rows[one] = _stranger(one, name, one == keeps, roster, seen)
            seen.add(rows[one].row)
    return rows


def _stranger(one: Evidence, name: str, keeps: bool, roster: Roster, seen: set[str]) -> Whose:
    """The row of somebody who is not on the roster, under a name that is nobody's yet."""
    why, row, look = _platform(one), name, ""
    if keeps:
        why += ", not on the roster" if roster.people else ""
    else:
        row = f"{name} ({one.id})" if one.id and is_fit(name) else spelled_out(one.called)
        why += f", told apart from {name!r}" if name else ""
        look = (OTHER_NUMBER if roster.ids["participant"] else ANOTHER) if name else ""
    if not is_fit(row) or (row in seen and not keeps):
        mark = hashlib.sha256(one.place.encode("utf-8", "replace")).hexdigest()[:6]
        row = f"{plain_name(row)[:60].strip(' .')} <{mark}>".strip()
    return Whose(row, why, look=look, id=one.id)


def _platform(one: Evidence) -> str:
    return one.platform + (f", id {one.id}" if one.id else "")
