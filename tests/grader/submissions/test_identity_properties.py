"""For drawn classes and platforms' own names: nobody gets another's file, nobody has two rows."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.submissions.identity import By, identify
from grader.submissions.people import Person, folded
from grader.submissions.platforms import path_of, place_of
from grader.submissions.roster import Roster
from tests.grader.submissions.platform_files import Person as Drawn
from tests.grader.submissions.platform_files import canvas, moodle

LOGINS = st.lists(
    st.from_regex(r"\A(0{0,2}[1-9][0-9]{0,2}|[a-céA-C]{1,3})\Z"), min_size=2, max_size=6,
    unique_by=folded,
)  # fmt: skip
MANY = settings(max_examples=max(100, settings().max_examples))  # nightly: 2,000
NAMES = st.sampled_from(
    ["Ada Lee", "ada lee", "Lee Ada", "Zoë O'Neil", "Zoe\u0308 ONeil", "Team A"]
)
CHANGES = st.sampled_from(
    [str, str.upper, str.lower, lambda s: f"0{s}", lambda s: f"{s}\u200b",
     lambda s: unicodedata.normalize("NFD", s)]
)  # fmt: skip


@st.composite
def classes(draw):
    """Everybody's login, name as the roster has it, and name as the platform shows it today."""
    return [(login, draw(NAMES), draw(NAMES), draw(st.booleans())) for login in draw(LOGINS)]


def rows_of(platform, paths, roster):
    """Whose row each path is."""
    pattern = path_of(platform, ["01_softmax"])
    owners = {key: place_of(path, platform, pattern).owner for key, path in paths.items()}
    found = identify(owners.values(), roster)
    return {key: found[owner] for key, owner in owners.items()}


def check(rows, roster, drawn):
    """Each place has one row, and a row of the roster's is only its own person's."""
    seen = [one.row for several in rows.values() for one in several if one.row]
    assert len(seen) == len(set(seen))
    students = {person.student for person in roster.people}
    for login, *_ in drawn:
        assert all(one.row == login or one.row not in students for one in rows[login])


@MANY
@given(classes())
def test_on_canvas_an_id_is_its_owner_s_whatever_the_names_are(drawn):
    """Also of renamed students, of namesakes, and of who is not on the roster."""
    people = [
        Person(login, name=name, lms_id=str(4700 + number))
        for number, (login, name, _, known) in enumerate(drawn)
        if known
    ]
    roster = Roster(people)
    paths = {
        login: canvas(Drawn(login, shown, 4700 + number))
        for number, (login, _, shown, _) in enumerate(drawn)
    }
    rows = rows_of("canvas", paths, roster)
    check(rows, roster, drawn)
    assert all(rows[person.student][0].row == person.student for person in people)


@MANY
@given(classes())
def test_on_moodle_a_number_counts_where_its_name_fits(drawn):
    people = [
        Person(login, name=name, participant=str(4700 + number))
        for number, (login, name, _, known) in enumerate(drawn)
        if known
    ]
    roster = Roster(people)
    paths = {
        login: moodle(Drawn(login, shown, 4700 + number))
        for number, (login, _, shown, _) in enumerate(drawn)
    }
    check(rows_of("moodle", paths, roster), roster, drawn)


@MANY
@given(classes(), st.data())
def test_logins_are_folded_and_take_nobody_else_s_row(drawn, data):
    roster = Roster([Person(login, name=name) for login, name, _, known in drawn if known])
    paths = {login: f"{data.draw(CHANGES)(login)}/01_softmax.ipynb" for login, *_ in drawn}
    check(rows_of("folders", paths, roster), roster, drawn)


TEAMS = ("Team A", "Team B")


@MANY
@given(classes(), st.data())
def test_a_group_s_place_on_moodle_is_its_members_or_for_a_person(drawn, data):
    """Whatever number it has, whoever handed in alone, and whoever calls themselves like a team:
    nobody gets the file of another who is not in their team, and what is nobody's says why. Without
    the worksheet a person alone is found by the name, as is said of the line."""
    team = {login: data.draw(st.sampled_from(["", *TEAMS])) for login, *_ in drawn}
    numbered = data.draw(st.booleans(), "Moodle's worksheet is the roster")
    people, owners, paths = [], {}, {}
    for number, (login, name, shown, known) in enumerate(drawn, 4700):
        # On its worksheet Moodle has everybody; whoever else has a roster may have forgotten some.
        if known or numbered:
            sheet = str(number) if numbered else ""
            people.append(Person(login, name=name, team=team[login], participant=sheet))
        if data.draw(st.booleans(), "handed in alone"):
            paths[login] = moodle(Drawn(login, shown, number))
    roster = Roster(people)
    for called in TEAMS:
        number = data.draw(st.sampled_from([None, 0, 9900, *range(4700, 4700 + len(drawn))]))
        path = moodle(Drawn("", called, 0), id=number)
        members = {person.student for person in roster.members(called)}
        told_apart = members or called not in [person.name for person in people]
        if number is not None and path not in paths.values() and told_apart:
            paths[called], owners[called] = path, members
    for login, *_ in drawn:
        mates = roster.teams().get(team[login], []) if roster.has(login) else []
        owners[login] = {login, *mates}
    students = {person.student for person in people}
    for key, found in rows_of("moodle", paths, roster).items():
        theirs = owners[key] | {one.row for one in found if key not in TEAMS and one.by == By.NAME}
        assert all(one.row in theirs or one.row not in students for one in found)
        assert all(one.row or one.why for one in found)
        assert len(found) == len({one.row for one in found})
        if key in TEAMS and owners[key]:
            assert {one.row for one in found} <= students | {""}
