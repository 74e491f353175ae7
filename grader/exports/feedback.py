"""`attn feedback`: the report pages in a zip, under the names by which a platform takes them back.

Both platforms read whose a file is from its name alone, and write that name into their download:

- Moodle reads the participant's number from the folder `<name>_<number>_assignsubmission_file_`
  (mod/assign/feedback/file/importziplib.php).
- Canvas reads the first two numbers between underscores, the user's and the handed-in file's, from
  `<name>_<user id>_<file id>_<file>`; without the second it ignores the file
  (Assignment#infer_comment_context_from_filename).

So a page has the name of the file that it answers, with `.html` for `.ipynb`.
"""

import io
import sys
import zipfile
from pathlib import Path

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import NOTEBOOK
from grader.exports import writable
from grader.gradebook.database import Gradebook, in_folder
from grader.gradebook.rows import Row, load_rows, write_bytes
from grader.message_parts import first_of
from grader.reports.student import report_page
from grader.submissions.platforms import path_of, place_of

FORMS = {
    "moodle": "<name>_<number>_assignsubmission_file_/<exercise>.ipynb",
    "canvas": "<name>_<user id>_<file id>_<exercise>.ipynb",
}
FOLDER = "_assignsubmission_file_"
MOST_SHOWN = 20
DATE = (1980, 1, 1, 0, 0, 0)  # the same pages make the same zip


def feedback(out: Path, platform: str, output: Path | None) -> int:
    """Write a zip for each exercise. Raises InputError where no row came from the platform."""
    with Gradebook(in_folder(out), to_read=True) as gradebook:
        rows = [row for row in load_rows(gradebook) if row.place]
    folder = output or out / "feedback"
    paths, unnamed = write(rows, platform, folder)
    for place in first_of([row.place for row in unnamed], MOST_SHOWN):
        print(f"not in the zip, as {platform} has not named it: {place}", file=sys.stderr)
    for path in paths:
        print(path)
    return 0


def write(rows: list[Row], platform: str, folder: Path) -> tuple[list[Path], list[Row]]:
    """`<platform>-<exercise>.zip` for each exercise, and the rows that the platform did not name.

    Args:
        rows: those with a file; who handed in nothing gets nothing back.
        platform: "moodle" or "canvas".
        folder: where the zips are written; made where it is not there.

    Raises:
        InputError: no row's file has the platform's id in its name, or the folder cannot be
            written.
    """
    name = {"moodle": moodle_name, "canvas": canvas_name}[platform]
    named = [(row, place) for row in rows if (place := name(row))]
    if not named:
        example = f", such as {rows[0].place!r}" if rows else ""
        raise InputError(
            f"No row has an id of {platform.title()}'s: its files are called "
            f"{FORMS[platform]!r}, and the graded ones are not{example}. Grade the zip as "
            f"{platform.title()} gave it, then run this again."
        )
    writable(folder)
    paths = []
    for exercise in sorted({row.exercise for row, _ in named}):
        paths.append(folder / f"{platform}-{exercise}.zip")
        pages = [(row, place) for row, place in named if row.exercise == exercise]
        write_bytes(paths[-1], _zipped(pages))
    with_name = {id(row) for row, _ in named}
    return paths, [row for row in rows if id(row) not in with_name]


def moodle_name(row: Row) -> str:
    """A row's page in Moodle's zip; "" where Moodle did not name its file, or the row's student has
    no number of Moodle's. Who shares a team's file has it under the own number."""
    parts = row.place.split("/")
    for start, part in enumerate(parts):
        inside = "/".join(parts[start:])
        place = place_of(inside, "moodle", path_of("moodle", ()))
        if place and row.lms_id and place.owner.id != row.lms_id:
            name = row.student.replace("_", " ").replace("/", " ")
            return f"{name}_{row.lms_id}{FOLDER}/{row.exercise}.html"
        if place and row.lms_id:
            flat = start == len(parts) - 1  # a download that is not in folders
            return _as_page(inside) if flat else f"{part}/{row.exercise}.html"
    return ""


def canvas_name(row: Row) -> str:
    """A row's page in Canvas's zip; "" where Canvas did not name its file."""
    file = row.place.rpartition("/")[2]
    place = place_of(file, "canvas", path_of("canvas", ()))
    return _as_page(file) if place and place.owner.id == row.lms_id else ""


def _as_page(file: str) -> str:
    return NOTEBOOK.sub("", file) + ".html"


def _zipped(pages: list[tuple[Row, str]]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for row, place in pages:
            entry = zipfile.ZipInfo(place, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, report_page(row).encode("utf-8", "replace"))
    return held.getvalue()
