"""What is said once a class is graded: of its policy, of who is on the roster, and of the rows that
were there before."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from grader.gradebook.heard import Heard
from grader.gradebook.policy import Policy
from grader.gradebook.rows import Row
from grader.message_parts import first_of, guess
from grader.submissions.class_table import Line
from grader.submissions.likeness import likeliest
from grader.submissions.people import Person, folded
from grader.submissions.roster import Roster


def without_hold(policy: Policy, rows: list[Row], roster: Roster | None) -> Iterator[str]:
    """What of the class's policy has no hold: an extension in nobody's name, work of no date."""
    students = {row.student for row in rows} | {
        p.student for p in (roster.people if roster else ())
    }
    for line in policy.exceptions:
        if line.student not in students:
            near = guess(line.student, students)
            yield f"exceptions: there is no student {line.student!r}.{near}"
    no_date = [row for row in rows if row.exercise in policy.due and row.sha and not row.date]
    if no_date:
        yield (
            f"{len(no_date)} files have a due date and no date of their own (Canvas and GitHub "
            "write none): they count as in time."
        )


def changed_scores(before: list[Row], rows: list[Row]) -> list[str]:
    """The rows that were there and have another score now, also the first one that counts; and
    those with other marks. Each is said apart: a total waits for the last mark."""
    known = {(row.student, row.exercise): row for row in before}
    lines = []
    for row in rows:
        if was := known.get((row.student, row.exercise)):
            for what, old, new in (("", was.score, row.score), ("marks ", was.marked, row.marked)):
                words = ["none" if one is None else one for one in (old, new)]
                changed = f"{row.student}, {row.exercise}: {what}{words[0]} → {words[1]}"
                lines += [changed] if old != new else []
    return lines


def what_to_hear(
    known: Heard, before: list[Row], rows: list[Row], lines: Sequence[Line], roster: Roster | None
) -> Heard:
    """What a person should hear first after a run over a table's lines. What is known of exercises
    that the run is not about stays."""
    exercises = {line.exercise for line in lines if line.student and line.exercise}
    off = {row: note for row, note in known.off_roster.items() if not _is_about(row, exercises)}
    nothing = {stem: who for stem, who in known.nothing.items() if stem not in exercises}
    for stem in sorted(exercises) if roster else ():
        theirs = [row for row in rows if row.exercise == stem and not row.is_empty]
        have = {row.student for row in theirs}
        without = [one for one in roster.people if one.student not in have] if roster else []
        nothing[stem] = [one.student for one in without]
        for row in theirs:
            if roster and not roster.has(row.student):
                off[f"{row.student}/{stem}"] = _perhaps(row.student, without)
    nobody_s = [f"{line.path}: {line.why}" for line in lines if line.path and not line.student]
    changed = changed_scores(before, rows)
    return Heard(off, nothing, changed, nobody_s, alike(rows, roster))


def _is_about(row: str, exercises: Collection[str]) -> bool:
    return row.rpartition("/")[2] in exercises


def _perhaps(name: str, people: Sequence[Person]) -> str:
    """Who of those with nothing may be meant."""
    found = [
        one.student + (f" ({one.full_name})" if one.full_name != one.student else "")
        for one in likeliest(name, people)
    ]
    return f"perhaps {' or '.join(found)}, who has nothing" if found else "like nobody's name there"


def alike(rows: Sequence[Row], roster: Roster | None) -> list[str]:
    """Names of rows that differ in nothing but what platforms and spreadsheets change."""
    names: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        names[folded(row.student)].add(row.student)
    found = [sorted(several) for several in names.values() if len(several) > 1]
    return [
        f"{' and '.join(map(repr, several))} differ in case, zeros or signs that cannot be seen"
        for several in sorted(found)
        if not (roster and all(map(roster.has, several)))
    ]


def heard_in_words(heard: Heard, exercises: Collection[str], most: int) -> Iterator[str]:
    """The lines of the screen on who is on the roster, for some exercises."""
    for stem in sorted(exercises):
        off = {
            row.rpartition("/")[0]: note
            for row, note in heard.off_roster.items()
            if _is_about(row, [stem])
        }
        if off:
            listed = "; ".join(first_of([f"{who}, {note}" for who, note in off.items()], most))
            yield f"{stem}: {len(off)} {_rows(len(off))} on no roster: {listed}"
        if nothing := heard.nothing.get(stem):
            have = "has" if len(nothing) == 1 else "have"
            listed = ", ".join(first_of(nothing, most))
            yield f"{stem}: {len(nothing)} of the roster {have} nothing: {listed}"
    yield from heard.alike


def _rows(count: int) -> str:
    return "row is" if count == 1 else "rows are"
