"""Judge the programs of one notebook: what they do, what their text says, which uses another.

`check` and `attn check` run them in their own process, the grader in sandboxes: each brings its way
to run.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from course_lib.checker.compare.judge import Trial, draw_trials, judge
from course_lib.checker.run.inputs import Observation
from course_lib.checker.run.program import Program
from course_lib.checker.say.report import CaseResult, Report
from course_lib.checker.tasks.task import Task

EARLIER = "earlier-answer"  # stands where the mistake of the answer itself is not known
# Judging redirects the standard streams, which belong to the whole process: one thread at a time.
JUDGING = threading.Lock()
Drawn = Mapping[str, Sequence[Trial]]
Observed = Sequence[tuple[Trial, Observation]]
Seen = Mapping[str, Observed | Report]


def judge_programs(
    tasks: Sequence[Task],
    programs: Mapping[str, Program],
    seeds: Mapping[str, int],
    run: Callable[[Drawn], Seen],
    device: str = "cpu",
) -> list[Report]:
    """The reports on a notebook's answers, in the order of its tasks.

    `run` gives, for each task, its trials with what was observed in them, or the report on an
    answer of which nothing was.
    """
    seen = run(draw_all(tasks, programs, seeds, device))
    reports = [
        apply_rule(
            task, _report(task, seen[task.name], programs[task.name].text), programs[task.name]
        )
        for task in tasks
    ]
    return attribute_to_earlier(reports, programs)


def _report(task: Task, seen: Observed | Report, text: str) -> Report:
    if isinstance(seen, Report):
        return seen
    with JUDGING:
        return judge(task, [trial for trial, _ in seen], [observed for _, observed in seen], text)


def draw_all(
    tasks: Sequence[Task],
    programs: Mapping[str, Program],
    seeds: Mapping[str, int],
    device: str = "cpu",
) -> Drawn:
    """The trials of each task, none where the notebook has no answer to it."""
    with JUDGING:
        return {
            task.name: (
                draw_trials(task, seeds[task.name], device) if programs[task.name].pieces else []
            )
            for task in tasks
        }


def apply_rule(task: Task, report: Report, program: Program) -> Report:
    """The report, with the task's note on the text of an answer, and refused where that breaks its
    rule."""
    if task.note and (said := task.note(program)):
        report = replace(report, notes=(*report.notes, said))
    if task.rule is None:
        return report
    if not report.passed and not report.mistake and (said := task.rule.shows(program)):
        report = replace(report, diagnosis=f"{said} {report.diagnosis or ''}".strip())
    if (sentence := task.rule.broken(program)) is None:
        return report
    refused = CaseResult(task.rule.name, False, sentence, required=True)
    found = "" if report.passed else report.summary  # what is refused is not called right
    return replace(report, cases=(*report.cases, refused), summary=found)


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
