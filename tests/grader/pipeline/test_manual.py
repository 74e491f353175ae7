"""What the manual says of grading is so: each of its sentences is held by a test or a cell that
manual.yml names, and its three lines are run as they stand."""

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from grader.pipeline import command
from tests.grader import tables
from tests.grader.pipeline.class_commands import work

ROOT = Path(__file__).parents[3]
PAGE = "book/grading_a_class.ipynb"
HOLDS = yaml.safe_load(Path(__file__).with_name("manual.yml").read_text(encoding="utf-8"))
# Of each text the part that is the manual: from here, to there.
PARTS = {
    PAGE: ("# For instructors", "\n## Exercises\n"),
    "book/adopting_the_course.md": ("\n## Handing out", "\n## Dropping"),
    "README.md": ("| **Teach** |", "\nA course of your own"),
    "grader/README.md": ("\nGrades a folder", "\n`submissions/`"),
}
NO_TEXT = re.compile(r"```.*?```|^(?: {4}|[#<]|:::|[| :-]+$).*?$", re.M | re.S)
SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=[A-Z`*\"{])")


def cells(page):
    return json.loads((ROOT / page).read_text(encoding="utf-8"))["cells"]


def text_of(page):
    """The manual's part of a text, in Markdown."""
    if page.endswith(".ipynb"):
        text = "\n\n".join("".join(c["source"]) for c in cells(page) if c["cell_type"] != "code")
    else:
        text = (ROOT / page).read_text(encoding="utf-8")
    begin, end = PARTS[page]
    start = text.index(begin)
    return text[start : text.index(end, start)]


def sentences(text):
    """The sentences of a text; a row of a table is one, and so is an item of a list."""
    for block in re.split(r"\n\n+|\n(?=\||- |\d+\. )|(?<=\|)\n", NO_TEXT.sub("", text)):
        said = " ".join(re.sub(r"^(?:- |\d+\. )", "", block.strip()).split())
        yield from [said.strip("| ")] if said.startswith("|") else SENTENCE.split(said)


def names_of(held):
    return [] if held in ("no claim", "theirs") else held.split()


@pytest.mark.parametrize("page", PARTS)
def test_each_sentence_of_the_manual_is_held_by_something(page):
    said = [one for one in sentences(text_of(page)) if one]
    missing = [one for one in said if not one.startswith(tuple(HOLDS[page]))]
    assert not missing, "say in manual.yml what holds each of these"
    gone = [start for start in HOLDS[page] if not any(one.startswith(start) for one in said)]
    assert not gone, "these sentences are in manual.yml alone"


@pytest.mark.parametrize("page", PARTS)
def test_what_holds_a_sentence_is_there(page):
    ids = {cell["id"] for cell in cells(PAGE)}
    for name in {name for held in HOLDS[page].values() for name in names_of(held)}:
        file, _, function = name.partition("::")
        if file.startswith("cell:"):
            assert file.removeprefix("cell:") in ids, name
            continue
        path = ROOT / "tests" / (f"{file}.py")
        assert path.exists(), name
        assert f"def {function}(" in path.read_text(encoding="utf-8") or not function, name


ZIPS = {
    "moodle": (
        "{}_{}_assignsubmission_file_/01_softmax.ipynb",
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade\n"
        "Participant 11,Ada Lee,a@x,,,10.00\nParticipant 12,Bo Ng,b@x,,,10.00\n",
        ("Ada Lee", "Bo Ng"),
        "moodle.csv",
    ),
    "canvas": (
        "{}_{}_900_01_softmax.ipynb",
        'Student,ID,SIS User ID,SIS Login ID,Section\n"Lee, Ada",11,,ada,A\n"Ng, Bo",12,,bo,A\n',
        ("leeada", "ngbo"),
        "canvas.csv",
    ),
}


@pytest.mark.parametrize("platform", ZIPS)
@pytest.mark.parametrize("page", ["README.md", PAGE])
def test_a_zip_is_graded_by_the_three_lines(class_, platform, page):
    form, people, names, table = ZIPS[platform]
    class_.roster(people, "worksheet.csv")
    class_.pack({form.format(name, 11 + i): work(name, 10 - i) for i, name in enumerate(names)})
    lines = re.findall(r"^(?: {4})?(attn .*worksheet\.csv.*)$", text_of(page), re.M)
    assert len(lines) == 3
    for line in lines:
        words = shlex.split(line.replace("moodle", platform), comments=True)[1:]
        words, _, kept = (words, "", "") if ">" not in words else (words[:-2], ">", words[-1])
        class_.attn(*words)
        if kept:
            (class_.folder / kept).write_text(class_.said.out, encoding="utf-8")
    exported = class_.folder / "grades" / "export" / platform
    assert [row["01_softmax"] for row in tables.lines_of(exported / table)][-2:] == ["10", "9"]


def test_moodle_s_worksheet_waits_for_the_answers_in_words(class_):
    form, people, names, _ = ZIPS["moodle"]
    sheet = class_.roster(people)
    class_.pack({form.format(name, 11 + i): work(name) for i, name in enumerate(names)})
    class_.grade("class.zip", "--from", "moodle", *sheet)
    for marks, grades in ((), ["", ""]), (names, ["12", "12"]):
        lines = "".join(f"{who},01_softmax,why,2\n" for who in marks)
        (class_.folder / "marks.csv").write_text(f"student,exercise,item,points\n{lines}")
        class_.attn("marks", "grades", "marks.csv")
        rows = class_.exported("moodle", "worksheet-01_softmax.csv", *sheet)
        assert [row["Grade"] for row in rows] == grades


def test_a_zip_makes_the_table_that_collect_prints(class_):
    """And says what to look at before anything runs."""
    form, _, names, _ = ZIPS["canvas"]
    given = ("class.zip", "--from", "canvas")
    files = {form.format(name, 11 + i): work(name) for i, name in enumerate((*names, "leeada"))}
    class_.pack(files)
    class_.attn("collect", *given)
    printed = class_.said.out
    class_.grade(*given)
    assert (class_.folder / "grades" / "class.csv").read_text(encoding="utf-8") == printed
    looks, _, then = class_.said.err.partition("profile: ")
    assert "look: leeada (11): " in looks and "look: leeada (13): " in looks and then


def test_a_setting_on_the_command_line_comes_first(class_, monkeypatch):
    seen, grade_all = [], command.grade_all

    def watched(jobs, settings, sandboxes):
        seen.append(settings.timeout)
        return grade_all(jobs, settings, sandboxes)

    monkeypatch.setattr(command, "grade_all", watched)
    (class_.folder / "course.toml").write_text("[limits]\ntimeout = 20\n")
    class_.put({"ada/01_softmax.ipynb": work("ada")})
    class_.grade("class")
    class_.put({"ada/01_softmax.ipynb": work("ada", 9)})
    class_.grade("class", "--timeout", "6")
    assert seen == [20, 6]
