"""The table of a class: it is written, edited by a person, and graded as it then says."""

import pytest

from course_lib.checker.errors import InputError
from grader.submissions.class_table import found_in, read_class, write_class
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import STEMS, in_folder, in_zip, notebook, whose

SOFTMAX = notebook("ann", "softmax")


def test_a_table_that_was_edited_is_graded_as_it_says(tmp_path, monkeypatch):
    files = {"ann/a.ipynb": SOFTMAX, "b.ipynb": notebook("bob", "softmax"), "-x/n.pdf": b""}
    folder, zipped = in_folder(tmp_path, files), in_zip(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    for place in (folder.relative_to(tmp_path), zipped.relative_to(tmp_path)):
        lines = collect(place, STEMS, "folders")
        assert [(line.student, line.exercise) for line in lines] == [
            ("", ""),
            ("-x", ""),
            ("ann", "01_softmax"),
        ]
        text = write_class(lines).replace('"","","', '"bob","01_softmax","', 1)
        text += '"cyd","01_softmax","gone.ipynb","","",""\n'
        (tmp_path / "class.csv").write_text(text)
        found = found_in(read_class(tmp_path / "class.csv", STEMS))
        notes = {"cyd": "There is no file 'gone.ipynb'."}
        assert {s: notes.get(s, s) for (s, _) in whose(found)} == {
            student: by for (student, _), by in whose(found).items()
        }
        assert found.strays == {"-x": ["n.pdf"]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("student,path\nann,a\n", "has no column exercise in line 1"),
        ("student,exercise,path\nann,99_x,a\n", "line 2: there is no exercise '99_x'"),
        (
            "student,exercise,path,date\nann,01_softmax,a,soon\n",
            "line 2: the date is 'soon'; 2026-",
        ),
        ("student,exercise,path\na/b,01_softmax,a\n", "line 2: 'a/b' cannot be a student's name"),
    ],
)
def test_what_is_wrong_in_a_table_is_said_with_its_line(text, sentence, tmp_path):
    (tmp_path / "class.csv").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_class(tmp_path / "class.csv", STEMS)


def test_an_apostrophe_in_front_of_a_name_is_the_name_s_own(tmp_path):
    """Else who is called so takes another's row: by malice, or as Gerard 't Hooft."""
    names = ("'ada", "ada", "'t Hooft", "t Hooft", "=ada", "'=ada", "''=ada", "@x", "ada;=1")
    files = {f"{name}/a.ipynb": notebook(name, "softmax") for name in names}
    lines = collect(in_folder(tmp_path, files), STEMS, "folders")
    (tmp_path / "class.csv").write_text(write_class(lines), encoding="utf-8")
    found = whose(found_in(read_class(tmp_path / "class.csv", STEMS)))
    assert found == {(name, "01_softmax"): name for name in names}
