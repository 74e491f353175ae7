"""`attn marks`: points that a person gave for written answers, out of a table, into the gradebook.

All of a table is taken or nothing of it. A line without points is one that is not marked yet.
"""

import difflib
import getpass
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.escape import one_line
from course_lib.checker.say.report import as_points
from course_lib.checker.tasks.task import Exercise
from grader.gradebook.database import in_folder
from grader.gradebook.rows import GRADES, Row, load_rows
from grader.gradebook.written import Key, Mark, find_marks, keep_marks
from grader.pipeline.run import open_gradebook, write_pages
from grader.reports.written import COLUMNS, code_of
from grader.submissions.table import read_table

NEEDED = ("student", "exercise", "item", "points")
MAX_COMMENT = 3_000  # characters
MOST_SHOWN = 20
Line = tuple[int, Key, str, Mark]  # the line's number, whose it is, the question, the mark


def merge_marks(out: Path, file: Path, by: str, exercises: dict[str, Exercise]) -> int:
    """Merge a table of marks into the gradebook and write its pages anew. Raises InputError, with
    the lines, when any of it cannot be used: then nothing is merged."""
    in_folder(out)
    lines = read_marks(file)
    marker = by or _login()
    with open_gradebook(out) as gradebook:
        rows = load_rows(gradebook)
        marks, problems, changed = check_lines(lines, rows, exercises, gradebook.secret)
        if problems:
            raise InputError(_refusal(file, problems))
        fresh = [(key, item, replace(m, marker=marker)) for _, key, item, m in marks]
        known = find_marks(gradebook)
        fresh = [(k, item, m) for k, item, m in fresh if _is_new(m, known[k].get(item))]
        keep_marks(gradebook, fresh)
        write_pages(out, gradebook, exercises)
        rows = load_rows(gradebook)
    left = sum(row.to_mark for row in rows)
    changed += _contested(rows, {(key, item) for key, item, _ in fresh})
    for line in changed[:MOST_SHOWN]:
        print(f"attn: {one_line(line)}", file=sys.stderr)
    if len(changed) > MOST_SHOWN:
        print(f"attn: … and {len(changed) - MOST_SHOWN} more", file=sys.stderr)
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
            if mark.contested and ((row.student, row.exercise), item) in fresh:
                others = "; ".join(one.in_words for one in mark.contested)
                words = f"{mark.in_words}, counts; before: {others}"
                yield f"{row.student}, {row.exercise}, {item}: {words}"


def read_marks(path: Path) -> list[tuple[int, dict[str, str]]]:
    """(line number, fields by column) of each line. Raises InputError when it is no such table."""
    header, lines = read_table(path, "The table of marks")
    header = [name.casefold() for name in header]
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise InputError(
            f"The table of marks {str(path)!r} has no column {', '.join(missing)} in line 1. The "
            f"columns are those of the table that `attn grade` writes: {', '.join(COLUMNS)}."
        )
    for number, fields in lines:
        if any(fields[len(header) :]):  # points of 1,5 without quotes are two fields: 1 and 5
            raise InputError(
                f"The table of marks {str(path)!r} has {len(fields)} fields in line {number} and "
                f"{len(header)} columns. Put quotes around what has a comma. Nothing was merged."
            )
    return [(number, dict(zip(header, fields, strict=False))) for number, fields in lines]


def check_lines(
    lines: list[tuple[int, dict[str, str]]],
    rows: list[Row],
    exercises: dict[str, Exercise],
    secret: bytes,
) -> tuple[list[Line], list[str], list[str]]:
    """The marks of a table, what is wrong with it line by line, and which marked files have
    changed since."""
    known = {(row.student, row.exercise): row for row in rows}
    students = {code_of(secret, row.student): row.student for row in rows}
    students |= {"'" + row.student: row.student for row in rows}  # as a spreadsheet is told
    students |= {row.student: row.student for row in rows}
    marks: dict[tuple[Key, str], Line] = {}
    problems, changed = [], []
    for number, fields in lines:
        named = fields.get("student", "")  # a code where marking is anonymous: it stays one
        student = students.get(named, "")
        key = (student, fields.get("exercise", ""))
        item = fields.get("item", "")
        problem = _whose(fields, student, known, exercises)
        points = None if problem else _points(fields, exercises[key[1]])
        if points is None and not problem:
            continue  # not marked yet
        problem = problem or (points if type(points) is str else "")
        if not problem and (key, item) in marks:
            earlier = marks[key, item][0]
            problem = f"{named} has points for {item} in line {earlier} already"
        if problem:
            problems.append(f"line {number}: {problem}.")
            continue
        sha = fields.get("submission_sha256") or known[key].sha
        if sha != known[key].sha:
            sentence = f"{named} has handed in {key[1]} anew since this was marked"
            changed.append(f"line {number}: {sentence}.")
        comment = fields.get("comment", "")[:MAX_COMMENT]
        marks[key, item] = (number, key, item, Mark(points, comment, sha))
    return list(marks.values()), problems, changed


def _whose(
    fields: dict[str, str], student: str, known: dict[Key, Row], exercises: dict[str, Exercise]
) -> str:
    """What is wrong with a line's student, exercise or item; "" when nothing is."""
    name, stem, item = (fields.get(part, "") for part in NEEDED[:3])
    if stem not in exercises:
        return f"the course has no exercise {stem!r}"
    items = [one.name for one in exercises[stem].written]
    if item not in items:
        there = f"there are {', '.join(items)}" if items else "it has none"
        return f"{stem} has no written answer {item!r}; {there}"
    if (student, stem) not in known:
        names = [row.student for row in known.values() if row.exercise == stem]
        close = difflib.get_close_matches(name, names, 1)
        guess = f" (did you mean {close[0]!r}?)" if close else ""
        return f"the gradebook has no row of {name!r} for {stem}{guess}"
    return ""


def _points(fields: dict[str, str], exercise: Exercise) -> int | float | str | None:
    """The points of a line; None for none, or a sentence on what is wrong with them."""
    text = fields.get("points", "")
    if not text:
        return None
    (most,) = [one.points for one in exercise.written if one.name == fields["item"]]
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = -1.0
    if 0 <= points <= most:
        return as_points(points)
    return f"points are {text!r}; a number from 0 to {most} is needed"


def _refusal(path: Path, problems: list[str]) -> str:
    more = len(problems) - MOST_SHOWN
    lines = [*problems[:MOST_SHOWN], *([f"… and {more} more lines."] if more > 0 else [])]
    return f"Nothing of {str(path)!r} was merged:\n" + "\n".join(f"  {line}" for line in lines)
