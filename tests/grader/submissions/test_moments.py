"""Times are moments; a file that was saved later than the one that counts is said."""

import os
import zipfile

import pytest

from grader.submissions.class_table import Line
from grader.submissions.collect import collect
from grader.submissions.moments import LATE, moment
from grader.submissions.people import Person
from grader.submissions.roster import Roster
from grader.submissions.teams import shared
from tests.grader.submissions.small_class import STEMS, in_folder, notebook

ORDER = ["", "2026-11-20T23:00:00+01:00", "2026-11-20T22:30:00+00:00", "2026-11-20T23:00:00", LATE]


def test_dates_are_moments():
    assert sorted(reversed(ORDER), key=moment) == ORDER


def test_a_team_gets_the_file_that_was_handed_in_last():
    people = Roster([Person("ada", team="A"), Person("ben", team="A")])
    lines = [
        Line("ada", "01_softmax", "new", ORDER[2]),
        Line("ben", "01_softmax", "old", ORDER[1]),
    ]
    (line,) = shared(lines, people, "folders")
    assert (line.student, line.path) == ("ben", "new")


@pytest.mark.parametrize(
    ("names", "counts", "said"),
    [
        # Jupyter's Duplicate, made before the work went on: its date decides.
        (["01_softmax-Copy1.ipynb", "01_softmax.ipynb"], 1, False),
        (["01_softmax.ipynb", "01_softmax-Copy1.ipynb"], 1, False),
        # A browser's number is mostly a later try; where the dates say otherwise, see.
        (["01_softmax (1).ipynb", "01_softmax.ipynb"], 0, True),
        (["01_softmax-1.ipynb", "01_softmax.ipynb"], 0, True),
        (["01_softmax.ipynb", "01_softmax (1).ipynb"], 1, False),
    ],
)
def test_a_backup_counts_in_no_silence(tmp_path, names, counts, said):
    """The names are in the order in which the files were saved, two days apart."""
    place = in_folder(tmp_path, {f"ada/{name}": notebook(name, "softmax") for name in names})
    for day, name in enumerate(names):
        os.utime(place / "ada" / name, (10**9 + 172_800 * day,) * 2)
    line = collect(place, STEMS, "folders")[-1]
    assert line.path.endswith(names[counts])
    assert ("was saved later" in line.look) == said
    assert not said or repr(names[1]) in line.look


def test_a_backslash_on_canvas_is_a_letter(tmp_path):
    """One file of Roe's, whose name begins like a folder and then like a file of Lee's."""
    name = "roeeve_66_502_x\\leeada_11_998_01_softmax.ipynb"
    with zipfile.ZipFile(tmp_path / "late.zip", "w") as archive:
        archive.writestr(name, notebook("eve", "softmax"))
    (line,) = collect(tmp_path / "late.zip", STEMS, "canvas")
    assert (line.student, line.id) == ("roeeve", "66")


def test_a_folder_s_backslash_before_a_name_of_canvas_s_is_none(tmp_path):
    """One file, packed again by a system that writes so."""
    with zipfile.ZipFile(tmp_path / "again.zip", "w") as archive:
        archive.writestr("hw\\leeada_11_998_01_softmax.ipynb", notebook("ada", "softmax"))
    (line,) = collect(tmp_path / "again.zip", STEMS, "canvas")
    assert (line.student, line.id) == ("leeada", "11")
