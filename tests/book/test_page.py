"""`make page`: a new chapter has every part that the tests ask for, and says what to write."""

import re
import shutil

import pytest

from tests.book.test_teaching import ROOT, cell_faults, faults, wide_lines
from tools.contents import chapters
from tools.page import new_page


@pytest.fixture
def course(tmp_path):
    for name in ("_toc.yml", "_config.yml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "book").mkdir()
    return tmp_path


def test_a_new_page_keeps_the_rules_once_its_places_are_filled(course):
    first, *_, last = chapters(course)
    said = new_page(course, "my_idea", first.removeprefix("book/"))
    assert 'pytest tests/book -k "my_idea or minutes"' in said
    assert chapters(course)[1] == "book/my_idea"
    path = course / "book" / "my_idea.ipynb"
    text = path.read_text(encoding="utf-8")
    (left,) = faults(path)
    assert left.startswith(
        f"{text.count('[WRITE: ')} places are not written yet; the first is: two"
    )
    path.write_text(re.sub(r"\[WRITE: [^\]]*\]", "some words", text), encoding="utf-8")
    assert faults(path) + cell_faults(path) + wide_lines(path) == []
    new_page(course, "another", "")
    assert chapters(course)[-2:] == [last, "book/another"]


@pytest.mark.parametrize(
    ("name", "after", "words"),
    [
        ("Mine", "", "small letters"),
        ("taken", "", "'taken' already"),
        ("mine", "nothing", "AFTER=nothing is no chapter"),
    ],
)
def test_a_page_that_cannot_be_is_refused_and_nothing_is_written(course, name, after, words):
    (course / "book" / "taken.md").touch()
    before = (course / "_toc.yml").read_bytes()
    with pytest.raises(ValueError, match=words):
        new_page(course, name, after)
    assert (course / "_toc.yml").read_bytes() == before
    assert not list((course / "book").glob("*.ipynb"))
