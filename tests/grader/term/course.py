"""A course of six small exercises, and notebooks whose answers are right, nearly right or wrong."""

import dataclasses
import json

from course_lib.checker.tasks import Case, Exercise, Inputs, Task

WEEKS = range(1, 7)
HIDDEN = "of negative numbers"
ADD = {"right": "x + {0}", "wrong": "x - {0}"}
SCALE = {"right": "x * {1}", "signs": "abs(x) * {1}", "wrong": "x * {1} + 1"}


def stem(week):
    return f"{week:02}_week"


def notebook(week, add, scale, remark=""):
    """An answer that is "none" has no cell. Notebooks with other remarks are other files."""
    cells = [{"cell_type": "markdown", "metadata": {}, "source": f"Week {week}. {remark}"}]
    for name, forms, form in (("add", ADD, add), ("scale", SCALE, scale)):
        if form != "none":
            body = forms[form].format(week, week + 1)
            source = f"def {name}_{week}(x):\n    return {body}\n"
            metadata = {"task": f"{name}_{week}"}
            cells.append({"cell_type": "code", "metadata": metadata, "source": source})
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def exercise(week):
    def add(x):
        return x + week

    def scale(x):
        return x * (week + 1)

    def above(s):
        return Inputs((abs(s.floats(s.size)) + 1,))

    def below(s):
        return Inputs((-abs(s.floats(s.size)) - 1,))

    add.__name__, scale.__name__ = f"add_{week}", f"scale_{week}"
    cases = (Case("a few", above), Case("of positive numbers", above, hidden=True))
    tasks = (
        Task(f"add_{week}", 4, add, cases, (), ("Add.",), library="numpy"),
        Task(
            f"scale_{week}",
            6,
            scale,
            (*cases, Case(HIDDEN, below, hidden=True)),
            (),
            ("Multiply.",),
            library="numpy",
        ),
    )
    return Exercise(stem(week), f"Week {week}", tasks)


def without_negative_numbers(one):
    """The exercise as it is after a case was found to ask for what nobody had been told."""
    add, scale = one.tasks
    cases = tuple(case for case in scale.cases if case.name != HIDDEN)
    return dataclasses.replace(one, tasks=(add, dataclasses.replace(scale, cases=cases)))


EXERCISES = {stem(week): exercise(week) for week in WEEKS}
