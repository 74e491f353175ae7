"""The points of a student by hand: the rules of the sheet, in exact fractions, and nothing of the
grader's."""

from fractions import Fraction

from tests.grader.term.course import WEEKS
from tests.grader.term.story import DECIDED, DROPPED, FULL, counts

FREE_DAYS, DEDUCTION = 3, Fraction(1, 10)
THIRDS = {"right": 3, "signs": 2, "wrong": 0, "none": 0}  # of a scale's three cases


def hundredths(number):
    """To the nearest hundredth; none of this term lies in the middle of two."""
    assert (number * 100) % 1 != Fraction(1, 2)
    return Fraction(round(number * 100), 100)


def tasks(student, week):
    """Points of both tasks, and the most that each can give, before lateness."""
    work = counts(student, week)
    worth = 5 if week == 4 else 6
    cases = THIRDS[work.scale] if work else 0
    if week == 3:  # negative numbers are no longer asked for
        cases = 3 if cases else 0
    share = Fraction(cases, 3) if week in (3, 4) else Fraction(cases // 3)
    scale = hundredths(worth * share)
    add = 10 - worth if work and work.add == "right" else 0
    points, most = {f"add_{week}": add, f"scale_{week}": scale}, 10
    if DROPPED in points:
        points[DROPPED], most = 0, most - worth
    if FULL in points and work:
        points[FULL] = 10 - worth
    task, given, *_ = DECIDED.get((student, week), ("", "", "", ""))
    if task:
        points[task] = int(given)
    return points, most


def final(student):
    """{week: (points, the most)} of a student; points None where nothing was handed in."""
    free, rows = FREE_DAYS, {}
    for week in WEEKS:
        work = counts(student, week)
        task, given, days, _ = DECIDED.get((student, week), ("", "", "", ""))
        points, most = tasks(student, week)
        late = max(0, work.late - (days or 0)) if work else 0
        used = min(late, free)
        free -= used
        score = sum(points.values())
        score -= hundredths(score * min(1, DEDUCTION * (late - used)))
        if given and not task:
            score = Fraction(given)
        rows[week] = (score if work or given else None, most)
    return rows
