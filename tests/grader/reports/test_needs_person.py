"""What an instructor sees first: the rows that no rerun mends."""

import dataclasses

from grader.gradebook.written import Mark
from grader.reports.needs_person import needs_a_person, same_files, to_mark
from grader.reports.overview import overview_page
from tests.grader.class_rows import HOSTILE, ROWS, row, task


def noted(student, status, note, **more):
    one = row(student, status=status, **more)
    one.data["note"] = note
    return one


def asked(student, **marks):
    one = row(student, task("softmax", 4))
    one.data["written"] = {"why": 3, "how": 1}
    one.marks.update({item: Mark(1, "", sha) for item, sha in marks.items()})
    return one


def test_it_stands_before_everything_else_the_gravest_first():
    rows = [
        noted("ann (22)", "graded", "", lms_id="22"),
        noted("bob", "unreadable", f"It is a link {HOSTILE}."),
        noted("cem", "needs-attention", "Several places hold work of this name."),
        asked("dee", why="an older file", how="ab" * 32),
        *ROWS,
    ]
    kinds = [(kind, one.student) for kind, one, _ in needs_a_person(rows)]
    assert kinds == [
        ("the grader failed", "cem"),
        ("the grader failed", "ours"),
        ("cannot be read", "bob"),
        ("a namesake", "ann (22)"),
        ("marked before it changed", "dee"),
    ]
    page = overview_page(rows)
    first, rest = page.split("<h2>01_softmax</h2>")
    assert first.index(">cem</a>") < first.index(">bob</a>") < first.index(">ann (22)</a>")
    assert "It is a link &lt;script&gt;" in first and "Several places hold work" in first
    assert ">cem</a>" not in rest and ">nobody</a>" in rest  # each row stands once
    assert "not the one that was marked (why)." in first


def test_what_is_to_mark_is_counted_and_linked():
    rows = [asked("ann"), asked("bob", why="ab" * 32), *ROWS]
    assert to_mark(rows) == {"01_softmax": 3}
    sentence = (
        '<li><a href="written/01_softmax.html">01_softmax</a>: 3 written answers to mark</li>'
    )
    assert sentence in overview_page(rows)


def test_where_nothing_needs_a_person_it_says_so():
    assert "Nothing needs a person first" in overview_page([ROWS[1]])
    assert "Needs a person first" not in overview_page([ROWS[1]])


def test_work_that_is_the_same_byte_for_byte_is_named():
    rows = [dataclasses.replace(ROWS[1], student=name) for name in ("ann", "bob")]
    rows += [dataclasses.replace(ROWS[1], student="cyd", sha="cd" * 32), ROWS[2]]
    assert same_files(rows) == [("01_softmax", ["ann", "bob"])]
    assert "the same file, byte for byte, from ann, bob" in overview_page(rows)
