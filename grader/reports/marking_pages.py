"""What a person marks: all written answers of a class beside the rubric, and a table to fill in."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from course_lib.checker.escape import render
from course_lib.checker.tasks.task import Exercise, Written
from grader.gradebook.answers_and_marks import find_answers
from grader.gradebook.database import Gradebook
from grader.gradebook.rows import Row, write_text
from grader.submissions.table import as_csv

TEMPLATE = Path(__file__).parent / "templates" / "written.html.j2"
FOLDER = "written"
COLUMNS = ("student", "exercise", "item", "points", "max_points", "comment", "submission_sha256")
ANONYMOUS = "anonymous"  # the setting: "yes" when names are left out


def code_of(secret: bytes, student: str) -> str:
    """What stands for a student where names are left out: it tells nothing without the gradebook's
    key, and is the same at every run."""
    digest = hmac.digest(secret, f"written\0{student}".encode(), hashlib.sha256)
    return f"anon-{digest.hex()[:10]}"


def write_written(
    out: Path, gradebook: Gradebook, rows: Sequence[Row], exercises: Mapping[str, Exercise]
) -> list[Path]:
    """Write `written/<exercise>.html` and `.csv` for each exercise with written answers.

    A table that somebody has begun to fill in is never overwritten: the new one then has the name
    `<exercise>.new.csv`. Marks that are known stand in it already.
    """
    paths = []
    for stem, exercise in exercises.items():
        theirs = [row for row in rows if row.exercise == stem and row.questions and row.sha]
        if theirs:
            (out / FOLDER).mkdir(mode=0o700, exist_ok=True)
            entries = _entries(gradebook, theirs)
            place = out / FOLDER / f"{stem}.html"
            write_text(place, written_page(exercise, entries))
            paths += [place, _write_table(out / FOLDER, gradebook, exercise, entries)]
    return paths


def _entries(gradebook: Gradebook, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each row with the name it is shown under; without names, in an order that tells nothing."""
    anonymous = gradebook.setting(ANONYMOUS) == "yes"
    entries = [
        {
            "name": code_of(gradebook.secret, row.student) if anonymous else row.student,
            "row": row,
            "answers": find_answers(gradebook, row.sha, row.exercise),
        }
        for row in rows
    ]
    return sorted(entries, key=lambda entry: entry["name"])


def written_page(exercise: Exercise, entries: Sequence[dict[str, Any]]) -> str:
    """The whole page of one exercise: each question with its rubric, then the answers, those that
    are not marked first."""
    return render(
        TEMPLATE,
        title=f"{exercise.stem}: written answers",
        stem=exercise.stem,
        count=len(entries),
        left=sum(entry["row"].to_mark for entry in entries),
        questions=[_question(item, entries) for item in exercise.written],
    )


def _question(item: Written, entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    answers = [
        {
            "name": entry["name"],
            "text": entry["answers"].get(item.name, ""),
            "mark": entry["row"].marks.get(item.name),
            "changed": item.name in entry["row"].marked_before,
        }
        for entry in entries
    ]
    answers.sort(key=lambda answer: answer["mark"] is not None and not answer["changed"])
    return {"item": item, "answers": answers}


def _write_table(
    folder: Path, gradebook: Gradebook, exercise: Exercise, entries: Sequence[dict[str, Any]]
) -> Path:
    lines = []
    for entry in entries:
        row = entry["row"]
        for item in exercise.written:
            mark = None if item.name in row.marked_before else row.marks.get(item.name)
            given = (mark.points, item.points, mark.comment) if mark else ("", item.points, "")
            lines.append((entry["name"], exercise.stem, item.name, *given, row.sha))
    text = as_csv(COLUMNS, lines)
    place = folder / f"{exercise.stem}.csv"
    ours = gradebook.setting(f"table {exercise.stem}")
    if place.exists() and hashlib.sha256(place.read_bytes()).hexdigest() != ours:
        place = folder / f"{exercise.stem}.new.csv"  # somebody fills in the other one
    else:
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        gradebook.set_setting(f"table {exercise.stem}", digest)
    write_text(place, text)
    return place
