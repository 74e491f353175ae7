"""What a row is worth: each number by hand, and a reason for each that the cases do not give."""

import json

import pytest

from grader.gradebook.policy import NO_DAYS, Exception_, Policy, apply_policy, earlier, worth_alone

DUE = "2026-11-20T23:59:00+01:00"
WORTH = {"e": {"f": [4, False], "g": [6, True]}}


def data(f=True, g=(True, True), status="graded"):
    tasks = [
        {"name": "f", "score": 4 * f, "max_score": 4, "cases": [{"name": "a", "passed": f}]},
        {"name": "g", "score": 3, "max_score": 6, "cases": [{"name": "b", "passed": p} for p in g]},
    ]
    tasks = [{"status": "graded"} | task for task in tasks]
    return {"status": status, "score": 7, "max_score": 10, "tasks": tasks}


def worth(policy, *rows):
    settled = apply_policy(policy, rows)
    return [(one["score"], one["max_score"], one["reasons"]) for one in settled]


def row(date="", student="ann", exercise="e", **how):
    return (student, exercise, date, data(**how))


def test_points_and_credit_come_from_the_cases_that_hold():
    assert worth(Policy(WORTH), row(), row(f=False), row(g=(True, False))) == [
        (10, 10, []),
        (6, 10, []),
        (7, 10, []),
    ]
    other = Policy({"e": {"f": [1, False], "g": [9, False]}})
    assert worth(other, row(g=(True, False))) == [(1, 10, [])]


def test_halves_add_up_to_whole_numbers():
    halves = Policy({"e": {"f": [0.5, False], "g": [0.5, False]}})
    assert [repr(one) for one in worth(halves, row())[0][:2]] == ["1", "1"]
    assert worth(halves, row(g=(True, False)))[0][:2] == (0.5, 1)


def test_answers_in_words_count_where_the_class_says_so():
    with_words = ("ann", "e", "", data() | {"written": {"why": 2}})
    (counted,), (not_counted,) = (
        apply_policy(Policy(WORTH, unmarked=unmarked), [with_words])
        for unmarked in (["other"], ["e"])
    )
    assert counted["written"] == {"why": 2} and not_counted["written"] == {}
    assert counted["score"] == not_counted["score"] == 10


@pytest.mark.parametrize(
    ("date", "score"),
    [
        ("2026-11-20T22:59:00+00:00", 10),  # the same moment in another zone
        ("2026-11-20T22:59:01+00:00", 9),
        ("2026-11-20T23:58:00", 10),  # an archive's clock is the class's
        ("2026-11-22T23:59:01", 7),
        ("2027-11-20T00:00:00+00:00", 0),
        ("", 10),
    ],
)
def test_each_day_that_has_begun_costs_its_share(date, score):
    policy = Policy(WORTH, due={"e": DUE}, deduction=10)
    assert worth(policy, row(date))[0][0] == score


def test_an_extension_moves_the_date():
    """What else an exception decides, and free days and dropped tasks: a term of six weeks."""
    line = Exception_("ann", "e", "", None, 2, "ill")
    policy = Policy(WORTH, due={"e": DUE}, deduction=100, exceptions=[line])
    rows = [row("2026-11-22T20:00:00+00:00")]
    assert worth(policy, *rows) == [(10, 10, ["due 2 days later: ill"])]
    assert worth(Policy.of(json.loads(policy.dumps())), *rows) == worth(policy, *rows)


def test_a_mark_of_the_platform_without_days_is_said_and_costs_nothing():
    assert worth(Policy(WORTH, due={"e": DUE}, deduction=10), row("late"))[0] == (10, 10, [NO_DAYS])


def test_a_fault_of_ours_has_no_points_until_a_person_gives_some():
    nothing = {"status": "needs-attention", "score": None, "max_score": 10, "tasks": []}
    ours = ("ann", "e", "", nothing)
    assert worth(Policy(WORTH), ours) == [(None, 10, [])]
    for task, score in (("", 9), ("f", 3)):
        line = Exception_("ann", "e", task, score, None, "seen on paper")
        (row,) = apply_policy(Policy(WORTH, exceptions=[line]), [ours])
        assert (row["status"], row["score"], row["max_score"]) == ("graded", score, 10)


def test_a_task_that_is_open_keeps_the_row_open_until_that_one_is_decided():
    (_, _, _, whole) = row()
    whole["tasks"][0]["status"] = whole["status"] = "needs-attention"
    whole["score"] = None
    for task, score in (("g", None), ("f", 4 + 6)):
        line = Exception_("ann", "e", task, 4, None, "seen")
        (settled,) = apply_policy(Policy(WORTH, exceptions=[line]), [("ann", "e", "", whole)])
        assert settled["score"] == score


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [
        ("2026-11-20T12:00:00", "2026-11-23T12:00:00", "2026-11-20T12:00:00"),
        ("2026-11-20T12:00:00+00:00", "2026-11-20T12:30:00+01:00", "2026-11-20T12:30:00+01:00"),
        ("2026-11-20T12:00:00", "2026-11-19T12:00:00+00:00", "2026-11-20T12:00:00"),
        ("late", "2026-11-23T12:00:00", "2026-11-23T12:00:00"),
        ("2026-11-20T12:00:00", "", "2026-11-20T12:00:00"),
        ("late", "", "late"),
    ],
)
def test_of_the_same_file_the_earlier_date_counts(one, other, counts):
    assert earlier(one, other) == counts


def test_a_try_is_worth_what_is_left_of_it():
    policy = Policy(WORTH, due={"e": DUE}, free_days=9, deduction=50)
    assert worth_alone(policy, row("2026-11-20T00:00:00+00:00", f=False)) == 6
    assert worth_alone(policy, row("2026-11-21T00:00:00+00:00")) == 5
    assert worth_alone(policy, ("ann", "e", "", {"score": None, "status": "", "tasks": []})) == -1


AUTUMN = "2026-10-24T20:00:00+02:00"


@pytest.mark.parametrize(
    ("zone", "due", "came", "days"),
    [
        ("", AUTUMN, "2026-10-25T19:30:00+01:00", 1),  # as a platform of the class's zone writes
        ("", AUTUMN, "2026-10-25T19:30:00", 1),
        ("Europe/Berlin", AUTUMN, "2026-10-25T18:30:00+00:00", 1),
        ("Europe/Berlin", AUTUMN, "2026-10-25T19:30:00+00:00", 2),
        ("Europe/Berlin", "2026-03-28T20:00:00+01:00", "2026-03-29T20:30:00+02:00", 2),
        ("Europe/Berlin", AUTUMN, "2026-10-24T18:00:01+00:00", 1),
        ("Europe/Berlin", AUTUMN, "2026-10-24T18:00:00+00:00", 0),
        ("", DUE, "2026-11-21T23:30:00+00:00", 2),  # UTC is no winter time of this zone
        ("", "2026-10-25T02:30:00+02:00", "2026-10-25T02:15:00+01:00", 0),
    ],
)
def test_late_days_are_those_of_the_calendar(zone, due, came, days):
    policy = Policy(WORTH, due={"e": due}, deduction=10, zone=zone)
    ((score, _, _),) = worth(policy, row(came))
    assert score == 10 - days
