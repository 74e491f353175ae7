"""Exercise 08: split into heads, attend in each, merge, project."""

from course_lib.checker.tasks import Exercise
from course_lib.exercises.multi_head.heads import MERGE, SPLIT
from course_lib.exercises.multi_head.module import MODULE

EXERCISE = Exercise("08_multi_head", "Multi-head attention", (SPLIT, MERGE, MODULE))
