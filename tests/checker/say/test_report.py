"""What a student reads, as text and as HTML."""

from html.parser import HTMLParser

import pytest

from course_lib.checker.say.report import CaseResult, Example, Report

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
    ("first", "others", "score"),
    [(True, "111", 3), (True, "101", 2), (True, "000", 0), (False, "111", 0), (False, "000", 0)],
)
def test_by_case_what_is_required_earns_nothing_and_may_cost_all(first, others, score):
    needed = CaseResult("accepts", first, required=True)
    cases = (needed, *(CaseResult(str(i), held == "1") for i, held in enumerate(others)))
    assert Report("test", 3, cases, by_case=True).score == score


def test_by_case_points_are_given_to_hundredths():
    cases = tuple(CaseResult(str(i), i > 0) for i in range(3))
    assert Report("test", 4, cases, by_case=True).score == 2.67
    assert Report("test", 4, (), by_case=True).score == 0


def test_points_are_all_or_nothing():
    assert (REPORT.passed, REPORT.score, REPORT.max_score) == (False, 0, 3)
    right = Report("softmax", 3, (CaseResult("rows", True),))
    assert (right.passed, right.score) == (True, 3)
    assert not Report("softmax", 3).passed  # nothing was checked


def test_the_text():
    assert (
        str(REPORT)
        == repr(REPORT)
        == (
            "softmax: not right yet, 0 of 3 points\n"
            "  ✗ rows\n"
            "      The result is <wrong>.\n"
            "  ✓ negative scores (hidden)\n"
            "  The smallest input that fails:\n"
            "      scores = [[1 2]\n"
            "                [3 4]]\n"
            "      expected: [0.5]\n"
            "      got:      [<b>]\n"
            "  Diagnosis: Subtract & divide.\n"
            "  Note: It prints.\n"
            "  Stuck? hint(softmax) gives the next hint."
        )
    )


def test_the_html_is_closed_escaped_and_says_the_same():
    outline = Outline()
    outline.feed(REPORT._repr_html_())
    assert outline.open == []
    for words in ("<wrong>", "[<b>]", "Subtract & divide.", "(hidden)", "hint(softmax)"):
        assert words in outline.text
    assert "✗" in outline.text and "✓" in outline.text  # not by colour alone
