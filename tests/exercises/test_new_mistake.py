"""`attn new-mistake`: what is proved is written, and a course's own package is heard everywhere."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from course_lib.checker.errors import InputError
from course_lib.checker.tasks import own
from course_lib.cli import main
from course_lib.exercises import CATALOGUE, TASKS
from course_lib.scaffold import mistake
from tests.exercises.test_proofs import report_on

SUM = "exps / exps.sum(axis=axis, keepdims=True)"
ADDED = SUM.replace("exps.sum", "(1 + exps.sum") + ")"
SAYS = 'You add 1 to the "sum". Divide by the sum alone.'


def new_mistake(task="softmax", old=SUM, new=ADDED, says=SAYS, name="one-added"):
    options = {"old": old, "new": new, "says": says, "name": name}
    return main(["new-mistake", task, *(f"--{key}={word}" for key, word in options.items())])


def one_added(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / (1 + exps.sum(axis=axis, keepdims=True))


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder without a package of its own; whatever is installed in it is found."""
    monkeypatch.chdir(tmp_path)
    own.packages.cache_clear()
    yield tmp_path
    own.packages.cache_clear()
    sys.modules.pop(mistake.NAME, None)


def install(root, monkeypatch):
    """What pip would write beside an editable package."""
    info = root / mistake.NAME / "own_course-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: own-course\nVersion: 1\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{own.GROUP}]\nown = {mistake.NAME}\n", "utf-8")
    monkeypatch.syspath_prepend(str(root / mistake.NAME))
    own.packages.cache_clear()


def test_a_mistake_is_proved_written_and_said_once_its_package_is_installed(
    elsewhere, monkeypatch, capsys
):
    assert new_mistake() == 0
    said = capsys.readouterr().out
    assert "own_course/own_course/mistakes.toml: written" in said and str(elsewhere) not in said
    assert "answers that the course holds is told its sentence" in said
    install(elsewhere, monkeypatch)
    exercise = own.with_own_mistakes(CATALOGUE.exercises["01_softmax"])
    report = report_on(exercise.tasks[0], one_added, 0)
    assert (report.mistake, report.diagnosis) == ("one-added", SAYS)
    file = elsewhere / "own_course/own_course/mistakes.toml"
    file.write_text(file.read_text("utf-8").replace("exps / exps.sum", "no such words"), "utf-8")
    with pytest.warns(UserWarning, match="'one-added' of softmax is left out"):
        exercise = own.with_own_mistakes(CATALOGUE.exercises["01_softmax"])
    assert report_on(exercise.tasks[0], one_added, 0).mistake is None


def test_exercises_of_a_course_s_own_stand_beside_the_others(elsewhere, monkeypatch):
    place = elsewhere / mistake.NAME / mistake.NAME
    place.mkdir(parents=True)
    text = "from course_lib.checker.tasks import Exercise\n\nTASKS = {'21_own': 'of_ours'}\n\n\n"
    text += "def load(stem):\n    return Exercise(stem, 'Ours', ())\n"
    (place / "__init__.py").write_text(text, "utf-8")
    install(elsewhere, monkeypatch)
    assert own.own_tasks(TASKS) == {"21_own": "of_ours"}
    assert own.own_exercise("21_own").title == "Ours" and own.own_exercise("01_softmax") is None


@pytest.mark.parametrize(
    ("module", "table", "kind", "words"),
    [
        ("TASKS = {'01_softmax': 'ours'}", "", ValueError, "as the course has"),
        ("import no_such_module", "", UserWarning, "cannot be imported: No module named"),
        ("", "[[softmax]\n", UserWarning, "is no TOML"),
        ("", "[[soft_max]]\nname = 'x'\n", UserWarning, "are of soft_max, and no exercise"),
        ("", "[[softmax]]\nname = 'x'\n", UserWarning, "it has no change, says"),
    ],
)
def test_what_is_wrong_with_an_own_package_is_said(
    module, table, kind, words, elsewhere, monkeypatch
):
    place = elsewhere / mistake.NAME / mistake.NAME
    place.mkdir(parents=True)
    (place / "__init__.py").write_text(module, "utf-8")
    (place / own.FILE).write_text(table, "utf-8")
    install(elsewhere, monkeypatch)
    said = pytest.raises if kind is ValueError else pytest.warns
    with said(kind, match=words):
        own.own_tasks(TASKS)
        own.with_own_mistakes(CATALOGUE.exercises["01_softmax"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"old": "no such words"}, "the change does not apply"),
        ({"old": "axis=axis", "new": "axis=0"}, "occurs 2 times"),
        ({"new": f"1 * {SUM}"}, "right in every case, so it is no mistake"),
        ({"old": "np.exp(scores", "new": "np.exp2(scores"}, "knows it as 'base-two' and says"),
        ({"name": "base-two"}, "has a mistake 'base-two' already"),
        ({"name": "One Added"}, "small letters and hyphens"),
        ({"says": " "}, "and a sentence"),
        ({"task": "soft_max"}, "no task 'soft_max'"),
        ({"task": "name_map"}, "no task 'name_map'"),
    ],
)
def test_what_is_not_proved_is_not_written(given, words, elsewhere, capsys):
    assert new_mistake(**given) == 2
    assert words in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []


def test_a_sentence_that_a_held_answer_would_be_told_is_refused(monkeypatch):
    exercise = CATALOGUE.exercises["01_softmax"]
    task = replace(exercise.tasks[0], mistakes=())
    monkeypatch.setattr(mistake, "_alternatives", lambda *_: [one_added])
    entry = {"name": "one-added", "old": SUM, "new": ADDED, "says": SAYS}
    with pytest.raises(InputError, match="is told the sentence"):
        list(mistake.proved(task, exercise, entry))


def test_what_is_not_given_is_asked_for(elsewhere):
    asked, printed = [], []
    answers = iter((SUM, ADDED, SAYS, "one-added"))
    mistake.new_mistake(
        elsewhere,
        CATALOGUE.exercises,
        "softmax",
        dict.fromkeys(("old", "new", "says", "name")),
        printed.append,
        lambda question: asked.append(question) or next(answers),
    )
    assert asked == list(mistake.QUESTIONS.values()) and "def softmax(" in printed[0]
