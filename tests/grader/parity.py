"""Whether the frame that a cell sends gets the same verdict as what was seen here."""

from dataclasses import fields, is_dataclass

import numpy as np

from course_lib.checker.compare.judge import judge
from course_lib.checker.run.values import same_bits
from grader.sandbox.inside.cell import _frame
from grader.sandbox.results import read_observations


def same(a, b):
    """Whether two observations say the same to the last bit, so that a judge cannot differ."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return same_bits(a, b)
    if is_dataclass(a):
        return all(same(getattr(a, one.name), getattr(b, one.name)) for one in fields(a))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return repr(a) == repr(b)  # NaN is itself, and -0.0 is not 0.0


def assert_judged_alike(task, trials, seen):
    """The same verdict from the frame as from what was seen."""
    there = read_observations(_frame(seen), len(trials))
    if not same(there, seen):
        assert str(judge(task, trials, there)) == str(judge(task, trials, seen))
