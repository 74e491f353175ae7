"""`attn show`: what an appeal needs, and the very inputs that the row was graded with."""

import hashlib
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.errors import InputError
from course_lib.checker.notebook import parse_notebook
from course_lib.exercises import CATALOGUE
from grader.gradebook.database import DATABASE, Gradebook
from grader.gradebook.policy import Exception_, Policy
from grader.gradebook.rows import POLICY
from grader.pipeline import show
from grader.pipeline.result_data import to_data
from grader.pipeline.submission import Result, TaskResult, grade_notebook, seed_of
from grader.sandbox.probe import find_sandbox
from tests.checker.toy import DOUBLE, EXERCISE, forgets_times

SHA = "ab" * 32
ESCAPE = "\x1b[2J"


def result(secret, answer):
    """What the grader would have written of an answer."""
    trials = draw_trials(DOUBLE, seed_of(secret, DOUBLE.name, SHA))
    report = judge(DOUBLE, trials, observe(answer, trials))
    graded = Result("graded", 10, (TaskResult("graded", report),), "strong")
    return to_data(graded, EXERCISE) | {"limits": {"timeout": 10.0, "memory": 1024}}


@pytest.fixture
def out(tmp_path):
    with Gradebook(tmp_path / DATABASE) as gradebook:
        data = result(gradebook.secret, lambda x, times=1: x)
        gradebook.record("ann", "01_toy", "v1", SHA, "12", data, "ann/01_toy (2).ipynb")
        gradebook.record("ann", "99_gone", "v1", SHA, "12", data)
        missing = {"status": "missing", "score": 0, "max_score": 10, "profile": "", "tasks": []}
        gradebook.record("bob", "01_toy", "v1", "", "", missing | {"note": "Nothing."})
    return tmp_path


def shown(out, student, capsys, monkeypatch, version="v1", exercise="01_toy"):
    monkeypatch.setattr(show, "exercise_version", lambda exercise: version)
    assert show.show_row(out, student, exercise, {"01_toy": EXERCISE}) == 0
    return capsys.readouterr().out


def test_without_the_file_an_input_that_was_graded_is_drawn_again(out, capsys, monkeypatch):
    text = shown(out, "ann", capsys, monkeypatch)
    assert "handed in as: ann/01_toy (2).ipynb" in text
    assert "Not run again: There is no such file here. It was 'ann/01_toy (2).ipynb'." in text
    with Gradebook(out / DATABASE) as gradebook:
        trials = draw_trials(DOUBLE, seed_of(gradebook.secret, "double", SHA))
    assert text.count("drawn: ") == 1 and "drawn: a row" in text and "got: " not in text
    (line,) = [line.partition("x = ")[2] for line in text.splitlines() if "  x = array" in line]
    value = eval(line, {"array": np.array, "float32": np.float32})
    assert value.dtype == trials[0].inputs.args[0].dtype
    assert np.array_equal(value, trials[0].inputs.args[0])


@pytest.mark.slow
def test_an_appeal_on_one_screen(tmp_path, capsys, monkeypatch):
    """The answer is run again in the sandbox: code, the first input that fails, got, expected;
    then what else decided the points, each with its reason."""
    source = "def double(x, times=1):\n    return x * 2**times if x.max() < 900 else x\n"
    cells = [{"cell_type": "code", "metadata": {"task": "double"}, "source": source}]
    file = tmp_path / "ann.ipynb"
    file.write_text(json.dumps({"cells": cells}))
    sha = hashlib.sha256(file.read_bytes()).hexdigest()
    with Gradebook(tmp_path / DATABASE) as gradebook:
        seeds = {task.name: seed_of(gradebook.secret, task.name, sha) for task in EXERCISE.tasks}
        sandbox, _ = find_sandbox(400)
        with sandbox:
            notebook = parse_notebook(file.read_bytes(), ["double", "Scale"])
            graded = grade_notebook(notebook, EXERCISE, seeds=seeds, sandbox=sandbox, timeout=10)
        data = to_data(graded, EXERCISE) | {"limits": {"timeout": 10.0, "memory": 400}}
        date = "2026-11-21T00:00:00+00:00"
        gradebook.record("ann", "01_toy", "v1", sha, "", data, str(file), date)
        line = Exception_("ann", "01_toy", "Scale", 7, None, "shown in person")
        due = {"01_toy": "2026-11-20T00:00:00+00:00"}
        policy = Policy(due=due, deduction=10, exceptions=[line])
        gradebook.set_setting(POLICY, policy.dumps())
    text = shown(tmp_path, "ann", capsys, monkeypatch)
    lines = text.splitlines()
    assert lines[0] == "ann, 01_toy: 6.3 of 10 points (status: graded)"
    assert lines[1] == "  because: Scale: 7 points: shown in person"
    assert lines[2] == "  because: 1 days late: 0.7 points less"
    assert "  code: def double(x, times=1):\n            return x * 2**times if" in text
    assert "  fails: large numbers\n        x = array([" in text
    expected, got = (text.rpartition(f"{word}: [")[2].split("]")[0] for word in ("expected", "got"))
    right, came = ([float(number) for number in part.split()] for part in (expected, got))
    assert right == pytest.approx([2 * number for number in came], rel=1e-3)
    assert len(lines) < 50


