"""The gradebook keeps what it was given, whatever happens to the process that wrote it."""

import os
import resource
import subprocess
import sys

import pytest

from course_lib.checker.errors import GradebookError
from grader.gradebook import database
from grader.gradebook.database import DATABASE, Gradebook, in_folder
from grader.gradebook.rows import POLICY, load_rows, write_text
from grader.pipeline.run import open_gradebook

DATA = {"status": "graded", "score": 3, "max_score": 4, "tasks": [], "profile": "strong"}


def test_a_result_is_there_after_it_was_recorded(tmp_path):
    with Gradebook(tmp_path / "j") as gradebook:
        gradebook.record("ann", "e", "v1", "sha", "12", DATA)
        secret = gradebook.secret
    with Gradebook(tmp_path / "j") as gradebook:
        assert gradebook.result("sha", "e", "v1") == DATA
        assert gradebook.result("sha", "e", "v2") is None
        assert gradebook.result("other", "e", "v1") is None
        (row,) = gradebook.rows()
        assert (row.student, row.sha, row.lms_id, row.data) == ("ann", "sha", "12", DATA)
        assert gradebook.secret == secret and len(secret) == 32


def test_two_students_may_share_a_result_and_one_may_hand_in_again(tmp_path):
    with Gradebook(tmp_path / "j") as gradebook:
        gradebook.record("ann", "e", "v1", "sha", "", DATA)
        gradebook.record("bob", "e", "v1", "sha", "", DATA)
        gradebook.record("ann", "e", "v1", "new", "", DATA | {"score": 4})
        for name in ("cyd", "dee"):  # without a file a row holds its own result
            gradebook.record(name, "e", "v1", "", "", DATA | {"score": name})
        scores = {row.student: row.data["score"] for row in gradebook.rows()}
        assert scores == {"ann": 4, "bob": 3, "cyd": "cyd", "dee": "dee"}


