"""An answer may fail because it calls an earlier answer that is wrong: then that is said first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from course_lib.checker.run.program import Program
from course_lib.checker.say.report import Report

NAME = "earlier-answer"  # stands where the mistake of the answer itself is not known


def attribute_to_earlier(
    reports: Sequence[Report], programs: Mapping[str, Program]
) -> list[Report]:
    """The reports of one notebook; a failing task whose answer uses a failing one says so first."""
    failing = {report.task for report in reports if not report.passed}
    return [_attribute(report, failing, programs[report.task]) for report in reports]


def _attribute(report: Report, failing: set[str], program: Program) -> Report:
    names = [name for name in program.others if name in failing]
    if report.passed or not names:
        return report
    verb = "is" if len(names) == 1 else "are"
    listed = " and ".join(f"`{name}`" for name in names)
    sentence = f"It uses your {listed}, which {verb} not right yet: mend that first."
    diagnosis = f"{sentence} {report.diagnosis}" if report.diagnosis else sentence
    return replace(report, diagnosis=diagnosis, mistake=report.mistake or NAME)
