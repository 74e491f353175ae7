"""Grades as tables: Canvas, Moodle, nbgrader, plain CSV, and the ranking of a capstone."""

import re
from pathlib import Path

from grader.exports.who import check_once, people
from grader.gradebook.rows import GRADES, Row, grade_columns, write_grades, write_text
from grader.submissions.people import Person
from grader.submissions.roster import Roster
from grader.submissions.table import as_csv
from grader.submissions.worksheet import ENGLISH

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("Identifier", "ID number", "Full name", "Email address")
MODIFIED = "Last modified (grade)"  # without this column Moodle refuses the whole worksheet
WORKSHEET = ("Identifier", "Full name", "Email address", "Grade", "Maximum grade", MODIFIED)
NBGRADER = (  # of its own `nbgrader export`
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
    "raw_score", "late_submission_penalty", "score", "max_score",
)  # fmt: skip
TASKS = ("student", "name", "exercise", "task", "score", "max_score", "status", "mistake")
RANKING = ("place", "who", "exercise", "task", "bleu", "measured")
BLEU = re.compile(r"BLEU (\d+\.\d)\b")
LETTERS = 8


def write_canvas(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`canvas.csv`, ready for *Grades › Import*: lines are students, columns exercises.

    Canvas matches a column by its header: write `<name> (<assignment id>)` for an assignment that
    exists; a header that it does not know makes a new assignment.
    """
    columns = grade_columns(rows)
    lines: list[tuple] = [("Points Possible", *[""] * 4, *(points for _, points, _ in columns))]
    named = people(rows, roster)
    ids = {student: (p.lms_id, p.sis_id, p.login or student) for student, p in named.items()}
    check_once("canvas.csv", ids.items())
    for student, who in named.items():
        identity = (who.full_name, *ids[student], who.section)
        lines.append((*identity, *(grades.get(student) for *_, grades in columns)))
    return _write(folder / "canvas.csv", (*CANVAS, *(header for header, *_ in columns)), lines)


def write_moodle(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`moodle.csv` for *Grades › Import › CSV file*; for each assignment whose participants are
    known a `worksheet-<exercise>.csv` for *Upload grading worksheet*.

    An empty identifier is never written: in the version we read, its grade goes to the student of
    the line before. A student whom the roster does not know has the row's name as identifier.

    The number in a Moodle folder's name is a participant's in that one assignment. Moodle would
    match it with another student's ID number, so it stands only where Moodle itself writes it: in
    the assignment's worksheet, as "Participant 101". There the time of a grade is left empty: so
    Moodle overwrites none that it has, unless told to allow it.
    """
    columns = grade_columns(rows)
    lines = []
    named = people(rows, roster)
    ids = {student: (p.login or p.student, p.sis_id or p.student) for student, p in named.items()}
    check_once("moodle.csv", ((who, (*ids[who], named[who].email)) for who in named))
    for student, who in named.items():
        grades = (grades.get(student) for *_, grades in columns)
        lines.append((*ids[student], who.full_name, who.email or "unknown", *grades))
    header = (*MOODLE, *(header for header, *_ in columns))
    paths = _write(folder / "moodle.csv", header, lines)
    for exercise in sorted({row.exercise for row in rows if row.max_score and row.lms_id}):
        lines = [
            (f"Participant {number}", who.full_name, who.email, row.total, row.max_total, "")
            for row, number, who in participants(rows, roster, exercise)
        ]
        name, sheet = folder / f"worksheet-{exercise}.csv", roster.worksheet
        theirs = {number: row.total for row, number, _ in participants(rows, roster, exercise)}
        known = {person.participant for person in roster.people}
        if sheet and sheet.word != ENGLISH and sheet.grade and theirs.keys() <= known:
            paths += _write(name, sheet.headings, sheet.filled(theirs))
        else:
            paths += _write(name, WORKSHEET, lines)
    return paths


def participants(rows: list[Row], roster: Roster, exercise: str) -> list[tuple[Row, str, Person]]:
    """Each row of an exercise with its participant's number: the download's, and where nothing was
    handed in the worksheet's, if that is of the same assignment."""
    theirs = [row for row in rows if row.exercise == exercise]
    known = {person.participant for person in roster.people if person.participant}
    same = {row.lms_id for row in theirs if row.lms_id} <= known
    named = people(rows, roster)
    found = []
    for row in theirs:
        who = named[row.student]
        number = row.lms_id or (who.participant if same and row.score is not None else "")
        found += [(row, number, who)] if number else []
    check_once(f"worksheet-{exercise}.csv", ((row.student, [number]) for row, number, _ in found))
    return found


def write_nbgrader(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`nbgrader.csv`, with every field that needs it quoted."""
    lines = []
    named = people(rows, roster)
    check_once("nbgrader.csv", ((student, [who.student]) for student, who in named.items()))
    for row in rows:
        who = named[row.student]
        first, _, last = who.full_name.rpartition(" ")
        identity = (who.student, who.last_name or last, who.first_name or first, who.email)
        grades = (row.total, 0, row.total, row.max_total)
        lines.append((row.exercise, "", "", *identity, *grades))
    return _write(folder / "nbgrader.csv", NBGRADER, lines)


def write_csv(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`grades.csv`, and `tasks.csv` with one line for each task."""
    write_grades(folder / GRADES, rows)
    named = people(rows, roster)
    lines = [
        (
            row.student,
            named[row.student].full_name,
            row.exercise,
            task["name"],
            task["score"],
            task["max_score"],
            task["status"],
            task["mistake"],
        )
        for row in rows
        for task in row.tasks
    ]
    return [folder / GRADES, *_write(folder / "tasks.csv", TASKS, lines)]


def write_ranking(rows: list[Row], roster: Roster, folder: Path) -> list[Path]:
    """`ranking.csv` for the class to see: a place, a pseudonym and what a capstone measured, best
    first within each exercise; who broke a limit has no place.

    A pseudonym is drawn from the file that was graded, so it says nothing of its author, whose own
    report shows it: the first letters of the file's SHA-256. With a roster the names stand there.
    """
    found = []
    named = people(rows, roster)
    for row in rows:
        for task in row.tasks:
            measured = BLEU.match(task.get("summary", ""))
            limits = all(case["passed"] for case in task["cases"] if case.get("required"))
            if measured and limits:
                who = named[row.student].full_name if roster.people else row.sha[:LETTERS]
                found.append((float(measured[1]), who, row.exercise, task["name"], task["summary"]))
    found.sort(key=lambda one: (one[2], -one[0], one[1]))
    lines = []
    for bleu, who, exercise, task, measured in found:
        better = sum(one[0] > bleu for one in found if one[2] == exercise)
        lines.append((better + 1, who, exercise, task, bleu, measured))
    return _write(folder / "ranking.csv", RANKING, lines)


def _write(path: Path, columns: tuple[str, ...], lines: list[tuple]) -> list[Path]:
    write_text(path, as_csv(columns, lines))
    return [path]
