"""A name that draws what is asked, in the files of several: an instructor reads it first."""

import pytest

from course_lib.exercises import CATALOGUE, check
from grader.gradebook.rows import Row
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import Result, TaskResult
from grader.reports.needs_person import same_me
from grader.reports.overview import overview_page, what_to_do
from tests.exercises.test_exercise_notebooks import read, run_answers

STEMS = {
    name: stem
    for stem, exercise in CATALOGUE.exercises.items()
    for name in (task.name for task in exercise.tasks)
    if name == "name_map" or name == "break_align"
}


def handed_in(student, name, me, sha):
    """The row of a solution under another name, as the gradebook keeps it."""
    right = run_answers(read("solutions", STEMS[name]))[name]

    def answer(*args):
        _, *rest = right(*args)
        return (me, *rest)

    answer.__name__ = name
    report = TaskResult("graded", check(answer))
    result = Result("graded", report.report.max_score, (report,), "strong")
    return Row(student, STEMS[name], sha, "", to_data(result, CATALOGUE.exercises[STEMS[name]]))


@pytest.mark.parametrize("name", STEMS)
def test_one_name_in_the_files_of_several_is_said(name):
    me = run_answers(read("solutions", STEMS[name]))["ME"]
    rows = [handed_in("ada", name, me, "a"), handed_in("ben", name, f" {me.upper()}", "b")]
    rows += [handed_in("cem", "break_align", "Cem Kaya", "c")]
    assert same_me(rows) == [(STEMS[name], me.casefold(), ["ada", "ben"])]
    assert "is <" not in overview_page(rows)
    assert f"{me.casefold()} in the files of ada, ben" in overview_page(rows)
    assert "the same ME twice (1)" in what_to_do(rows)[0]
    alone = [rows[0], rows[2], handed_in("dee", name, me, "a")]
    assert same_me(alone) == [], "one file of several is said apart"
