"""The journal keeps what it was given, whatever happens to the process that wrote it."""

import os
import resource
import subprocess
import sys

import pytest

from course_lib.grading.journal import Journal, JournalError

DATA = {"status": "graded", "score": 3, "max_score": 4, "tasks": [], "profile": "strong"}


def test_a_result_is_there_after_it_was_recorded(tmp_path):
    with Journal(tmp_path / "j") as journal:
        journal.record("ann", "e", "v1", "sha", "12", DATA)
        secret = journal.secret
    with Journal(tmp_path / "j") as journal:
        assert journal.result("sha", "e", "v1") == DATA
        assert journal.result("sha", "e", "v2") is None
        assert journal.result("other", "e", "v1") is None
        assert list(journal.rows()) == [("ann", "e", "sha", "12", DATA)]
        assert journal.secret == secret and len(secret) == 32


def test_two_students_may_share_a_result_and_one_may_hand_in_again(tmp_path):
    with Journal(tmp_path / "j") as journal:
        journal.record("ann", "e", "v1", "sha", "", DATA)
        journal.record("bob", "e", "v1", "sha", "", DATA)
        journal.record("ann", "e", "v1", "new", "", DATA | {"score": 4})
        assert [(r[0], r[4]["score"]) for r in journal.rows()] == [("ann", 4), ("bob", 3)]


def test_a_fault_of_ours_is_tried_again(tmp_path):
    with Journal(tmp_path / "j") as journal:
        journal.record("ann", "e", "v1", "sha", "", DATA | {"status": "needs-attention"})
        assert journal.result("sha", "e", "v1") is None
        assert [row[4]["status"] for row in journal.rows()] == ["needs-attention"]


def test_a_row_without_a_file_holds_its_own_result(tmp_path):
    with Journal(tmp_path / "j") as journal:
        journal.record("ann", "e", "v1", "", "", DATA | {"status": "missing"})
        journal.record("bob", "e", "v1", "", "", DATA | {"status": "unreadable"})
        assert [row[4]["status"] for row in journal.rows()] == ["missing", "unreadable"]


FILL = """
import resource, sys
from pathlib import Path
from course_lib.grading.journal import Journal, JournalError
data = {"status": "graded", "note": "x" * 5000}
with Journal(Path(sys.argv[1])) as journal:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    count = 0
    try:
        while True:
            journal.record(f"s{count}", "e", "v", f"{count}", "", data)
            count += 1
    except JournalError as error:
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
    with Journal(tmp_path / "j") as journal:
        assert len(list(journal.rows())) >= int(count)


def test_what_is_no_journal_is_refused(tmp_path):
    (tmp_path / "j").write_bytes(os.urandom(9999))
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path / "j")
