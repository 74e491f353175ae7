"""A stranger's bug: a name draws a stranger, who passes the example and is found by an input."""

import doctest
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from course_lib.checker.compare.judge import draw_trials
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.values import observe_value
from course_lib.exercises import CATALOGUE, TASKS, check
from course_lib.exercises.strangers import FOUND, PREFIX, BreakTask, stranger_of
from tests.exercises.test_exercise_notebooks import read, run_answers, texts_before
from tests.exercises.test_proofs import alternatives

pytestmark = pytest.mark.usefixtures("as_a_user")
HOMES = {n: stem for stem, names in TASKS.items() for n in names.split() if n.startswith(PREFIX)}
BREAKS = list(HOMES)
NAMES = [f"student {number}" for number in range(400)]


def solved(name):
    """What the solution's notebook returns: a name, and the arguments."""
    return run_answers(read("solutions", HOMES[name]))[name]()


def answer(name, me, given):
    function = lambda: (me, given)  # noqa: E731
    function.__name__ = name
    return function


def inputs(task, given):
    return task.strangers.inputs("anybody", observe_value(given))


def test_half_of_the_numbered_exercises_ask_for_an_input_for_one_point():
    assert len(BREAKS) == 6
    for name in BREAKS:
        task = CATALOGUE.tasks[name]
        assert isinstance(task, BreakTask) and task.points == 1
        assert task.name == PREFIX + task.strangers.task.name


@pytest.mark.parametrize("name", BREAKS)
def test_every_stranger_passes_the_example_and_the_solution_finds_each(name):
    task = CATALOGUE.tasks[name]
    strangers, given = task.strangers, inputs(task, solved(name)[1])
    assert len(set(strangers.names)) == len(strangers.names) >= 4
    for one in strangers.names:
        wrong = next(mistake.answer for mistake in strangers.task.mistakes if mistake.name == one)
        assert strangers.differs(wrong, Inputs(strangers.example)) is False, one
        assert strangers.differs(wrong, given) is True, one


@pytest.mark.parametrize("name", [one for one in BREAKS if HOMES[one] < "11"])
def test_every_stranger_passes_the_example_of_the_text(name):
    task, stem = CATALOGUE.tasks[name], HOMES[name]
    notebook = read("solutions", stem)
    target = task.strangers.task.name
    space = run_answers(notebook)
    words = texts_before(notebook)[target].replace("```", "")
    for me in NAMES[:10]:
        examples = dict(space) | {target: stranger_of(target, me)}
        test = doctest.DocTestParser().get_doctest(words, examples, target, None, None)
        printed = []
        result = doctest.DocTestRunner().run(test, out=printed.append)
        assert result.attempted and not result.failed, "".join(printed)


@pytest.mark.parametrize("name", BREAKS)
def test_the_solution_finds_the_stranger_of_every_name_and_says_what_it_does(name):
    task, given = CATALOGUE.tasks[name], solved(name)[1]
    drawn = {me: task.strangers.drawn(me) for me in NAMES}
    counts = Counter(one.name for one in drawn.values())
    assert min(counts[one] for one in task.strangers.names) > len(NAMES) / 40
    for me in {one.name: me for me, one in drawn.items()}.values():
        report = check(answer(name, me, given))
        assert report.passed and report.score == 1, report
        assert report.summary == FOUND.format(me, drawn[me].sentence)


@pytest.mark.parametrize("name", BREAKS)
def test_where_nobody_differs_there_is_no_point(name):
    """On the example, and for a stranger who is right: the reference, or another right answer."""
    task = CATALOGUE.tasks[name]
    strangers, given = task.strangers, solved(name)[1]
    right = [strangers.task.reference, *alternatives(HOMES[name], strangers.task.name)]
    allowed = [inputs(task, given)]
    for seed in range(3):
        for trial in draw_trials(strangers.task, seed):
            if not trial.inputs.kwargs and trial.inputs.largest is None:
                args = tuple(
                    np.array(a) if isinstance(a, np.ndarray) else a for a in trial.inputs.args
                )
                one = inputs(task, args)
                allowed += [one] if isinstance(one, Inputs) else []
    for one in allowed:
        for function in right:
            assert not strangers.differs(function, one), (function, one)
    if isinstance(inputs(task, strangers.example), Inputs):
        report = check(answer(name, "anybody", as_given(task, strangers.example)))
        assert report.score == 0 and "the stranger is right" in report.diagnosis


