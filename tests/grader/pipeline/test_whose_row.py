"""Nobody's row changes by another's file, and nobody has two, by the commands as they are typed."""

import pytest

from tests.grader.pipeline.class_commands import work

CANVAS = "{}_{}_{}_01_softmax.ipynb"


def canvas(name, user, number=900):
    return CANVAS.format(name, user, number)


def test_another_user_of_canvas_takes_no_row_by_her_name(class_):
    people = class_.roster("student,name\nada,Ada Lee\n")
    class_.grade(class_.pack({canvas("leeada", 11): work("ada")}), "--from", "canvas", *people)
    late = class_.pack({canvas("leeada", 66): work("eve", 0)}, "late.zip")
    said = class_.grade(late, "--from", "canvas", *people)
    assert class_.scores() == {"ada": "10", "ada (66)": "0"}
    assert "look: ada (66): " in said and "ada (66)" in class_.overview()


def test_a_table_that_was_collected_takes_no_row_by_a_name(class_):
    people = class_.roster("student,name\nada,Ada Lee\n")
    class_.grade(class_.pack({canvas("leeada", 11): work("ada")}), "--from", "canvas", *people)
    late = class_.pack({canvas("leeada", 66): work("eve", 0)}, "late.zip")
    class_.attn("collect", late, "--from", "canvas", *people)
    (class_.folder / "late.csv").write_text(class_.said.out)
    class_.grade("late.csv", *people)
    assert class_.scores() == {"ada": "10", "ada (66)": "0"}


def test_in_another_exercise_an_id_of_canvas_s_is_a_person_s_too(class_):
    people = class_.roster("student,name\nada,Ada Lee\n")
    class_.grade(class_.pack({canvas("leeada", 11): work("ada")}), "--from", "canvas", *people)
    other = {"leeada_66_901_02_plain.ipynb": work("eve", 0, "02_plain")}
    other["mooreada_11_902_02_plain.ipynb"] = work("ada", 10, "02_plain")
    class_.grade(class_.pack(other, "other.zip"), "--from", "canvas", *people)
    assert class_.scores("02_plain") == {"ada": "10", "ada (66)": "0"}


def test_a_user_of_canvas_with_the_name_of_a_team_is_none(class_):
    people = class_.roster("student,name,team\nada,Ada Lee,Team A\nben,Ben Ng,Team A\n")
    files = {canvas("leeada", 11): work("ada"), canvas("teama", 66): work("eve", 0)}
    class_.grade(class_.pack(files), "--from", "canvas", *people)
    assert class_.scores() == {"ada": "10", "ben": "10", "teama": "0"}  # a team's last file is one


MOODLE = "{}_{}_assignsubmission_file_/01_softmax.ipynb"
SHEET = "Identifier,Full name,Email address,Group\n"
SHEET += "Participant 11,Ada Lee,a@x,Team A\nParticipant 12,Ben Ng,b@x,Team A\n"
SHEET += "Participant 13,Eve Poe,e@x,\nParticipant 14,Cem Kaya,c@x,\n"


GROUP = "Team A"


@pytest.mark.parametrize(
    ("files", "scores"),
    [
        # The number is nobody's whom the worksheet knows: a group's.
        ({(GROUP, 99): 10}, {"Ada Lee": "10", "Ben Ng": "10", "Eve Poe": "", "Cem Kaya": ""}),
        # It is Eve's too, who handed in herself.
        (
            {(GROUP, 13): 10, ("Eve Poe", 13): 3},
            {"Ada Lee": "10", "Ben Ng": "10", "Eve Poe": "3", "Cem Kaya": ""},
        ),
    ],
)
def test_a_team_s_place_on_moodle_is_its_members(class_, files, scores):
    people = class_.roster(SHEET)
    packed = {MOODLE.format(*place): work("x", points) for place, points in files.items()}
    class_.grade(class_.pack(packed), "--from", "moodle", *people)
    assert class_.scores() == scores


