"""What a student reads, as text and as HTML."""

from html.parser import HTMLParser

import pytest

from course_lib.checker.say.report import NEXT, CaseResult, Example, Report
from course_lib.checker.say.rows import rows
from course_lib.checker.tasks.task import ALL_OR_NOTHING, BY_CASE, BY_PROPERTY

EXAMPLE = Example((("scores", "[[1 2]\n [3 4]]"),), "[0.5]", "[<b>]")
REPORT = Report(
    "softmax",
    3,
    (
        CaseResult("rows", False, "The result is <wrong>.", example=EXAMPLE),
        CaseResult("negative scores", True, hidden=True),
    ),
    diagnosis="Subtract & divide.",
    notes=("It prints.",),
)


class Outline(HTMLParser):
    """Tags in order, and the text without them; void of unclosed tags."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    ("credit", "required", "others", "score"),
    [
        (BY_CASE, True, "111", 3),
        (BY_CASE, True, "101", 2),
        (BY_CASE, True, "1101", 2.25),
        (BY_CASE, True, "001", 1),
        (BY_CASE, True, "110", 2),
        (BY_CASE, True, "1100110", 1.71),  # to hundredths
        (BY_CASE, True, "", 3),
        (BY_CASE, False, "111", 0),  # what is required earns nothing and may cost all
        (BY_CASE, False, "000", 0),
        (ALL_OR_NOTHING, True, "111", 3),
        (ALL_OR_NOTHING, True, "101", 0),
        (ALL_OR_NOTHING, False, "111", 0),
        (BY_PROPERTY, True, "111", 3),
        (BY_PROPERTY, True, "1111111110", 1),  # what is wrong at all is worth half at most
        (BY_PROPERTY, True, "110", 1),
        (BY_PROPERTY, True, "100", 0.5),  # rounded down to half points
        (BY_PROPERTY, True, "1000", 0),
        (BY_PROPERTY, False, "111", 0),
    ],
)
def test_points(credit, required, others, score):
    needed = CaseResult("accepts", required, required=True)
    cases = (needed, *(CaseResult(str(i), held == "1") for i, held in enumerate(others)))
    report = Report("test", 3, cases, credit=credit)
    assert (report.score, report.max_score) == (score, 3)
    assert report.passed == (required and "0" not in others)
    nothing = Report("test", 3, credit=credit)  # nothing was checked
    assert (nothing.passed, nothing.score) == (False, 0)


def test_without_its_first_case_an_answer_is_worth_nothing():
    cases = [CaseResult(str(number), number > 0) for number in range(9)]
    for order, score in ((cases, 0), (cases[::-1], 2.5)):
        assert Report("test", 6, tuple(order), credit=BY_PROPERTY).score == score


def test_the_text():
    assert (
        str(REPORT)
        == repr(REPORT)
        == (
            "softmax: not right yet, 0 of 3 points\n"
            "  Diagnosis: Subtract & divide.\n"
            "  The smallest input that fails:\n"
            "      scores = [[1 2]\n"
            "                [3 4]]\n"
            "      expected: [0.5]\n"
            "      got:      [<b>]\n"
            "  ✗ rows\n"
            "      The result is <wrong>.\n"
            "  ✓ negative scores (hidden)\n"
            "  Note: It prints.\n"
            "  Stuck? hint(softmax) gives the next hint."
        )
    )


def test_what_is_right_is_said_in_two_lines():
    right = Report("softmax", 3, tuple(CaseResult(str(i), True) for i in range(9)))
    assert str(right) == (f"softmax: right, 3 of 3 points\n  ✓ All 9 cases hold.\n  {NEXT}")
    assert "<ul" not in right._repr_html_() and NEXT[:20] in right._repr_html_()


def test_cases_that_fail_in_the_same_way_are_one_line():
    wrong = "It is wrong in {} places, first at [{}]: {} where -1e-07 is right."
    cases = (
        CaseResult("a", False, wrong.format(1, "0, 2", "nan")),
        CaseResult("b", True),
        CaseResult("c", False, "It raises ValueError."),
        CaseResult("d", False, wrong.format(12, "3", 0.5), hidden=True),
        CaseResult("e", False, "The same."),
    )
    found = rows(cases)
    assert [row.title for row in found] == ["3 cases: a; d (hidden); e", "c", "b"]
    assert found[0].message == cases[0].message and found[2].passed


def test_the_html_is_closed_escaped_and_says_the_same():
    outline = Outline()
    outline.feed(REPORT._repr_html_())
    assert outline.open == []
    for words in ("<wrong>", "[<b>]", "Subtract & divide.", "(hidden)", "hint(softmax)"):
        assert words in outline.text
    assert "✗" in outline.text and "✓" in outline.text  # not by colour alone
