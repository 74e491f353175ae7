"""`attn export` behind its arguments."""

from pathlib import Path

from grader.exports import FORMATS
from grader.exports.folder import writable
from grader.gradebook.database import Gradebook, in_folder
from grader.gradebook.rows import load_rows
from grader.submissions.roster import Roster, load_roster


def export(
    out: Path, to: str, missing_as_zero: bool, roster: Path | None, output: Path | None
) -> int:
    """Write one export; every format is a function from rows to files."""
    database = in_folder(out)
    people = load_roster(roster) if roster else Roster([])
    target = writable(output or out / "export" / to)
    with Gradebook(database, to_read=True) as gradebook:
        rows = load_rows(gradebook, missing_as_zero)
        for path in FORMATS[to](rows, people, target):
            print(path)
    return 0
