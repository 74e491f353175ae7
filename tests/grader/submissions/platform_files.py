"""What each platform writes into its download, as its source writes it: for each form what makes
the name, what the reader of *Grading a class* is told, and whose it is.

Moodle: mod/assign/classes/downloader.php, `get_student_prefix` and
`load_submissionplugin_filelist`; `clean_filename` takes out what lib/moodlelib.php lists under
PARAM_FILE. Canvas: lib/content_zipper.rb, `get_filename`, `add_text_or_url`, `sanitize_user_name`.
nbgrader: `timestamp.txt` beside the work. Gradescope: its export's submission_metadata.yml.
"""

import re
from dataclasses import dataclass

STEM = "01_softmax"
PARAM_FILE = re.compile(r"[\x00-\x1f&<>\"`|':\\/]")
NOT_WORD = re.compile(r"[^\w]")


@dataclass(frozen=True)
class Person:
    row: str  # what the roster calls the student
    name: str
    number: int


ADA, ZOE, SEAN, LI = (
    Person("ada", "Ada Lovelace", 4711),
    Person("zoe", "Zoë Müller-Weiß", 4712),
    Person("sean", "Seán O'Brien", 4713),
    Person("li", "李 小龍", 4714),
)
EVERYBODY = (ADA, ZOE, SEAN, LI)


def moodle(person, file=f"{STEM}.ipynb", plugin="file", blind="", folders=True, old=False, id=None):
    """One path of a zip of Moodle's."""
    prefix = (blind or person.name).replace("_", " ")
    number = person.number if id is None else id
    prefix = PARAM_FILE.sub("", f"{prefix}_{number}" if number else prefix)
    between = "_/" if old else "/" if folders else "_"
    return f"{prefix}_assignsubmission_{plugin}{between}{PARAM_FILE.sub('', file)}"


def canvas(person, file=f"{STEM}.ipynb", late=False, anonymous="", typed="", name=None):
    """One name in a zip of Canvas's."""
    last_first = " ".join(reversed(person.name.split(" ", 1)))
    who = None if anonymous else re.sub(r"_(\d+)_", r"\1", name or last_first).lower()
    id = f"anon_{anonymous}" if anonymous else str(person.number)
    called = "_".join(filter(None, [who, "LATE" if late else "", id]))
    called = NOT_WORD.sub("", called)
    return f"{called}_{typed}.html" if typed else f"{called}_9{person.number}_{file}"


WORKSHEET = "Identifier,Full name,Email address\n" + "".join(
    f"Participant {one.number},{one.name},{one.row}@x.org\n" for one in EVERYBODY
)
PEOPLE = "student,name,lms_id,github,email\n" + "".join(
    f'{one.row},"{one.name}",{one.number},{one.row},{one.row}@x.org\n' for one in EVERYBODY
)
LIST = "".join(
    f"submission_{one.number}:\n  :submitters:\n  - :name: {one.name!r}\n"
    f"    :email: {one.row}@x.org\n"
    "  :created_at: !ruby/object:ActiveSupport::TimeWithZone\n    utc: 2026-11-20 22:58:00 Z\n"
    for one in EVERYBODY
)
UTC = "2026-11-20T22:58:00+00:00"


@dataclass(frozen=True)
class Form:
    """One way in which a platform writes, and what we do with it."""

    platform: str
    writes: str  # for the table of the page
    does: str
    files: dict  # path → person, a file's text, or None for what is nobody's
    date: str | None = None  # of every line; None: the archive's
    roster: str = PEOPLE
    work: bool = True  # whether it is graded; else it is a stray file of its owner's


def of_all(name, **how):
    return {name(one, **how): one for one in EVERYBODY}


