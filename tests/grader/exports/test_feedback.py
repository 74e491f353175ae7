"""`attn feedback`: pages go back under the names that the platform gave, or not at all."""

import re
import stat
import zipfile

import pytest

from course_lib.cli import main
from grader.exports.feedback import write
from grader.exports.tables import write_moodle
from grader.gradebook.database import DATABASE, Gradebook
from grader.gradebook.rows import Row
from grader.submissions.class_table import found_in
from grader.submissions.collect import collect
from tests.checker.toy import EXERCISE
from tests.grader.class_rows import ROWS
from tests.grader.submissions.small_class import in_zip, roster

STEM = EXERCISE.stem
MOODLE = [
    "Ann Lee_101_assignsubmission_file_/01_toy.ipynb",
    "Ann Lee_102_assignsubmission_file/01_toy (1).ipynb",  # since Moodle 4.1
    "Participant_103_assignsubmission_file_/bob_12_345_01_toy.ipynb",
]
CANVAS = ["leeann_12_345_01_toy.ipynb", "roebob_LATE_13_346_01_toy-1.ipynb"]


def rows_of(names, folder):
    """The rows that grading a download with these files makes."""
    with zipfile.ZipFile(folder / "download.zip", "w") as archive:
        for name in names:
            archive.writestr(name, "{}")
    data, rows = ROWS[1].data, []
    for platform in ("moodle", "canvas", "folders"):
        found = found_in(collect(folder / "download.zip", {STEM: EXERCISE}, platform)).submissions
        found = [one for one in found if one.path not in {row.place for row in rows}]
        rows += [Row(s.student, s.exercise, "ab" * 32, s.id, data, s.path) for s in found]
    return rows


def names_in(path):
    with zipfile.ZipFile(path) as archive:
        assert all(b"<!DOCTYPE html>" in archive.read(name) for name in archive.namelist())
        return archive.namelist()


def moodle_takes(name):
    """The participant that Moodle's importziplib.php reads from a path in the zip."""
    for part in name.split("/"):
        info = part.split("_", 4)
        if len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignsubmission", "file"]:
            return info[1]
    return None


def canvas_takes(name):
    """The user and the file that Canvas reads from a file's name."""
    return [part for part in name.rpartition("/")[2].split("_") if re.fullmatch(r"\d+", part)][:2]


@pytest.mark.parametrize(
    ("platform", "names", "pages", "takes", "ids"),
    [
        (
            "moodle",
            MOODLE,
            [
                "Ann Lee_101_assignsubmission_file_/01_toy.html",
                "Ann Lee_102_assignsubmission_file/01_toy.html",
                "Participant_103_assignsubmission_file_/01_toy.html",
            ],
            moodle_takes,
            ["101", "102", "103"],
        ),
        (
            "canvas",
            CANVAS,
            ["leeann_12_345_01_toy.html", "roebob_LATE_13_346_01_toy-1.html"],
            canvas_takes,
            [["12", "345"], ["13", "346"]],
        ),
    ],
)
def test_a_platform_gets_the_names_of_its_download(platform, names, pages, takes, ids, tmp_path):
    (path,), unnamed = write(rows_of(names, tmp_path), platform, tmp_path / "back")
    assert path.name == f"{platform}-01_toy.zip" and unnamed == []
    assert sorted(names_in(path)) == pages and sorted(map(takes, pages)) == ids


