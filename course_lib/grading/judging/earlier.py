"""An answer may fail because it calls an earlier answer that is wrong: then that is said first."""

import re
from collections.abc import Sequence
from dataclasses import replace

from course_lib.grading.inside.answers import Cells, own_cell
from course_lib.grading.judging.report import Report

NAME = "earlier-answer"  # stands where the mistake of the answer itself is not known


def blame_earlier(reports: Sequence[Report], cells: Cells) -> list[Report]:
    """The reports of one notebook; a failing task whose answer calls a failing one says so first.

    Which answers call which is read from their text, by name: nothing of theirs is parsed here.
    """
    failing = {report.task for report in reports if not report.passed}
    return [_blame(report, failing - {report.task}, cells) for report in reports]


def _blame(report: Report, failing: set[str], cells: Cells) -> Report:
    own = own_cell(cells, report.task)
    if report.passed or own is None or not failing:
        return report
    called = re.findall(rf"\b({'|'.join(map(re.escape, sorted(failing)))})\b", cells[own][1])
    if not called:
        return report
    names = list(dict.fromkeys(called))
    verb = "is" if len(names) == 1 else "are"
    said = " and ".join(f"`{name}`" for name in names)
    sentence = f"It uses your {said}, which {verb} not right yet: mend that first."
    diagnosis = f"{sentence} {report.diagnosis}" if report.diagnosis else sentence
    return replace(report, diagnosis=diagnosis, mistake=report.mistake or NAME)
