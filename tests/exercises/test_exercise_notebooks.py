"""The exercise notebooks and the catalogue say the same: tasks, names, points, solutions."""

import doctest
import inspect
import re
from pathlib import Path

import nbformat
import pytest

from course_lib.checker.written_answers import question_lines, written_answers
from course_lib.exercises import CATALOGUE, check, show
from tools.address import read as read_address

ROOT = Path(__file__).resolve().parents[2]
STEMS = list(CATALOGUE.exercises)
BROUGHT = ("imports", "parts", "given", "masked", "me", "stranger")  # cells that answers stand on
# Of what is examined inside a drawn model nothing can be drawn.
INSIDE = ("own_attention", "own_logits", "own_text")
FORMS = (
    "break_",
    "which_",
    "predict_",
    "repair_",
    "say_",
)  # tasks about a stranger: nothing is drawn
SHOWN = [name for name in CATALOGUE.tasks if not name.startswith(FORMS) and name not in INSIDE]


def read(folder, stem):
    return nbformat.read(ROOT / folder / f"{stem}.ipynb", as_version=4)


def answers(notebook):
    """{task: source} of the answer cells, in order."""
    cells = [cell for cell in notebook.cells if "answer" in cell.metadata.get("tags", [])]
    return {cell.metadata["task"]: cell.source for cell in cells}


def run_answers(notebook):
    """What the imports, the parts that a student brings, and the answer cells define."""
    space = {"__name__": "__main__"}
    brought = [cell.source for cell in notebook.cells if cell.get("id") in BROUGHT]
    for source in (*brought, *answers(notebook).values()):
        exec(source, space)
    return space


def test_each_exercise_has_its_notebook():
    assert sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb")) == STEMS


@pytest.mark.parametrize("stem", STEMS)
def test_the_notebook_has_the_tasks_of_the_catalogue(stem):
    notebook = read("solutions", stem)
    tasks = [task.name for task in CATALOGUE.exercises[stem].tasks]
    assert list(answers(notebook)) == tasks
    # In lab 2 the check of a program follows that of its evidence, in the same section.
    sources = [cell.source for cell in notebook.cells]
    checks = [source for source in sources if source.startswith("check(")]
    assert sorted(checks) == sorted(f"check({name})" for name in tasks)
    for name, answer in answers(notebook).items():
        between = sources[sources.index(answer) : sources.index(f"check({name})")]
        assert between and not any(source.startswith("## ") for source in between), name


@pytest.mark.parametrize("stem", [stem for stem in STEMS if not stem.startswith("lab")])
def test_the_target_is_shown_right_above_each_answer(stem):
    notebook = read("exercises", stem)
    for before, cell in zip(notebook.cells, notebook.cells[1:], strict=False):
        if "answer" in cell.metadata.get("tags", []) and cell.metadata["task"] in SHOWN:
            assert before.source == f'show("{cell.metadata["task"]}")'
    stored = {c.source: c.outputs for c in read("solutions", stem).cells if c.cell_type == "code"}
    for task in (one for one in CATALOGUE.exercises[stem].tasks if one.name in SHOWN):
        (output,) = stored[f'show("{task.name}")']
        assert output.data["text/plain"] == repr(show(task.name))


@pytest.mark.parametrize("stem", STEMS)
def test_the_notebook_tells_the_points_of_the_catalogue(stem):
    """Of each section, which has one task, and in lab 2 a program and its evidence."""
    stated, given = [], []
    points = {task.name: task.points for task in CATALOGUE.exercises[stem].tasks}
    for cell in read("solutions", stem).cells:
        if found := re.match(r"## \d+\. .*\((\d+) points?\)$", cell.source, re.M):
            stated.append(int(found[1]))
            given.append(0)
        if task := cell.metadata.get("task"):
            given[-1] += points[task]
    assert stated == given and all(given)


@pytest.mark.parametrize("stem", STEMS)
def test_the_solutions_pass(stem):
    space = run_answers(read("solutions", stem))
    for task in CATALOGUE.exercises[stem].tasks:
        report = check(space[task.name])
        assert report.passed, report


@pytest.mark.parametrize("stem", STEMS)
def test_the_stubs_have_the_signature_and_say_that_they_are_not_written(stem):
    space = run_answers(read("exercises", stem))
    for task in CATALOGUE.exercises[stem].tasks:
        stub = space[task.name]
        assert list(inspect.signature(stub).parameters) == list(
            inspect.signature(task.reference).parameters
        )
        assert inspect.getdoc(stub)
        report = check(stub)
        if task.original:
            assert report.mistake == task.mistakes[0].name
            assert answers(read("exercises", stem))[task.name] == task.original.rstrip()
        else:
            assert "not written yet" in report.diagnosis


