"""A search for a cause says its headline at once and ends in time where somebody waits for it."""

import pytest

from course_lib.checker.check import check_answer
from course_lib.checker.compare import search
from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.tasks import Case, Task
from tests.checker.toy import catalogue, named


def too_large(x, times=1):
    return 2 * x * times + 7


@pytest.fixture
def clock(monkeypatch):
    """Each look at the clock finds it so many seconds later."""

    def set_to(step):
        now = iter(range(10**6))
        monkeypatch.setattr(search.time, "monotonic", lambda: float(step) * next(now))

    return set_to


def test_who_waits_reads_the_headline_at_once_and_a_search_ends(clock, monkeypatch, capsys):
    clock(0.4)
    known = check_answer(catalogue(), named("double", too_large), seed=1)
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("COURSE_WAIT", "yes")
    with search.somebody_waits(print):
        waited_for = check_answer(catalogue(), named("double", too_large), seed=1)
    said = capsys.readouterr().out
    assert said.count(known.headline) == 1 and "Looking for the cause" in said
    assert waited_for.cases == known.cases and waited_for.score == known.score
    assert any("was ended after 3 s" in note for note in waited_for.notes) or waited_for.diagnosis
    clock(4)
    with search.somebody_waits(print):
        cut = check_answer(catalogue(), named("double", too_large), seed=1)
    assert cut.diagnosis is None and "was ended after 3 s" in str(cut)


def test_a_search_in_time_says_nothing_before_its_report(clock, capsys):
    clock(1e-6)
    with search.somebody_waits(print):
        report = check_answer(catalogue(), named("double", too_large), seed=1)
    assert capsys.readouterr().out == "" and not report.passed
    assert not any("ended after" in note for note in report.notes)


def test_what_the_cases_leave_is_told_though_the_search_is_over(clock):
    two = Case("two", lambda s: (s.floats(2),), place="One is right.")
    task = Task("same", 1, lambda x: 1 * x, (Case("one", lambda s: (s.floats(1),)), two), (), ())
    trials = draw_trials(task, 0)
    clock(4)
    with search.somebody_waits(print):
        report = judge(task, trials, observe(lambda x: len(x) ** 0.3 * x, trials))
    assert report.diagnosis == "One is right."
