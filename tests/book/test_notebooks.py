"""Notebooks: their canonical form, what is released of them, and what a run may change."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import tools.build
from tools.contents import faults
from tools.notebooks import canonical, dumps, problems
from tools.release import differences, release, released

ROOT = Path(__file__).parents[2]


def notebook(*sources: str) -> nbformat.NotebookNode:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


def test_the_contents_list_what_is_there_and_each_exercise_has_its_pieces():
    assert not (found := faults()), "\n".join(f"_toc.yml: {sentence}" for sentence in found)


LABS = "lab_8_yours", "lab_9_mine"
PART = "parts:\n  - caption: Start\n    chapters:\n"


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (f"{PART}      - file: book/never\n", "book/never is no file: write book/never.ipynb, or"),
        (f"{PART}      - file: index\n      - file: index\n", "index stands twice: take out one"),
        (
            f"{PART}      - file: exercises/lab_9_mine\n",
            "exercises/lab_9_mine is an exercise without solutions/alternatives/mine.py",
        ),
        (
            f"{PART}      - file: exercises/lab_8_yours\n",
            "exercises/lab_8_yours is an exercise without course_lib/exercises/yours/one.py",
        ),
        (PART, "the part 'Start' lists no page: take out its lines, from `- caption:` to"),
        (f"{PART}      file: index\n    - file: x\n", "in line 5 it is no YAML: a page is"),
        ("", "it lists nothing: a page is"),
    ],
)
def test_contents_that_cannot_be_are_told_before_anything_runs(
    contents, sentence, tmp_path, capsys
):
    code = "course_lib/exercises"
    pages = [f"{kind}/{lab}.ipynb" for kind in ("exercises", "solutions") for lab in LABS]
    files = dict.fromkeys(["index.md", *pages, f"{code}/mine/__init__.py"], "")
    files["solutions/alternatives/yours.py"] = ""
    files[f"{code}/yours/__init__.py"] = f"from {code.replace('/', '.')}.yours.one import ONE\n"
    for name, held in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(held, encoding="utf-8")
    (tmp_path / "_toc.yml").write_text(contents, encoding="utf-8")
    assert tools.build.build(tmp_path, None) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"_toc.yml: {sentence}")


def test_exercises_are_the_released_solutions():
    assert differences(release(ROOT / "solutions", ROOT / "exercises"), ROOT / "exercises") == []


def test_canonical_keeps_good_ids_and_makes_stable_ones():
    bad = notebook("1", "2", "2")
    for cell, own in zip(bad.cells, ["keep-me", "no good!", "keep-me"], strict=True):
        cell["id"] = own
    once = canonical(bad)
    assert once.cells[0].id == "keep-me"
    assert len({cell.id for cell in once.cells}) == 3
    assert dumps(canonical(once)) == dumps(once) == dumps(canonical(bad))


def test_canonical_drops_images_and_figures_and_keeps_what_they_say():
    made = notebook("x")
    made.cells[0].execution_count = 7
    made.cells[0].outputs = [
        nbformat.v4.new_output(
            "display_data",
            {"text/plain": "<Figure>", "image/png": "AAAA", "text/html": "<table></table>"},
        ),
        nbformat.v4.new_output(
            "display_data", {"text/plain": "Bars", "text/html": "<attn-bars></attn-bars>"}
        ),
        nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"}),
    ]
    cell = canonical(made).cells[0]
    assert cell.execution_count == 1
    kept = [{"text/plain": "<Figure>"}, {"text/plain": "Bars"}]
    assert [output.data for output in cell.outputs] == kept


@pytest.mark.parametrize("kind", ["stream", "execute_result"])
@pytest.mark.parametrize(
    ("printed", "problem"),
    [
        ("<Generator at 0x7fb5b5189370>", "stores an address in memory, another at each run"),
        ("loss ≈  12", "pads a number after ≈, so nbval compares it"),
    ],
)
def test_what_differs_at_each_run_is_no_stored_output(printed, problem, kind, tmp_path):
    made = notebook("show()")
    made.cells[0].execution_count = 1
    result = {"data": {"text/plain": printed}, "execution_count": 1}
    about = {"text": printed} if kind == "stream" else result
    made.cells[0].outputs = [nbformat.v4.new_output(kind, **about)]
    path = tmp_path / "page.ipynb"
    path.write_text(dumps(canonical(made)), encoding="utf-8")
    assert problems(path) == [f"cell 0 {problem}"]


SOLVED = "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION"


PLANTED = """    ### PLANTED
    # if x:
    #     return -x  # wrong
    ### END SOLUTION
    pass"""
STUB = "def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError"
BUG = "def f(x):\n    if x:\n        return -x  # wrong\n    pass"


def to_release(source: str, name: str) -> nbformat.NotebookNode:
    """A notebook of one answer, which is code, or of one written question, which is not."""
    if "?" not in source:
        made = notebook(source)
        made.cells[0].metadata = {"tags": ["answer"], "task": name}
        return made
    cell = nbformat.v4.new_markdown_cell(source, metadata={"tags": ["written"], "written": name})
    return nbformat.v4.new_notebook(cells=[cell])


@pytest.mark.parametrize(
    ("source", "left"),
    [
        (SOLVED, STUB),
        (SOLVED.replace("    ### END SOLUTION", PLANTED), BUG),
        ("> **Why?**\n\nA model answer.", "> **Why?**\n\n*Your answer here.*"),
    ],
    ids=["a stub", "a planted bug", "a question"],
)
def test_release_leaves_what_a_student_starts_from(source, left):
    solved = to_release(source, "f")
    cell = released(solved).cells[0]
    assert cell.source == left and cell.metadata == solved.cells[0].metadata


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("x = 1", "f", "has the tag `answer` and no"),
        (SOLVED.replace("    ### END SOLUTION", ""), "f", "no '### BEGIN SOLUTION'"),
        (SOLVED + "\n### BEGIN SOLUTION", "f", "not closed"),
        (SOLVED, "", "must name a task"),
        ("**Why?**\n\nBecause.", "why", "has the tag `written`"),
        ("> **Why?**", "", "has the tag `written`"),
    ],
)
def test_release_refuses_what_it_would_leak_or_lose(source, name, words):
    with pytest.raises(ValueError, match=words):
        released(to_release(source, name))


def test_a_cell_may_fail_that_uses_what_a_student_has_not_written():
    """An answer, or a name: *Run All* goes on below it."""
    sources = [SOLVED, 'ME = ""  # your name', "check(f)", "print(f(2))", "show(f(2))", "drawn(ME)"]
    made = notebook(*sources)
    made.cells[0].metadata = {"tags": ["answer"], "task": "f"}
    tags = [cell.metadata.get("tags", []) for cell in released(made).cells]
    assert tags == [["answer"], [], [], *[["raises-exception"]] * 3]


# A cell's source, what it stores as printed, its tags, and whether `make notebooks` lets it pass.
SCORE = "print(f'dev 12 texts: ≈ {0.93:.2f} of 0.95 ≈ {-4.1}, ≈\u00a0{5:,}')"
CLAIM = "from book.helpers.claims import claim\nclaim('accuracy', 0.7, at_least=0.8)"
COMPARED = [
    ("print('weights', 0.632)", "weights 0.632\n", [], True),
    ("print('weights', 0.632)", "weights 0.683\n", [], False),
    ("x = 1", "", [], True),
    ("x = 1", "never printed\n", [], False),
    (SCORE, "dev 12 texts: ≈ 0.88 of 0.95 ≈ 11.25, ≈\u00a012,345\n", [], True),
    (SCORE, "dev 13 texts: ≈ 0.93 of 0.95 ≈ -4.1, ≈\u00a05\n", [], False),
    (SCORE, "dev 12 texts: ≈ 0.93 of 0.94 ≈ -4.1, ≈\u00a05\n", [], False),
    (SCORE, "dev 12 texts: 0.93 of 0.95 ≈ -4.1, ≈\u00a05\n", [], False),
    ("print('≈', float('nan'))", "≈ 0.93\n", [], False),
    ("print('≈ 2e-05')", "≈ 1.7e-06\n", [], True),
    ("print('le chat')", "le chien\n", ["nbval-ignore-output"], True),
    ("1 / 0", "", ["nbval-ignore-output"], False),
    (CLAIM, "", [], False),
]


@pytest.mark.slow
def test_what_make_notebooks_lets_pass(tmp_path):
    """One kernel and one pytest, as `make notebooks` starts them, our conftest.py included."""
    page = notebook(*(source for source, *_ in COMPARED))
    for cell, (_, text, tags, _) in zip(page.cells, COMPARED, strict=True):
        cell.execution_count = 1
        cell.metadata = {"tags": tags}
        cell.outputs = [nbformat.v4.new_output("stream", text=text)] if text else []
    path = tmp_path / "page.ipynb"
    path.write_text(dumps(canonical(page)), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    command += ["-c", str(ROOT / "pyproject.toml"), "-p", "conftest"]
    command += ["-p", "nbval.plugin", "--nbval", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    failed = {int(n) for n in re.findall(r"^FAILED .*::Cell (\d+)", done.stdout, re.M)}
    wrong = {n for n, (*_, passes) in enumerate(COMPARED) if passes == (n in failed)}
    assert not wrong, f"cells {wrong} of COMPARED\n{done.stdout}"
    assert "accuracy: 0.7, and the page says at least 0.8." in done.stdout
