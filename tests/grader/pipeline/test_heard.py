"""What an instructor must hear is said, on the screen and first on the overview."""

import pytest

from grader.submissions.likeness import likeliest
from grader.submissions.people import Person
from tests.grader.pipeline.class_commands import work

SMITH = Person("asmith", "Alexandra Smith", email="a.smith@x.org")
PEOPLE = [SMITH, Person("ada", "Ada Lee"), Person("007"), Person("1234567890123456", "Bo Yu")]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("smithalex", "asmith"), ("alexsmith", "asmith"), ("a.smith", "asmith"),
        ("Asmith", "asmith"), ("asmtih", "asmith"), ("asmiht", "asmith"), ("asmth", "asmith"),
        ("extra-ada", "ada"), ("7", "007"), ("1.23457E+15", "1234567890123456"),
        ("leeada", "ada"), ("zoe", None), ("1.2E+99", None), ("E", None), ("", None),
    ],
)  # fmt: skip
def test_the_likeliest_pair(name, student):
    found = [one.student for one in likeliest(name, PEOPLE)]
    assert found == ([student] if student else [])


def test_who_is_on_no_roster_and_who_has_nothing_is_said_with_the_likeliest_pair(class_):
    people = class_.roster("student,name,lms_id\nasmith,Alexandra Smith,\nada,Ada Lee,11\n")
    files = {"smithalex_12_901_01_softmax.ipynb": work("alex")}
    files |= {"leeada_11_900_01_softmax.ipynb": work("ada")}
    said = class_.grade(class_.pack(files), "--from", "canvas", *people)
    pair = "smithalex, perhaps asmith (Alexandra Smith), who has nothing"
    assert f"01_softmax: 1 row is on no roster: {pair}\n" in said
    assert "01_softmax: 1 of the roster has nothing: asmith\n" in said
    assert "Look at these first: on no roster (1)" in said
    page = class_.overview()
    assert "Perhaps asmith (Alexandra Smith), who has nothing." in page
    assert page.index("on no roster (1)") < page.index("<h2>01_softmax</h2>")
    class_.attn("marks", "grades", "grades/written/01_softmax.csv")
    assert "on no roster (1)" in class_.overview()
    class_.roster("student,name,lms_id\nsmithalex,Alexandra Smith,12\nada,Ada Lee,11\n")
    said = class_.grade("class.zip", "--from", "canvas", *people)
    assert "on no roster" not in said + class_.overview() and "has nothing" not in said


def test_a_score_that_changed_is_said_while_answers_wait_for_their_marks(class_):
    class_.grade(
        class_.put({"ada/01_softmax.ipynb": work("ada"), "ben/01_softmax.ipynb": work("b")})
    )
    said = class_.grade(class_.put({"ada/01_softmax.ipynb": work("ada again", 0)}))
    assert "scores that changed: 1\n  ada, 01_softmax: 10 → 0\n" in said
    assert "scores that changed (1)" in said and "ada, 01_softmax: 10 → 0" in class_.overview()
    said = class_.grade("class")
    assert "scores that changed" not in said + class_.overview()


def test_marks_that_changed_are_said_apart(class_):
    class_.put({"ada/01_softmax.ipynb": work("ada")})
    class_.grade("class")
    (class_.folder / "m.csv").write_text("student,exercise,item,points\nada,01_softmax,why,2\n")
    class_.attn("marks", "grades", "m.csv")
    (class_.folder / "course.toml").write_text("written = false\n")
    assert "  ada, 01_softmax: marks 2 → none\n" in class_.grade("class")


def test_names_that_differ_in_case_alone_are_said_also_without_a_roster(class_):
    class_.grade(class_.put({"Ada/01_softmax.ipynb": work("ada")}))
    said = class_.grade(class_.put({"ada/02_plain.ipynb": work("ada", 9, "02_plain")}, "week2"))
    assert "'Ada' and 'ada' differ in case" in said and "names alike (1)" in said
    people = class_.roster("student\nAda\nada\n")
    assert "differ in case" not in class_.grade("week2", *people)


def test_a_file_that_is_nobody_s_stands_first_on_the_overview(class_):
    files = {"ada/01_softmax.ipynb": work("ada"), "01_softmax.ipynb": work("who")}
    said = class_.grade(class_.put(files))
    assert "files that are nobody's (1)" in said
    assert "class/01_softmax.ipynb: it is nobody's" in class_.overview().replace("&#39;", "'")
