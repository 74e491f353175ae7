"""A class of hostile and honest students on the disk, and what each row must say."""

import tempfile
from pathlib import Path

from tests.grader.hostile.exercise import EARNED, EXERCISE, GOOD_TARGET, notebook
from tests.grader.hostile.exhausting import ENGINE, RESOURCES
from tests.grader.hostile.files import FILE, MISSING, UNREADABLE
from tests.grader.hostile.forging import FORGING
from tests.grader.hostile.reaching import MARK, READING, TOUCHING

GOOD = ("good", "good too", "=cmd|' C calc'!A0", "<script>alert(1)<script>", "-1+1", "Zoë")
ANSWERS = FORGING | READING | TOUCHING | RESOURCES | ENGINE
# What the row's status must be; for every other answer any honest status will do.
STATUS = {
    **dict.fromkeys(("endless loop", "endless loop at the top", "sleep"), "timeout"),
    "a loop that catches everything": "timeout",
    "catastrophic pattern": "timeout",
    "print without end": "timeout",
    "fill memory in one go": "memory",
    "fill memory with tensors": "memory",
    # Not "fill memory with bytes": on a busy machine the clock may run out before the memory does.
    "claim memory little by little": "memory",
    "segmentation fault": "crashed",
    "exit zero": "no-result",
    "forged empty frame": "no-result",
    "forged trailing bytes": "no-result",
    "syntax error": "graded",
    "system exit": "graded",
    "fork": "graded",
    # Had it worked, the cell would have ended without a word.
    "execute": "graded",
}


def write_class(folder: Path, out: Path, answers=ANSWERS, with_files=True) -> dict[str, int]:
    """Write the class; the points that each student earned."""
    earned = {}
    for student in GOOD:
        _put(folder, student, notebook(f"# {MARK}\n" + GOOD_TARGET))
        earned[student] = EXERCISE.max_score
    for student, source in answers.items():
        student = student.replace("/", " ")
        _put(folder, student, notebook(aimed(source, folder, out)))
        earned[student] = EARNED
    for student, write in ((UNREADABLE | MISSING) if with_files else {}).items():
        (folder / student).mkdir()
        write(folder / student)
        earned[student] = 0
    earned["lie in the metadata"] = 2  # its second `honest` is wrong, and the last one counts
    return {student: points for student, points in earned.items() if (folder / student).exists()}


def aimed(source: str, folder: Path, out: Path) -> str:
    """An attack with the places of this machine in it."""
    library = Path(__file__).parents[3] / "course_lib"
    places = {
        "{class_}": str(folder),
        "{out}": str(out),
        "{tmp}": tempfile.gettempdir(),
        "{course}": str(library / "formulas" / "softmax.py"),
        "{solutions}": str(library / "exercises" / "__init__.py"),
    }
    for mark, place in places.items():
        source = source.replace(mark, place)
    return source


def _put(folder: Path, student: str, data: bytes) -> None:
    (folder / student).mkdir(parents=True)
    (folder / student / FILE).write_bytes(data)


def honest_name(student: str) -> str:
    """The student's name as grades.csv writes it."""
    return "'" + student if student[0] in "=+-@" else student
