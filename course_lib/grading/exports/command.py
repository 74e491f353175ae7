"""`attn export` behind its arguments."""

from course_lib.grading.errors import InputError
from course_lib.grading.exports import FORMATS
from course_lib.grading.exports.folder import writable
from course_lib.grading.gradebook.database import DATABASE, Gradebook
from course_lib.grading.gradebook.rows import load_rows
from course_lib.grading.submissions.roster import Roster, load_roster


def export(arguments) -> int:
    """Write one export; every format is a function from rows to files."""
    if not (arguments.out / DATABASE).is_file():
        raise InputError(f"{str(arguments.out)!r} is no gradebook: run `attn grade` first.")
    roster = load_roster(arguments.roster) if arguments.roster else Roster([])
    target = writable(arguments.output or arguments.out / "export" / arguments.to)
    with Gradebook(arguments.out / DATABASE, to_read=True) as gradebook:
        for path in FORMATS[arguments.to](load_rows(gradebook), roster, target):
            print(path)
    return 0
