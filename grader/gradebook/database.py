"""The gradebook on the disk: one durable row for each result; no crash loses or repeats any.

`results` holds what grading found, by (submission hash, exercise, course version); `rows` which
student handed in which of them. `answers` is what a file says in words, `marks` what it was given.
"""

import datetime
import json
import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_lib.checker.errors import GradebookError, InputError
from grader.gradebook.schema import SCHEMA, fits, migrate

DATABASE = "gradebook.sqlite"
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
RESTORE = "It is damaged: put a copy of it in its place, or grade into a new folder."
GO_ON = (
    "What was graded before is safe; free some space or give another folder, then run the command "
    "again."
)
CLOSED = (
    "Nothing may be written there: copy the whole folder to a place of your own, or ask for the "
    "right to write, then run the command again."
)


def in_folder(folder: Path) -> Path:
    """The gradebook in a folder. Raises InputError where there is none, GradebookError where
    nothing is left of it."""
    if not (path := folder / DATABASE).is_file():
        raise InputError(f"{str(folder)!r} is no gradebook: run `attn grade` first.")
    if not path.stat().st_size:
        raise GradebookError(f"The gradebook {str(path)!r} is an empty file. {RESTORE}")
    return path


@dataclass(frozen=True)
class Entry:
    """Everything that is known of one row."""

    student: str
    exercise: str
    sha: str
    version: str  # of the course that graded it
    lms_id: str
    current: int  # 0 where it was given up
    graded_at: str  # UTC; "" where nothing was run
    data: dict[str, Any]
    place: str = ""  # of the file that counts, in the input
    date: str = ""  # when it was handed in
    why: str = ""  # it is this student's
    look: str = ""  # what a person should see of that


