"""A name that draws what is asked, or one answer under two names: an instructor reads it first."""

import functools

import pytest

from course_lib.checker.tasks.rewritten import defined
from course_lib.exercises import CATALOGUE, check
from course_lib.exercises.read_the_map.maps import kinds_of
from grader.gradebook.rows import Row
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import Result, TaskResult
from grader.reports.needs_person import same_answers, same_me
from grader.reports.overview import overview_page, what_to_do
from tests.exercises.test_exercise_notebooks import read, run_answers

STEMS = {
    name: stem
    for stem, exercise in CATALOGUE.exercises.items()
    for name in (task.name for task in exercise.tasks)
    if name in ("name_map", "break_causal_attention", "break_top_p")
    or name.startswith(("which_", "predict_", "repair_", "say_"))
}
ASKED = [name for name in STEMS if name != "break_top_p"]
# Whoever draws the same line repairs it in the same way: these two do not.
PROGRAMS = {name: CATALOGUE.tasks[name].program for name in ASKED if name.startswith("repair_")}
OTHER = {
    name: next(
        me
        for me in ("Ben", "Ben O.", "Ben Okafor")
        if one.number(one.drawn(me)) != one.number(one.drawn("the solution"))
    )
    for name, one in PROGRAMS.items()
}


@functools.cache
def solved(name):
    return run_answers(read("solutions", STEMS[name]))


def under(me, name):
    """The solution's answer under another name."""
    right = solved(name)[name]
    if name in PROGRAMS:  # an answer that is data, in its text as well
        returned = (me, *right()[1:])
        return defined(name, f"def {name}():\n    return {returned!r}\n", {})

    def answer(*args):
        _, *rest = right(*args)
        return (me, *rest)

    answer.__name__ = name
    return answer


def handed_in(student, name, me, sha):
    """The row of a solution under another name, as the gradebook keeps it."""
    report = TaskResult("graded", check(under(me, name)))
    result = Result("graded", report.report.max_score, (report,), "strong")
    return Row(student, STEMS[name], sha, "", to_data(result, CATALOGUE.exercises[STEMS[name]]))


@pytest.mark.parametrize("name", ["name_map", "break_causal_attention"])
def test_one_name_in_the_files_of_several_is_said(name):
    me = solved(name)["ME"]
    rows = [handed_in("ada", name, me, "a"), handed_in("ben", name, f" {me.upper()}", "b")]
    rows += [handed_in("cem", "break_top_p", "Cem Kaya", "c")]
    assert same_me(rows) == [(STEMS[name], me.casefold(), ["ada", "ben"])]
    assert same_answers(rows) == [], "under one name both have one task, which is said"
    assert "is <" not in overview_page(rows)
    assert f"{me.casefold()} in the files of ada, ben" in overview_page(rows)
    assert "the same ME twice (1)" in what_to_do(rows)[0]
    alone = [rows[0], rows[2], handed_in("dee", name, me, "a")]
    assert same_me(alone) == [], "one file of several is said apart"


@pytest.mark.parametrize("name", ASKED)
def test_one_answer_under_two_names_is_said_with_both_rows(name):
    me = solved(name)["ME"]
    ben = OTHER.get(name, "Ben Okafor")
    rows = [handed_in("ada", name, me, "a"), handed_in("ben", name, ben, "b")]
    assert same_me(rows) == []
    assert same_answers(rows) == [(STEMS[name], name, ["ada", "ben"])]
    assert "in the files of ada, ben, whose names draw different things" in overview_page(rows)
    assert "one answer under two names (1)" in what_to_do(rows)[0]
    assert same_answers(rows[1:]) == same_answers([rows[0], rows[0]]) == []


def test_an_answer_that_is_right_for_neither_name_is_not_said():
    def guessed(letter):
        return "ada", "untrained", 0, 0, 0.5

    def rows(me):
        def answer(letter):
            return (me, *guessed(letter)[1:])

        answer.__name__ = "name_map"
        report = TaskResult("graded", check(answer))
        result = Result("graded", 7, (report,), "strong")
        return Row(me, STEMS["name_map"], me, "", to_data(result, None))

    both = [rows("ada"), rows("ben")]
    assert all(row.tasks[0]["given"] and not row.score for row in both)
    assert same_answers(both) == []


def test_two_names_draw_different_maps_and_a_copy_earns_nothing():
    names = [f"student {number}" for number in range(100)]
    orders = {tuple(kinds_of(me).values()) for me in names}
    assert len(orders) > 90, "of 5040"
    own = solved("name_map")["ME"]
    others = [me for me in names[:5] if kinds_of(me) != kinds_of(own)]
    assert others and check(under(own, "name_map")).passed
    for me in others:
        assert check(under(me, "name_map")).score == 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_repair_of_one_line_is_no_sign_of_a_copy(name):
    program = PROGRAMS[name]
    names = [f"student {number}" for number in range(100)]
    me = next(me for me in names if program.drawn(me) == program.drawn("the solution"))
    rows = [handed_in("ada", name, "the solution", "a"), handed_in("ben", name, me, "b")]
    assert all(row.score for row in rows) and same_answers(rows) == []
