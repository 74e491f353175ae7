"""Names, links and archives lead nowhere else, and what cannot be read costs its own row alone."""

import os
import stat
import zipfile
import zlib
from pathlib import Path

import pytest

from course_lib.checker.errors import InputError
from course_lib.checker.notebook import Unreadable
from grader.submissions.archive import files_in_zip
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from grader.submissions.folder import files_in_folder
from tests.grader.submissions.small_class import STEMS, in_zip


def put(root, name, data=b"{}"):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def found(place, platform="folders"):
    return found_in(collect(place, STEMS, platform))


def who(found):
    return [(one.student, one.exercise) for one in found.submissions]


def test_folders_of_students(tmp_path):
    put(tmp_path, "ann/01_softmax.ipynb")
    put(tmp_path, "bob lee/02_context_vectors.ipynb")
    put(tmp_path, "bob lee/notes.txt")
    put(tmp_path, "ann/.ipynb_checkpoints/01_softmax.ipynb")
    put(tmp_path, ".git/01_softmax.ipynb")
    (tmp_path / "eve").mkdir()
    seen = found(tmp_path)
    assert who(seen) == [("ann", "01_softmax"), ("bob lee", "02_context_vectors")]
    assert not seen.strays
    assert [(line.student, line.why) for line in collect(tmp_path, STEMS, "folders")][-1] == (
        "",
        "the folder is empty",
    )


def test_what_is_no_file_keeps_its_row_and_is_not_read(tmp_path):
    put(tmp_path, "ann/01_softmax.ipynb")
    for name in ("bob", "dan", "eve"):
        (tmp_path / name).mkdir()
    (tmp_path / "bob/01_softmax.ipynb").symlink_to("../ann/01_softmax.ipynb")
    (tmp_path / "dan/01_softmax.ipynb").mkdir()
    os.mkfifo(tmp_path / "eve/01_softmax.ipynb")
    seen = found(tmp_path)
    assert {student for student, _ in who(seen)} == {"ann", "bob", "dan", "eve"}
    for one in seen.submissions:
        if one.student != "ann":
            with pytest.raises(Unreadable):
                one.read()


def test_a_linked_student_is_a_row_to_look_at_now_and_is_not_followed_later(tmp_path):
    put(tmp_path / "in", "ann/01_softmax.ipynb")
    (tmp_path / "in/bob").symlink_to("ann")
    os.mkdir(os.fsencode(tmp_path) + b"/in/b\xff")
    seen = found(tmp_path / "in")
    assert who(seen) == [("ann", "01_softmax")] and seen.strays == {
        "bob": ["links are not followed"],
        "b\ufffd": ["its name is not UTF-8"],
    }
    (tmp_path / "in/ann").rename(tmp_path / "in/other")
    (tmp_path / "in/ann").symlink_to("other")  # swapped after we looked
    with pytest.raises(Unreadable):
        seen.submissions[0].read()


def test_a_folder_that_cannot_be_read_is_no_zero(tmp_path, monkeypatch):
    put(tmp_path, "ann/01_softmax.ipynb")
    (tmp_path / "bob").mkdir()
    real = os.scandir

    def scandir(place):
        if Path(place).name == "bob":
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(os, "scandir", scandir)
    assert found(tmp_path).strays == {"bob": ["the folder cannot be read (Permission denied)"]}


def test_a_gradebook_among_the_submissions_is_no_student(tmp_path):
    put(tmp_path, "ann/01_softmax.ipynb")
    put(tmp_path, "grades/reports/ann/01_softmax.html")
    assert [file.path for file in files_in_folder(tmp_path, tmp_path / "grades")] == [
        "ann/01_softmax.ipynb"
    ]
    with pytest.raises(InputError):
        files_in_folder(tmp_path / "nothing")


def test_an_archive_cannot_lead_out(tmp_path):
    names = ("../ann/01_softmax.ipynb", "/bob/01_softmax.ipynb", "a/../../c/01_softmax.ipynb")
    path = in_zip(tmp_path, dict.fromkeys((*names, "good/01_softmax.ipynb"), b"{}"))
    lines = collect(path, STEMS, "folders")
    assert who(found_in(lines)) == [("good", "01_softmax")]
    out = "its path leads out of the archive"
    assert [line.why for line in lines if not line.student] == [out] * 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["download.zip"]


def test_links_and_bombs_in_an_archive_cost_their_own_row_only(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        link = zipfile.ZipInfo("ann/01_softmax.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
        file.writestr("bob/01_softmax.ipynb", bytes(100 << 20))
        file.writestr("cyd/01_softmax.ipynb", "{}")
    seen = {one.student: one for one in found(path).submissions}
    with pytest.raises(Unreadable):
        seen["ann"].read()
    assert seen["bob"].read() == (None, "")
    assert seen["cyd"].read()[0] == b"{}"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_entry_that_is_slow_to_unpack_is_told_and_not_unpacked(tmp_path, method, monkeypatch):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("ann/01_softmax.ipynb", "{}")
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was opened"))
    (one,) = found(path).submissions
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
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was opened"))
    (one,) = found(path).submissions
    assert one.read() == (None, "")


def test_a_broken_entry_costs_its_own_row_only(tmp_path):
    path = in_zip(tmp_path, {"ann/01_softmax.ipynb": b"x" * 999, "b/01_softmax.ipynb": b""})
    data = bytearray(path.read_bytes())
    data[45] ^= 0xFF
    path.write_bytes(data)
    seen = found(path).submissions
    with pytest.raises(Unreadable):
        seen[0].read()
    assert seen[1].read()[0] == b""


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip" * 99, b"PK\x05\x06" + b"\xff" * 18])
def test_a_broken_archive_is_an_input_error(tmp_path, data):
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(InputError):
        files_in_zip(tmp_path / "a.zip")