FORMS = [
    Form("moodle", "a folder for each student and plugin", "by the number, where the name fits",
         of_all(moodle), roster=WORKSHEET),
    Form("moodle", "the same before Moodle 4.1, with `_` behind", "the same",
         of_all(moodle, old=True), roster=WORKSHEET),
    Form("moodle", "files side by side, without folders", "the same",
         of_all(moodle, folders=False), roster=WORKSHEET),
    Form("moodle", "names without apostrophes, and no worksheet", "by the name",
         of_all(moodle)),
    Form("moodle", "*Online text* beside *File submissions*", "one student; only the file counts",
         of_all(moodle) | {moodle(ADA, "onlinetext.html", "onlinetext"): ADA}, roster=WORKSHEET),
    Form("moodle", "*Online text* alone", "for a person to look at",
         {moodle(one, "onlinetext.html", "onlinetext"): one for one in EVERYBODY},
         roster=WORKSHEET, work=False),
    Form("moodle", "blind marking, in any language", "by the number",
         of_all(moodle, blind="Participant"), roster=WORKSHEET),
    Form("moodle", "a group's folder, with the group's number",
         "its members, by `team` of the roster; else you decide",
         {moodle(Person("", "Group A", 0), id=4712): None}, roster=WORKSHEET),
    Form("moodle", "*Default group*, without a number", "you decide",
         {moodle(Person("", "Default group", 0)): None}, roster=WORKSHEET),
    Form("canvas", "`lovelaceada_4711_90210_…`, no spaces or signs", "by the id",
         of_all(canvas), date=""),
    Form("canvas", "`_LATE_` in the name", "late, by no number of days", of_all(canvas, late=True),
         date="late"),
    Form("canvas", "a text that was typed, or a link", "for a person to look at",
         of_all(canvas, typed="text") | {canvas(ADA, typed="link", late=True): ADA}, work=False),
    Form("canvas", "a name that ends with a number, as `team_7`", "the id behind it counts",
         {canvas(ADA, name="team_7"): ADA, canvas(ZOE, name="x_y"): ZOE, canvas(LI): LI,
          canvas(SEAN): SEAN}, date=""),
    Form("canvas", "a file that begins with a number", "it is no id",
         {canvas(one, f"20261234_7_{STEM}.ipynb"): one for one in EVERYBODY}, date=""),
    Form("gradescope", "`submission_…` and a list", "by e-mail or student's number, with its time",
         {f"submission_{one.number}/{STEM}.ipynb": one for one in EVERYBODY}
         | {"submission_metadata.yml": LIST}, date=UTC),
    Form("github", "`assignment-login`", "by the login; no time",
         {f"hw-1-{one.row}/{STEM}.ipynb": one for one in EVERYBODY}, date=""),
    Form("nbgrader", "`submitted/student/assignment`, with `timestamp.txt`", "with nbgrader's time",
         {f"submitted/{one.row}/week1/{STEM}.ipynb": one for one in EVERYBODY}
         | {f"submitted/{one.row}/week1/timestamp.txt": "2026-11-20 22:58:00.000000 UTC\n"
            for one in EVERYBODY} | {"source/week1/x.txt": "x"}, date=UTC),
    Form("folders", "a folder for each student, by login or name", "by that",
         {f"{one.row}/{STEM}.ipynb": one for one in EVERYBODY[:2]}
         | {f"{one.name}/my work.ipynb": one for one in EVERYBODY[2:]}),
    Form("flat", "`student_exercise.ipynb`, named by the lecturer", "by the name",
         {f"{one.row}_{STEM}.ipynb": one for one in EVERYBODY}),
]  # fmt: skip


def packed_again(files):
    """Unpacked, and zipped again with one folder around it: what macOS adds, and a notebook of the
    teacher's."""
    around = {f"HW1 submissions/{name}": data for name, data in files.items()}
    around |= {"__MACOSX/HW1 submissions/._x": "x", "HW1 submissions/.DS_Store": "x"}
    return around | {"HW1 submissions/solution for me.ipynb": None}


def with_backslashes(files):
    """As PowerShell packs it."""
    return {f"HW1\\{name.replace('/', chr(92))}": data for name, data in files.items()}


PACKED = {"as it came": dict, "packed again": packed_again, "by PowerShell": with_backslashes}


def table():
    """The rows of the page's table."""
    return [f"| {one.platform} | {one.writes} | {one.does} |" for one in FORMS]