def test_everything_about_the_row_is_said_and_no_input_of_a_case_that_holds(
    out, capsys, monkeypatch
):
    with Gradebook(out / DATABASE) as gradebook:
        data = result(gradebook.secret, forgets_times) | {"note": f"odd {ESCAPE}"}
        gradebook.record("dee", "01_toy", "v1", SHA, "12", data)
    text = shown(out, "dee", capsys, monkeypatch)
    for part in ("0 of 10 points (status: graded)", SHA, "platform's id: 12", "profile strong"):
        assert part in text
    assert "limits: 10 seconds, 1024 MB" in text and "graded: 20" in text
    assert "✗ twice\n" in text and "diagnosis: You ignore `times`." in text
    assert "✓ large numbers (hidden)" in text and "drawn: large" not in text
    assert ESCAPE not in text and "no longer current" not in text


def test_another_version_shows_no_inputs_and_says_why(out, capsys, monkeypatch):
    text = shown(out, "ann", capsys, monkeypatch, version="v2")
    assert "drawn: " not in text and "✗ large numbers (hidden)" in text
    assert "graded by version v1 of the exercise and its libraries, this is v2" in text
    text = shown(out, "ann", capsys, monkeypatch, exercise="99_gone")
    assert "drawn: " not in text and "the course no longer has 99_gone" in text


def test_a_capstone_is_part_of_what_was_graded_and_is_not_drawn(out, capsys, monkeypatch):
    exercise = replace(EXERCISE, capstone=replace(DOUBLE, name="bonus", judge=print))
    with Gradebook(out / DATABASE) as gradebook:
        data = result(gradebook.secret, lambda x, times=1: x)
        data["tasks"].append(data["tasks"][0] | {"name": "bonus"})
        gradebook.record("eve", "01_toy", "3 tasks", SHA, "", data)
    monkeypatch.setattr(show, "exercise_version", lambda one: f"{len(one.tasks)} tasks")
    assert show.show_row(out, "eve", "01_toy", {"01_toy": exercise}) == 0
    before, after = capsys.readouterr().out.split("\nbonus: ")
    assert "drawn: a row" in before and "drawn: " not in after


def test_a_row_without_a_file_and_one_that_is_not_current(out, capsys, monkeypatch):
    text = shown(out, "bob", capsys, monkeypatch)
    assert "status: missing" in text and "No code of this file was run." in text
    with Gradebook(out / DATABASE) as gradebook:
        gradebook.forget([("ann", "01_toy")])
    assert "no longer current" in shown(out, "ann", capsys, monkeypatch)


def test_a_row_that_is_not_there(out):
    for who, words in (
        (("anne", "01_toy"), r"no student 'anne'\. Did you mean 'ann'\?"),
        (("ann", "02_x"), "'ann' has no row for '02_x'; there are rows for 01_toy, 99_gone"),
    ):
        with pytest.raises(InputError, match=words):
            show.show_row(out, *who, {"01_toy": EXERCISE})


def test_a_reader_who_has_seen_enough_is_no_fault(out):
    words = [sys.executable, "-m", "course_lib.cli", "show", str(out), "ann", "01_toy"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, **pipes) as show_it:
        show_it.stdout.close()  # before the first line, as `| head` may
        errors = show_it.stderr.read()
    assert show_it.returncode == 0 and not errors


@pytest.mark.parametrize("stem", list(CATALOGUE.exercises))
def test_the_inputs_of_every_exercise_can_be_shown(stem):
    for task in CATALOGUE.exercises[stem].tasks:
        trials = [trial for trial in draw_trials(task, 7) if trial.case.hidden]
        for trial in {trial.case.name: trial for trial in trials}.values():
            text = "\n".join(show._trial(trial))
            assert "expected: " in text and "..." not in text
