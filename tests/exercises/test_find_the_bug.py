"""Lab 2's evidence: a wrong line of a program, and an input on which that shows."""

import inspect

import pytest
import torch

from course_lib.checker.compare.judge import draw_trials, judge, observe
from course_lib.checker.run.inputs import Inputs
from course_lib.checker.run.statements import without_texts
from course_lib.exercises import CATALOGUE, check
from course_lib.exercises.find_the_bug import training_program
from course_lib.exercises.find_the_bug.evidence import (
    INPUT_FOUND,
    LINE_FOUND,
    MOST_NUMBERS,
    OTHER_BUG,
    OTHER_LINE,
    BugTask,
)
from course_lib.exercises.find_the_bug.evidence_reading import LONGEST
from course_lib.exercises.find_the_bug.few_changes import code_lines
from tests.exercises.test_exercise_notebooks import read, run_answers
from tests.exercises.test_proofs import alternatives

pytestmark = pytest.mark.usefixtures("as_a_user")
STEM = "lab_2_find_the_bug"
EVIDENCE = [one.name for one in CATALOGUE.exercises[STEM].tasks if isinstance(one, BugTask)]
ONE, TWO = torch.zeros(1, 1, 1), torch.zeros(1, 2, 1)


def report_on(name, *returned):
    returned = returned[0] if len(returned) == 1 else returned
    function = lambda: returned  # noqa: E731
    function.__name__ = name
    return check(function)


def code_of(task):
    """The lines of the program as it was handed out, below its docstring."""
    lines = without_texts(task.bug.task.original).split("\n")[1:]
    return [line for line in lines if line.strip()]


def codes(lines):
    return {code for line in lines for code in code_lines(line)}


def right_for(task):
    """Right answers: the reference's, with each of the wrong lines that its input shows."""
    line, given = task.reference()
    alone = task.bug.lines[line]
    return [(text, given) for text, program in task.bug.lines.items() if program is alone]


def test_each_short_program_has_evidence_and_repair_of_half_a_point_each():
    tasks = CATALOGUE.exercises[STEM].tasks
    assert len(EVIDENCE) == 8
    assert [task.name for task in tasks if task.original][:8] == [
        name.removesuffix("_bug") for name in EVIDENCE
    ]
    for name in EVIDENCE:
        task = CATALOGUE.tasks[name]
        assert task.bug.task is CATALOGUE.tasks[name.removesuffix("_bug")]
        assert task.points == task.bug.task.points == 0.5
    assert repr(CATALOGUE.exercises[STEM].max_score) == "10"


@pytest.mark.parametrize("name", EVIDENCE)
def test_the_wrong_lines_are_those_that_a_repair_changes(name):
    """And one more in the program whose mask comes too late: its softmax runs over padding."""
    task = CATALOGUE.tasks[name]
    reference = inspect.getsource(task.bug.task.reference)
    changed = codes(code_of(task)) - codes(reference.split("\n"))
    more = {"weights=torch.softmax(scores,dim=-1)"} if name == "attend_to_words_bug" else set()
    assert codes(task.bug.lines) == changed | more
    assert list(task.bug.takes) == task.bug.task.parameters


@pytest.mark.parametrize("name", EVIDENCE)
def test_every_wrong_line_is_found_with_an_input_that_shows_it(name):
    for line, given in right_for(CATALOGUE.tasks[name]):
        for text in (line, f"    {line}  # here", line.replace(" = ", "=").replace(", ", ",")):
            report = report_on(name, text, given)
            assert report.passed and report.score == 0.5, report
            assert report.summary.startswith("Found. On your input the result ")
        assert report_on(name, line, list(given)).score == 0


@pytest.mark.parametrize("name", EVIDENCE)
def test_a_right_line_of_the_program_is_refused_and_the_wrong_one_not_given_away(name):
    task = CATALOGUE.tasks[name]
    given = task.reference()[1]
    for line in code_of(task):
        report = report_on(name, line, given)
        if codes([line]) <= codes(task.bug.lines):
            assert report.passed or OTHER_BUG in report.diagnosis
            continue
        assert report.score == 0 and report.diagnosis == f"{INPUT_FOUND} {OTHER_LINE}"
        assert [case.passed for case in report.cases] == [False, True]
        assert not any(one in str(report) for one in task.bug.lines)


