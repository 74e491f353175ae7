"""`attn marks`: points that a person gave for written answers, out of a table, into the gradebook.

All of a table is taken or nothing of it. A line without points is one that is not marked yet.
"""

import getpass
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import field
from course_lib.checker.tasks.task import Exercise, as_points
from grader.gradebook.answers_and_marks import Key, Mark, find_marks, keep_marks
from grader.gradebook.database import in_folder
from grader.gradebook.rows import GRADES, Row, load_rows
from grader.message_parts import first_of, guess
from grader.pipeline.run import open_gradebook, write_pages
from grader.reports.marking_pages import COLUMNS, code_of
from grader.submissions.people import Names
from grader.submissions.table import decimal, read_table

NEEDED = ("student", "exercise", "item", "points")
MAX_COMMENT = 3_000  # characters
MOST_SHOWN = 20
Given = tuple[Key, str, Mark]  # whose it is, the question, the mark


def merge_marks(out: Path, file: Path, by: str, exercises: Mapping[str, Exercise]) -> int:
    """Merge a table of marks into the gradebook and write its pages anew. Raises InputError, with
    the lines, when any of it cannot be used: then nothing is merged."""
    in_folder(out)
    _, lines = read_table(file, "The table of marks", NEEDED, COLUMNS)
    marker = by or _login()
    with open_gradebook(out) as gradebook:
        rows = load_rows(gradebook)
        marks, problems, changed = check_lines(lines, rows, exercises, gradebook.secret)
        if problems:
            listed = "\n  ".join(first_of(problems, MOST_SHOWN))
            raise InputError(f"Nothing of {str(file)!r} was merged:\n  {listed}")
        fresh = [(key, item, replace(m, marker=marker)) for key, item, m in marks]
        known = find_marks(gradebook)
        fresh = [(k, item, m) for k, item, m in fresh if _is_new(m, known[k].get(item))]
        keep_marks(gradebook, fresh)
        write_pages(out, gradebook, exercises)
        rows = load_rows(gradebook)
    left = sum(row.to_mark for row in rows)
    changed += _contested(rows, {(key, item) for key, item, _ in fresh})
    for line in first_of(changed, MOST_SHOWN):
        print(f"attn: {line}", file=sys.stderr)
    print(f"{len(marks)} marks merged; {left} written answers are not marked yet.")
    print(f"Grades: {out / GRADES}")
    return 0


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return ""


def _is_new(mark: Mark, known: Mark | None) -> bool:
    """A table holds the marks that are known, also another marker's: those say nothing new."""
    return known is None or any(
        getattr(mark, part) != getattr(known, part) for part in ("points", "comment", "sha")
    )


def _contested(rows: list[Row], fresh: set[tuple[Key, str]]) -> Iterator[str]:
    """Of what was merged now: two marks for one answer, with who gave them and when."""
    for row in rows:
        for item, mark in row.marks.items():
            if mark.dispute and ((row.student, row.exercise), item) in fresh:
                yield f"{row.student}, {row.exercise}, {item}: {mark.dispute}"


def check_lines(
    lines: list[tuple[int, dict[str, str]]],
    rows: list[Row],
    exercises: Mapping[str, Exercise],
    secret: bytes,
) -> tuple[list[Given], list[str], list[str]]:
    """The marks of a table, what is wrong with it line by line, and which marked files have
    changed since."""
    known = {(row.student, row.exercise): row for row in rows}
    students = {code_of(secret, row.student): row.student for row in rows}
    students |= {row.student: row.student for row in rows}
    names = Names((student, student) for student in {row.student for row in rows})
    students |= {field(row.student): row.student for row in rows}  # as our table has it
    marks: dict[tuple[Key, str], Given] = {}
    first: dict[tuple[Key, str], int] = {}
    problems, changed = [], []
    for number, fields in lines:
        named = fields["student"]  # a code where marking is anonymous: it stays one
        student = students.get(named) or names.find(named) or ""
        key, item = (student, fields["exercise"]), fields["item"]
        try:
            _check_whose(fields, key, known, exercises)
            points = _points(fields, exercises[key[1]])
            if points is None:
                continue
            if (line := first.setdefault((key, item), number)) != number:
                raise ValueError(f"{named} has points for {item} in line {line} already.")
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        sha = fields.get("submission_sha256") or known[key].sha
        if sha != known[key].sha:
            sentence = f"{named} has handed in {key[1]} anew since this was marked"
            changed.append(f"line {number}: {sentence}.")
        comment = fields.get("comment", "")[:MAX_COMMENT]
        marks[key, item] = (key, item, Mark(points, comment, sha))
    return list(marks.values()), problems, changed


def _check_whose(
    fields: dict[str, str], key: Key, known: dict[Key, Row], exercises: Mapping[str, Exercise]
) -> None:
    """Raises ValueError for a line's student, exercise or item that there is not."""
    name, stem, item = (fields[part] for part in NEEDED[:3])
    if stem not in exercises:
        raise ValueError(f"the course has no exercise {stem!r}.")
    items = [one.name for one in exercises[stem].written]
    if item not in items:
        there = f"there are {', '.join(items)}" if items else "it has none"
        raise ValueError(f"{stem} has no written answer {item!r}; {there}.")
    if key not in known:
        names = [row.student for row in known.values() if row.exercise == stem]
        sentence = f"the gradebook has no row of {name!r} for {stem}."
        raise ValueError(sentence + guess(name, names))


def _points(fields: dict[str, str], exercise: Exercise) -> int | float | None:
    """The points of a line; None for none yet. Raises ValueError for what is no such number."""
    if not (text := fields["points"]):
        return None
    (most,) = [one.points for one in exercise.written if one.name == fields["item"]]
    if 0 <= (points := decimal(text)) <= most:
        return as_points(points)
    raise ValueError(f"points are {text!r}; a number from 0 to {most} is needed.")