class Gradebook:
    """`with Gradebook(path) as gradebook`. Every change is on the disk before the call returns, or
    its transaction ends. With `to_read` it opens where nothing may be written, too."""

    def __init__(self, path: Path, to_read: bool = False) -> None:
        self.path = path
        with self.errors_in_words():
            if to_read and self._is_closed():
                self.db = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
                self._check_schema(read_only=True)
                self.secret = self.setting("secret")
                return
            self.db = sqlite3.connect(path, isolation_level=None, timeout=30)
            self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
            self._check_schema()
            if to_read and not self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise GradebookError(f"The gradebook {str(path)!r} holds nothing. {RESTORE}")
            with self.transaction():  # all tables, or on a full disk none: the next run begins anew
                for statement in SCHEMA.split(";"):
                    self.db.execute(statement)
                # The key of the hidden inputs: drawn once, the same for every run.
                key = ("secret", secrets.token_bytes(32))
                self.db.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", key)
        self.secret = self.setting("secret")

    def __enter__(self) -> "Gradebook":
        return self

    def __exit__(self, *_) -> None:
        self.db.close()

    def _is_closed(self) -> bool:
        """Whether only the file itself can be read. Raises GradebookError when that is not all of
        it: what a run that was cut short wrote last is in the log beside it."""
        if os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK):
            return False
        log = self.path.with_name(self.path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise GradebookError(
                f"The gradebook {str(self.path)!r} was left open by a run. {CLOSED}"
            )
        return True

    def setting(self, name: str) -> Any:
        """What is kept under a name; "" when nothing is."""
        found = self._all("SELECT value FROM settings WHERE name=?", name)
        return found[0][0] if found else ""

    def set_setting(self, name: str, value: str) -> None:
        """Keep a word under a name."""
        with self.errors_in_words():
            self.db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def result(self, sha: str, exercise: str, version: str) -> dict[str, Any] | None:
        """An earlier result that still counts; None when there is none or the fault was ours."""
        text = self._text(sha, exercise, version)
        data = self.loaded(text) if text else None
        return data if data and data["status"] != "needs-attention" else None

    def record(
        self,
        student: str,
        exercise: str,
        version: str,
        sha: str,
        lms_id: str,
        data: dict,
        place: str = "",
        date: str = "",
        why: str = "",
        look: str = "",
    ) -> None:
        """Write what became of one submission; `place` is its path. Without a hash there is no
        result to share: the row holds it itself. What is known already costs no writing."""
        # As UTF-8: spelled in ASCII, each sign of a stranger's text may take twelve bytes.
        text = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
        row = (student, exercise, sha, version, lms_id, None if sha else text, 1)
        row = (*row, place, date, why, look)
        with self.errors_in_words(), self.transaction():
            if sha and self._text(sha, exercise, version) != text:
                values = (sha, exercise, version, text, now())
                self.db.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", values)
            known = "SELECT * FROM rows WHERE student=? AND exercise=?"
            if self.db.execute(known, (student, exercise)).fetchone() != row:
                self.db.execute(
                    f"INSERT OR REPLACE INTO rows VALUES ({', '.join('?' * len(row))})", row
                )

    def with_work(self) -> set[tuple[str, str]]:
        """(student, exercise) of every current row for which something was handed in."""
        nothing = "sha='' AND json_extract(data, '$.status')='missing'"
        query = f"SELECT student, exercise FROM rows WHERE current AND NOT ({nothing})"
        return set(self._all(query))

    def forget(self, rows: Collection[tuple[str, str]]) -> None:
        """Give up rows: they are no longer current."""
        drop = "UPDATE rows SET current=0 WHERE student=? AND exercise=?"
        with self.errors_in_words(), self.transaction():
            self.db.executemany(drop, rows)

    def rows(self, student: str | None = None) -> list[Entry]:
        """Every current row, or one student's, in order."""
        where = "rows.current AND rows.student=COALESCE(?, rows.student)"
        return self._entries(where, student)

    def entry(self, student: str, exercise: str) -> Entry | None:
        """One row, current or not; None when there is none."""
        found = self._entries("rows.student=? AND rows.exercise=?", student, exercise)
        return found[0] if found else None

    def _entries(self, where: str, *values: str | None) -> list[Entry]:
        query = f"""
            SELECT rows.student, rows.exercise, rows.sha, rows.version, rows.lms_id, rows.current,
                   COALESCE(results.graded_at, ''), COALESCE(rows.data, results.data), rows.place,
                   rows.date, rows.why, rows.look
            FROM rows LEFT JOIN results USING (sha, exercise, version)
            WHERE {where} ORDER BY rows.student, rows.exercise
        """
        found = self._all(query, *values)
        whole: list[tuple[Any, ...]] = [(*row[:7], self.loaded(row[7]), *row[8:]) for row in found]
        return [Entry(*row) for row in whole]

    def loaded(self, text: str | None) -> dict[str, Any]:
        """What the gradebook keeps as JSON. Raises GradebookError where it is none any more."""
        try:
            data = json.loads(text or "")
        except (ValueError, RecursionError):
            data = None
        if type(data) is not dict:
            raise GradebookError(f"The gradebook {str(self.path)!r} cannot be used. {RESTORE}")
        return data

    def _text(self, sha: str, exercise: str, version: str) -> str | None:
        query = "SELECT data FROM results WHERE sha=? AND exercise=? AND version=?"
        found = self._all(query, sha, exercise, version)
        return found[0][0] if found else None

    def _all(self, query: str, *values: Any) -> list[tuple]:
        with self.errors_in_words():
            return self.db.execute(query, values).fetchall()

    def _check_schema(self, read_only: bool = False) -> None:
        if not read_only:
            migrate(self.db)
        if not fits(self.db):
            raise GradebookError(
                f"The gradebook {str(self.path)!r} was written by another version of the course "
                "(its tables differ). Grade into a new folder; this one stays as it is."
            )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it is written, or nothing. Inside another it is a part of that one."""
        if self.db.in_transaction:
            yield
            return
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    @contextmanager
    def errors_in_words(self) -> Iterator[None]:
        """Turns what SQLite raises into one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            advice = RESTORE if code in DAMAGED else CLOSED if code in UNWRITABLE else GO_ON
            sentence = f"The gradebook {str(self.path)!r} cannot be used: {error}. {advice}"
            raise GradebookError(sentence) from error


def now() -> str:
    """The time, as the gradebook writes it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
