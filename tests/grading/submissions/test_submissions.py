"""Every layout is understood; names, links and archives lead nowhere else."""

import os
import stat
import zipfile
import zlib

import pytest

from course_lib.grading.errors import InputError
from course_lib.grading.pipeline.run import missing
from course_lib.grading.submissions.archive import find_in_zip
from course_lib.grading.submissions.folder import find_submissions
from course_lib.grading.submissions.notebook import Unreadable
from course_lib.grading.submissions.owners import settle

STEMS = ("01_softmax", "02_context_vectors")


def put(root, name, data=b"{}"):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def who(found, roster=None):
    return sorted((one.student, one.exercise) for one in settle(found, roster).submissions)


def test_folders_of_students(tmp_path):
    put(tmp_path, "ann/01_softmax.ipynb")
    put(tmp_path, "bob lee/02_context_vectors.ipynb")
    put(tmp_path, "bob lee/notes.txt")
    put(tmp_path, "ann/.ipynb_checkpoints/01_softmax.ipynb")
    put(tmp_path, ".git/01_softmax.ipynb")
    (tmp_path / "eve").mkdir()
    found = find_submissions(tmp_path, STEMS)
    assert who(found) == [("ann", "01_softmax"), ("bob lee", "02_context_vectors")]
    assert [owner.student for owner in found.empty] == ["eve"] and not found.refused
    assert missing(found, None) == {("eve", "01_softmax"), ("eve", "02_context_vectors")}


def test_what_is_no_file_keeps_its_row_and_is_not_read(tmp_path):
    put(tmp_path, "ann/01_softmax.ipynb")
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob/01_softmax.ipynb").symlink_to("../ann/01_softmax.ipynb")
    (tmp_path / "cyd_01_softmax.ipynb").symlink_to("ann/01_softmax.ipynb")
    (tmp_path / "dan").mkdir()
    (tmp_path / "dan/01_softmax.ipynb").mkdir()
    os.mkfifo(tmp_path / "eve_01_softmax.ipynb")
    found = find_submissions(tmp_path, STEMS)
    assert {s for s, _ in who(found)} == {"ann", "bob", "cyd", "dan", "eve"}
    for one in found.submissions:
        if one.student != "ann":
            with pytest.raises(Unreadable):
                one.read()


def test_a_linked_student_is_refused_now_and_later(tmp_path):
    put(tmp_path / "in", "ann/01_softmax.ipynb")
    (tmp_path / "in/bob").symlink_to("ann")
    found = find_submissions(tmp_path / "in", STEMS)
    assert who(found) == [("ann", "01_softmax")] and "bob" in found.refused[0]
    (tmp_path / "in/ann").rename(tmp_path / "in/other")
    (tmp_path / "in/ann").symlink_to("other")  # swapped after we looked
    with pytest.raises(Unreadable):
        found.submissions[0].read()


def test_names_that_are_not_text_are_reported(tmp_path):
    os.mkdir(os.fsencode(tmp_path) + b"/\xff\xfe")
    put(tmp_path, "ann/01_softmax.ipynb")
    found = find_submissions(tmp_path, STEMS)
    assert who(found) == [("ann", "01_softmax")] and len(found.refused) == 1


def test_a_gradebook_among_the_submissions_is_no_student(tmp_path):
    put(tmp_path, "ann/01_softmax.ipynb")
    put(tmp_path, "grades/reports/ann/01_softmax.html")
    found = find_submissions(tmp_path, STEMS, tmp_path / "grades")
    assert who(found) == [("ann", "01_softmax")] and not found.empty


def test_no_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError):
        find_submissions(tmp_path / "nothing", STEMS)


def archive(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return path


def test_archives_of_every_layout(tmp_path):
    names = (
        "leeann_12_345_01_softmax.ipynb",
        "Bob Lee_99_assignsubmission_file_/01_softmax-1.ipynb",
        "cyd/02_context_vectors.ipynb",
        "__MACOSX/cyd/._02_context_vectors.ipynb",
    )
    found = find_in_zip(archive(tmp_path / "a.zip", dict.fromkeys(names, "{}")), STEMS)
    assert {(one.student, one.lms_id) for one in found.submissions} == {
        ("leeann", "12"),
        ("Bob Lee", "99"),
        ("cyd", ""),
    }
    assert found.submissions[0].read()[0] == b"{}"


def test_an_outer_folder_is_passed_through(tmp_path):
    names = ("class/ann/01_softmax.ipynb", "class/bob/01_softmax.ipynb")
    found = find_in_zip(archive(tmp_path / "a.zip", dict.fromkeys(names, "{}")), STEMS)
    assert who(found) == [("ann", "01_softmax"), ("bob", "01_softmax")]


def test_an_archive_cannot_lead_out(tmp_path):
    names = ("../ann/01_softmax.ipynb", "/bob/01_softmax.ipynb", "a/../../c/01_softmax.ipynb")
    good = {"good/01_softmax.ipynb": "{}"}
    found = find_in_zip(archive(tmp_path / "a.zip", dict.fromkeys(names, "{}") | good), STEMS)
    assert who(found) == [("good", "01_softmax")] and len(found.refused) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.zip"]


def test_links_and_bombs_in_an_archive_cost_their_own_row_only(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        link = zipfile.ZipInfo("ann/01_softmax.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
        file.writestr("bob/01_softmax.ipynb", bytes(100 << 20))
        file.writestr("cyd/01_softmax.ipynb", "{}")
    found = {one.student: one for one in find_in_zip(path, STEMS).submissions}
    with pytest.raises(Unreadable):
        found["ann"].read()
    assert found["bob"].read() == (None, "")
    assert found["cyd"].read()[0] == b"{}"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_entry_that_is_slow_to_unpack_is_told_and_not_unpacked(tmp_path, method, monkeypatch):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("ann/01_softmax.ipynb", "{}")
    (one,) = find_in_zip(path, STEMS).submissions
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was opened"))
    with pytest.raises(Unreadable, match=r"packed by (bzip2|lzma); pack it again"):
        one.read()


def test_an_entry_that_unpacks_to_little_out_of_much_is_not_unpacked(tmp_path, monkeypatch):
    """Empty blocks without end, then two letters."""
    path, stem = tmp_path / "a.zip", "ann/01_softmax.ipynb"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(stem, b"\0\0\0\xff\xff" * (5 << 20) + b"\1\2\0\xfd\xff{}")
        entry = file.getinfo(stem)
        entry.compress_type, entry.file_size = zipfile.ZIP_DEFLATED, 2
        entry.CRC = zlib.crc32(b"{}")
    (one,) = find_in_zip(path, STEMS).submissions
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was opened"))
    assert one.read() == (None, "")


def test_a_broken_entry_costs_its_own_row_only(tmp_path):
    path = archive(
        tmp_path / "a.zip", {"ann/01_softmax.ipynb": "x" * 999, "b/01_softmax.ipynb": ""}
    )
    data = bytearray(path.read_bytes())
    data[45] ^= 0xFF
    path.write_bytes(data)
    found = find_in_zip(path, STEMS)
    with pytest.raises(Unreadable):
        found.submissions[0].read()
    assert found.submissions[1].read()[0] == b""


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip" * 99, b"PK\x05\x06" + b"\xff" * 18])
def test_a_broken_archive_is_an_input_error(tmp_path, data):
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    with pytest.raises(InputError):
        find_in_zip(path, STEMS)
