"""A result as the gradebook keeps it: plain data from which every report can be written."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from course_lib.checker.say.report import Report
from course_lib.checker.tasks.task import Exercise
from grader.pipeline.submission import Result, TaskResult

MAX_TEXT = 2_000  # characters of a case's message or of a shown value
MAX_MESSAGES = 12_000  # bytes of all messages of a task; beyond, each keeps 60 characters


def to_data(result: Result, exercise: Exercise | None) -> dict[str, Any]:
    """A result as the gradebook keeps it: plain data from which every report can be written."""
    hints = {task.name: task.hints for task in exercise.tasks} if exercise else {}
    return {
        "status": result.status,
        "score": result.score,
        "max_score": result.max_score,
        "profile": result.profile,
        "note": result.note,
        "tasks": [_task_data(item, hints.get(item.report.task, ())) for item in result.tasks],
        "written": {item.name: item.points for item in exercise.written} if exercise else {},
    }


def _task_data(item: TaskResult, hints: tuple[str, ...]) -> dict[str, Any]:
    report, example = item.report, item.report.example
    return {
        "name": report.task,
        "status": item.status,
        "score": report.score,
        "max_score": report.max_score,
        "mistake": report.mistake,
        "diagnosis": report.diagnosis,
        **({"summary": report.summary} if report.summary else {}),
        **{k: v for k in ("me", "given", "drawn") if (v := getattr(report, k))},
        "hint": hints[0] if hints and report.wants_hint else None,
        "cases": [
            {
                "name": c.name,
                "passed": c.passed,
                "message": message,
                "hidden": c.hidden,
                **({"required": True} if c.required else {}),
            }
            for c, message in zip(report.cases, _messages(report), strict=True)
        ],
        **({"matrices": asdict(report.matrices)} if report.matrices else {}),
        "example": example
        and {
            "inputs": [(name, text[:MAX_TEXT]) for name, text in example.inputs],
            "expected": example.expected[:MAX_TEXT],
            "got": example.got[:MAX_TEXT],
        },
    }


def _messages(report: Report) -> Iterator[str]:
    """What is kept of each case's message. Honest ones are kept whole."""
    room = MAX_MESSAGES
    for case in report.cases:
        text = case.message[:MAX_TEXT]
        room -= len(text.encode("utf-8", "replace"))
        yield text if room >= 0 else text[:60]
