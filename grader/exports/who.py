"""Who each row is for another system: a person of the roster, by the rule that grading has, too."""

from collections.abc import Iterable, Sequence

from course_lib.checker.errors import InputError
from grader.gradebook.rows import Row
from grader.submissions.identity import people_of
from grader.submissions.people import Person, folded
from grader.submissions.platforms import Evidence, platform_of
from grader.submissions.roster import Roster


def people(rows: Iterable[Row], roster: Roster) -> dict[str, Person]:
    """The person of each student; one whom the roster does not have is known by nothing but the
    row's name and Canvas's id."""
    said: dict[str, Evidence] = {}
    for row in rows:
        known = said.get(row.student)
        if known is None or not (known.id or known.number):
            said[row.student] = _evidence(row)
    found = people_of(said.values(), roster)
    return {who: found.get(who) or Person(who, lms_id=one.id) for who, one in said.items()}


def _evidence(row: Row) -> Evidence:
    """What a row says. Moodle's number is a participant's of one assignment, and says nothing in
    another."""
    platform = platform_of(row.place)
    ids = {"canvas": {"id": row.lms_id}, "": {"id": row.lms_id}}
    ids["gradescope"] = {"email" if "@" in row.lms_id else "number": row.lms_id}
    form = "canvas" if platform == "canvas" else ""
    given = ids.get(platform, {})
    return Evidence(row.student, form, login=row.student, name=row.student, **given)


def check_once(table: str, ids: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Raises InputError where two rows have one id, in the same column: the platform would take
    both for one person, and keep either's grade."""
    seen: dict[tuple[int, str], str] = {}
    for student, values in ids:
        for column, value in enumerate(values):
            first = seen.setdefault((column, folded(value)), student) if value else student
            if first != student:
                raise InputError(
                    f"{table} was not written: the rows {first!r} and {student!r} both have "
                    f"{value!r}, and would be one person there. Give up the wrong row with "
                    "attn grade … --forget, or correct the roster."
                )
