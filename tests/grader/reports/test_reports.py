"""What people read: the student's page and the overview are whole, escaped and small."""

import dataclasses

from course_lib.checker.compare.programs import EARLIER
from grader.gradebook.answers_and_marks import Mark
from grader.reports.needs_person import needs_a_person, same_files, to_mark
from grader.reports.overview import overview_page, what_to_do
from grader.reports.student import report_page, write_reports
from tests.grader.class_rows import HOSTILE, ROWS, row, task


def test_a_report_is_escaped_and_names_the_mistake():
    page = report_page(ROWS[0])
    assert "&lt;script&gt;" in page and "<script" not in page and "\x1b" not in page
    assert "You forgot" in page and "Think." in page and "(hidden)" in page


def test_a_wrong_matrix_is_drawn_and_said_in_words():
    drawn = task("t", 0) | {"matrices": {"part": "The result", "yours": [[2.0]], "right": [[1.0]]}}
    page = report_page(row("a", drawn, task("u", 0)))
    assert page.count('<img src="data:image/svg+xml;base64,') == 1 and "<svg" not in page
    assert "img-src data:;" in page  # what the page's own policy lets it show
    assert "row 0, column 0: 2 where 1 is right." in page


def test_reports_stay_in_their_folder(tmp_path):
    write_reports(tmp_path / "reports", [row(".."), row("a/b"), row(""), row("ok")])
    assert [p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.html")] == [
        "reports/ok/01_softmax.html"
    ]


def test_the_overview_says_what_to_teach_again():
    page = overview_page(ROWS).replace("<wbr>", "")
    assert "no maximum" in page and "<svg" in page and "<script" not in page
    assert "3 handed in; median 4 of 8 points; 1 with all of them." in page
    assert (
        "<b>Teach again:</b> <code>masked_softmax</code>, wrong in itself in 1 of 2. Most" in page
    )
    assert page.index(">ours</a>") < page.index(">nobody</a>")  # our own faults come first


def test_the_overview_draws_bars_where_an_exercise_is_worth_a_half():
    rows = [row("a", task("softmax", 4)), row("b", task("softmax", 2))]
    assert "Rows by points" in overview_page(rows)
    for one in rows:
        one.data["max_score"] = 9.5
    assert "Rows by share of the points" in overview_page(rows)


def test_the_overview_counts_wrong_answers_that_nobody_knows():
    rows = [row(str(i), task("softmax", 0)) for i in range(3)]
    page = overview_page([*rows, row("late", task("softmax", 0, status="timeout"))])
    assert "<td>3</td><td><code>softmax</code></td><td>–</td><td>Wrong in no way" in page


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
    nothing = dataclasses.replace(asked("cem"), data=asked("cem").data | {"status": "missing"})
    rows = [asked("ann"), asked("bob", why="ab" * 32), nothing, *ROWS]
    assert to_mark(rows) == {"01_softmax": 3}
    sentence = (
        '<li><a href="written/01_softmax.html">01_softmax</a>: 3 written answers to mark</li>'
    )
    assert sentence in overview_page(rows)


def test_where_nothing_needs_a_person_it_says_so():
    page = overview_page([ROWS[1]])
    assert "Nothing needs a person first" in page and "Needs a person first" not in page
    assert "0 students, 0 rows." in overview_page([])


def test_where_every_row_is_a_fault_of_ours_there_is_still_a_page():
    assert ">ours</a>" in overview_page([ROWS[3]])


def test_work_that_is_the_same_byte_for_byte_is_named():
    rows = [dataclasses.replace(ROWS[1], student=name) for name in ("ann", "bob")]
    rows += [dataclasses.replace(ROWS[1], student="cyd", sha="cd" * 32), ROWS[2]]
    assert same_files(rows) == [("01_softmax", ["ann", "bob"])]
    assert "the same file, byte for byte, from ann, bob" in overview_page(rows)


def test_what_follows_from_another_mistake_is_not_taught_again():
    """Two err in softmax, and one of them again on top; three more only use a wrong softmax."""
    wrong, right = task("softmax", 0, "no maximum"), task("softmax", 4)
    follows, own = task("tempered", 0, EARLIER), task("tempered", 0, "multiplied")
    both = own | {"diagnosis": own["diagnosis"] + " It also uses your `softmax`, which is wrong."}
    rows = [row("a", wrong, both), row("b", wrong, follows), row("c", right, own)]
    rows += [row(who, task("softmax", 0), follows) for who in "de"]
    page = overview_page(rows).replace("<wbr>", "")
    assert "<code>softmax</code>, wrong in itself in 4 of 5." in page
    assert page.count("<td>multiplied</td>") == 1 and "It also uses" not in page
    assert EARLIER not in page
    rows = [row(str(i), right, own) for i in range(3)] + [row("x", wrong, follows)]
    page = overview_page(rows).replace("<wbr>", "")
    assert "<code>tempered</code>, wrong in itself in 3 of 4, and in 1 more only because" in page


def test_the_first_lines_say_what_to_do_now():
    first, again, give = what_to_do(ROWS)
    assert first == "Look at these first: the grader failed (1); the same file twice (1)."
    assert again == "Teach again: masked_softmax of 01_softmax, wrong in 1 of 2."
    assert "attn export" in give and "attn feedback" in give
    assert what_to_do([row("ann", task("softmax", 4))])[0] == "Nothing needs you first."
    assert all(f"<li>{line}</li>" in overview_page(ROWS) for line in (first, again, give))


def test_who_handed_in_something_else_is_not_told_that_we_failed():
    one = row("cyd", status="needs-attention")
    one.data["note"] = "Handed in instead: answer.pdf."
    page, overview = report_page(one), overview_page([one])
    assert "The grader failed" not in page and "It is not a grade" in page
    assert "handed in something else" in overview and "the grader failed" not in overview
