"""Exercise 08: split into heads, attend in each, merge, project; then measure the heads."""

from course_lib.checker.tasks import Exercise, Written
from course_lib.exercises.multi_head.heads import SPLIT
from course_lib.exercises.multi_head.in_use import IN_USE
from course_lib.exercises.multi_head.merging import MERGE
from course_lib.exercises.multi_head.module import MODULE
from course_lib.exercises.multi_head.stranger import STRANGER

WRITTEN = (
    Written(
        "two_heads",
        2,
        "Before training both heads use nearly all keys, afterwards one of them does. Which head "
        "does which half of the task, how do you know from the two numbers above the maps, and "
        "why would a single head not do?",
        (
            "1: the head of about one key brings the word before, which has to come alone; "
            "the head of nearly all keys brings the mean",
            "1: a single head has one row of weights for both, and a row near (0, 1, 0, …) is no "
            "mean, a flat one brings no single word",
        ),
    ),
)
EXERCISE = Exercise(
    "08_multi_head", "Multi-head attention", (SPLIT, MERGE, MODULE, IN_USE, STRANGER), WRITTEN
)
