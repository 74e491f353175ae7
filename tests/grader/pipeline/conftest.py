"""A class on which `attn` runs, and a grader that runs nothing."""

import contextlib
from types import SimpleNamespace

import pytest

from course_lib import cli
from grader.pipeline import command
from grader.sandbox.profiles import Profile
from tests.grader.pipeline.class_commands import EXERCISES, Commands, graded


@pytest.fixture
def class_(tmp_path, capsys, monkeypatch):
    sandbox = contextlib.nullcontext(SimpleNamespace(profile=Profile("strong", None, None)))
    monkeypatch.setattr(cli, "_exercises", lambda: EXERCISES)
    monkeypatch.setattr(command, "find_sandbox", lambda *how: (sandbox, []))
    monkeypatch.setattr(command, "grade_all", graded)
    monkeypatch.chdir(tmp_path)
    return Commands(tmp_path, capsys)
