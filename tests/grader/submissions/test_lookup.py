"""A path of a collected table leads to the file that was collected, and to no other."""

import os
import unicodedata
from pathlib import Path

import pytest

from grader.submissions.class_table import found_in, read_class, write_class
from grader.submissions.collect import collect
from tests.grader.submissions.small_class import STEMS, in_folder, in_zip, notebook, whose

NFD = unicodedata.normalize("NFD", "Übung")
NAMES = [f"José/{NFD}.ipynb", f"{NFD}/a.ipynb"]
NAMES += [f"x{sign}y/a{sign}.ipynb" for sign in "\u200f\u200b\u202e\ufeff\t\n\u2126"]


def collected(tmp_path, files, folder=True):
    """(whose rows there are, by the straight way; by the table)."""
    place = (in_folder if folder else in_zip)(tmp_path, files).relative_to(tmp_path)
    lines = collect(place, STEMS, "folders")
    (tmp_path / "class.csv").write_text(write_class(lines), encoding="utf-8")
    read = read_class(tmp_path / "class.csv", STEMS)
    assert [line.path for line in read] == [line.path for line in lines]
    return whose(found_in(lines)), whose(found_in(read))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("folder", [True, False], ids=["folder", "zip"])
def test_a_table_finds_every_name_that_a_system_writes(tmp_path, folder):
    files = {name: notebook(str(number), "softmax") for number, name in enumerate(NAMES)}
    straight, table = collected(tmp_path, files, folder)
    assert straight == table and len(table) == len(NAMES)


@pytest.mark.parametrize("folder", [True, False], ids=["folder", "zip"])
def test_names_that_a_table_writes_alike_stay_two_files(tmp_path, folder):
    """A Mac's file beside the same from another system; two folders of two people."""
    same = ["ada/Übung.ipynb", f"ada/{NFD}.ipynb", "Übung/a.ipynb", f"{NFD}/b.ipynb"]
    files = {name: notebook(name, "softmax") for name in same}
    straight, table = collected(tmp_path, files, folder)
    assert straight == table


def test_what_is_typed_for_several_files_is_asked_again(tmp_path):
    names = [f"ada/x{sign}.ipynb" for sign in "\u200b\u200f"]
    in_folder(tmp_path, dict.fromkeys(names, notebook("ada", "softmax")))
    text = "student,exercise,path\nada,01_softmax,class/ada/x\ufffd.ipynb\n"
    (tmp_path / "class.csv").write_text(text, encoding="utf-8")
    (line,) = read_class(tmp_path / "class.csv", STEMS)
    assert not line.read and "class/ada/x<U+200B>.ipynb or class/ada/x<U+200F>" in line.note


def test_a_table_is_of_the_folder_in_which_it_lies(tmp_path):
    """With week 2's table from the folder above: there lies week 1's class under the same names."""
    for folder, who in ((tmp_path / "week2", "this week"), (tmp_path, "last week")):
        in_folder(folder, {"ada/01_softmax.ipynb": notebook(who, "softmax")})
    text = "student,exercise,path\nada,01_softmax,class/ada/01_softmax.ipynb\n"
    (tmp_path / "week2/class.csv").write_text(text)
    lines = read_class(Path("week2/class.csv"), STEMS)
    assert whose(found_in(lines)) == {("ada", "01_softmax"): "this week"}
    assert lines[0].path.startswith("week2/class/ada/01_softmax.ipynb")
    assert "another file lies at 'class/ada/01_softmax.ipynb'" in lines[0].look


def test_a_folder_that_became_a_link_is_not_followed(tmp_path):
    """Before the table is read, and between that and the reading of the file."""
    files = {name: notebook(name[:3], "softmax") for name in ("ada/w/a.ipynb", "eve/s/w/a.ipynb")}
    place = in_folder(tmp_path, files)
    lines = collect(place, STEMS, "folders")
    (tmp_path / "class.csv").write_text(write_class(lines))
    read = read_class(tmp_path / "class.csv", STEMS)
    (place / "eve/s").rename(place / "eve/old")
    (place / "eve/s").symlink_to("../ada")
    for eve in (lines[1], read[1]):
        with pytest.raises(ValueError, match="folder cannot be opened"):
            eve.read()
    (ada, eve) = read_class(tmp_path / "class.csv", STEMS)
    assert ada.read and not eve.read and "is a link, and links are not followed" in eve.note


@pytest.mark.parametrize("inside", ["", "zip"])
def test_the_input_itself_may_be_a_link(tmp_path, inside):
    files = {"ada/01_softmax.ipynb": notebook("ada", "softmax")}
    place = in_zip(tmp_path, files) if inside else in_folder(tmp_path, files)
    given = f"given{'.zip' if inside else ''}"
    os.symlink(place, tmp_path / given)
    lines = collect((tmp_path / given).relative_to(tmp_path), STEMS, "folders")
    (tmp_path / "class.csv").write_text(write_class(lines))
    assert whose(found_in(read_class(tmp_path / "class.csv", STEMS))) == whose(found_in(lines))
