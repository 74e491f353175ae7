"""A term of sixty students and six weeks through the commands: every number is the one that is
computed by hand, and `attn show` says where it comes from."""

import csv
import io
import re
from fractions import Fraction

import pytest

from course_lib import cli
from grader.pipeline import again, command, show
from grader.pipeline.again import Again
from grader.sandbox.probe import find_sandbox
from tests.grader import tables
from tests.grader.term import story
from tests.grader.term.by_hand import final, tasks
from tests.grader.term.course import EXERCISES, WEEKS, stem, without_negative_numbers
from tests.grader.term.story import COUNT, LAST, name

pytestmark = pytest.mark.slow
LINE = re.compile(r"^(\w+_\d): ([\d.]+) of (\d+) points", re.M)
LESS = re.compile(r"^  because: (\d+) days late: ([\d.]+) points less$", re.M)
IN_ALL = re.compile(r"^  because: ([\d.]+) points in all: ", re.M)
FIRST = re.compile(r"^(\S+), (\S+): (?:([\d.]+) of (\d+)|nothing handed in, of (\d+)) points")


class Term:
    """A folder of downloads and one gradebook, by the commands alone."""

    def __init__(self, folder, capsys):
        self.folder, self.capsys, self.exercises = folder, capsys, dict(EXERCISES)
        self.versions = dict.fromkeys(EXERCISES, "v1")
        people = "".join(f"{name(student)}\n" for student in range(COUNT))
        (folder / "roster.csv").write_text("student\n" + people)
        teams = {name(m): n for n, team in enumerate(story.TEAMS[3], 1) for m in team}
        lines = (f"{who},{teams.get(who, '')}\n" for who in map(name, range(COUNT)))
        (folder / "teams.csv").write_text("student,team\n" + "".join(lines))

    def attn(self, *words):
        status = cli.main([str(word) for word in words])
        printed = self.capsys.readouterr()
        assert status == 0, printed.err
        return printed

    def grade(self, place, *words, roster="roster.csv"):
        """Grade; the rows whose score changed, and how many were known."""
        words = (*words, "--out", self.folder / "grades", "--memory", "400")
        self.printed = self.attn("grade", place, "--roster", self.folder / roster, *words)
        return set(re.findall(r"^  (s\d\d), (\d\d)_week: ", self.printed.out, re.M))

    def collect(self, place, platform, edit):
        """The table of a class, with one line of it changed."""
        words = ("collect", place, "--from", platform, "--roster", self.folder / "roster.csv")
        lines = list(csv.DictReader(io.StringIO(self.attn(*words).out)))
        edit(lines)
        with open(self.folder / "class.csv", "w", newline="") as file:
            table = csv.DictWriter(file, lines[0])
            table.writeheader()
            table.writerows(lines)
        return self.folder / "class.csv"

    def show(self, student, week):
        return self.attn("show", self.folder / "grades", name(student), stem(week)).out

    def grades(self):
        return tables.grades(self.folder / "grades")


@pytest.fixture(scope="module")
def sandbox():
    """One for the whole term: a worker takes seconds to start, and there are few files."""
    one, _ = find_sandbox(400)
    stop, one.stop = one.stop, lambda: None
    yield one
    stop()


@pytest.fixture
def term(tmp_path, capsys, monkeypatch, sandbox):
    term = Term(tmp_path, capsys)
    monkeypatch.setattr(cli, "_exercises", lambda: term.exercises)
    for module in (command, again):
        monkeypatch.setattr(module, "find_sandbox", lambda *how: (sandbox, []))
    for module in (command, show):
        monkeypatch.setattr(module, "exercise_version", lambda one: term.versions[one.stem])
    (tmp_path / "course.toml").write_text(story.toml())
    return term


def changes(*rows):
    return {(name(student), f"{week:02}") for student, week in rows}


