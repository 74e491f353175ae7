"""Every form in which a platform writes, packed in every way: each file is its owner's."""

import datetime
import json
import unicodedata
import zipfile
from pathlib import Path

import pytest

from grader.submissions.collect import collect
from tests.grader.submissions.platform_files import FORMS, PACKED, Person, table
from tests.grader.submissions.small_class import STEMS, notebook, roster

ROOT = Path(__file__).parents[3]
CLOCK = (2026, 11, 20, 23, 58, 0)
MADE = [
    (form, how, alphabet)
    for form in FORMS
    for how in PACKED
    for alphabet in ("flagged", "NFD, without the flag")
]


def written(place, files, alphabet):
    """The zip, in UTF-8 with the flag that says so, or as macOS writes it."""
    with zipfile.ZipFile(place, "w") as archive:
        for name, what in files.items():
            name = name if alphabet == "flagged" else unicodedata.normalize("NFD", name)
            text = what if type(what) is str else notebook(what.row if what else "", "softmax")
            archive.writestr(zipfile.ZipInfo(name, CLOCK), text)
    if alphabet != "flagged":
        data = bytearray(place.read_bytes())
        for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            found = data.find(mark)
            while found >= 0:
                data[found + at + 1] &= ~0x08
                found = data.find(mark, found + 4)
        place.write_bytes(data)
    return place


@pytest.mark.parametrize(
    ("form", "how", "alphabet"), MADE, ids=lambda one: getattr(one, "writes", str(one))
)
def test_every_file_is_its_owner_s(form, how, alphabet, tmp_path):
    files = PACKED[how](form.files)
    place = written(tmp_path / "a download.zip", files, alphabet)
    more = {"assignment": "hw-1"} if form.platform == "github" else {}
    people = roster(tmp_path, form.roster)
    lines = collect(place, STEMS, form.platform, people, **more)
    people_of = {one.row: one for one in form.files.values() if isinstance(one, Person)}
    names = {one.name: one for one in people_of.values()}  # a worksheet's rows have these
    for line in lines:
        owner = people_of.get(line.student) or names.get(line.student)
        assert owner or not line.student, line
        if owner and line.exercise:
            assert json.loads(line.read()[0])["who"] == owner.row
            wanted = datetime.datetime(*CLOCK).isoformat() if form.date is None else form.date
            assert line.date == wanted
    graded = {line.student for line in lines if line.student and line.exercise}
    shown = {line.student for line in lines if line.student}
    wanted = {name for name in (people_of if form.roster.startswith("student") else names)}
    assert (graded if form.work else shown) == wanted
    assert not (graded and not form.work)
    nobody = [line for line in lines if not line.student and line.path.endswith(".ipynb")]
    if form.platform != "nbgrader":  # of its course only what was handed in is looked at
        assert len(nobody) == list(files.values()).count(None)


def test_the_page_says_what_is_done():
    page = json.loads((ROOT / "book/grading_a_class.ipynb").read_text(encoding="utf-8"))
    text = "".join("".join(cell["source"]) for cell in page["cells"])
    missing = [line for line in table() if line not in text]
    assert not missing, "write into *Grading a class*:\n" + "\n".join(table())
