"""No answer scores a point that it did not earn, gets out, lives on, or changes another's row."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tests.grader.hostile.class_ import ANSWERS, GOOD, STATUS, honest_name, write_class
from tests.grader.hostile.files import MISSING, UNREADABLE
from tests.grader.tables import grades

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("graders"),  # one after another: some count the graders' processes
]
GRADE = (sys.executable, "-m", "tests.grader.hostile.grade_class")
PR_SET_CHILD_SUBREAPER = 36
STRANGER = 4242  # a user without any rights
# The portable profile takes the same path but for the sandbox: a part of the corpus is enough.
PART = ("fork", "a network socket", "read the course", "list the class", "kill the parent")
PART += ("import the solutions", "write to the temporary folder", "patch execute", "endless loop")


def grade(folder, out, profile, uid=None):
    """Grade in a fresh process; the rows, and the processes that it left alive."""
    command = [*GRADE, folder, out, profile]
    if uid is not None:
        command = [*_readable_interpreter(), *command, str(uid)]
    # What the grader leaves behind becomes a child of this process, whatever it calls itself.
    assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    before = set(psutil.Process().children(recursive=True))
    done = subprocess.run(
        list(map(str, command)), cwd=ROOT, capture_output=True, text=True, timeout=550
    )
    assert done.returncode == 0, done.stderr[-3000:]
    left = set(psutil.Process().children(recursive=True)) - before
    _, alive = psutil.wait_procs(left, timeout=60)  # the dead need a moment to be collected
    return {student: row for (student, _), row in grades(out).items()}, alive


def _readable_interpreter():
    """A wrapper in which another user may read what lies in root's home: Python, the checkout."""
    words = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--cap-add", "ALL"]
    home = Path("/root")
    hidden = [path for path in (Path(sys.base_prefix), ROOT) if path.is_relative_to(home)]
    if hidden:
        words += ["--perms", "0755", "--tmpfs", str(home)]
    for path in hidden:
        for parent in reversed(path.relative_to(home).parents[:-1]):
            words += ["--dir", str(home / parent)]
        words += ["--ro-bind", str(path), str(path)]
    return [*words, "--"]


def give(uid, place, folder):
    """Another user's place for the gradebook, and a class which that user may read."""
    os.chown(place, uid, uid)
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755)


@pytest.fixture(scope="module")
def open_place():
    """A folder that every user can walk to: each pytest that starts closes the one that all of them
    share."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def class_of(open_place):
    folder = open_place / "class"
    folder.mkdir()
    return folder, write_class(folder, open_place / "out")


@pytest.fixture(scope="module")
def graded(class_of, tmp_path_factory):
    """The class, graded once by who runs the tests: its rows, what was left alive, its folder."""
    out = tmp_path_factory.mktemp("graded") / "out"
    return *grade(class_of[0], out, "strong" if shutil.which("bwrap") else ""), out


def check_rows(rows, earned):
    wrong = {
        student: (points, row and (row["score"], row["status"]))
        for student, points in earned.items()
        if (row := rows.get(honest_name(student))) is None
        or row["score"] != str(points)
        or row["status"] != STATUS.get(student, row["status"])
    }
    assert not wrong
    for kinds, statuses in ((UNREADABLE, {"unreadable"}), (MISSING, {"missing"})):
        assert {rows[student]["status"] for student in kinds if student in rows} <= statuses
    assert "needs-attention" not in {row["status"] for row in rows.values()}


def test_the_corpus_is_large_enough():
    assert len(ANSWERS) + len(UNREADABLE) + len(MISSING) >= 200


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_as_root(class_of, graded):
    rows, left, out = graded
    check_rows(rows, class_of[1])
    assert not left and {"strong"} == {row["profile"] for row in rows.values()} - {""}
    check_reports(out)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_as_an_unprivileged_user(class_of, graded, open_place):
    folder, earned = class_of
    rows, left, _ = graded
    if os.geteuid() == 0:
        place = open_place / "unprivileged"
        place.mkdir()
        give(STRANGER, place, folder)
        rows, left = grade(folder, place / "out", "strong", STRANGER)
    check_rows(rows, earned)
    assert not left


def test_without_namespaces(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    some = {name: ANSWERS[name] for name in PART}
    earned = write_class(folder, tmp_path / "out", some, with_files=False)
    rows, left = grade(folder, tmp_path / "out", "portable")
    check_rows(rows, earned)
    assert not left and {row["profile"] for row in rows.values()} == {"portable"}


def test_good_rows_are_the_same_alone_and_beside_hostile_ones(class_of, graded, tmp_path):
    folder, _ = class_of
    beside, _, _ = graded
    for student in GOOD:
        shutil.copytree(folder / student, tmp_path / "alone" / student)
    alone, _ = grade(tmp_path / "alone", tmp_path / "out", "")
    assert alone == {student: beside[student] for student in map(honest_name, GOOD)}


@pytest.mark.parametrize("profile", ["strong", "portable"])
def test_nothing_outlives_a_grader_that_is_killed(tmp_path, profile):
    folder = tmp_path / "class"
    folder.mkdir()
    write_class(folder, tmp_path / "out", {"sleep": ANSWERS["sleep"]}, with_files=False)
    shutil.rmtree(folder / GOOD[0])
    words = [*GRADE, str(folder), str(tmp_path / "out"), profile]
    run = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    family: set[psutil.Process] = set()
    while run.poll() is None and time.monotonic() < deadline:
        family = set(psutil.Process(run.pid).children(recursive=True))
        if (tmp_path / "out" / "gradebook.sqlite").exists() and len(family) >= 3:
            break
        time.sleep(0.2)
    assert family, "the grader ended before it could be killed"
    run.kill()
    run.wait()
    _, alive = psutil.wait_procs(family, timeout=120)
    assert not alive


def check_reports(out):
    """Every report is small UTF-8 text, escaped, without control characters or a neighbour."""
    for path in out.rglob("*.html"):
        text = path.read_bytes().decode("utf-8")
        assert len(text) < 2_000_000
        assert not any(ord(c) < 32 and c not in "\n\t" for c in text), path
        assert "<script" not in text and "root:" not in text, path
