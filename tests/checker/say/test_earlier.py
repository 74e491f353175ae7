"""A task that fails because an earlier answer is wrong says so first."""

from course_lib.checker.run.program import assemble
from course_lib.checker.say.report import EARLIER, CaseResult, Report, attribute_to_earlier

PROGRAMS = assemble(
    [
        ("softmax", "def softmax(x): return x"),
        ("cool", "def cool(x): return softmax(x / 2)"),
        ("other", "def other(x): return softmaxed(x)"),
    ],
    ("softmax", "cool", "other"),
)


def report(task, passed, diagnosis=None, mistake=None):
    return Report(task, 1, (CaseResult("c", passed),), diagnosis=diagnosis, mistake=mistake)


def test_it_names_the_earlier_answer_first():
    wrong = [report("softmax", False), report("cool", False), report("other", False)]
    softmax, cool, other = attribute_to_earlier(wrong, PROGRAMS)
    assert cool.diagnosis == "It uses your `softmax`, which is not right yet: mend that first."
    assert cool.mistake == EARLIER
    assert softmax == wrong[0] and other == wrong[2]


def test_its_own_mistake_is_said_too():
    wrong = [report("softmax", False), report("cool", False, "You square.", "squared")]
    _, cool = attribute_to_earlier(wrong, PROGRAMS)
    assert cool.diagnosis.endswith("mend that first. You square.") and cool.mistake == "squared"


def test_a_right_earlier_answer_is_not_blamed():
    wrong = [report("softmax", True), report("cool", False)]
    assert attribute_to_earlier(wrong, PROGRAMS) == wrong
