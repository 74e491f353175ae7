"""The `attn` command from the outside: exit statuses, files, going on after it was killed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib import cli
from course_lib.cli import main
from grader import commands, commands_gradebook
from grader.sandbox.sandbox import Sandbox
from tests.grader.tables import grades

COMMANDS = (*commands_gradebook.COMMANDS, commands.collect, commands.grade, commands.package)
GRADERS = [function.__name__ for function in COMMANDS]
ROOT = Path(__file__).parents[3]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cells are Linux's")
SOLUTION = ROOT / "solutions" / "01_softmax.ipynb"
pytestmark = pytest.mark.xdist_group("graders")


def attn(*words, **options):
    command = [sys.executable, "-m", "course_lib.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def hand_in(folder, **files):
    for student, data in files.items():
        (folder / "in" / student).mkdir(parents=True)
        (folder / "in" / student / "01_softmax.ipynb").write_bytes(data)


def test_the_grader_s_commands_come_with_it(capsys):
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(f"│ {command} " in printed for command in GRADERS)


@pytest.mark.parametrize("command", ["", "check", "new-exercise", "new-mistake", *GRADERS])
def test_every_command_explains_itself(command, capsys):
    """Each argument and option that is shown has words, after those that say its values."""
    assert main([*command.split(), "--help"]) == 0
    printed = capsys.readouterr().out
    assert f"Usage: attn {command}".rstrip() in printed
    assert not re.findall(r"│ (?:\*  )?[-A-Z]\S*(?: \S+)? *(?:\[.*)?│", printed)
    assert command in ("", "package") or "Example" in printed


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--timeout", "soon"), "--timeout: 'soon' is no number of seconds above 0."),
        (("--timeout", "nan"), "--timeout: 'nan' is no number of seconds above 0."),
        (("--jobs", "0"), "--jobs: '0' is no whole number above 0."),
        (("--memory", "1.5"), "--memory: '1.5' is no whole number above 0."),
        (("--from", "mars"), "--from: 'mars' is none of folders, moodle"),
        (("--jobs", "2", "--scheduler", "tls://x:1"), "arguments: {--jobs, --scheduler}."),
        (("--rooster", "x"), "Unknown option: --rooster. Did you mean --roster?"),
        (("--no-anonymous",), "Unknown option: --no-anonymous"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(given, said, capsys):
    assert main(["grade", "class", "--out", "out", *given]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("attn: ") and said in printed
    assert printed.endswith("`attn grade --help` says more.\n")


def test_without_the_grader_its_commands_are_said_to_come_with_it(monkeypatch, capsys):
    monkeypatch.setattr(cli, "entry_points", lambda group: ())
    assert main(["grade", "class", "--out", "grades"]) == 2
    printed = capsys.readouterr().err
    assert 'Unknown command "grade"' in printed and "`pip install ./grader`" in printed
    assert main(["--help"]) == 0 and "a package of its own" in capsys.readouterr().out


def test_no_command_at_all_is_no_command_done(capsys):
    assert main([]) == 2 and "Commands" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("grade", "nowhere", "--out", "{out}"),
        ("grade", "{empty}", "--out", "{out}"),
        ("grade", "{broken}", "--from", "moodle", "--out", "{out}"),
        ("collect", "{broken}", "--from", "moodle"),
        ("grade", "{broken}", "--out", "{out}"),
        ("export", "{empty}", "--to", "csv"),
        ("feedback", "{empty}", "--for", "moodle"),
        ("marks", "{empty}", "marks.csv"),
        ("show", "{empty}", "ann", "01_softmax"),
        ("package", "99_nothing", "--for", "gradescope", "--output", "{out}"),
        ("check", "nowhere.ipynb"),
        ("check", "{broken}"),
    ],
)
def test_an_input_that_cannot_be_used_ends_with_two(words, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "01_softmax.zip").write_bytes(b"PK\x03\x04 broken")
    places = {"empty": tmp_path / "empty", "broken": tmp_path / "01_softmax.zip"}
    words = [word.format(out=tmp_path / "out", **places) for word in words]
    assert main(words) == 2
    assert "attn: " in capsys.readouterr().err


def test_a_missing_package_is_named_with_the_extra_that_brings_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    hand_in(tmp_path, ann=SOLUTION.read_bytes())
    words = ["grade", tmp_path / "in", "--out", tmp_path / "out", "--trust-submissions"]
    assert main([*map(str, words), "--scheduler", "tcp://x:1"]) == 2
    sentence = "the package dask; it comes with `pip install './grader[cluster]'`"
    assert sentence in capsys.readouterr().err


def with_answer(task, source):
    """The solution with another answer to one task."""
    content = json.loads(SOLUTION.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["metadata"].get("task") == task:
            cell["source"] = source
    return json.dumps(content)


def test_check_says_what_holds_and_what_does_not(tmp_path, capsys):
    assert main(["check", str(SOLUTION)]) == 0
    printed = capsys.readouterr()
    assert "10 of 10" in printed.out and "without a sandbox" in printed.err
    wrong = with_answer("softmax", "def softmax(scores, axis=-1):\n    return scores\n")
    (tmp_path / "01_softmax.ipynb").write_text(wrong)
    assert main(["check", str(tmp_path / "01_softmax.ipynb")]) == 1


def test_check_knows_the_names_that_browsers_give(tmp_path, capsys):
    for name, status in (("ann_01_softmax-Copy1 (2)", 1), ("homework", 2)):
        (tmp_path / f"{name}.ipynb").write_bytes(b'{"cells": []}')
        assert main(["check", str(tmp_path / f"{name}.ipynb")]) == status
    printed = capsys.readouterr()
    assert "01_softmax: 0 of 10 points" in printed.out
    assert "holds no answer of an exercise, and is named after none" in printed.err


@LINUX
@pytest.mark.slow
def test_a_class_is_graded_exported_and_not_graded_twice(tmp_path):
    hand_in(tmp_path, ann=SOLUTION.read_bytes(), bob=b"{")
    (tmp_path / "roster.csv").write_text("student,name\nann,Ann Lee\ncyd,Cyd Roe\n")
    words = ("grade", tmp_path / "in", "--out", tmp_path / "out")
    words = (*words, "--roster", tmp_path / "roster.csv", "--memory", "400")
    done = attn(*words)
    assert done.returncode == 0, done.stderr
    assert "profile: " in done.stderr
    rows = grades(tmp_path / "out")
    statuses = {student: row["status"] for (student, _), row in rows.items()}
    assert statuses == {"ann": "graded", "bob": "unreadable", "cyd": "missing"}
    assert rows["ann", "01_softmax"]["score"] == rows["ann", "01_softmax"]["max_score"]
    assert (tmp_path / "out/reports/ann/01_softmax.html").is_file()
    assert (tmp_path / "out/overview.html").is_file()
    again = attn(*words)
    assert "2 known from before" in again.stdout and grades(tmp_path / "out") == rows


@LINUX
@pytest.mark.slow
def test_without_a_wall_it_refuses_unless_told_to_trust(tmp_path, monkeypatch, capsys):
    """And what it starts to find that out, which costs seconds, is what grades."""
    started, start_it = [], Sandbox.start
    monkeypatch.setattr(Sandbox, "start", lambda self: started.append(self) or start_it(self))
    hand_in(tmp_path, ann=SOLUTION.read_bytes())
    words = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--jobs", "2"]
    assert main([*words, "--profile", "container"]) == 2
    assert "bubblewrap" in capsys.readouterr().err and started == []
    assert main([*words, "--trust-submissions"]) == 0
    row = grades(tmp_path / "out")["ann", "01_softmax"]
    assert (row["profile"], row["score"]) == ("trusted", row["max_score"])
    assert len(started) == 1, "the second job has no work, so nothing is started for it"
    assert started[0].process is None and started[0].folder is None


@LINUX
@pytest.mark.slow
def test_one_notebook_is_graded_in_the_sandbox_and_its_report_printed(tmp_path, capsys):
    """Where `attn check` would run a stranger's code here."""
    mark = tmp_path / "written"
    harm = f"def softmax(scores, axis=-1):\n    open({str(mark)!r}, 'w')\n    return scores\n"
    (tmp_path / "any name.ipynb").write_text(with_answer("softmax", harm))
    assert main(["grade", str(tmp_path / "any name.ipynb"), "--memory", "400"]) == 0
    printed = capsys.readouterr()
    assert "01_softmax: " in printed.out and "softmax: 0 of 3 points" in printed.out
    assert [path.name for path in tmp_path.iterdir()] == ["any name.ipynb"]
    assert main(["grade", str(tmp_path)]) == 2
    assert "Say with --out where the gradebook is kept" in capsys.readouterr().err
