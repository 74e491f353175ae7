"""What people read: the student's page and the overview are whole, escaped and small."""

from course_lib.checker.escape import prose
from grader.reports.overview import overview_page
from grader.reports.student import report_page, write_reports
from tests.grader.class_rows import ROWS, row, task


def test_a_report_is_escaped_and_names_the_mistake():
    page = report_page(ROWS[0])
    assert "&lt;script&gt;" in page and "<script" not in page and "\x1b" not in page
    assert "You forgot" in page and "Think." in page and "(hidden)" in page


def test_a_wrong_matrix_is_drawn_and_said_in_words():
    drawn = task("t", 0) | {"matrices": {"part": "The result", "yours": [[2.0]], "right": [[1.0]]}}
    page = report_page(row("a", drawn, task("u", 0)))
    assert page.count("<svg") == 1
    assert "row 0, column 0: 2 where 1 is right." in page


def test_a_long_report_is_cut():
    tasks = [task(f"t{i}", 0, "m", "x" * 10**6) for i in range(50)]
    assert len(report_page(row("a", *tasks)).encode()) < 2_000_000


def test_reports_stay_in_their_folder(tmp_path):
    write_reports(tmp_path / "reports", [row(".."), row("a/b"), row(""), row("ok")])
    assert [p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.html")] == [
        "reports/ok/01_softmax.html"
    ]


def test_the_overview_says_what_to_teach_again():
    page = overview_page(ROWS).replace("<wbr>", "")
    assert "no maximum" in page and "<svg" in page and "<script" not in page
    assert "3 handed in; median 4 of 8 points; 1 with all of them." in page
    assert "<b>Teach again:</b> <code>masked_softmax</code>, solved by 1 of 2. Most" in page
    assert page.index(">ours</a>") < page.index(">nobody</a>")  # our own faults come first


def test_the_overview_counts_wrong_answers_that_nobody_knows():
    rows = [row(str(i), task("softmax", 0)) for i in range(3)]
    page = overview_page([*rows, row("late", task("softmax", 0, status="timeout"))])
    assert "<td>3</td><td><code>softmax</code></td><td>–</td><td>Wrong in no way" in page


def test_what_stands_between_backticks_is_code_and_still_escaped():
    assert prose("Take `x<y`, not `z.") == "Take <code>x&lt;y</code>, not `z."


def test_an_empty_class_has_an_overview():
    assert "0 students" in overview_page([])
