"""The gradebook on the disk: one durable row for each result; no crash loses or repeats any.

`results` holds what grading found, keyed by (submission hash, exercise, course version); `rows`
says which student handed in which of them. Both are written in one transaction per submission.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from course_lib.grading.errors import GradebookError

DATABASE = "gradebook.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    sha TEXT, exercise TEXT, version TEXT, data TEXT NOT NULL,
    PRIMARY KEY (sha, exercise, version)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (
    student TEXT, exercise TEXT, sha TEXT NOT NULL, version TEXT NOT NULL, lms_id TEXT NOT NULL,
    data TEXT, PRIMARY KEY (student, exercise)
) WITHOUT ROWID;
"""


class Gradebook:
    """`with Gradebook(path) as gradebook`. Every change is on the disk before the call returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._loud():
            self.db = sqlite3.connect(path, isolation_level=None, timeout=30)
            self.db.execute("PRAGMA journal_mode=WAL")
            self.db.execute("PRAGMA synchronous=FULL")
            self.db.executescript(SCHEMA)
        self.secret = self._secret()

    def __enter__(self) -> "Gradebook":
        return self

    def __exit__(self, *_) -> None:
        self.db.close()

    def _secret(self) -> bytes:
        """The key of the hidden inputs: drawn once for a gradebook, the same for every re-run."""
        with self._loud():
            self.db.execute(
                "INSERT OR IGNORE INTO settings VALUES ('secret', ?)", (secrets.token_bytes(32),)
            )
            return self.db.execute("SELECT value FROM settings WHERE name='secret'").fetchone()[0]

    def result(self, sha: str, exercise: str, version: str) -> dict[str, Any] | None:
        """An earlier result that still counts; None when there is none or the fault was ours."""
        query = "SELECT data FROM results WHERE sha=? AND exercise=? AND version=?"
        with self._loud():
            row = self.db.execute(query, (sha, exercise, version)).fetchone()
        data = json.loads(row[0]) if row else None
        return data if data and data["status"] != "needs-attention" else None

    def record(
        self, student: str, exercise: str, version: str, sha: str, lms_id: str, data: dict
    ) -> None:
        """Write what became of one submission. Without a hash there is no result to share: the
        row holds it itself."""
        text = json.dumps(data)
        with self._loud(), self._transaction():
            if sha:
                values = (sha, exercise, version, text)
                self.db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", values)
            row = (student, exercise, sha, version, lms_id, None if sha else text)
            self.db.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?)", row)

    def rows(self) -> Iterator[tuple[str, str, str, str, dict[str, Any]]]:
        """(student, exercise, hash, platform's id, result) of every row, in order."""
        query = """
            SELECT rows.student, rows.exercise, rows.sha, rows.lms_id,
                   COALESCE(rows.data, results.data)
            FROM rows LEFT JOIN results USING (sha, exercise, version)
            ORDER BY rows.student, rows.exercise
        """
        with self._loud():
            for *row, data in self.db.execute(query):
                yield (*row, json.loads(data))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    @contextmanager
    def _loud(self) -> Iterator[None]:
        """Turns what SQLite raises into one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise GradebookError(
                f"The gradebook {str(self.path)!r} cannot be used: {error}. What was graded before "
                "is safe; free some space or give another folder, then run the command again."
            ) from error
