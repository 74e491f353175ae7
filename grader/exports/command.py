"""`attn export` behind its arguments."""

from course_lib.checker.errors import InputError
from grader.exports import FORMATS
from grader.exports.folder import writable
from grader.gradebook.database import DATABASE, Gradebook
from grader.gradebook.rows import load_rows
from grader.submissions.roster import Roster, load_roster


def export(arguments) -> int:
    """Write one export; every format is a function from rows to files."""
    if not (arguments.out / DATABASE).is_file():
        raise InputError(f"{str(arguments.out)!r} is no gradebook: run `attn grade` first.")
    roster = load_roster(arguments.roster) if arguments.roster else Roster([])
    target = writable(arguments.output or arguments.out / "export" / arguments.to)
    with Gradebook(arguments.out / DATABASE, to_read=True) as gradebook:
        rows = load_rows(gradebook, arguments.missing_as_zero)
        for path in FORMATS[arguments.to](rows, roster, target):
            print(path)
    return 0
