"""What the text of an answer says, beside what it does: whether it keeps its task's rule, and which
other answers of the notebook it uses."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from course_lib.checker.run.program import Program
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import Task

EARLIER = "earlier-answer"  # stands where the mistake of the answer itself is not known


def apply_rule(task: Task, report: Report, program: Program) -> Report:
    """The report, refused where the text of an answer breaks its task's rule."""
    if task.rule is None or (sentence := task.rule.broken(program)) is None:
        return report
    refused = CaseResult(task.rule.name, False, sentence, required=True)
    return replace(report, cases=(*report.cases, refused))


def attribute_to_earlier(
    reports: Sequence[Report], programs: Mapping[str, Program]
) -> list[Report]:
    """The reports of one notebook. Of a failing task whose answer uses a failing one, this is said,
    beside a mistake of its own that is known."""
    failing = {report.task for report in reports if not report.passed}
    return [_attribute(report, failing, programs[report.task]) for report in reports]


def _attribute(report: Report, failing: set[str], program: Program) -> Report:
    names = [name for name in program.others if name in failing]
    if report.passed or not names:
        return report
    verb = "is" if len(names) == 1 else "are"
    listed = " and ".join(f"`{name}`" for name in names)
    if report.mistake and report.diagnosis:  # its own is known, and has to be mended as well
        sentence = f"{report.diagnosis} It also uses your {listed}, which {verb} not right yet."
        return replace(report, diagnosis=sentence)
    sentence = f"It uses your {listed}, which {verb} not right yet: mend that first."
    return replace(report, diagnosis=sentence, mistake=EARLIER)
