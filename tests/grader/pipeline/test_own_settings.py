"""A student's files are work: none of them is a setting of the class."""

import pytest

from tests.grader.pipeline.class_commands import work

FILES = {"ada/01_softmax.ipynb": work("ada", 7), "eve/01_softmax.ipynb": work("eve", 0)}
FILES["eve/exceptions.csv"] = (
    "student,exercise,task,points,days,reason\n"
    "eve,01_softmax,,10,,agreed\nnotebook,01_softmax,,10,,agreed\n"
)
FILES["eve/course.toml"] = "[exercises.01_softmax]\npoints = { softmax = 1 }\n"
ONE = "class/eve/01_softmax.ipynb"


@pytest.mark.parametrize("out", [True, False])
def test_beside_a_single_notebook_nothing_is_a_setting(class_, out):
    class_.grade(class_.put(FILES))
    said = class_.grade(ONE) if out else class_.attn("grade", ONE)
    assert "exceptions" not in said and "settings" not in said
    class_.grade("class")
    scores = class_.scores()
    assert (scores["ada"], scores["eve"], scores.get("notebook", "0")) == ("7", "0", "0")
    assert out or "0 of 10 points" in said


def test_what_the_class_has_stays_and_what_is_said_holds(class_):
    class_.put({"exceptions.csv": FILES["eve/exceptions.csv"].replace("10", "9")}, ".")
    class_.grade(class_.put(FILES))
    class_.grade(ONE)
    assert class_.scores()["eve"] == "9"
    class_.grade(ONE, "--exceptions", "class/eve/exceptions.csv")
    assert class_.scores()["eve"] == "10"
