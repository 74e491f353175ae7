"""Whose row is it: the roster's person, the platform's id, or a name that nobody else has."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import replace

from course_lib.grading.submissions.found import Found, Submission
from course_lib.grading.submissions.names import Owner
from course_lib.grading.submissions.roster import Roster


def settle(found: Found, roster: Roster | None = None) -> Found:
    """One submission for each (student, exercise), under the name that its row has.

    Someone on the roster has the roster's name. Namesakes with ids of a platform are told apart by
    them: `leeann (22)`. Of several files of one owner the latest counts. Files that cannot be told
    apart become one row that says so.
    """
    named = [_on_roster(one, roster) for one in found.submissions]
    named = _tell_namesakes_apart(named)
    rows: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for one in named:
        rows[one.student, one.exercise].append(one)
    refused = list(found.refused)
    submissions = []
    for (student, exercise), several in rows.items():
        latest = max(several, key=lambda one: one.order)
        sources = {(one.lms_id, one.owner.source) for one in several if one.owner}
        if len(sources) > 1:
            latest = replace(latest, conflict=_conflict(several))
        elif len(several) > 1:
            refused.append(f"{student}: handed in {exercise} {len(several)} times; the last counts")
        submissions.append(latest)
    empty = [Owner(_row_of(owner, roster), owner.lms_id) for owner in found.empty]
    return Found(submissions, list(dict.fromkeys(empty)), refused)


def _on_roster(one: Submission, roster: Roster | None) -> Submission:
    return replace(one, student=_row_of(one.owner, roster)) if one.owner else one


def _row_of(owner: Owner, roster: Roster | None) -> str:
    person = roster.match(owner) if roster else None
    return person.student if person else owner.student


def _tell_namesakes_apart(all_of_them: list[Submission]) -> list[Submission]:
    ids: dict[Hashable, set[str]] = defaultdict(set)
    for one in all_of_them:
        if one.lms_id:
            ids[_namesake(one)].add(one.lms_id)
    return [
        replace(one, student=f"{one.student} ({one.lms_id})")
        if len(ids[_namesake(one)]) > 1
        else one
        for one in all_of_them
    ]


def _namesake(one: Submission) -> Hashable:
    """Canvas's ids are people's. Moodle numbers the same person anew in each assignment."""
    moodle = one.owner is not None and one.owner.platform == "moodle"
    return (one.student, one.exercise if moodle else "")


def _conflict(several: list[Submission]) -> str:
    places = sorted({one.owner.source or f"the id {one.lms_id}" for one in several if one.owner})
    return (
        f"Several places hold work of this name, and nothing says whose it is: "
        f"{', '.join(places)}. Keep one of them, or tell them apart with a roster."
    )
