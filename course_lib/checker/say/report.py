"""What a student reads: the report of one task, as text and as HTML, in one order: the verdict, the
diagnosis, what was put in and came out, the cases."""

from dataclasses import dataclass, field
from pathlib import Path

from course_lib.checker.escape import render
from course_lib.checker.say.picture import Matrices, heat_maps
from course_lib.checker.say.rows import CaseResult, Example, Row, rows
from course_lib.checker.tasks.task import ALL_OR_NOTHING, BY_CASE, as_points

TEMPLATE = Path(__file__).with_name("report.html.j2")
FEW = 3  # rows of failing cases that stand open
NEXT = "Next: compare it with other people's ways, on this exercise's page in the book."
SHADOWED = (
    "This notebook gives `check` a meaning of its own; the verdict is the course's all the same. "
    "Give yours another name."
)


@dataclass(frozen=True)
class Report:
    """The outcome of checking one task.

    What is right in every case gets all points. What is not gets, by `credit`: nothing; or, where
    its first case holds, half of the points times the share of the cases that hold, in half points;
    or the share of the cases, where these are things that are counted. A case that is required and
    fails costs all points.
    """

    task: str
    points: int | float
    cases: tuple[CaseResult, ...] = ()
    diagnosis: str | None = None
    mistake: str | None = None  # the known mistake's name, when the answer is wrong in its way
    notes: tuple[str, ...] = field(default=())
    credit: str = ALL_OR_NOTHING
    summary: str = ""  # how many cases hold, where that is what counts
    standing: str = ""  # in place of "right" or "not right yet"
    warning: str = ""  # a sentence that stands directly below the verdict
    ran: bool = True  # whether what is wrong came out of an answer that ran
    me: str = ""  # whose the answer says it is, where that draws what is asked
    given: str = ""  # what it returned beside that, as a hash: two who give the same are seen
    drawn: str = ""  # what `me` drew, where all who drew it may well return the same

    @property
    def headline(self) -> str:
        standing = self.standing or ("right" if self.passed else "not right yet")
        return f"{self.task}: {standing}, {self.score} of {self.max_score} points"

    @property
    def passed(self) -> bool:
        return bool(self.cases) and all(case.passed for case in self.cases)

    @property
    def score(self) -> int | float:
        if self.passed:
            return self.points
        needed = all(case.passed for case in self.cases if case.required)
        shared = [case.passed for case in self.cases if not case.required]
        if self.credit == ALL_OR_NOTHING or not needed or not shared:
            return 0
        if self.credit == BY_CASE:
            return as_points(self.points * sum(shared) / len(shared))
        halves = self.points * sum(shared) // len(shared)  # half of the points, in half points
        return as_points(halves / 2) if self.cases[0].passed else 0

    @property
    def max_score(self) -> int | float:
        return self.points

    @property
    def rows(self) -> list[Row]:
        return rows(self.cases)

    @property
    def held(self) -> str:
        """How many cases hold, in words."""
        count, all_ = sum(case.passed for case in self.cases), len(self.cases)
        if self.passed:
            return "Its one case holds." if all_ == 1 else f"All {all_} cases hold."
        return f"{count} of {all_} cases hold"

    @property
    def next(self) -> str:
        """What comes after an answer that is right as it is handed in."""
        return NEXT if self.passed and self.points and not self.standing else ""

    @property
    def wants_hint(self) -> bool:
        """Whether a hint could help: one is about what an answer does, and needs one that ran."""
        return self.ran and not self.passed

    @property
    def is_short(self) -> bool:
        return sum(not row.passed for row in self.rows) <= FEW

    def __str__(self) -> str:
        lines = [self.headline, *_indented(self.warning, self.summary)]
        if self.diagnosis:
            lines.append(f"  Diagnosis: {self.diagnosis}")
        if example := self.example:
            lines.append("  The smallest input that fails:")
            lines += [_labelled(f"{name} = ", text) for name, text in example.inputs]
            lines.append(_labelled("expected: ", example.expected))
            lines.append(_labelled("got:      ", example.got))
        if self.passed:
            lines.append(f"  ✓ {self.held}")
        for row in () if self.passed else self.rows:
            lines.append(f"  {'✓' if row.passed else '✗'} {row.title}")
            lines += [f"      {row.message}"] if row.message else []
        lines += [f"  Note: {note}" for note in self.notes]
        lines += _indented(self.next)
        if self.wants_hint and self.points:
            lines.append(f"  Stuck? hint({self.task}) gives the next hint.")
        return "\n".join(lines)

    __repr__ = __str__

    @property
    def example(self) -> Example | None:
        """The first example among the failing public cases."""
        return next((case.example for case in self.cases if case.example), None)

    @property
    def matrices(self) -> Matrices | None:
        """Those of the case with the example, else the first of a failing public case."""
        failing = [case for case in self.cases if not case.passed]
        failing.sort(key=lambda case: case.example is not self.example)
        return next((case.matrices for case in failing if case.matrices), None)

    def _repr_html_(self) -> str:
        """The same for a notebook, with a picture of a wrong matrix and the cases folded."""
        return self.html()

    def html(self, alone: bool = True) -> str:
        """The report as HTML; on a page that says the points itself, without its first line and its
        last."""
        picture = heat_maps(self.matrices) if self.matrices else ""
        return render(TEMPLATE, report=self, picture=picture, alone=alone)


def _indented(*sentences: str) -> list[str]:
    return [f"  {sentence}" for sentence in sentences if sentence]


def _labelled(label: str, text: str) -> str:
    """A label and a text of one or more lines, which start below each other."""
    margin = " " * (6 + len(label))
    lines = [margin + line if line.strip() else "" for line in text.split("\n")]
    return "\n".join(lines).replace(margin, f"      {label}", 1)
