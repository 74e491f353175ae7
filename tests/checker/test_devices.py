"""An answer on another device: the same cases, the same sentences, and what only a GPU shows."""

import numpy as np
import pytest
import torch

from course_lib.checker.check import check_answer, why_not_on
from course_lib.checker.compare import judge as judging
from course_lib.checker.compare.judge import draw_trials
from course_lib.checker.run import execute as running
from course_lib.checker.run.inputs import Inputs
from course_lib.exercises import CATALOGUE, check
from tests.checker.toy import Scale, catalogue, double, named

# The processor under its full name: whatever "cuda" does is done, with the same numbers.
AGAIN = "cpu:0"
TORCH_TASKS = [
    task.name
    for task in CATALOGUE.tasks.values()
    if task.library == "torch" and not why_not_on(AGAIN, task)
]


def on(device, answer=Scale):
    return check_answer(catalogue(), answer, 1, device)


def test_a_right_answer_runs_in_both_places():
    runs = []

    class Counted(Scale):
        def forward(self, x):
            runs.append(x.device.type)
            return super().forward(x)

    report = on(AGAIN, named("Scale", Counted))
    assert report.passed and report.score == 7
    assert f"Checked on the CPU and on {AGAIN}." in report.notes
    trials = sum(len(case.sizes) * len(case.dtypes) for case in catalogue().tasks["Scale"].cases)
    assert len(runs) == 2 * trials
    assert not [note for note in on("cpu").notes if "CPU" in note]


def test_a_mistake_gets_the_same_report_everywhere():
    answer = next(m.answer for m in CATALOGUE.tasks["causal_attention"].mistakes)
    answer.__name__ = "causal_attention"
    assert str(check(answer, 3, device=AGAIN)) == str(check(answer, 3))
    assert check(answer, 3, device=AGAIN).mistake


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("cuda", "device is 'cuda', but torch .* sees no CUDA device here.*or check without"),
        (torch.device("cuda:1"), "device is 'cuda:1', but torch"),
        ("gpu", "device is 'gpu'; it must be 'cpu', 'cuda'"),
        ("cuda:x", "'cuda:x'; it must be"),
        (0, "device is '0'; it must be"),
        (None, "device is 'None'; it must be"),
    ],
)
def test_a_device_that_is_not_there_gets_a_sentence(monkeypatch, device, words, as_a_user):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    report = on(device)
    assert not report.passed
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(report.cases[0].message)


def test_what_has_no_tensors_to_move_says_so():
    assert "`double` works on NumPy arrays" in on("cuda", double).cases[0].message
    for name in ("Translator", "test_attention"):
        assert "make their tensors on the CPU" in why_not_on("cuda", CATALOGUE.tasks[name])


@pytest.fixture
def without_numbers(monkeypatch):
    """Inputs on a device that every machine has, "meta": tensors there have shapes and no numbers,
    so results are not brought back."""
    monkeypatch.setattr(running, "observe_value", lambda value: None)
    monkeypatch.setattr(running, "_differs", lambda before, after: False)


# What torch says where a program looks at the numbers themselves.
LOOKS = ("meta tensor", "on meta", "register_meta")


@pytest.mark.parametrize("name", TORCH_TASKS)
def test_every_reference_stays_on_the_device(name, without_numbers, as_a_user):
    task = CATALOGUE.tasks[name]
    for trial, here in zip(draw_trials(task, 0, "meta"), draw_trials(task, 0), strict=True):
        seen = running.execute(task.reference, trial.inputs, "torch")
        looks = any(words in seen.message for words in LOOKS)
        fits = looks or seen.error == here.expected.error
        assert fits, (trial.case.name, seen.error, seen.message)


def forgets(x, mask=None):
    return x + torch.arange(x.shape[-1])


def comes_back(x):
    return torch.zeros(x.shape)


@pytest.mark.parametrize(
    ("answer", "words"),
    [(forgets, "device=x.device"), (comes_back, "leave out `.cpu()`")],
)
def test_two_devices_get_a_sentence(answer, words, without_numbers):
    seen = running.execute(answer, Inputs((np.ones((2, 3)),), device="meta"), "torch")
    assert seen.error, "an answer that mixes devices fails"
    assert words in judging.stopped(seen)


def test_what_fails_on_the_device_alone_says_that_the_cpu_is_right(monkeypatch):
    class Forgets(Scale):
        def forward(self, x):
            if self.there:
                raise RuntimeError("Expected all tensors to be on the same device")
            return super().forward(x)

        there = False

    answer = named("Scale", Forgets)
    moved = draw_trials

    def draw(task, seed, device="cpu"):
        Forgets.there = device != "cpu"
        return moved(task, seed, device)

    monkeypatch.setattr("course_lib.checker.compare.programs.draw_trials", draw)
    report = on(AGAIN, answer)
    assert not report.passed and "device=x.device" in report.cases[0].message
    assert any(note.startswith("On the CPU it is right.") for note in report.notes)


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")
@pytest.mark.parametrize("name", TORCH_TASKS)
def test_every_reference_is_right_on_a_gpu(name, as_a_user):
    answer = CATALOGUE.tasks[name].reference
    answer.__name__ = name
    report = check(answer, 1, device="cuda")
    assert report.passed, str(report)