@pytest.mark.parametrize(
    "people", [SHEET, "student,team\nAda Lee,Team A\nBen Ng,Team A\nEve Poe,\nCem Kaya,\n"]
)
def test_whoever_may_have_taken_a_team_s_name_is_for_a_person_to_decide(class_, people):
    """Eve has handed in nothing, unless this is hers."""
    files = {MOODLE.format(GROUP, 13): work("eve", 0), MOODLE.format("Cem Kaya", 14): work("cem")}
    said = class_.grade(class_.pack(files), "--from", "moodle", *class_.roster(people))
    assert {who: score for who, score in class_.scores().items() if score != "10"} == {
        "Ada Lee": "", "Ben Ng": "", "Eve Poe": "",
    }  # fmt: skip
    assert "look: class.zip/Team A_13_" in said and "in the place of a group, 'Team A'" in said


LIST = """submission_{0}:
  :submitters:
  - {{":name": {1}, ":sid": "{2}", ":email": {3}}}
"""


def gradescope(*people):
    files = {"submission_metadata.yml": "".join(LIST.format(*one[:4]) for one in people)}
    return files | {f"submission_{one[0]}/01_softmax.ipynb": work(*one[4:]) for one in people}


def test_on_gradescope_a_name_is_not_enough_where_addresses_are_known(class_):
    people = class_.roster("student,email\nada,ada@x\nben,ben@x\n")
    first = class_.pack(gradescope((1, "Ada Lee", "", "ADA@x", "ada", 10)))
    class_.grade(first, "--from", "gradescope", *people)
    late = class_.pack(gradescope((2, "ada", "", "eve@y", "eve", 0)), "late.zip")
    said = class_.grade(late, "--from", "gradescope", *people)
    assert class_.scores() == {"ada": "10", "ada (eve@y)": "0", "ben": ""}
    assert "ada (eve@y)" in said


@pytest.mark.parametrize("around", ["", "submitted/", "course/submitted/"])
def test_a_login_called_submitted_stops_nobody(class_, around):
    names = ("ada", "submitted", "ben")
    place = class_.put({f"{around}{who}/week1/01_softmax.ipynb": work(who) for who in names})
    given = place if around != "course/submitted/" else f"{place}/course"
    class_.grade(given, "--from", "nbgrader")
    assert class_.scores() == dict.fromkeys(sorted(names), "10")


def test_a_course_of_nbgrader_s_with_that_login(class_):
    names = ("ada", "submitted")
    files = {f"submitted/{who}/week1/01_softmax.ipynb": work(who) for who in names}
    files |= {"source/week1/01_softmax.ipynb": work("nobody")}
    class_.grade(class_.put(files), "--from", "nbgrader")
    assert class_.scores() == dict.fromkeys(names, "10")
    class_.grade(class_.put({}, "class/submitted"), "--from", "nbgrader", out="other")
    assert class_.scores(out="other") == dict.fromkeys(names, "10")


def test_who_marries_is_found_by_both_names(class_):
    before = class_.roster("student,name,email\nada,Ada Lee,a@x\nben,Ben Ng,b@x\n")
    class_.grade(class_.put({"ada/01_softmax.ipynb": work("ada", 7)}), *before)
    after = class_.roster("student,name,email\nada-m,Ada Lee,a@x\nben,Ben Ng,b@x\n")
    files = {"ada-m/02_plain.ipynb": work("ada", 10, "02_plain")}
    class_.grade(class_.put(files, "week2"), *after)
    class_.grade(class_.put({"ada/01_softmax.ipynb": work("ada", 9)}, "late"), *after)
    assert class_.scores("02_plain") == {"ada": "10", "ben": ""}
    assert class_.scores() == {"ada": "9", "ben": ""}
    lines = class_.exported("canvas", "canvas.csv", *after)
    (line,) = [one for one in lines if one["Student"] == "Ada Lee"]
    assert line["02_plain"] == "10" and line["01_softmax"] == "9"


