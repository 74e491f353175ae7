"""Whose row is it: the roster's person, or a name that nobody else has."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from grader.submissions.platforms import Owner, is_fit, plain_name, spelled_out
from grader.submissions.roster import Person, Roster


def rows_of(owners: Iterable[Owner], roster: Roster | None = None) -> dict[Owner, tuple[str, str]]:
    """The row of each place that a platform names, and why it is that one.

    Someone on the roster has the roster's name, and nobody else has. Of several places that claim
    one name each has a row of its own: who has the name letter for letter keeps it, namesakes with
    ids of a platform are told apart by them, any other name is spelled out.
    """
    claims: dict[str, list[tuple[Owner, Person | None]]] = defaultdict(list)
    for owner in dict.fromkeys(owners):
        person = roster.match(owner) if roster else None
        claims[person.student if person else plain_name(owner.student)].append((owner, person))
    taken = {person.student for person in roster.people} if roster else set[str]()
    rows: dict[Owner, tuple[str, str]] = {}
    for name, claimed in claims.items():
        on_roster = [owner for owner, person in claimed if person]
        literal = [owner for owner, _ in claimed if owner.student == name and not on_roster]
        best = on_roster or literal or [owner for owner, _ in claimed]
        keeps = best[0] if len(best) == 1 and (on_roster or name not in taken) else None
        for owner, person in claimed:
            why = owner.platform + (f", id {owner.id}" if owner.id else "")
            if owner == keeps and is_fit(name):
                on = (
                    "" if roster is None else ", on the roster" if person else ", not on the roster"
                )
                rows[owner] = (name, why + on)
            else:
                other = f"{name} ({owner.id})" if owner.id and is_fit(name) else ""
                other = other or spelled_out(owner.student)
                rows[owner] = (other, f"{why}, told apart from {name!r}" if name else why)
    return _each_its_own(rows, taken)


def _each_its_own(
    rows: dict[Owner, tuple[str, str]], taken: set[str]
) -> dict[Owner, tuple[str, str]]:
    """The rows with a mark behind each name that another place has, or that can be no folder's."""
    seen: dict[str, Owner] = {}
    for owner, (name, why) in rows.items():
        if not is_fit(name) or name in seen or (name in taken and "on the roster" not in why):
            mark = hashlib.sha256(owner.place.encode("utf-8", "replace")).hexdigest()[:6]
            name = f"{plain_name(name)[:60].strip(' .')} <{mark}>".strip()
        seen[name] = owner
        rows[owner] = (name, why)
    return rows
