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
    ("by_case", "required", "others", "score"),
    [
        (True, True, "111", 3),
        (True, True, "101", 2),
        (True, True, "1101", 2.25),
        (True, True, "001", 1),
        (True, True, "110", 2),
        (True, True, "1100110", 1.71),  # to hundredths
        (True, True, "", 3),
        (True, False, "111", 0),  # what is required earns nothing and may cost all
        (True, False, "000", 0),
        (False, True, "111", 3),
        (False, True, "101", 0),
        (False, False, "111", 0),
    ],
)
def test_points(by_case, required, others, score):
    needed = CaseResult("accepts", required, required=True)
    cases = (needed, *(CaseResult(str(i), held == "1") for i, held in enumerate(others)))
    report = Report("test", 3, cases, by_case=by_case)
    assert (report.score, report.max_score) == (score, 3)
    assert report.passed == (required and "0" not in others)
    nothing = Report("test", 3, by_case=by_case)  # nothing was checked
    assert (nothing.passed, nothing.score) == (False, 0)


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
