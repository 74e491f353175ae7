"""`make quick` proves what a change touches, and fails where that fails."""

import subprocess
import sys

import pytest

from tools.quick import ROOT, run
from tools.touched import ALWAYS, FILES, PAGE, PROOFS, changed, choose, nearest

TOUCHED = {  # a file, and tests that must be among those that prove it
    "course_lib/formulas/softmax.py": ["tests/attention"],
    "course_lib/kernels/choose.py": ["tests/kernels"],
    "course_lib/checker/compare/difference.py": ["tests/checker/compare"],
    "grader/gradebook/rows.py": ["tests/grader/gradebook", "tests/grader/pipeline/test_marks.py"],
    "tools/minutes.py": ["tests/book/test_aids.py"],
    "tests/test_house.py": ["tests/test_house.py"],
    "tests/attention/attention_variants.py": ["tests/attention/test_variants.py"],
    "book/_ext/execution/page_key.py": ["tests/book/test_page_key.py"],
    "book/softmax.ipynb": ["tests/book/test_teaching.py"],
    "README.md": ["tests/test_house.py"],
}


@pytest.mark.parametrize("file", TOUCHED)
def test_what_a_file_touches_is_proved(file):
    assert {*TOUCHED[file]} <= {*choose(ROOT, [file]).tests}


def test_tests_of_what_imports_a_file_prove_it_where_none_imports_it(tmp_path):
    files = {"course_lib/__init__.py": "", "course_lib/low.py": "", "course_lib/alone.py": ""}
    files["course_lib/high.py"] = "from course_lib.low import anything"
    files["tests/test_high.py"] = "from course_lib.high import anything"
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert nearest(tmp_path, "course_lib.low") == {"tests/test_high.py"}
    assert nearest(tmp_path, "course_lib.alone") == set()


def test_tasks_are_those_of_the_exercise_and_all_of_them_below_the_checker():
    proof = choose(
        ROOT, ["course_lib/exercises/causal/__init__.py", "solutions/11_positions.ipynb"]
    )
    assert {"causal_attention", "rotate"} < {*proof.tasks} and "softmax" not in proof.tasks
    shared = ["course_lib/checker/compare/judge.py", "course_lib/exercises/common.py"]
    for file in shared:
        proof = choose(ROOT, [file, "course_lib/exercises/causal/__init__.py"])
        assert "tests/exercises/test_proofs.py" in proof.tests and proof.tasks == []


def test_a_page_runs_and_one_that_trains_is_left_to_the_book():
    pages = ["book/softmax.ipynb", "book/learning_to_translate.ipynb", "book/gone.ipynb"]
    assert choose(ROOT, pages).pages == ["book/softmax.ipynb"]


def git(folder, *words):
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


def test_a_change_is_all_that_differs_from_main(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    for name in ("kept", "edited", "removed", "committed"):
        (tmp_path / name).write_text("one")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    assert changed(tmp_path) == []
    git(tmp_path, "checkout", "-q", "-b", "mine")
    (tmp_path / "committed").write_text("two")
    git(tmp_path, "commit", "-q", "-a", "-m", "two")
    (tmp_path / "edited").write_text("two")
    (tmp_path / "removed").unlink()
    (tmp_path / "neu é").write_text("new")
    assert changed(tmp_path) == ["committed", "edited", "neu é", "removed"]
    assert changed(tmp_path, "mine") == ["edited", "neu é", "removed"]
    with pytest.raises(SystemExit, match="no such commit"):
        changed(tmp_path, "nowhere")


def test_what_fails_is_shown_and_keeps_nothing_else_from_running(capsys):
    says = [[sys.executable, "-c", f"print('{word}'); raise SystemExit({code})"]
            for word, code in (("red", 1), ("green", 0))]  # fmt: skip
    assert run(ROOT, says, []) == 1
    printed = capsys.readouterr().out
    assert printed.count("FAILED") == 1 and "\nred\n" in printed and "\ngreen\n" not in printed
    assert run(ROOT, says[1:], []) == 0


def test_every_rule_names_tests_that_are_there():
    named = [*ALWAYS, PROOFS, *PAGE, *" ".join(FILES.values()).split()]
    assert [name for name in named if not (ROOT / name).exists()] == []