def as_given(task, values):
    if task.library == "numpy":
        return values
    import torch

    return tuple(torch.from_numpy(v) if isinstance(v, np.ndarray) else v for v in values)


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        (None, "Return your name and the arguments"),
        (("ann", [1.0]), "Return your name and the arguments"),
        (("", (np.zeros(2), np.ones(2, bool))), "`ME` is empty"),
        (("a\nb", (np.zeros(2), np.ones(2, bool))), "one line"),
        (("ann", (np.zeros(2),)), "1 arguments are given; 2 are needed"),
        (("ann", (np.zeros(2), None)), "`mask` must be an array of booleans; it is None"),
        (("ann", (np.zeros(2), np.ones(2))), "it holds numbers of float64. Write True and False"),
        (("ann", (np.zeros(2, int), np.ones(2, bool))), "write 1.0 for 1"),
        (("ann", (np.full(2, np.nan), np.ones(2, bool))), "only finite numbers"),
        (("ann", (np.full(2, 1e30), np.ones(2, bool))), "from -1000 to 1000"),
        (("ann", (np.zeros(2), np.ones(3, bool))), "does not broadcast to (2,)"),
        (("ann", (np.zeros(2), np.ones((3, 2), bool))), "does not broadcast to (2,)"),
        (("ann", (np.zeros(401), np.ones(1, bool))), "from 1 to 400"),
        (("ann", (np.zeros(2), np.ones(2, bool), 1)), "there is no axis 1"),
    ],
)
def test_what_is_not_allowed_gets_a_sentence_and_no_point(returned, says):
    function = lambda: returned  # noqa: E731
    function.__name__ = "break_masked_softmax"
    report = check(function)
    assert report.score == 0 and says in report.diagnosis


def test_a_stranger_is_run_and_says_what_it_does_not_take():
    rows, mask = np.array([[0.0, 1.0]], np.float32), np.array([[True, True]])
    stranger = stranger_of("masked_softmax", "ann")
    result = stranger(rows, mask)
    assert result.dtype == np.float32 and np.allclose(result, [[0.2689, 0.7311]], atol=1e-4)
    with pytest.raises(ValueError, match="`mask` must be an array of booleans"):
        stranger(rows, None)
    assert np.array_equal(stranger(rows, mask=mask), result)
    with pytest.raises(ValueError, match="the arguments are scores, mask, axis"):
        stranger(rows, masc=mask)
    with pytest.raises(ValueError, match="`ME` is empty"):
        stranger_of("masked_softmax", " ")(rows, mask)
    with pytest.raises(ValueError, match="no stranger has written 'softmax'"):
        stranger_of("softmax", "ann")
    raising = next(
        stranger_of("masked_softmax", me)
        for me in NAMES
        if CATALOGUE.tasks["break_masked_softmax"].strangers.drawn(me).name == "mask-not-broadcast"
    )
    with pytest.raises(
        RuntimeError, match="the stranger's masked_softmax raises IndexError"
    ) as info:
        raising(rows, np.array([True, True]))
    files = {str(entry.path) for entry in info.traceback}
    assert not [one for one in files if "exercises/softmax" in one]  # none of the stranger's lines


def test_a_stranger_who_cannot_be_found_would_show():
    """The tests above can fail: with a right answer among the strangers no input finds it."""
    task = CATALOGUE.tasks["break_causal_attention"]
    strangers = task.strangers
    right = replace(strangers.task.mistakes[0], name="right", answer=strangers.task.reference)
    other = replace(strangers.task, mistakes=(right,))
    report = replace(strangers, task=other, names=("right",))
    assert report.differs(right.answer, inputs(task, task.reference()[1])) is False