def test_an_address_that_is_used_again_joins_no_two_people(class_):
    before = class_.roster("student,name,email\nada,Ada Lee,a@x\nben,Ben Ng,b@x\n")
    class_.grade(class_.put({"ben/01_softmax.ipynb": work("ben")}), *before)
    after = class_.roster("student,name,email\nada,Ada Lee,a@x\nbea,Bea Nu,b@x\n")
    files = {"bea/02_plain.ipynb": work("bea", 3, "02_plain")}
    said = class_.grade(class_.put(files, "week2"), *after)
    assert class_.scores("02_plain") == {"ada": "", "bea": "3"} and class_.scores()["ben"] == "10"
    assert "look: the roster's 'bea' (Bea Nu) has the address of the row 'ben' (Ben Ng)" in said
    lines = {one["Student"]: one for one in class_.exported("canvas", "canvas.csv", *after)}
    assert lines["Bea Nu"]["01_softmax"] == "" and lines["ben"]["01_softmax"] == "10"


@pytest.mark.parametrize("to", ["canvas", "moodle", "nbgrader"])
def test_a_login_in_small_letters_is_one_person(class_, to):
    people = class_.roster("student,name,lms_id\nAda,Ada Example,11\n00123,Bob Example,12\n")
    files = {f"{who}/01/01_softmax.ipynb": work(who) for who in ("ada", "123")}
    said = class_.grade(class_.put(files), "--from", "nbgrader", *people)
    assert class_.scores() == {"Ada": "10", "00123": "10"}
    assert "ada → Ada" in said and "123 → 00123" in said
    name = {"canvas": "canvas.csv", "moodle": "moodle.csv", "nbgrader": "nbgrader.csv"}[to]
    lines = class_.exported(to, name, "--missing-as-zero", *people)
    assert len([line for line in lines if "Example" in str(line)]) == 2 - (to == "nbgrader") * 0


def test_zeros_that_a_spreadsheet_dropped_in_the_roster_or_in_the_table(class_):
    files = {"00123/01_softmax.ipynb": work("bob"), "7/01_softmax.ipynb": work("cem")}
    people = class_.roster("student\n123\n007\n")
    class_.grade(class_.put(files), *people)
    assert class_.scores() == {"123": "10", "007": "10"}
    (class_.folder / "class.csv").write_text(
        "student,exercise,path\n0123,01_softmax,class/00123/01_softmax.ipynb\n"
    )
    class_.grade("class.csv", *people)
    assert set(class_.scores()) == {"123", "007"}


def test_where_two_would_do_no_fold_decides(class_):
    people = class_.roster("student\nAda\nADA\n")
    files = {
        f"{who}/01_softmax.ipynb": work(who, points) for who, points in (("ada", 3), ("ADA", 9))
    }
    said = class_.grade(class_.put(files), *people)
    assert class_.scores() == {"ADA": "9", "Ada": "", "ada": "3"}
    assert "ada" in said


def test_an_export_in_which_one_person_stands_twice_is_refused(class_):
    """A gradebook of before, in which a login in small letters was a second person."""
    class_.grade(class_.put({"ada/01_softmax.ipynb": work("ada")}))
    class_.grade(
        class_.put({"Ada/02_plain.ipynb": work("ada", 9, "02_plain")}, "other"), "--from", "folders"
    )
    people = class_.roster("student,name,lms_id\nAda,Ada Example,11\n")
    assert set(class_.scores()) | set(class_.scores("02_plain")) == {"ada", "Ada"}
    for to in ("canvas", "moodle", "nbgrader"):
        said = class_.attn("export", "grades", "--to", to, *people, status=2)
        assert "'Ada' and 'ada'" in said and "--forget" in said


def test_marks_exceptions_and_a_row_that_is_shown_are_found_by_the_same_rule(class_):
    people = class_.roster("student\nAda\n")
    (class_.folder / "exceptions.csv").write_text(
        "student,exercise,task,points,days,reason\nADA,01_softmax,,8,,agreed\n"
    )
    class_.grade(class_.put({"ada/01_softmax.ipynb": work("ada", 3)}), *people)
    assert class_.scores() == {"Ada": "8"}
    (class_.folder / "marks.csv").write_text("student,exercise,item,points\nada,01_softmax,why,2\n")
    assert "1 marks merged" in class_.attn("marks", "grades", "marks.csv")