def test_a_term_is_what_it_is_by_hand_and_every_number_is_explained(term, monkeypatch):
    here = term.folder
    assert not term.grade(story.moodle(here / "week1.zip", 1), "--from", "moodle")
    assert not term.grade(story.gradescope(here / "week2.zip", 2), "--from", "gradescope")

    # Late work for week 1, from another folder: what the sheet says of the class still holds.
    (here / "late").mkdir()
    story.moodle(here / "late/week1.zip", 1, (*story.AGAIN, story.SAME_AGAIN), late_work)
    more = here / "late/exceptions.csv"
    more.write_text(story.exceptions(LAST))
    changed = term.grade(here / "late/week1.zip", "--from", "moodle")
    # Free days that are gone are one of them, and 22 had nothing.
    assert changed == changes((4, 1), (11, 1), (13, 1), (13, 2), (22, 1))
    more.rename(here / "exceptions.csv")

    folder = story.folders(here / "week3", 3)
    assert not term.grade(folder, roster="teams.csv")
    table = term.collect(story.moodle(here / "week4.zip", 4), "moodle", give_a_name)
    assert not term.grade(table)
    (here / "course.toml").write_text(story.toml(dropped=True))
    table = term.collect(story.canvas(here / "week5.zip", 5), "canvas", give_a_date)
    changed = term.grade(table)
    assert {week for _, week in changed} == {"02"}

    # Week 3 asked for what nobody had been told: graded anew, and nobody else's work is.
    term.exercises[stem(3)] = without_negative_numbers(EXERCISES[stem(3)])
    term.versions[stem(3)] = "v2"
    changed = term.grade(folder, roster="teams.csv")
    assert {week for _, week in changed} == {"03"}
    assert term.printed.out.count("known from before") == 1

    (here / "course.toml").write_text(story.toml(dropped=True, full=True))
    changed = term.grade(story.folders(here / "week6", 6, "week6"), "--from", "nbgrader")
    assert {week for _, week in changed} == {"04"}

    # The appeal: one screen says it, one line settles it.
    screen = term.show(*LAST)
    assert "  code: def scale_6(x):\n            return abs(x) * 7" in screen
    assert "  fails: of negative numbers" in screen and len(screen.splitlines()) < 50
    (here / "exceptions.csv").write_text(story.exceptions())
    settled = term.grade(here / "grades/class.csv", "--exceptions", here / "exceptions.csv")
    assert settled == changes(LAST)

    monkeypatch.setattr(show, "run_again", lambda *row: Again())
    rows = term.grades()
    assert len(rows) == COUNT * len(WEEKS)
    for student in range(COUNT):
        for week, (points, most) in final(student).items():
            row = rows[name(student), stem(week)]
            want = "" if points is None else points
            assert (row["score"] and Fraction(row["score"]), row["max_score"]) == (want, str(most))
            explained(term.show(student, week), student, week, points, most)
    as_exported(term, rows)


def late_work(student, week):
    """The same file again of one who is not late, and other files of the others."""
    if student == story.SAME_AGAIN:
        return story.replace(story.alone(student, week), late=3)
    return story.counts(student, week)


def give_a_name(lines):
    (line,) = [line for line in lines if line["student"] == "nobody"]
    line["student"] = name(story.NAMELESS)


def give_a_date(lines):
    (line,) = [line for line in lines if line["student"] == name(story.MARKED_LATE)]
    assert line["date"] == "late"
    line["date"] = story.came(5, 2).isoformat()


def explained(screen, student, week, points, most):
    """The screen's own lines add up to the number in its first, and they are those by hand."""
    who, of, shown, *wholes = FIRST.match(screen).groups()
    assert (who, of) == (name(student), stem(week)), screen
    assert str(most) in wholes and (shown and Fraction(shown)) == points, screen
    if points is None:
        return
    by_hand, _ = tasks(student, week)
    stated = {task: Fraction(number) for task, number, _ in LINE.findall(screen)}
    in_all = IN_ALL.findall(screen)
    if stated:
        assert stated == by_hand, screen
    lost = sum(Fraction(number) for _, number in LESS.findall(screen))
    assert points == (Fraction(in_all[-1]) if in_all else sum(stated.values()) - lost), screen
    assert story.DECIDED.get((student, week), ("",))[-1] in screen
    work = story.counts(student, week)
    if work and work.by and work.by != name(student):
        assert work.by in screen, screen


def as_exported(term, rows):
    """What a platform gets are the same numbers, and nothing for who handed in nothing."""
    term.attn("export", term.folder / "grades", "--to", "canvas")
    _, *lines = tables.lines_of(term.folder / "grades/export/canvas/canvas.csv")
    assert len(lines) == COUNT
    for line in lines:
        for week in WEEKS:
            assert line[stem(week)] == rows[line["Student"], stem(week)]["score"]