FILL = """
import resource, sys
from pathlib import Path
from course_lib.checker.errors import GradebookError
from grader.gradebook import database
from grader.gradebook.database import Gradebook
data = {"status": "graded", "note": "x" * 5000}
with Gradebook(Path(sys.argv[1])) as gradebook:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    count = 0
    try:
        while True:
            gradebook.record(f"s{count}", "e", "v", f"{count}", "", data)
            count += 1
    except GradebookError as error:
        print(count, error)
        sys.exit(3)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs a file size limit")
def test_a_full_disk_stops_loudly_and_loses_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FILL, tmp_path / "j"], capture_output=True, text=True
    )
    assert done.returncode == 3, done.stderr
    count, _, sentence = done.stdout.partition(" ")
    assert "free some space" in sentence and int(count) > 0
    with Gradebook(tmp_path / "j") as gradebook:
        assert len(gradebook.rows()) >= int(count)


def test_a_gradebook_of_an_older_schema_goes_on_with_all_that_it_holds(tmp_path):
    with Gradebook(tmp_path / "j") as gradebook:
        gradebook.record("ann", "e", "v1", "sha", "12", DATA, "ann/e.ipynb")
        secret, before = gradebook.secret, gradebook.rows()
        for column in ("date", "why", "look"):
            gradebook.db.execute(f"ALTER TABLE rows DROP COLUMN {column}")
        gradebook.db.execute("PRAGMA user_version = 3")
    for _ in range(2):
        with Gradebook(tmp_path / "j") as gradebook:
            assert (gradebook.secret, gradebook.rows()[:1]) == (secret, before)
            gradebook.record("bob", "e", "v1", "sha2", "", DATA, "", "2026-11-20T10:00:00+00:00")


def test_what_is_no_gradebook_of_ours_is_refused_and_left_alone(tmp_path):
    with Gradebook(tmp_path / "old") as gradebook:
        gradebook.db.execute("PRAGMA user_version = 1")
    with Gradebook(tmp_path / "half") as gradebook:
        for number in range(50):
            gradebook.record(f"s{number}", "e", "v1", f"sha{number}", "", DATA)
    os.truncate(tmp_path / "half", os.path.getsize(tmp_path / "half") // 2)
    (tmp_path / "noise").write_bytes(os.urandom(9999))
    for name, words in (
        ("old", "another version of the course"),
        ("half", "It is damaged: put a copy of it in its place"),
        ("noise", "It is damaged: put a copy of it in its place"),
    ):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(GradebookError, match=words), Gradebook(tmp_path / name) as gradebook:
            gradebook.rows()
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="Linux has a device that is always full"
)
def test_a_full_disk_is_told_with_the_file_and_what_to_do(tmp_path):
    (tmp_path / ".grades.csv.part").symlink_to("/dev/full")
    with pytest.raises(GradebookError, match=r"grades.csv' cannot be written: No space .* is safe"):
        write_text(tmp_path / "grades.csv", "student")
    assert not list(tmp_path.iterdir())


def closed(monkeypatch):
    """As on a folder that may only be read: root, who may run tests, may write anywhere."""
    monkeypatch.setattr(database.os, "access", lambda path, mode: mode != os.W_OK)


def test_a_gradebook_where_nothing_may_be_written_is_read_as_it_is(tmp_path, monkeypatch):
    with Gradebook(tmp_path / "j?#%20") as gradebook:
        gradebook.record("ann", "e", "v1", "sha", "12", DATA, "ann/e.ipynb")
        secret = gradebook.secret
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    closed(monkeypatch)
    with Gradebook(tmp_path / "j?#%20", to_read=True) as gradebook:
        assert gradebook.secret == secret
        assert gradebook.entry("ann", "e").place == "ann/e.ipynb"
        with pytest.raises(GradebookError, match="copy the whole folder"):
            gradebook.set_setting("a", "b")
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_half_of_what_a_run_wrote_is_not_read_for_all_of_it(tmp_path, monkeypatch):
    with Gradebook(tmp_path / "j") as gradebook:
        gradebook.record("ann", "e", "v1", "sha", "12", DATA)
        closed(monkeypatch)  # while a run still writes, or after one was killed
        with pytest.raises(GradebookError, match="left open by a run"):
            Gradebook(tmp_path / "j", to_read=True)


def test_a_disk_that_fills_while_the_tables_are_made_leaves_none(tmp_path, monkeypatch):
    """At whatever statement it is: the next run begins as if there had been none."""
    for number in range(database.SCHEMA.count(";") + 1):
        whole = database.SCHEMA.split(";")
        broken = ";".join([*whole[:number], "INSERT INTO nowhere VALUES (1)"])
        with monkeypatch.context() as short:
            short.setattr(database, "SCHEMA", broken)
            with pytest.raises(GradebookError):
                Gradebook(tmp_path / str(number))
        with Gradebook(tmp_path / str(number)) as gradebook:
            gradebook.record("ann", "e", "v1", "sha", "", DATA)
            assert len(gradebook.rows()) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"a"', "[" * 100_000, '{"x": 1}'])
def test_damaged_text_in_it_is_told_and_not_taken(text, tmp_path):
    with Gradebook(tmp_path / "j") as gradebook:
        gradebook.record("ann", "e", "v1", "sha", "12", DATA)
        gradebook.set_setting(POLICY, text)
        if text:
            with pytest.raises(GradebookError, match="put a copy of it in its place"):
                load_rows(gradebook)
        gradebook.set_setting(POLICY, "")
        if text != '{"x": 1}':
            gradebook.db.execute("UPDATE results SET data=?", (text,))
            with pytest.raises(GradebookError, match="put a copy of it in its place"):
                load_rows(gradebook)


def test_what_is_read_is_never_begun(tmp_path):
    (tmp_path / DATABASE).touch()
    with pytest.raises(GradebookError, match="is an empty file"):
        in_folder(tmp_path)
    with pytest.raises(GradebookError, match="holds nothing"):
        Gradebook(tmp_path / DATABASE, to_read=True)


def test_an_emptied_gradebook_beside_its_pages_is_not_begun_anew(tmp_path):
    with open_gradebook(tmp_path):
        (tmp_path / "grades.csv").write_text("student\nann\n")
    os.truncate(tmp_path / DATABASE, 0)
    with pytest.raises(GradebookError, match="put a copy of it"), open_gradebook(tmp_path):
        pass
    assert (tmp_path / DATABASE).stat().st_size == 0
