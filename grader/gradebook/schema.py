"""The gradebook's tables, and the way from those of an older version."""

import sqlite3

SCHEMA_VERSION = 7
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    sha TEXT, exercise TEXT, version TEXT, data TEXT NOT NULL, graded_at TEXT NOT NULL,
    PRIMARY KEY (sha, exercise, version)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (
    student TEXT, exercise TEXT, sha TEXT NOT NULL, version TEXT NOT NULL, lms_id TEXT NOT NULL,
    data TEXT, current INTEGER NOT NULL, place TEXT NOT NULL, date TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '', look TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (student, exercise)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    sha TEXT, exercise TEXT, item TEXT, text TEXT NOT NULL, PRIMARY KEY (sha, exercise, item)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS marks (
    student TEXT, exercise TEXT, item TEXT, points REAL NOT NULL, comment TEXT NOT NULL,
    sha TEXT NOT NULL, marked_at TEXT NOT NULL, marker TEXT NOT NULL DEFAULT '',
    number INTEGER PRIMARY KEY, UNIQUE (student, exercise, item, marker)
);
PRAGMA user_version = {SCHEMA_VERSION};
"""
MIGRATIONS = {  # to the next version
    3: "ALTER TABLE rows ADD COLUMN date TEXT NOT NULL DEFAULT ''",
    4: "ALTER TABLE rows ADD COLUMN why TEXT NOT NULL DEFAULT ''",
    # Each marker's mark is kept; who reads marks takes the one with the highest number.
    5: """ALTER TABLE marks RENAME TO marks_5;
        CREATE TABLE marks (
            student TEXT, exercise TEXT, item TEXT, points REAL NOT NULL, comment TEXT NOT NULL,
            sha TEXT NOT NULL, marked_at TEXT NOT NULL, marker TEXT NOT NULL DEFAULT '',
            number INTEGER PRIMARY KEY, UNIQUE (student, exercise, item, marker)
        );
        INSERT INTO marks (student, exercise, item, points, comment, sha, marked_at)
            SELECT student, exercise, item, points, comment, sha, marked_at FROM marks_5;
        DROP TABLE marks_5""",
    6: "ALTER TABLE rows ADD COLUMN look TEXT NOT NULL DEFAULT ''",
}


def migrate(db: sqlite3.Connection) -> None:
    """Bring tables of an older version to the next ones, each step whole or not at all."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    while version in MIGRATIONS:
        db.execute("BEGIN IMMEDIATE")
        if db.execute("PRAGMA user_version").fetchone() == (version,):  # no other run did it
            for statement in MIGRATIONS[version].split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")
        version += 1


def fits(db: sqlite3.Connection) -> bool:
    """Whether the tables are of this version; where there are none they will be."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not tables or version == SCHEMA_VERSION