@pytest.mark.parametrize("name", EVIDENCE)
def test_what_is_right_differs_on_no_input(name):
    """The reference and the other right answers are never found wrong, whatever is drawn."""
    task = CATALOGUE.tasks[name]
    repair = task.bug.task
    right = [repair.reference, *alternatives(STEM, repair.name)]
    given = [report_inputs(task, task.reference()[1])]
    for trial in draw_trials(repair, 0):
        if trial.inputs.examiner is None:
            given.append(trial.inputs)
    for inputs in given:
        for answer in right:
            if not (inputs.args[-1] is True and 0 < inputs.args[-2] < 1):  # draws of its own
                assert not task.bug.shown(answer, inputs), answer


def report_inputs(task, given):
    return Inputs(tuple(v.numpy() if isinstance(v, torch.Tensor) else v for v in given))


def test_a_line_needs_an_input_that_shows_its_own_bug():
    """In the program with two bugs: what shows the mask does not show the root, and the reverse."""
    name = "attend_to_past_bug"
    mask, root = CATALOGUE.tasks[name].bug.lines
    given = CATALOGUE.tasks[name].reference()[1]
    other = (TWO + 1, torch.tensor([[[0.0], [2.0]]]), torch.tensor([[[1.0], [3.0]]]))
    assert report_on(name, mask, given).passed and report_on(name, root, other).passed
    for line, one in ((root, given), (mask, other)):
        assert report_on(name, line, one).diagnosis == f"{LINE_FOUND} {OTHER_BUG}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("math.sqrt(warmup / (step + 1))", "math.sqrt(warmup / (step + 2))"),
        ("range(0, len(texts), size)", "range(0, len(texts) - size + 1, size)"),
    ],
    ids=["the rate after its rise", "the last batch, a shorter one"],
)
def test_a_line_that_was_right_is_missed_where_it_is_changed(old, new):
    task = CATALOGUE.tasks["train_language_model"]
    text = inspect.getsource(training_program)
    assert text.count(old) == 1
    trials = draw_trials(task, 0)
    for program, right in ((text, True), (text.replace(old, new), False)):
        space: dict = {}
        exec(program, space)
        seen = observe(space[task.name], trials)
        assert judge(task, trials, seen).passed is right


def test_what_is_random_is_not_right_by_luck():
    """Of two words with one weight and one value the first draw drops one and doubles the other."""
    torch.manual_seed(0)  # as before each call of an answer
    kept = torch.nn.functional.dropout(torch.full((1, 1, 4), 0.25).double(), 0.5)[0, 0] > 0
    value = torch.zeros(1, 4, 1)
    value[0, [kept.nonzero()[0], (~kept).nonzero()[0]]] = 1
    line, given = "weights = F.dropout(weights, p)", (torch.zeros(1, 1, 4), value, 0.5, False)
    assert report_on("weigh_with_dropout_bug", line, given).passed


def test_the_examples_of_the_notebook_are_too_large_to_be_handed_in():
    """“See it” shows the symptom; the smallest input is still to be found."""
    notebook = read("exercises", STEM)
    space = run_answers(notebook)
    for name in EVIDENCE:
        program, calls = name.removesuffix("_bug"), []
        original = space[program]
        cell_id = f"{program}-see".replace("_", "-")
        (source,) = (cell.source for cell in notebook.cells if cell.get("id") == cell_id)
        seen = lambda *args, f=original, to=calls: (to.append(args), f(*args))[1]  # noqa: E731
        exec(source, dict(space) | {program: seen})
        assert calls
        for args in calls:
            arrays = [one.numel() for one in args if isinstance(one, torch.Tensor)]
            assert sum(arrays) > MOST_NUMBERS if arrays else max(args) > LONGEST


def test_a_right_program_would_show():
    """The tests above can fail: without its bug a program is found wrong on no input."""
    task = CATALOGUE.tasks["recent_keys_bug"]
    assert not task.bug.shown(task.bug.task.reference, Inputs((1, 2, 1)))
    assert task.bug.shown(task.bug.task.mistakes[0].answer, Inputs((1, 2, 1)))
