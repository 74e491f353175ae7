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
    empty = [replace(owner, student=_row_of(owner, roster)) for owner in found.empty]
    named, empty = _tell_namesakes_apart(named, empty)
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
    empty = [Owner(owner.student, owner.lms_id) for owner in empty]
    return Found(submissions, list(dict.fromkeys(empty)), refused)


def _on_roster(one: Submission, roster: Roster | None) -> Submission:
    return replace(one, student=_row_of(one.owner, roster)) if one.owner else one


def _row_of(owner: Owner, roster: Roster | None) -> str:
    person = roster.match(owner) if roster else None
    return person.student if person else owner.student


def _tell_namesakes_apart(
    submissions: list[Submission], empty: list[Owner]
) -> tuple[list[Submission], list[Owner]]:
    """Both with the platform's id behind each name that several people have. Who handed in nothing
    counts, too: else the row of a namesake would stand for both."""
    exercises = {one.exercise for one in submissions}
    only = exercises.pop() if len(exercises) == 1 else ""
    owners = [one.owner or Owner(one.student, one.lms_id) for one in submissions]
    whose = [
        *(_namesake(o, s.student, s.exercise) for o, s in zip(owners, submissions, strict=True)),
        *(_namesake(owner, owner.student, only) for owner in empty),
    ]
    ids: dict[Hashable, set[str]] = defaultdict(set)
    for key, one in zip(whose, [*submissions, *empty], strict=True):
        if one.lms_id and key is not None:
            ids[key].add(one.lms_id)
    named = [
        replace(one, student=f"{one.student} ({one.lms_id})")
        if one.lms_id and len(ids[key]) > 1
        else one
        for key, one in zip(whose, [*submissions, *empty], strict=True)
    ]
    return named[: len(submissions)], named[len(submissions) :]


def _namesake(owner: Owner, student: str, exercise: str) -> Hashable:
    """What namesakes share. Canvas's ids are people's. Moodle numbers the same person anew in each
    assignment, so nothing is known where no exercise is."""
    if owner.platform != "moodle":
        return student, ""
    return (student, exercise) if exercise else None


def _conflict(several: list[Submission]) -> str:
    places = sorted({one.owner.source or f"the id {one.lms_id}" for one in several if one.owner})
    return (
        f"Several places hold work of this name, and nothing says whose it is: "
        f"{', '.join(places)}. Keep one of them, or tell them apart with a roster."
    )