def test_each_of_a_team_gets_a_page_under_the_own_number(tmp_path):
    """Through the commands' own steps: worksheet, download, row, zip, and Moodle's worksheet."""
    people = "Identifier,Full name,Email address,team\n"
    people += "Participant 4706,Gil de la Cruz,g@x,A\nParticipant 4707,Hana Müller,h@x,A\n"
    team = roster(tmp_path, people)
    names = [f"{who}_assignsubmission_file/01_toy.ipynb" for who in ("Gil de la Cruz_4706", "H_1")]
    for number, place in enumerate((names[0], "A_55_assignsubmission_file/01_toy.ipynb")):
        zipped = in_zip(tmp_path / str(number), {place: b"{}"})
        found = found_in(collect(zipped, {STEM: EXERCISE}, "moodle", team)).submissions
        ids = {one.student: one.id for one in found}
        assert ids == {"Gil de la Cruz": "4706", "Hana Müller": "4707"}
        data = ROWS[1].data
        rows = [Row(s.student, s.exercise, "ab" * 32, s.id, data, s.path) for s in found]
        (path,), unnamed = write(rows, "moodle", tmp_path / "back")
        assert not unnamed and len(set(names_in(path))) == len(names_in(path)) == 2
        assert {moodle_takes(name) for name in names_in(path)} == {"4706", "4707"}
        write_moodle(rows, team, tmp_path)
        sheet = (tmp_path / f"worksheet-{STEM}.csv").read_text(encoding="utf-8")
        for who in ('"Participant 4706","Gil de la Cruz"', '"Participant 4707","Hana Müller"'):
            assert sheet.count(who) == 1


def test_who_the_platform_did_not_name_is_told_apart(tmp_path):
    """A file that only looks like Canvas's, in a folder of Moodle's, is nobody's in Canvas."""
    rows = rows_of([MOODLE[2], "cyd/01_toy.ipynb"], tmp_path)
    (path,), unnamed = write(rows, "moodle", tmp_path / "back")
    assert len(names_in(path)) == 1 and [row.student for row in unnamed] == ["cyd"]
    with pytest.raises(ValueError, match="No row has an id of Canvas's: its files are called"):
        write(rows, "canvas", tmp_path / "back")


def test_the_zips_are_one_for_each_exercise_private_and_the_same_again(tmp_path):
    rows = rows_of(CANVAS, tmp_path)
    rows += [Row("x", "02_other", "", "12", ROWS[4].data, "x_12_9_02_other.ipynb")]
    paths, _ = write(rows, "canvas", tmp_path / "back")
    assert [path.name for path in paths] == ["canvas-01_toy.zip", "canvas-02_other.zip"]
    before = paths[0].read_bytes()
    write(rows, "canvas", tmp_path / "back")
    assert paths[0].read_bytes() == before
    assert stat.S_IMODE(paths[0].stat().st_mode) == 0o600


def keep(folder, rows):
    with Gradebook(folder / DATABASE) as gradebook:
        for row in rows:
            who = (row.student, row.exercise, "v", row.sha and row.student, row.lms_id)
            gradebook.record(*who, row.data, row.place)


def test_the_command_writes_beside_the_gradebook_and_says_who_is_left_out(tmp_path, capsys):
    rows = [*rows_of(CANVAS[:1], tmp_path), *rows_of(["cyd/01_toy.ipynb"], tmp_path)]
    keep(tmp_path, [*rows, Row("nobody", STEM, "", "14", ROWS[4].data)])
    assert main(["feedback", str(tmp_path), "--for", "canvas"]) == 0
    printed = capsys.readouterr()
    assert printed.out.strip() == str(tmp_path / "feedback" / "canvas-01_toy.zip")
    left_out = tmp_path / "download.zip" / "cyd/01_toy.ipynb"
    assert printed.err == f"not in the zip, as canvas has not named it: {left_out}\n"
    assert main(["feedback", str(tmp_path), "--for", "moodle"]) == 2
    assert "Grade the zip as Moodle gave it" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["export", "--to", "csv"], ["feedback", "--for", "canvas"]])
def test_where_nothing_can_be_written_another_folder_is_asked_for(command, tmp_path, capsys):
    keep(tmp_path, rows_of(CANVAS[:1], tmp_path))
    (tmp_path / command[0]).write_text("in the way, as a file system that may only be read is")
    command = [command[0], str(tmp_path), *command[1:]]
    assert main(command) == 2
    assert ". Name another one with --output.\n" in capsys.readouterr().err
    assert main([*command, "--output", str(tmp_path / "other")]) == 0