@pytest.mark.parametrize("stem", STEMS)
def test_the_questions_for_a_person_are_those_of_the_catalogue(stem):
    wanted = {one.name: one for one in CATALOGUE.exercises[stem].written}
    for folder in ("solutions", "exercises"):
        cells = [c for c in read(folder, stem).cells if "written" in c.metadata.get("tags", [])]
        assert [cell.metadata["written"] for cell in cells] == list(wanted)
        for cell in cells:
            one = wanted[cell.metadata["written"]]
            asked = " ".join(line.removeprefix(">").strip() for line in question_lines(cell.source))
            _title, points, question = re.match(
                r"\*\*(.+) \((\d+) points?\)\.\*\* (.+)", asked
            ).groups()
            assert (int(points), question) == (one.points, one.question)
    stated = written_answers((ROOT / "solutions" / f"{stem}.ipynb").read_bytes())
    empty = written_answers((ROOT / "exercises" / f"{stem}.ipynb").read_bytes())
    assert stated.keys() == empty.keys() == wanted.keys()
    assert all(stated.values()) and not any(empty.values())


def test_the_rules_are_the_same_words_everywhere():
    """But for what a lab asks in place of an answer, and the libraries that it allows."""
    notebooks = [read("exercises", stem) for stem in STEMS]
    rules = [cell.source for book in notebooks for cell in book.cells if cell.get("id") == "rules"]
    assert len(rules) >= 10
    parts = [text.partition("Every check draws")[2] for text in rules]
    parts = [text.replace("NumPy (torch from exercise 04 on)", "NumPy, torch") for text in parts]
    assert len(set(parts)) == 1
    for name in ("What is graded", "attn check", "hidden", "pip install"):
        assert name in rules[0]


@pytest.mark.parametrize("stem", STEMS)
def test_the_pages_to_read_first_are_in_the_book(stem):
    text = read("exercises", stem).cells[0].source
    pages = re.findall(r"\[([^]]+)\]\((\S+)book/(\w+)\.(?:html|ipynb)\)", text)
    assert pages
    for title, address, page in pages:
        assert address in (read_address(ROOT).site, "../")
        assert read("book", page).cells[0].source.startswith(f"# {title}\n")


HEAD = (
    r"^\*About \d+ minutes\. Difficulty: (easy|medium|hard)\. "
    r"Importance: (high|medium|low), [^.*]+\.\*$"
)


def texts_before(notebook):
    """{task: the text between its heading and its stub}."""
    found, text = {}, ""
    for cell in notebook.cells:
        if "answer" in cell.metadata.get("tags", []):
            found[cell.metadata["task"]] = text
        elif cell.source.startswith("## "):
            text = cell.source
    return found


@pytest.mark.parametrize("stem", STEMS)
def test_the_examples_in_texts_and_stubs_are_right(stem):
    notebook = read("solutions", stem)
    space, texts = run_answers(notebook), texts_before(notebook)
    for task in CATALOGUE.exercises[stem].tasks:
        for words in (space[task.name].__doc__ or "", texts[task.name].replace("```", "")):
            example = doctest.DocTestParser().get_doctest(words, dict(space), task.name, None, None)
            printed = []
            result = doctest.DocTestRunner().run(example, out=printed.append)
            assert result.failed == 0, "".join(printed)


@pytest.mark.parametrize("stem", STEMS)
def test_each_task_says_how_long_it_takes_and_has_an_example_with_numbers(stem):
    notebook = read("exercises", stem)
    texts, stubs = texts_before(notebook), answers(notebook)
    for task in CATALOGUE.exercises[stem].tasks:
        text = texts[task.name]
        assert re.search(HEAD, text, re.M), task.name
        given = "**By hand.**" in text or "**An example.**" in text or ">>> " in stubs[task.name]
        assert given, f"{task.name} has no example"
    words = "\n".join(dict.fromkeys(texts.values()))  # of two tasks in one section once
    minutes = sum(map(int, re.findall(r"^\*About (\d+) minutes", words, re.M)))
    stated = int(re.search(r"about (\d+) minutes", notebook.cells[0].source)[1])
    written = CATALOGUE.exercises[stem].written
    assert minutes + 10 * bool(written) <= stated, "tasks and question take longer than it says"
    if not written:
        assert minutes == stated
